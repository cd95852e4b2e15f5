// The marker inside metadata: whatever the user wrote comes back byte for byte, and whatever people do to the text around
// the marker, it is found again or said to be broken.

import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import type { JsonObject } from '../../src/core/json.ts';
import { parseJson } from '../../src/core/json.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import {
  commitForMarker,
  markerTraceIn,
  metadataOverflow,
  readMarker,
  writeMarker,
} from '../../src/resource/marker/marker-codec.ts';
import type { Marker } from '../../src/resource/snapshot.ts';
import type { Edit } from '../support/metadata-edits.ts';
import { DAMAGES, LINE_EDITS, OBJECT_EDITS } from '../support/metadata-edits.ts';
import { ANY_CHARACTER } from '../support/any-character.ts';

const marker: Marker = { v: 1, stack: 'shop', address: 'tls_edges.db', applied: { backend: 'abc', hostports: 'def' } };
const BARE = '{"v":1,"stack":"shop","address":"tls_edges.db","applied":{"backend":"abc","hostports":"def"}}';

describe('what is written', () => {
  test.each<readonly [string, string]>([
    ['', `{"edgeform":${BARE}}`],
    ['{"team":"a"}', `{"team":"a","edgeform":${BARE}}`],
    ['{ "team": "a" }\n', `{ "team": "a" ,"edgeform":${BARE}}\n`],
    ['{ }', `{ "edgeform":${BARE}}`],
    ['{}', `{"edgeform":${BARE} }`],
    ['text', `text\nedgeform/v1 ${BARE}`],
    ['["team"]', `["team"]\nedgeform/v1 ${BARE}`],
  ])('%j is kept beside the marker', (user, expected) => {
    expect(writeMarker(user, marker)).toBe(expected);
    expect(readMarker(expected)).toEqual({ marker, user });
  });

  test('an empty object of the user that an earlier version marked with a line is still read', () => {
    expect(readMarker(`{}\nedgeform/v1 ${BARE}`)).toEqual({ marker, user: '{}' });
  });
});

/** Texts of users: JSON objects in many layouts, prose, and texts that speak of us without being a marker. */
const space = fc.constantFrom('', ' ', '\n', '\r\n', '\t', '\n  ');
const word = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('edgeform', 'v', 'stack', '{', '"'),
);
const plainObject = fc.dictionary(word, fc.oneof(word, fc.integer(), fc.array(word), fc.dictionary(word, word)));
const layout = fc.constantFrom<string | number>(0, 1, 2, '\t');
const objectText = fc
  .record({ value: plainObject, indent: layout, head: space, tail: space })
  .map(({ value, indent, head, tail }) => `${head}${JSON.stringify(value, null, indent)}${tail}`);
const prose = fc
  .array(fc.oneof(word, fc.constantFrom('edgeform', 'edgeform/v1', '"edgeform"', '{}', ': ', '\n', '\r\n', '\r', ' ')))
  .map((parts) => parts.join(''));
const userText = fc
  .oneof(
    fc.string({ unit: ANY_CHARACTER, maxLength: 80 }),
    objectText,
    prose,
    fc.constantFrom(
      '{}',
      '{ }',
      '{\n}',
      '{}\n',
      ' {}',
      '[]',
      '"x"',
      '\n',
      '}',
      '{',
      'a\r',
      'a\r\n',
      '\u2028',
      '{"":{}}',
    ),
  )
  .filter((user) => markerTraceIn(user) === undefined);
const markers = fc
  .record({
    address: fc.constantFrom('tls_edges.db', 'https_edges.a.routes.b'),
    applied: fc.dictionary(fc.constantFrom('backend', 'hostports', 'metadata'), word),
    protect: fc.boolean(),
    replaces: fc.option(fc.constant('edgtls_1'), { nil: undefined }),
  })
  .map(({ address, applied, protect, replaces }): Marker => ({
    v: 1,
    stack: 'shop',
    address,
    applied,
    ...(protect && { protect }),
    ...(replaces !== undefined && { replaces }),
  }));

test('any text of a user comes back as it was, and so does the marker', () => {
  fc.assert(
    fc.property(userText, markers, (user, given) => {
      expect(readMarker(writeMarker(user, given))).toEqual({ marker: given, user });
    }),
    { numRuns: 5_000 },
  );
});

describe('a marker among edits by people', () => {
  const mine = '{"team":"a","n":{"x":[1,2]}}';
  test.each(Object.entries(OBJECT_EDITS))('in an object: %s', (_, edit) => {
    for (const user of ['', '{}', mine]) {
      const read = readMarker(edit(writeMarker(user, marker)));
      expect(read.marker).toEqual(marker);
      const { zz: _zz, aa: _aa, ...kept } = parseJson(read.user === '' ? '{}' : read.user) as JsonObject;
      expect(kept).toEqual(parseJson(user === '' ? '{}' : user));
    }
  });

  test.each(Object.entries(LINE_EDITS))('in other text: %s', (_, edit) => {
    const read = readMarker(edit(writeMarker('my text\nof two lines', marker)));
    expect(read.marker).toEqual(marker);
    expect(read.user).toContain('my text');
    expect(read.user).not.toContain('edgeform');
  });

  test.each([
    [`my text\nedgeform/v1 ${BARE}\n`, 'my text'],
    [`my text\nedgeform/v1 ${BARE} \r\n\n`, 'my text'],
    [`my text\nedgeform/v1 ${BARE}\ntheirs`, 'my text\ntheirs'],
    [`edgeform/v1 ${BARE}\r\ntheirs`, 'theirs'],
    [`edgeform/v1 ${BARE}`, ''],
    [`{"edgeform":${BARE},"theirs":1}`, '{"theirs":1}'],
    [`{"a":1, "edgeform" : ${BARE} , "theirs":1}`, '{"a":1, "theirs":1}'],
    [`{\n  "a": 1,\n  "edgeform": ${BARE}\n}`, '{\n  "a": 1\n}'],
    [`{\n  "edgeform": ${BARE},\n  "b": 1\n}`, '{\n  "b": 1\n}'],
    [`{\n  "edgeform": ${BARE}\n}`, ''],
    [`{"a":1}\nedgeform/v1 ${BARE}`, '{"a":1}'],
  ])('the user keeps all but the marker and what came with it: %j', (text, user) => {
    expect(readMarker(text)).toEqual({ marker, user });
  });

  test.each(Object.entries(DAMAGES))('damaged: %s', (_, damage) => {
    for (const user of ['{"team":"a"}', 'my text']) {
      const { marker: none, markerProblem } = readMarker(damage(writeMarker(user, marker)));
      expect([none, typeof markerProblem?.what]).toEqual([undefined, 'string']);
    }
  });

  test('any edits, one after the other, of any text', () => {
    const edits = (all: Readonly<Record<string, Edit>>) =>
      fc.array(fc.constantFrom(...Object.keys(all)), { maxLength: 3 });
    fc.assert(
      fc.property(userText, markers, edits(OBJECT_EDITS), edits(LINE_EDITS), (user, given, onObjects, onLines) => {
        const written = writeMarker(user, given);
        const isObjectText = /^\s*\{/u.test(written) && !written.includes('\nedgeform/v1 {"v"');
        const [table, names] = isObjectText ? [OBJECT_EDITS, onObjects] : [LINE_EDITS, onLines];
        const edited = names.reduce((text, name) => table[name]?.(text) ?? text, written);
        expect(readMarker(edited).marker).toEqual(given);
      }),
      { numRuns: 5_000 },
    );
  });
});

const key = (value: string) => `{"edgeform":${value}}`;

describe('what is no whole marker is never taken for nothing', () => {
  // The text, what is said of it, and the stacks that it names.
  test.each<readonly [string, RegExp, readonly string[]]>([
    [key('{"v":2,"stack":"shop","address":"tls_edges.db"}'), /version 2/, ['shop']],
    [key('{"stack":"shop","address":"tls_edges.db"}'), /is damaged/, ['shop']],
    [key('{"v":"1","stack":"shop","address":"tls_edges.db"}'), /is damaged/, ['shop']],
    [key('{"v":1,"stack":7,"address":"tls_edges.db"}'), /is damaged/, []],
    [key('{"v":1,"stack":"Shop","address":"tls_edges.db"}'), /is damaged/, []],
    [key('{"v":1,"stack":"shop"}'), /is damaged/, ['shop']],
    [key('{"v":1,"stack":"shop","address":"tls_edges.d b"}'), /is damaged/, ['shop']],
    [key('{"v":1,"stack":"shop","address":"tls_edges.db","applied":{"x":1}}'), /is damaged/, ['shop']],
    [key('{"v":1,"stack":"shop","address":"tls_edges.db","applied":[]}'), /is damaged/, ['shop']],
    [key('{"v":1,"stack":"shop","address":"tls_edges.db","protect":"yes"}'), /is damaged/, ['shop']],
    [key('{"v":1,"stack":"shop","address":"tls_edges.db","replaces":1}'), /is damaged/, ['shop']],
    [key('{"v":1,"stack":"shop","stack":"other","address":"tls_edges.db"}'), /is damaged/, ['shop', 'other']],
    [key('null'), /is damaged/, []],
    [key('"shop"'), /is damaged/, []],
    [key(`[${BARE}]`), /is damaged/, ['shop']],
    [key('{}'), /is damaged/, []],
    [`{"edgeform":${BARE},"edgeform":${BARE}}`, /more than once/, ['shop']],
    [`{"edgeform":1,"a":2,"edgeform":${BARE}}`, /more than once/, ['shop']],
    [`{"a":1,"edgeform":${BARE}}\nedgeform/v1 ${BARE}`, /more than once/, ['shop']],
    [`a\nedgeform/v1 ${BARE}\nedgeform/v1 ${BARE}`, /more than once/, ['shop']],
    [`a\nedgeform/v1 ${BARE}\nb "edgeform":{"v":1`, /more than once/, ['shop']],
    ['{"edgeform":{"v":1,', /damaged/, []],
    ['{"a":1,"edgeform":{"v":1,"stack":"other","addr', /damaged/, ['other']],
    ['{"a":1,"edgeform":{"v":1,"stack":"oth', /damaged/, []],
    [`{"a":1 "edgeform":${BARE}}`, /damaged/, ['shop']],
    [`{"a":1,"edgeform":${BARE},}`, /damaged/, ['shop']],
    [`note\n{"a":1,"edgeform":${BARE}}`, /damaged/, ['shop']],
    [`{"old":{"edgeform":${BARE}}}`, /damaged/, ['shop']],
    [`[{"edgeform":${BARE}}]`, /damaged/, ['shop']],
    [JSON.stringify(`{"edgeform":${BARE}}`), /damaged/, ['shop']],
    [JSON.stringify({ text: `a\nedgeform/v1 ${BARE}` }), /damaged/, ['shop']],
    [`a edgeform/v1 ${BARE}`, /damaged/, ['shop']],
    ['x\nedgeform/v1', /damaged/, []],
    ['x\nedgeform/v1 {', /is damaged/, []],
    ['x\nedgeform/v1 {"v":1,"stack":"other","address":"tls', /is damaged/, ['other']],
    [`x\nedgeform/v1 ${BARE.replace('db', '\n')}`, /is damaged/, ['shop']],
    [`x\nedgeform/v1 ${BARE} and more`, /is damaged/, ['shop']],
    [`x\nedgeform/v2 ${BARE}`, /is damaged/, ['shop']],
    ['x\nedgeform/v2 {"v":2,"stack":"other"}', /version 2/, ['other']],
  ])('%s', (text, what, stacks) => {
    const { marker: none, markerProblem: problem, user } = readMarker(text);
    expect(none).toBeUndefined();
    // What has no end cannot be told from the user's text, and neither can what is not where it belongs.
    if (markerTraceIn(user) !== undefined) expect(problem?.what).toMatch(/damaged|truncated|more than once/);
    expect(problem?.what).toMatch(what);
    expect(problem?.stacks).toEqual(stacks);
    expect(markerTraceIn(text)).toBeDefined();
  });
});

test.each([
  ['{"edgeform":null}', ''],
  ['{"edgeform":{}}', ''],
  ['{ "edgeform": "shop" }', ''],
  ['{"a":1,"edgeform":true,"b":[2]}', '{"a":1,"b":[2]}'],
  [`{"edgeform":1,"a":2,"edgeform":${BARE}}`, '{"a":2}'],
  ['mine\nedgeform/v1 {"stack":"shop"}\nmore', 'mine\nmore'],
  [`mine\nedgeform/v1 ${BARE}\nand\nedgeform/v1 ${BARE}`, 'mine\nand'],
  [`{"a":1,"edgeform":7}\nedgeform/v1 ${BARE}`, '{"a":1}'],
  // Where the marker ends, and what the user wrote below it begins, cannot be said.
  ['mine\nedgeform/v1 {"v":1,\nmore', 'mine\nedgeform/v1 {"v":1,\nmore'],
])('of a marker that is none, the user keeps the rest: %j', (text, user) => {
  expect(readMarker(text)).toMatchObject({ marker: undefined, user });
});

test.each([
  // Remains without the name are no marker.
  BARE,
  `mine\ndgeform/v1 ${BARE}`,
  `{"a":1,"edgform":${BARE}}`,
  '{"a":1,"edgeform',
  `{“edgeform”:{“v”:1,“stack”:“shop”}}`,
  'docs at edgeform: stack: shop',
  'a\nsee edgeform:\n stack: of plates',
  '["edgeform"]',
  'managed by edgeform',
  'edgeform: see the wiki',
  'see `edgeform`: it is a tool',
  'run "edgeform" first',
  '{"tool":"edgeform"}',
  '{"stack":"web","address":"db.internal","applied":{}}',
  '{"serves":{"stack":"net","address":"tls_edges.main"}}',
  '{"path":"routes.api","applied":{"by":"ops"}}',
  '{"address":"tls_edges.db","applied":{"by":"ops"}}',
  'see tls_edges.db and "applied":{',
  '{"stack":"web","owner":"me","address":"tls_edges.db"}',
  'tls_edges.db, applied: {"x":1}',
])('speaking of us is no marker: %s', (text) => {
  expect(readMarker(text)).toEqual({ marker: undefined, user: text });
  expect(markerTraceIn(text)).toBeUndefined();
});

describe('text longer than metadata can be is not parsed', () => {
  const long = (text: string) => `${text}${'{'.repeat(2_400_000)}`;

  test('with the name of a marker it is marked, and nothing of it is believed', () => {
    for (const text of [long(`edgeform/v1 ${BARE}\n`), `{"edgeform":${BARE},"a":"${'x'.repeat(5_000)}"}`]) {
      const { marker: none, markerProblem, user } = readMarker(text);
      expect(none).toBeUndefined();
      expect(markerProblem?.what).toMatch(/longer than 4096 characters/);
      expect(markerProblem?.stacks).toEqual(['shop']);
      expect(user).toBe(text);
    }
  });

  test('without the name it belongs to nobody', () => {
    expect(readMarker(long('a'))).toEqual({ marker: undefined, user: long('a') });
  });

  test('text of the longest length is parsed, whatever its characters', () => {
    const line = `\nedgeform/v1 ${BARE}`;
    const user = '😀'.repeat(4096 - line.length);
    expect(readMarker(`${user}${line}`)).toMatchObject({ user, marker: { stack: 'shop' } });
  });
});

describe('the commit in a marker', () => {
  const marker = { v: 1, stack: 'shop', address: 'tls_edges.a', applied: {} } as const;

  test.each(['', 'owned by web', '{"team": "web"}'])('is written and read beside %j', (user) => {
    const text = writeMarker(user, { ...marker, commit: '0123456789ab' });
    expect(readMarker(text)).toEqual({ marker: { ...marker, commit: '0123456789ab' }, user });
  });

  test.each(['main', '0123456789abcdef', 'ABCDEF012345', 'é', 7, null, ['0123456']])(
    'is ignored where it is none (%j), and the marker counts',
    (commit) => {
      expect(readMarker(JSON.stringify({ edgeform: { ...marker, commit } }))).toEqual({ marker, user: '' });
    },
  );

  test('is the beginning of one', () => {
    expect(commitForMarker('0123456789abcdef')).toBe('0123456789ab');
    expect([commitForMarker('v1.2'), commitForMarker(undefined)]).toEqual([undefined, undefined]);
  });

  test('has room whether it is known or not', () => {
    const kind = kindByName('tls_edge');
    const fits = (length: number) => metadataOverflow(kind, 'x'.repeat(length), marker) === undefined;
    const most = 4096 - writeMarker('x', { ...marker, commit: '0'.repeat(12) }).length + 1;
    expect([fits(most), fits(most + 1)]).toEqual([true, false]);
  });
});
