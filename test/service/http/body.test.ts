// What a body is worth: JSON in UTF-8 that says so, within its bounds, or why not and whether it may be whole next time.

import { describe, expect, test } from 'vitest';
import { parseBody } from '../../../src/service/http/body.ts';

const JSON_TYPE = 'application/json';
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('a body', () => {
  test.each([
    { name: 'of JSON', text: '{"a":1}', type: JSON_TYPE, json: { a: 1 } },
    { name: 'with a character set', text: '{}', type: 'application/json; charset=utf-8', json: {} },
    { name: 'with a quoted character set', text: '{}', type: 'application/json;charset="UTF-8"', json: {} },
    { name: 'of a JSON format of its own', text: '{}', type: 'application/problem+json', json: {} },
    { name: 'with its type in capitals', text: 'null', type: 'APPLICATION/JSON', json: null },
    { name: 'that begins with a byte order mark', text: '\ufeff{}', type: JSON_TYPE, json: {} },
    { name: 'as deep as is allowed', text: nested(64), type: JSON_TYPE, json: JSON.parse(nested(64)) as [] },
  ])('$name is read', ({ text, type, json }) => {
    expect(parseBody(Buffer.from(text), type)).toEqual({ json });
  });

  test.each([
    { name: 'of a web page', text: '<p>', type: 'text/html', isCut: false, says: /text\/html/ },
    { name: 'of no type', text: '{}', type: '', isCut: false, says: /not JSON/ },
    {
      name: 'of a type that only begins like JSON',
      text: '{}',
      type: 'application/jsonp',
      isCut: false,
      says: /not JSON/,
    },
    {
      name: 'in another character set',
      text: '{}',
      type: 'application/json; charset=latin1',
      isCut: false,
      says: /UTF-8/,
    },
    {
      name: 'in a character set that begins like UTF-8',
      text: '{}',
      type: 'application/json; charset=utf-80',
      isCut: false,
      says: /UTF-8/,
    },
    { name: 'that broke off', text: '{"a":', type: JSON_TYPE, isCut: true, says: /not complete/ },
    { name: 'that is empty', text: '', type: JSON_TYPE, isCut: true, says: /empty/ },
    { name: 'that goes on behind its end', text: '{}{}', type: JSON_TYPE, isCut: true, says: /not complete/ },
    { name: 'that is too deep', text: nested(65), type: JSON_TYPE, isCut: false, says: /deeper/ },
  ])('$name is told', ({ text, type, isCut, says }) => {
    expect(parseBody(Buffer.from(text), type)).toEqual({ problem: expect.stringMatching(says), isCut });
  });

  test('of other bytes than UTF-8 is told', () => {
    expect(parseBody(Buffer.from([0x22, 0xff, 0x22]), JSON_TYPE)).toMatchObject({ isCut: true });
  });

  test('far deeper than the stack is told, too', () => {
    expect(parseBody(Buffer.from(`${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`), JSON_TYPE)).toMatchObject({
      problem: expect.stringMatching(/deeper/),
    });
  });

  test('does not repeat a type that could be anything', () => {
    expect(JSON.stringify(parseBody(Buffer.from(''), 'probe words'))).not.toContain('probe');
  });
});

describe('a list that is there twice, of which a parser keeps one, is an error', () => {
  test.each([
    '{"things":[{"id":"t_1"}],"things":[],"next_page_uri":null}',
    '{"things":[{"id":"t_1"}],"things":null}',
    '{"things":null,"things":[]}',
    '{"things":[{"id":"t_1","parts":[{"id":"p_1"}],"parts":[]}]}',
    String.raw`{"things":[{"parts": [],"text":"\\","a":{},"part\u0073" :null}]}`,
    String.raw`{"things":[{"id":"t_1"}],"th\u0069ngs":[]}`,
  ])('%s', (text) => {
    expect(parseBody(Buffer.from(text), JSON_TYPE)).toEqual({
      problem: 'the answer has the same list twice',
      isCut: false,
    });
  });

  test.each([
    '{"things":[{"things":[]},{"things":[]}],"next_page_uri":null}',
    String.raw`{"things":[],"text":"\"things\":[] \u0069"}`,
    '{"uri":"a","things":[{"uri":"b"}]}',
    '{"things":[{"parts":[]},{"parts":[],"a":{"parts":[]}}]}',
    '{"a":["things","things"],"b":{"things":"","things":1}}',
  ])('and %s is none', (text) => {
    expect(parseBody(Buffer.from(text), JSON_TYPE)).toEqual({ json: JSON.parse(text) as object });
  });
});
