// All problems at once: what is wrong in one place hides nothing in another, and no problem is told twice.

import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { diagnose, HEAD } from '../support/loading.ts';

/** A problem by what it says; positions, in lists too, move when something else is added. */
const say = ({ code, message, fix, address }: ReturnType<typeof diagnose>[number]) =>
  JSON.stringify([
    code,
    message.replace(/\[\d+\]|\.\d+\b/g, '[]'),
    namesOthers(code) ? '' : (fix ?? ''),
    address ?? '',
  ]);

/** Its fix names resources of the manifest, and another mistake may bring one along. */
const namesOthers = (code: string) => code === 'wrong-reference';

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
    'a cycle',
    {
      failover_backends:
        '  m18a: { backends: ["${failover_backends.m18b.id}"] }\n  m18b: { backends: ["${failover_backends.m18a.id}"] }',
    },
  ],
  ['a cycle of one', { failover_backends: '  m19: { backends: ["${failover_backends.m19.id}"] }' }],
  ['a broken rule', { tls_edges: '  m20: { tls_termination: { terminate_at: upstream, min_version: "1.2" } }' }],
  ['a hostport twice', { tls_edges: '  m21a: { hostports: ["m21:1"] }\n  m21b: { hostports: ["m21:1"] }' }],
  [
    'a rename of what is there',
    { tls_edges: '  m22: {}\n  m22b: {}', moved: '  - { from: tls_edges.m22, to: tls_edges.m22b }' },
  ],
  ['a rename to nowhere', { moved: '  - { from: tls_edges.m23, to: tls_edges.nowhere }' }],
  [
    'a cycle of renames',
    { moved: '  - { from: tls_edges.m24a, to: tls_edges.m24b }\n  - { from: tls_edges.m24b, to: tls_edges.m24a }' },
  ],
  ['a removal of what is there', { tls_edges: '  m25: {}', removed: '  - { from: tls_edges.m25, destroy: true }' }],
  ['a removal of no address', { removed: '  - { from: m26, destroy: true }' }],
  [
    'two removals',
    { removed: '  - { from: tls_edges.m27, destroy: true }\n  - { from: tls_edges.m27, destroy: true }' },
  ],
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
  ['a tab', { reserved_addrs: '  m45:\n\tregion: eu' }],
  ['a merge key', { reserved_addrs: '  m46b: &m46 {}\n  m46: { <<: *m46 }' }],
  ['an alias of nothing', { reserved_addrs: '  m47: *nothing' }],
  ['text behind a quote', { reserved_addrs: "  m48: { description: 'it's' }" }],
  ['a variable without a block', { variables: '  m49: eu' }],
  ['a default that is an expression', { variables: '  m50: { default: "${var.ok}" }' }],
  ['a switch as text', { variables: '  m51: { sensitive: yes, default: x }' }],
  [
    'an output with a list in its text',
    { agent_ingresses: '  m52: { domain: m52.test }', outputs: '  m52: "x ${agent_ingresses.m52.ns_targets}"' },
  ],
  ['an output as a block', { outputs: '  m53: { value: x }' }],
  ['an output that is no expression', { outputs: '  m54: "${local.x}"' }],
  [
    'a rename twice',
    {
      tls_edges: '  m55b: {}\n  m55c: {}',
      moved: '  - { from: tls_edges.m55, to: tls_edges.m55b }\n  - { from: tls_edges.m55, to: tls_edges.m55c }',
    },
  ],
  [
    'two renames to one',
    {
      tls_edges: '  m56: {}',
      moved: '  - { from: tls_edges.m56a, to: tls_edges.m56 }\n  - { from: tls_edges.m56b, to: tls_edges.m56 }',
    },
  ],
  [
    'a rename to another kind',
    { reserved_addrs: '  m57: {}', moved: '  - { from: tls_edges.m57, to: reserved_addrs.m57 }' },
  ],
  ['a rename without its end', { moved: '  - { from: tls_edges.m58 }' }],
  [
    'a rename and a removal',
    {
      tls_edges: '  m59b: {}',
      moved: '  - { from: tls_edges.m59, to: tls_edges.m59b }',
      removed: '  - { from: tls_edges.m59, destroy: true }',
    },
  ],
  ['a removal that is neither', { removed: '  - { from: tls_edges.m60, destroy: maybe }' }],
  ['an unknown word of lifecycle', { tls_edges: '  m61: { lifecycle: { create_before_destroy: true } }' }],
  ['a wrong word of lifecycle', { tls_edges: '  m62: { lifecycle: { on_immutable_change: recreate } }' }],
  ['a list that is none in lifecycle', { tls_edges: '  m63: { lifecycle: { ignore_changes: all } }' }],
  [
    'an ignored path of a route that is none',
    {
      https_edges:
        '  m64: { routes: { r: { match_type: exact_path, match: /, lifecycle: { ignore_changes: [compresion] } } } }',
    },
  ],
  [
    'an id pinned twice',
    { tls_edges: '  m65a: { lifecycle: { id: edgtls_m65 } }\n  m65b: { lifecycle: { id: edgtls_m65 } }' },
  ],
  [
    'a secret in plain text',
    { variables: '  m66: { sensitive: true, default: m66m66 }', reserved_addrs: '  m66: { region: "${var.m66}" }' },
  ],
  [
    'a header twice',
    {
      https_edges:
        '  m67: { routes: { r: { match_type: exact_path, match: /, request_headers: { add: { A-B: x, a-b: y } } } } }',
    },
  ],
  [
    'a bad header',
    {
      https_edges:
        '  m68: { routes: { r: { match_type: exact_path, match: /, request_headers: { add: { "A B": x } } } } }',
    },
  ],
  [
    'out of range',
    {
      https_edges:
        '  m69: { routes: { r: { match_type: exact_path, match: /, circuit_breaker: { error_threshold_percentage: 7 } } } }',
    },
  ],
  [
    'an id in the place of a hostport',
    { reserved_addrs: '  m70: {}', tls_edges: '  m70: { hostports: ["${reserved_addrs.m70.id}"] }' },
  ],
  ['a list of blocks', { event_destinations: '  - { format: json }' }],
  ['a word of other tools', { tls_edges: '  m72: { depends_on: [a] }' }],
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

/** What is found of one mistake alone: that is asked of each many times. */
const ofOne = new Map<Readonly<Record<string, string>>, readonly string[]>();
function alone(given: Readonly<Record<string, string>>): readonly string[] {
  const found = ofOne.get(given) ?? sorted([withMistakes(given)]);
  ofOne.set(given, found);
  return found;
}

const mistake = fc.nat({ max: MISTAKES.length - 1 });

describe('each mistake alone', () => {
  test.each(MISTAKES)('%s is found, once', (_, given) => {
    const found = sorted([withMistakes(given)]);
    expect(found, found.join('\n')).toHaveLength(1);
  });

  test.each(MISTAKES)('%s has its place and a fix', (_, given) => {
    for (const problem of diagnose([withMistakes(given)])) {
      expect(problem.range, problem.message).toBeDefined();
      expect(problem.fix, problem.message).toMatch(/\S/);
    }
  });
});

describe('two mistakes', () => {
  const isList = (block: string | undefined) => block?.startsWith('  - ');
  /** A list and a block in one section are no YAML. */
  const fit = (a: Readonly<Record<string, string>> = {}, b: Readonly<Record<string, string>> = {}) =>
    Object.keys(a).every((name) => b[name] === undefined || isList(a[name]) === isList(b[name]));
  const pairs = fc.tuple(mistake, mistake).filter(([a, b]) => a !== b && fit(MISTAKES[a]?.[1], MISTAKES[b]?.[1]));
  const parts = ([a, b]: readonly [number, number]) => [MISTAKES[a]?.[1] ?? {}, MISTAKES[b]?.[1] ?? {}] as const;
  const wrong = ([a, b]: readonly [number, number]) => `${MISTAKES[a]?.[0] ?? ''} + ${MISTAKES[b]?.[0] ?? ''}`;

  test('have the problems of each, in one file', () => {
    fc.assert(
      fc.property(pairs, (pair) => {
        const [one, other] = parts(pair);
        const both = [...alone(one), ...alone(other)].sort();
        expect(sorted([withMistakes(one, other)]), wrong(pair)).toEqual(both);
      }),
      { numRuns: 150 },
    );
  });

  test('are both found where the second is a name that begins with a digit, behind what is never closed', () => {
    const text = `${HEAD}tls_edges:\n  web:\n    hostports: [a:1\n  3m: {}\n`;
    expect(diagnose([text]).map(({ code }) => code)).toEqual(['yaml-syntax', 'bad-name']);
  });

  test('have the problems of each, in two files', () => {
    fc.assert(
      fc.property(pairs, (pair) => {
        const [one, other] = parts(pair);
        const both = [...alone(one), ...alone(other)].sort();
        expect(sorted([withMistakes(one), textOf(listsOf(other))]), wrong(pair)).toEqual(both);
      }),
      { numRuns: 150 },
    );
  });
});

/** Files that are wrong, or not wholly read, each with the addresses and names that may be in them: a start of each. */
const BESIDE: readonly (readonly [string, string, RegExp])[] = [
  ['several documents', `${HEAD}event_destinations: {}\n---\nversion: 1\n`, /^$/],
  ['several documents, one of them broken', `${HEAD}---\nversion: 1\nreserved_addrs: [\n`, /./],
  ['a misspelt section', `${HEAD}tls_edge: { x: {} }\n`, /^tls_edges\./],
  ['an empty section', `${HEAD}reserved_addrs:\n`, /^reserved_addrs\./],
  ['a section of a wrong type', `${HEAD}https_edges: 5\n`, /^https_edges\./],
  ['a list for a section', `${HEAD}event_subscriptions: [a]\n`, /^event_subscriptions\./],
  ['variables of a wrong type', `${HEAD}variables: [a]\n`, /^var\./],
  ['a key that nobody can read', `${HEAD}"a\u0007": 1\n`, /./],
  ['no YAML', 'version: 1\nstack: shop\ntls_edges: {{{\n', /^tls_edges\./],
  ['no manifest', '- a\n', /./],
  ['a rename that is none', `${HEAD}moved:\n  - 5\n`, /^$/],
];

/** What such a file may still have is not known to be missing. */
function mayWait(problem: string, names: RegExp): boolean {
  const [code, message] = JSON.parse(problem) as readonly [string, string];
  if (!/no resource has the address|is not declared/.test(message)) return false;
  return names.test(code === 'unknown-variable' ? `var.` : (/\S+$/.exec(message)?.[0] ?? ''));
}

describe('a mistake beside a file that is wrong as a whole', () => {
  test.each(BESIDE)('is found, beside %s', (_, beside, names) => {
    const others = sorted([withMistakes(), beside]);
    for (const [what, given] of MISTAKES) {
      const found = sorted([withMistakes(given), beside]);
      const missing = alone(given).filter((one) => !found.includes(one));
      expect(
        missing.filter((one) => !mayWait(one, names)),
        what,
      ).toEqual([]);
      expect(
        others.filter((one) => !found.includes(one)),
        what,
      ).toEqual([]);
    }
  });
});

describe('a rename to nowhere', () => {
  const TO = '  - { from: tls_edges.a, to: tls_edges.b }\n';
  test.each([
    ['5', true],
    ['[tls_edges.b]', false],
    ['tls_edges.b', false],
    ['{ form: tls_edges.b, to: tls_edges.c }', false],
    ['{ from: tls_edges.b, too: tls_edges.c }', false],
    ['{ from: tls_edges.x, too: tls_edges.c }', true],
    ['{ from: 5, to: tls_edges.c }', true],
  ])('beside the broken entry %s, which leads on or does not', (entry, isTold) => {
    const found = diagnose([`${HEAD}reserved_addrs: { db: {} }\nmoved:\n${TO}  - ${entry}\n`]);
    expect(found.some(({ message }) => message === 'no resource has the address tls_edges.b')).toBe(isTold);
    expect(found.length).toBeGreaterThan(isTold ? 1 : 0);
  });

  test('is told beside a removal that is none', () => {
    const found = diagnose([`${HEAD}reserved_addrs: { db: {} }\nmoved:\n${TO}removed: [5]\n`]);
    expect(found.map(({ code }) => code).sort()).toEqual(['move-matches-nothing', 'wrong-type']);
  });
});

describe('documents of one file', () => {
  test('are all judged, as files of their own', () => {
    const one = 'tls_edges: { a: { hostports: ["x:1", "x:1"] } }';
    const two = 'reserved_addrs: { db: { region: xx } }';
    const found = diagnose([`${HEAD}${one}\n---\n${two}\n---\nstack: other\n`]);
    expect(found.map(({ code, range }) => `${code} ${range?.line ?? 0}`)).toEqual([
      'not-unique 3',
      'several-documents 4',
      'wrong-value 5',
      'stack-mismatch 7',
    ]);
  });

  test('a name in two of them is one address', () => {
    const found = diagnose([`${HEAD}reserved_addrs: { db: {} }\n---\nreserved_addrs: { db: {} }\n`]);
    expect(found.map(({ code }) => code)).toEqual(['several-documents', 'duplicate-address']);
  });

  test('beyond a number are not read, and nothing is said of what they may hold', () => {
    const [first, ...others] = diagnose([`${HEAD}outputs: { a: "\${tls_edges.b.id}" }\n${'---\na: 1\n'.repeat(100)}`]);
    expect(first?.code).toBe('several-documents');
    expect(others.length).toBeLessThan(20);
    expect(new Set(others.map(({ code }) => code))).toEqual(new Set(['unknown-field']));
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

  test.each(['Sh', '', '5', '[a]'])('is told beside the name of the stack that is none: %j', (stack) => {
    const found = diagnose([`version: 1\nstack: ${stack}\ntls_edges: { a: { metadata: ${'x'.repeat(4080)} } }\n`]);
    expect(found.map(({ code }) => code)).toContain('metadata-too-long');
  });

  test('is left to the plan where live text is kept', () => {
    expect(problem(`${'x'.repeat(4050)}\n    lifecycle: { ignore_changes: [metadata] }`)).toBeUndefined();
  });
});

describe('a text with several expressions', () => {
  test.each<readonly [string, readonly string[]]>([
    ['${var.a}:${var.p}', ['variable a is not declared', 'variable p is not declared']],
    [
      '${reserved_addrs.q.id} ${reserved_addrs.z.id}',
      ['no resource has the address reserved_addrs.q', 'no resource has the address reserved_addrs.z'],
    ],
    ['${nope} ${file:a} ${nope.b} ${file:b}', ['${nope} is', '${nope.b} is', '"a" is away', '"b" is away']],
    ['${var.c} ${var.d} ${var.c}', ['variable c has no value', 'variable d has no value']],
  ])('has the problems of each: %s', (text, messages) => {
    const readFile = (path: string) => ({
      diagnostics: [{ code: 'file-unreadable', severity: 'error', message: `"${path}" is away` } as const],
    });
    for (const place of [`outputs: { o: "${text}" }`, `reserved_addrs: { o: { description: "${text}" } }`]) {
      const found = diagnose(`${HEAD}variables: { c: {}, d: {} }\n${place}\n`, { readFile });
      expect(found.map(({ message }) => messages.find((start) => message.startsWith(start)) ?? message).sort()).toEqual(
        [...messages].sort(),
      );
    }
  });
});
