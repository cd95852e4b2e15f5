// Limits are about the text that is sent: what escapes and expressions look like in the file does not count.

import { describe, expect, test } from 'vitest';
import { loadManifest } from '../../src/manifest/load.ts';

const LIMIT = 255;

function load(description: string, { kind = 'reserved_addrs', variable = '', file = '' } = {}) {
  const document = {
    version: 1,
    stack: 'shop',
    variables: { [NAME]: { default: '' } },
    [kind]: { a: { description } },
  };
  const { value, diagnostics } = loadManifest({
    files: [{ name: 'f.json', text: JSON.stringify(document) }],
    variables: new Map([[NAME, variable]]),
    env: {},
    readFile: () => ({ value: file, diagnostics: [] }),
  });
  const sent = value?.resources.map((resource) => resource.spec['description'])[0];
  return { sent, problems: diagnostics.map(({ code, got }) => `${code} ${got ?? ''}`.trim()) };
}

const NAME = 'a'.repeat(200);

describe('what is long only in the file is accepted', () => {
  test.each<readonly [string, string, string]>([
    ['escapes', '$${'.repeat(127), '${'.repeat(127)],
    ['a variable with a long name', `\${var.${NAME}}`.repeat(2), 'shortshort'],
    ['many variables', `\${var.${NAME}}`.repeat(3), 'shortshortshort'],
    ['a file with a long path', `\${file:${'d/'.repeat(200)}x.txt}`, 'text'],
  ])('%s', (_, written, sent) => {
    expect(load(written, { variable: 'short', file: 'text' })).toEqual({ sent, problems: [] });
  });
});

describe('what is long when it is sent is refused, once and with its own length', () => {
  test.each<readonly [string, string, string]>([
    ['plain text', 'x'.repeat(256), '256 bytes'],
    ['bytes, not characters', 'é'.repeat(128), '256 bytes'],
    ['escapes', '$${'.repeat(128), '256 bytes'],
    ['a variable', `\${var.${NAME}}`, '256 bytes'],
    ['a file', '${file:x}', '300 bytes'],
    ['text and a variable', `\${var.${NAME}}x`, '257 bytes'],
  ])('%s', (_, written, got) => {
    const given = { variable: 'x'.repeat(LIMIT + 1), file: 'x'.repeat(300) };
    expect(load(written, given).problems).toEqual([`too-long ${got}`]);
  });
});

test('a limit in characters counts code points', () => {
  const kind = 'event_subscriptions';
  const problems = (text: string) => load(text, { kind }).problems.filter((one) => one.startsWith('too-long'));
  expect(problems('😀'.repeat(255))).toEqual([]);
  expect(problems('😀'.repeat(256))).toEqual(['too-long 256 characters']);
});
