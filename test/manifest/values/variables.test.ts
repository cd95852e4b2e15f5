// Values of variables: who says them, which are secrets, and what is told of wrong ones.

import { loadManifest } from '../../../src/manifest/load.ts';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../../src/core/secrets/secret.ts';
import { readVariables } from '../../../src/manifest/values/variables.ts';
import { mergedOf } from '../../support/manifest-parts.ts';

interface Given {
  readonly given?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

function read(text: string, { given = {}, env = {} }: Given = {}) {
  const found = readVariables(mergedOf(text), { given: new Map(Object.entries(given)), env });
  return { ...found, codes: found.diagnostics.map(({ code }) => code) };
}

describe('a value is what was given, or else that of the environment, or else the default', () => {
  const declared = 'variables: { a: { default: d } }';

  test.each<Given & { name: string; text?: string; expect: unknown }>([
    { name: 'all three', given: { a: 'g' }, env: { EDGEFORM_VAR_a: 'e' }, expect: 'g' },
    { name: 'the environment', env: { EDGEFORM_VAR_a: 'e' }, expect: 'e' },
    { name: 'the default', expect: 'd' },
    { name: 'an empty value is one', given: { a: '' }, expect: '' },
    { name: 'an empty value of the environment is one', env: { EDGEFORM_VAR_a: '' }, expect: '' },
    { name: 'names have case', env: { EDGEFORM_VAR_A: 'e' }, expect: 'd' },
    { name: 'other names of the environment do not count', env: { a: 'e' }, expect: 'd' },
    { name: 'a default keeps its type', text: 'variables: { a: { default: false } }', expect: false },
    { name: 'a default keeps how its number is written', text: 'variables: { a: { default: 1.20 } }', expect: '1.20' },
    {
      name: 'a text that is given looks like a number and is none',
      text: 'variables: { a: { default: 1 } }',
      given: { a: '2' },
      expect: '2',
    },
    { name: 'an expression that is given is text', given: { a: '${var.b}' }, expect: '${var.b}' },
  ])('$name', ({ text = declared, expect: expected, ...given }) => {
    const { values, codes, unset } = read(text, given);
    expect([values.get('a'), codes, [...unset.keys()]]).toEqual([expected, [], []]);
  });
});

describe('secrets', () => {
  test('a sensitive value is one, whoever says it', () => {
    const text = 'variables: { a: { sensitive: true, default: from-default } }';
    for (const given of [{ given: { a: 'from-flag' } }, { env: { EDGEFORM_VAR_a: 'from-env' } }, {}])
      expect(read(text, given).values.get('a')).toBeInstanceOf(Secret);
  });

  test('one without a value is known to be secret', () => {
    const { unset, values } = read('variables: { a: { sensitive: true }, b: {} }');
    expect([...unset].map(([name, { isSecret }]) => [name, isSecret])).toEqual([
      ['a', true],
      ['b', false],
    ]);
    expect(values.size).toBe(0);
  });

  test('what is wrong with a secret does not repeat it', () => {
    const { diagnostics, codes } = read('variables: { a: { sensitive: true } }', { given: { a: 'hid\u0007den' } });
    expect(codes).toEqual(['bad-variable']);
    expect(JSON.stringify(diagnostics)).not.toContain('hid');
  });
});

describe('what is wrong is told', () => {
  test.each<Given & { name: string; text: string; codes: readonly string[] }>([
    { name: 'a value for what nobody declares', text: 'stack: shop', given: { b: '1' }, codes: ['unknown-variable'] },
    {
      name: 'the environment may say what nobody declares',
      text: 'stack: shop',
      env: { EDGEFORM_VAR_b: '1' },
      codes: [],
    },
    {
      name: 'a value for what may be declared where nothing can be read',
      text: 'variables: !x {}',
      given: { b: '1' },
      codes: [],
    },
    {
      name: 'a character that nobody sees',
      text: 'variables: { a: {} }',
      given: { a: '\u202e' },
      codes: ['bad-variable'],
    },
    {
      name: 'a default that looks like an expression',
      text: 'variables: { a: { default: "${var.b}" } }',
      codes: ['bad-variable'],
    },
    {
      name: 'a default that nobody needs is not judged',
      text: 'variables: { a: { default: "${var.b}" } }',
      given: { a: 'x' },
      codes: [],
    },
  ])('$name', ({ text, codes, ...given }) => {
    expect(read(text, given).codes).toEqual(codes);
  });

  test('a name that was probably meant is told', () => {
    expect(read('variables: { region: {} }', { given: { regoin: 'x' } }).diagnostics[0]?.fix).toContain('"region"');
  });
});

test('a long list that is used often is too large, long before it fills the memory', () => {
  const items = Array.from({ length: 20_000 }, () => 'a').join(', ');
  const uses = Array.from({ length: 500 }, (_, index) => `  e${index}: { hostports: "\${var.l}" }`).join('\n');
  const text = `version: 1\nstack: shop\nvariables:\n  l: { default: [${items}] }\ntls_edges:\n${uses}\n`;
  const { diagnostics } = loadManifest({
    files: [{ name: 'edgeform.yaml', text }],
    variables: new Map(),
    env: {},
    readFile: () => ({ diagnostics: [] }),
  });
  expect(diagnostics.filter(({ code }) => code === 'too-large').length).toBeGreaterThan(0);
});
