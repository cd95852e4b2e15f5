// Fleet files: what they say, and every mistake at its place with what to do about it.

import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/core/json.ts';
import { documentSchema } from '../../src/schema/documents.ts';
import { fleetOf, placed, type Around } from './sample.ts';

const HEAD = 'version: 1\nstacks:\n';
const A = '  - { name: a, path: a }\n';

describe('what a fleet file says', () => {
  test('stacks in their order, with paths from the working directory and text for every variable', () => {
    const text = `version: 1
policies: [rules.yaml]
stacks:
  - { name: network, path: stacks/network }
  - { name: shop, path: ./stacks/*.yaml, variables: { env: prod, count: 0x10, on: true }, var_files: [prod.yaml] }
  - { name: partner, path: partner.yaml, base_url_env: PARTNER_URL, api_key_env: PARTNER_KEY }
`;
    const env = { EDGEFORM_FLEET_CREDENTIALS: ' PARTNER_URL,PARTNER_KEY, ' };
    const { value, diagnostics } = fleetOf(text, { name: 'ops/fleet.yaml', env });
    expect(diagnostics).toEqual([]);
    expect(value?.entries.map(({ name, paths }) => [name, ...paths])).toEqual([
      ['network', 'ops/stacks/network'],
      ['shop', 'ops/stacks/*.yaml'],
      ['partner', 'ops/partner.yaml'],
    ]);
    expect([...(value?.entries[1]?.variables ?? [])]).toEqual([
      ['env', 'prod'],
      ['count', '0x10'],
      ['on', 'true'],
    ]);
    expect(value?.entries.map((one) => [one.baseUrlEnv, one.apiKeyEnv])).toEqual([
      ['EDGEFORM_BASE_URL', 'EDGEFORM_API_KEY'],
      ['EDGEFORM_BASE_URL', 'EDGEFORM_API_KEY'],
      ['PARTNER_URL', 'PARTNER_KEY'],
    ]);
    expect(value?.policies).toEqual(['ops/rules.yaml']);
    expect([...(value?.notManifests ?? [])]).toEqual([
      '/repo/ops/fleet.yaml',
      '/repo/ops/rules.yaml',
      '/repo/ops/prod.yaml',
    ]);
  });

  test('a file that a variable or a name mentions may be a manifest', () => {
    const { value } = fleetOf(`${HEAD}  - { name: a, path: a, variables: { main: a/main.yaml }, var_files: [a/v] }\n`);
    expect([...(value?.notManifests ?? [])]).toEqual(['/repo/edgeform.fleet.yaml', '/repo/a/v']);
  });

  test('one entry for each match, named after the last part of its path, but not for files that are no manifests', () => {
    const text = `${HEAD}  - { each: teams/*, variables: { env: prod }, var_files: [teams/v.yaml] }\n`;
    const matches = { 'teams/*': ['teams/a', 'teams/b.yaml', 'teams/c.JSON', 'teams/v.yaml'] };
    const { value, diagnostics } = fleetOf(text, { matches });
    expect(diagnostics).toEqual([]);
    expect(value?.entries.map(({ name, paths, range }) => [name, ...paths, range.line, range.column])).toEqual([
      ['a', 'teams/a', 3, 13],
      ['b', 'teams/b.yaml', 3, 13],
      ['c', 'teams/c.JSON', 3, 13],
    ]);
  });

  test('teams x environments are two entries, whose names and stacks have the last part of the path in them', () => {
    const text = `${HEAD}  - { each: teams/*, name: "\${each.name}-prod", stack: "\${each.name}", overlays: [prod.yaml] }
  - { each: teams/*, name: "x-\${each.name}" }
`;
    const { value, diagnostics } = fleetOf(text, { matches: { 'teams/*': ['teams/a', 'teams/b.yaml'] } });
    expect(diagnostics).toEqual([]);
    expect(value?.entries.map(({ name, stack, paths, overlays }) => [name, stack?.name, paths, overlays])).toEqual([
      ['a-prod', 'a', ['teams/a'], ['prod.yaml']],
      ['b-prod', 'b', ['teams/b.yaml'], ['prod.yaml']],
      ['x-a', undefined, ['teams/a'], []],
      ['x-b', undefined, ['teams/b.yaml'], []],
    ]);
    expect(value?.entries.map(({ range }) => `${range.line}:${range.column}`)).toEqual([
      '3:28',
      '3:28',
      '4:28',
      '4:28',
    ]);
  });

  test('several paths make one stack; overlays are no manifests, and variables may be lists', () => {
    const text = `${HEAD}  - name: a
    path: [presets.yaml, a/*]
    stack: a-prod
    overlays: [a/prod.yaml]
    variables: { hosts: [a:1, 0x10, true], none: [] }
`;
    const { value, diagnostics } = fleetOf(text, { name: 'ops/fleet.yaml' });
    expect(diagnostics).toEqual([]);
    const [entry] = value?.entries ?? [];
    expect([entry?.paths, entry?.overlays, entry?.stack?.name]).toEqual([
      ['ops/presets.yaml', 'ops/a/*'],
      ['ops/a/prod.yaml'],
      'a-prod',
    ]);
    expect([...(entry?.variables ?? [])]).toEqual([
      ['hosts', ['a:1', '0x10', 'true']],
      ['none', []],
    ]);
    expect([...(value?.notManifests ?? [])]).toEqual(['/repo/ops/fleet.yaml', '/repo/ops/a/prod.yaml']);
  });
});

interface Mistake {
  readonly name: string;
  readonly text: string;
  readonly expect: readonly string[];
  readonly says?: RegExp;
  readonly fix?: RegExp;
  readonly around?: Around;
}

const HOSTILE_NAME = { matches: { 'teams/*': ['teams/Team A'] } };

test.each<Mistake>([
  { name: 'nothing', text: '', expect: ['empty-file 1:1'], fix: /version: 1/ },
  {
    name: 'stacks by their names',
    text: 'version: 1\nstacks: { network: { path: net.yaml } }\n',
    expect: ['wrong-type 2:9'],
    fix: /^write `stacks: \[\{ name: "network", path: "net\.yaml" \}\]`$/,
  },
  { name: 'a text', text: 'stacks', expect: ['wrong-type 1:1'], fix: /`stacks:`/ },
  { name: 'no version', text: `stacks:\n${A}`, expect: ['missing-field 1:1'], says: /in the fleet file/ },
  { name: 'a newer version', text: `version: 2\nstacks:\n${A}`, expect: ['wrong-value 1:10'] },
  { name: 'an empty list', text: 'version: 1\nstacks: []\n', expect: ['bad-fleet 2:9'], fix: /below `stacks:`/ },
  { name: 'an unknown key', text: `${HEAD}${A}polices: []\n`, expect: ['unknown-field 4:1'], fix: /"policies"/ },
  { name: 'no name', text: `${HEAD}  - { path: a }\n`, expect: ['missing-field 3:5'], says: /"name"/ },
  { name: 'a wrong name', text: `${HEAD}  - { name: Shop, path: a }\n`, expect: ['wrong-value 3:13'] },
  {
    name: 'the same name twice',
    text: `${HEAD}${A}  - { name: b, path: b }\n${A}`,
    expect: ['bad-fleet 5:13'],
    fix: /rename/,
  },
  {
    name: 'the same name from a pattern',
    text: `${HEAD}${A}  - { each: x/* }\n`,
    around: { matches: { 'x/*': ['x/a'] } },
    expect: ['bad-fleet 4:13'],
  },
  {
    name: 'a path and a pattern',
    text: `${HEAD}  - { each: x/*, path: a }\n`,
    around: { matches: { 'x/*': ['x/b'] } },
    expect: ['bad-fleet 3:18'],
    fix: /^remove `path`/,
  },
  {
    name: 'one name for all that matches',
    text: `${HEAD}  - { each: x/*, name: a }\n`,
    around: { matches: { 'x/*': ['x/b'] } },
    expect: ['wrong-value 3:24'],
    says: /name/,
  },
  {
    name: 'what matches in the name of a single stack',
    text: `${HEAD}  - { path: x, name: "\${each.name}" }\n`,
    expect: ['wrong-value 3:22'],
  },
  {
    name: 'a name that is too long with what matches',
    text: `${HEAD}  - { each: x/*, name: "\${each.name}-prod" }\n`,
    around: { matches: { 'x/*': [`x/${'a'.repeat(60)}`] } },
    expect: ['bad-fleet 3:13'],
    says: /cannot be named after it/,
  },
  {
    name: 'two entries of one pattern with the same names',
    text: `${HEAD}  - { each: x/* }\n  - { each: x/* }\n`,
    around: { matches: { 'x/*': ['x/b'] } },
    expect: ['bad-fleet 4:13'],
    fix: /name: "\$\{each\.name\}-prod"/,
  },
  { name: 'no path in a list', text: `${HEAD}  - { name: a, path: [] }\n`, expect: ['wrong-value 3:22'] },
  {
    name: 'wrong paths in lists',
    text: `${HEAD}  - { name: a, path: [a, ../b, 5], overlays: [../c] }\n`,
    expect: ['file-outside-root 3:26', 'wrong-type 3:32', 'file-outside-root 3:47'],
  },
  {
    name: 'a stack that is no name',
    text: `${HEAD}  - { name: a, path: a, stack: A }\n`,
    expect: ['wrong-value 3:32'],
  },
  {
    name: 'a map as a value of a variable',
    text: `${HEAD}  - { name: a, path: a, variables: { v: [[a]], w: {} } }\n`,
    expect: ['wrong-type 3:42', 'wrong-type 3:51'],
  },
  { name: 'a pattern without a match', text: `${HEAD}  - { each: x/* }\n`, expect: ['bad-fleet 3:13'] },
  {
    name: 'a match that cannot be a name',
    text: `${HEAD}  - { each: teams/* }\n`,
    around: HOSTILE_NAME,
    expect: ['bad-fleet 3:13'],
    says: /"teams\/Team A"/,
    fix: /`name` and `path`/,
  },
  { name: 'an empty path', text: `${HEAD}  - { name: a, path: "" }\n`, expect: ['wrong-value 3:22'] },
  { name: 'standard input', text: `${HEAD}  - { name: a, path: "-" }\n`, expect: ['wrong-value 3:22'] },
  { name: 'a path outside', text: `${HEAD}  - { name: a, path: ../b }\n`, expect: ['file-outside-root 3:22'] },
  {
    name: 'variable files and policies outside',
    text: `version: 1\npolicies: [/p]\nstacks:\n  - { name: a, path: a, var_files: [b, ../c] }\n`,
    expect: ['file-outside-root 2:12', 'file-outside-root 4:40'],
  },
  {
    name: 'a match outside',
    text: `${HEAD}  - { each: x/* }\n`,
    around: { matches: { 'x/*': ['../b'] } },
    expect: ['file-outside-root 3:13'],
  },
  {
    name: 'a control character in a path',
    text: `${HEAD}  - { name: a, path: "a\\0b" }\n`,
    expect: ['hidden-character 3:22'],
  },
  {
    name: 'a credential of somebody else',
    text: `${HEAD}  - { name: a, path: a, base_url_env: HOME, api_key_env: AWS_SECRET }\n`,
    expect: ['foreign-credential 3:39', 'foreign-credential 3:58'],
    says: /^base_url_env names HOME/,
    fix: /EDGEFORM_FLEET_CREDENTIALS/,
  },
  {
    name: 'a credential with a typing mistake',
    text: `${HEAD}  - { name: a, path: a, base_url_env: EDGEFORM_BASEURL }\n`,
    expect: ['foreign-credential 3:39'],
    fix: /did you mean "EDGEFORM_BASE_URL"/,
  },
  {
    name: 'a key as an address',
    text: `${HEAD}  - { name: a, path: a, base_url_env: EDGEFORM_API_KEY }\n`,
    expect: ['foreign-credential 3:39'],
    says: /^base_url_env names EDGEFORM_API_KEY/,
  },
  { name: 'too large a text', text: `#${'x'.repeat(4 * 1024 * 1024)}`, expect: ['file-too-large 1:1'], fix: /`each`/ },
])('$name', ({ text, around, expect: places, says, fix }) => {
  const { diagnostics } = fleetOf(text, around);
  expect(diagnostics.map(placed)).toEqual(places);
  for (const one of diagnostics) expect(one.fix, one.message).toBeTruthy();
  if (says !== undefined) expect(diagnostics[0]?.message).toMatch(says);
  if (fix !== undefined) expect(diagnostics[0]?.fix).toMatch(fix);
});

test('all mistakes are told at once', () => {
  const text = `version: 2
stack: x
stacks:
  - { name: A, path: a, varfiles: [] }
  - { each: none/*, api_key_env: OTHER }
  - { name: b, path: ../b }
  - { name: c, path: c }
  - { name: c, path: d }
`;
  expect(fleetOf(text).diagnostics.map(placed)).toEqual([
    'wrong-value 1:10',
    'unknown-field 2:1',
    'wrong-value 4:13',
    'unknown-field 4:25',
    'bad-fleet 5:13',
    'foreign-credential 5:34',
    'file-outside-root 6:22',
    'bad-fleet 8:13',
  ]);
});

describe('large files', () => {
  test('at most 100 patterns are looked for, and 20,000 stacks are made', () => {
    let sought = 0;
    const many = Array.from({ length: 150 }, (_, at) => `  - { each: t${at}/* }\n`).join('');
    const few = fleetOf(HEAD + many, { stacksLike: (pattern) => ((sought += 1), [pattern.replace('/*', '')]) });
    expect([sought, few.diagnostics.length, few.diagnostics[0] && placed(few.diagnostics[0])]).toEqual([
      100,
      50,
      'too-large 103:13',
    ]);
    const names = Array.from({ length: 15_000 }, (_, at) => `x/s${at}`);
    const over = fleetOf(`${HEAD}  - { each: x/* }\n  - { each: y/* }\n  - { each: z/* }\n`, {
      matches: { 'x/*': names, 'y/*': names.map((name) => `${name}y`), 'z/*': names },
    });
    expect(over.diagnostics.map(placed)).toEqual(['too-large 4:5']);
  });
});

test('the schema agrees with the loader about the form, as an editor would use it', () => {
  const isValid = new Ajv({ strict: false }).compile(documentSchema('fleet') ?? {});
  const entries: readonly (readonly [Json, boolean])[] = [
    [{ name: 'a', path: 'a' }, true],
    [{ each: 'teams/*', variables: { a: 1, b: true } }, true],
    [{ name: 'a' }, false],
    [{ path: 'a' }, false],
    [{ name: 'a', path: '-' }, false],
    [{ name: 'a', path: 'a', api_key_env: 'A-B' }, false],
    [{ name: 'a', path: ['a', 'b'], stack: 'a', overlays: ['o'], variables: { a: [], b: [1, 'x'] } }, true],
    [{ each: 'teams/*', name: '${each.name}-b', stack: '${each.name}' }, true],
    [{ each: 'teams/*', name: 'b' }, false],
    [{ each: 'teams/*', stack: 'b' }, false],
    [{ name: '${each.name}', path: 'a' }, false],
    [{ name: 'a', path: [] }, false],
    [{ name: 'a', path: 'a', overlays: 'o' }, false],
    [{ name: 'a', path: 'a', variables: { a: [[]] } }, false],
    [{ name: 'a', path: 'a', secret: 'x' }, false],
  ];
  for (const [entry, isGood] of entries) {
    const document = { version: 1, stacks: [entry] };
    expect(isValid(document), JSON.stringify(entry)).toBe(isGood);
    const { diagnostics } = fleetOf(JSON.stringify(document), { name: 'f.json', matches: { 'teams/*': ['teams/a'] } });
    expect(diagnostics.length === 0, JSON.stringify(entry)).toBe(isGood);
  }
});
