// All problems at once: what is wrong in one place hides nothing in another, and no problem is told twice.

import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { loadManifest } from '../../src/manifest/load.ts';

function diagnose(texts: readonly string[]) {
  const files = texts.map((text, index) => ({ name: `f${index}.yaml`, text }));
  const readFile = () => ({ diagnostics: [] });
  return loadManifest({ files, variables: new Map(), env: {}, readFile }).diagnostics;
}

const HEAD = 'version: 1\nstack: shop\n';

/** A problem by what it says; positions move when another line is added. */
const say = ({ code, message, fix, address }: ReturnType<typeof diagnose>[number]) =>
  JSON.stringify([code, message, fix ?? '', address ?? '']);

const sorted = (texts: readonly string[]) => diagnose(texts).map(say).sort();

/** Mistakes that have nothing to do with each other: the name, and the sections that the mistake is in. */
const MISTAKES: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['an unknown section', { gadgets: '  a: {}' }],
  ['a misspelt section', { api_kys: '  a: {}' }],
  ['an unknown field', { reserved_addrs: '  m1: { hue: red }' }],
  ['a misspelt field', { reserved_addrs: '  m2: { regoin: eu }' }],
  ['a missing field', { ssh_credentials: '  m3: {}' }],
  ['a misspelt required field', { ssh_credentials: '  m4: { public_kye: abc }' }],
  ['a wrong type', { tls_edges: '  m5: { hostports: 5 }' }],
  ['a block that is none', { tls_edges: '  m6:' }],
  ['a closed set', { reserved_addrs: '  m7: { region: mars }' }],
  ['too long', { reserved_addrs: `  m8: { description: ${'x'.repeat(256)} }` }],
  [
    'no room for the marker',
    { event_subscriptions: `  m44: { metadata: "${'x'.repeat(4090)}" }`, tls_edges: '  m44: { hostports: [m44:1] }' },
  ],
  ['a marker', { reserved_addrs: `  m9: { metadata: '{"edgeform":{}}' }` }],
  ['two targets', { event_destinations: '  m10: { target: { s3: {}, datadog: {} } }' }],
  ['a wrong expression', { reserved_addrs: '  m11: { description: "${nope}" }' }],
  ['an undeclared variable', { reserved_addrs: '  m12: { description: "${var.nope}" }' }],
  ['an unset variable', { variables: '  m13: {}', reserved_addrs: '  m13: { description: "${var.m13}" }' }],
  ['no such resource', { failover_backends: '  m14: { backends: ["${failover_backends.nowhere.id}"] }' }],
  ['no such attribute', { reserved_addrs: '  m15: { description: "${reserved_addrs.m15b.nope}" }\n  m15b: {}' }],
  [
    'a wrong kind',
    { failover_backends: '  m16: { backends: ["${reserved_addrs.m16.id}"] }', reserved_addrs: '  m16: {}' },
  ],
  ['a wrong id', { failover_backends: '  m17: { backends: [ra_1] }' }],
  [
    'a circle',
    {
      failover_backends:
        '  m18a: { backends: ["${failover_backends.m18b.id}"] }\n  m18b: { backends: ["${failover_backends.m18a.id}"] }',
    },
  ],
  ['a circle of one', { failover_backends: '  m19: { backends: ["${failover_backends.m19.id}"] }' }],
  ['a broken rule', { tls_edges: '  m20: { tls_termination: { terminate_at: upstream, min_version: "1.2" } }' }],
  ['a hostport twice', { tls_edges: '  m21a: { hostports: ["m21:1"] }\n  m21b: { hostports: ["m21:1"] }' }],
  [
    'a rename of what is there',
    { tls_edges: '  m22: {}\n  m22b: {}', moved: '  - { from: tls_edges.m22, to: tls_edges.m22b }' },
  ],
  ['a rename to nowhere', { moved: '  - { from: tls_edges.m23, to: tls_edges.nowhere }' }],
  [
    'a circle of renames',
    { moved: '  - { from: tls_edges.m24a, to: tls_edges.m24b }\n  - { from: tls_edges.m24b, to: tls_edges.m24a }' },
  ],
  ['a removal of what is there', { tls_edges: '  m25: {}', removed: '  - { from: tls_edges.m25 }' }],
  ['a removal of no address', { removed: '  - { from: m26 }' }],
  ['two removals', { removed: '  - { from: tls_edges.m27 }\n  - { from: tls_edges.m27 }' }],
  ['an ignored path that is none', { tls_edges: '  m28: { lifecycle: { ignore_changes: [nope] } }' }],
  ['a wrong adoption', { tls_edges: '  m29: { lifecycle: { adopt: ra_1 } }' }],
  ['two ids', { tls_edges: '  m30: { lifecycle: { adopt: edgtls_1, id: edgtls_2 } }' }],
  ['a bad name', { tls_edges: '  3m: {}' }],
  ['a key twice', { tls_edges: '  m32: {}\n  m32: {}' }],
  ['an unknown tag', { reserved_addrs: '  m33: { description: !x y }' }],
  ['a bad escape', { reserved_addrs: '  m34: { description: "\\q" }' }],
  ['a hidden character', { reserved_addrs: '  m35: { description: "a\u0007" }' }],
  ['an open quote', { reserved_addrs: '  m36:\n    description: "open' }],
  ['an open bracket', { tls_edges: '  m37:\n    hostports: [a:1' }],
  ['a second colon', { reserved_addrs: '  m38:\n    description: Note: this' }],
  ['bad indentation', { reserved_addrs: '  m39:\n      description: x\n     region: eu' }],
  ['an output of nothing', { outputs: '  m40: "${reserved_addrs.nowhere.addr}"' }],
  [
    'a value of the wrong type',
    { https_edges: '  m41: { routes: { r: { match_type: exact_path, match: /, compression: { enabled: yes } } } }' },
  ],
  ['a route without a match', { https_edges: '  m42: { routes: { r: { match_type: exact_path } } }' }],
  [
    'a webhook without a secret',
    {
      https_edges:
        '  m43: { routes: { r: { match_type: exact_path, match: /, webhook_verification: { provider: github } } } }',
    },
  ],
];

type Sections = Readonly<Record<string, readonly string[]>>;

function textOf(sections: Sections): string {
  return (
    HEAD +
    Object.entries(sections)
      .map(([name, blocks]) => `${name}:\n${blocks.join('\n')}\n`)
      .join('')
  );
}

/** What is right, and is referred to. */
const SOUND: Sections = {
  reserved_addrs: ['  ok: {}'],
  tls_edges: ['  ok: { hostports: ["${reserved_addrs.ok.addr}"] }'],
};

function withMistakes(...mistakes: readonly Readonly<Record<string, string>>[]): string {
  const made: Record<string, string[]> = Object.fromEntries(
    Object.entries(SOUND).map(([name, blocks]) => [name, [...blocks]]),
  );
  for (const mistake of mistakes) for (const [name, block] of Object.entries(mistake)) (made[name] ??= []).push(block);
  return textOf(made);
}

const mistake = fc.nat({ max: MISTAKES.length - 1 });

describe('each mistake alone', () => {
  test.each(MISTAKES)('%s is found, once', (_, given) => {
    const found = sorted([withMistakes(given)]);
    expect(found, found.join('\n')).toHaveLength(1);
  });
});

describe('two mistakes', () => {
  const pairs = fc.tuple(mistake, mistake).filter(([a, b]) => a !== b);
  const parts = ([a, b]: readonly [number, number]) => [MISTAKES[a]?.[1] ?? {}, MISTAKES[b]?.[1] ?? {}] as const;
  const wrong = ([a, b]: readonly [number, number]) => `${MISTAKES[a]?.[0] ?? ''} + ${MISTAKES[b]?.[0] ?? ''}`;

  test('have the problems of each, in one file', () => {
    fc.assert(
      fc.property(pairs, (pair) => {
        const [one, other] = parts(pair);
        const alone = [...sorted([withMistakes(one)]), ...sorted([withMistakes(other)])].sort();
        expect(sorted([withMistakes(one, other)]), wrong(pair)).toEqual(alone);
      }),
      { numRuns: 150 },
    );
  });

  test('have the problems of each, in two files', () => {
    fc.assert(
      fc.property(pairs, (pair) => {
        const [one, other] = parts(pair);
        const alone = [...sorted([withMistakes(one)]), ...sorted([withMistakes(other)])].sort();
        expect(sorted([withMistakes(one), textOf(listsOf(other))]), wrong(pair)).toEqual(alone);
      }),
      { numRuns: 150 },
    );
  });
});

function listsOf(given: Readonly<Record<string, string>>): Sections {
  return Object.fromEntries(Object.entries(given).map(([name, block]) => [name, [block]]));
}

describe('metadata that is too long with its marker', () => {
  const problem = (block: string) => {
    const [first] = diagnose([`${HEAD}tls_edges:\n  a:\n    metadata: ${block}\n`]);
    return first;
  };

  test('is told with its place and what is left', () => {
    const found = problem('x'.repeat(4050));
    expect(found).toMatchObject({ code: 'metadata-too-long', address: 'tls_edges.a', range: { line: 5, column: 15 } });
    const left = Number(/at most (\d+) bytes/.exec(found?.expected ?? '')?.[1]);
    expect(problem('x'.repeat(left))).toBeUndefined();
    expect(problem('x'.repeat(left + 1))?.code).toBe('metadata-too-long');
  });

  test('is left to the plan where live text is kept', () => {
    expect(problem(`${'x'.repeat(4050)}\n    lifecycle: { ignore_changes: [metadata] }`)).toBeUndefined();
  });
});
