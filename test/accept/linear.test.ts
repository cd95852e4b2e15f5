// What accepting drift costs grows with the manifest and what drifted in it, and no faster.

import { describe, expect, test } from 'vitest';
import { acceptDrift, type Acceptance } from '../../src/accept/accept.ts';
import { withValues } from '../../src/accept/with-value.ts';
import { editText } from '../../src/accept/text/edit-text.ts';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import { findMatchedDrift } from '../../src/drift/drift.ts';
import { isDrift } from '../../src/drift/finding.ts';
import { loadManifest, type LoadInput } from '../../src/manifest/load.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import { buildPlan } from '../../src/plan/build.ts';
import { dryRun } from '../../src/plan/dry-run.ts';
import { match } from '../../src/plan/match/match.ts';
import type { LiveResource, Snapshot } from '../../src/resource/snapshot.ts';
import { growth } from '../support/count-steps.ts';
import { journal } from '../plan/sample.ts';

const COUNT = 100;
/** What is made once, such as tables, is made before anything is counted. */
const FIRST = 2;
const SERVICE = 'https://x.example.com/';
const OPTIONS = {
  destroy: false,
  allowDeletes: 'all',
  allowLoss: [],
  targets: [],
  capabilities: new Set(CAPABILITIES),
} as const;
const NOTHING: Snapshot = { resources: [], unread: [], requests: 1 };

function linesTo(count: number, line: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => line(n)).join('');
}

const load = (files: LoadInput['files']) =>
  loadManifest({ files, variables: new Map(), env: {}, readFile: () => ({ diagnostics: [] }) });

function applied(manifest: Manifest): Snapshot {
  const matched = match(manifest, manifest.resources, NOTHING);
  const { steps } = buildPlan({ manifest, snapshot: NOTHING, service: SERVICE, options: OPTIONS });
  return { ...NOTHING, resources: dryRun({ manifest, snapshot: NOTHING, matched }, steps).snapshot.resources };
}

/** Accepts all of what drifted, in one file. */
function accepting(text: string, outside: (live: readonly LiveResource[]) => readonly LiveResource[]) {
  const file = { name: 'edgeform.yaml', text, isFile: true };
  const { value: manifest, plain, diagnostics } = load([file]);
  if (manifest === undefined) throw new Error(JSON.stringify(diagnostics));
  const before = applied(manifest);
  const ids = new Map(manifest.resources.map(({ address }, index) => [before.resources[index]?.id ?? '', address]));
  const found = findMatchedDrift({
    manifest,
    snapshot: { ...before, resources: outside(before.resources) },
    service: SERVICE,
    options: { ...OPTIONS, journal: journal({ ids }) },
  });
  return (): Acceptance =>
    acceptDrift({
      found,
      manifest,
      ...plain,
      choiceOf: (finding) => (isDrift(finding) ? 'all' : undefined),
      files: [file],
      overlays: [],
      reload: ({ files }) => load(files),
    });
}

const HEAD = 'version: 1\nstack: shop\nfailover_backends:\n';
const described = (live: readonly LiveResource[]) =>
  live.map((one, n) => ({ ...one, spec: { ...one.spec, description: `live ${n}` } }));

interface Case {
  readonly text: (count: number) => string;
  readonly outside: (live: readonly LiveResource[]) => readonly LiveResource[];
  readonly accepted: (count: number) => number;
  readonly left: (count: number) => number;
}

const cases: Readonly<Record<string, Case>> = {
  'each description drifted': {
    text: (count) =>
      HEAD + linesTo(count, (n) => `  b${n}:\n    backends: [bkdhr_1]\n    description: own ${n} # why\n`),
    outside: described,
    accepted: (count) => count,
    left: () => 0,
  },
  'each block gets a description': {
    text: (count) => HEAD + linesTo(count, (n) => `  b${n}:\n    backends: [bkdhr_1]\n`),
    outside: described,
    accepted: (count) => count,
    left: () => 0,
  },
  'each description has an anchor': {
    text: (count) => HEAD + linesTo(count, (n) => `  b${n}:\n    backends: [bkdhr_1]\n    description: &a${n} own\n`),
    outside: described,
    accepted: () => 0,
    left: (count) => count,
  },
  'each other object is gone': {
    text: (count) => HEAD + linesTo(2 * count, (n) => `  # ${n}\n  b${n}:\n    # in\n    backends: [bkdhr_1]\n`),
    outside: (live) => live.filter((_, n) => n % 2 === 0),
    accepted: (count) => count,
    left: () => 0,
  },
  'each takes what a variable keeps for another': {
    text: (count) =>
      `version: 1\nstack: shop\nvariables: { d: { default: example.com } }\ntls_edges:\n${linesTo(
        count,
        (n) => `  a${n}: { hostports: ["a${n}.example.com:443"] }\n  v${n}: { hostports: ["v${n}.\${var.d}:443"] }\n`,
      )}`,
    outside: (live) =>
      live.map((one) => {
        const hosts = JSON.stringify(one.spec['hostports']);
        return { ...one, spec: { ...one.spec, hostports: JSON.parse(hosts.replace('"a', '"v')) as string[] } };
      }),
    accepted: () => 0,
    left: (count) => count,
  },
  'all are in braces on one line': {
    text: (count) =>
      `${HEAD.trimEnd()} { ${linesTo(count, (n) => `b${n}: { backends: [bkdhr_1], description: own }, `)} }\n`,
    outside: described,
    accepted: (count) => count,
    left: () => 0,
  },
};

describe('twice the drift takes twice the steps to accept', () => {
  test.each(Object.entries(cases))('%s', (_, { text, outside, accepted, left }) => {
    const done = new Map<number, Acceptance>();
    const workFor = (count: number) => {
      const accept = accepting(text(count), outside);
      return () => void done.set(count, accept());
    };
    workFor(FIRST)();
    expect(growth(COUNT, workFor)).toBeLessThan(2.1);
    for (const [count, made] of done)
      expect([made.accepted.length, made.left.length]).toEqual([accepted(count), left(count)]);
    expect(done.size).toBe(3);
  });
});

describe('twice the items take twice the steps to edit', () => {
  const itemsTo = (count: number) => Array.from({ length: count }, (_, n) => `x${n}`);
  const lists: Readonly<Record<string, (items: readonly string[]) => readonly string[]>> = {
    'all are replaced': (items) => items.map((item) => `${item}y`),
    'all change places': (items) => [...items].reverse(),
    'half of them go': (items) => items.filter((_, n) => n % 2 === 0),
    'all are gone': () => [],
    'as many come': (items) => items.flatMap((item) => [item, `${item}y`]),
  };
  const forms: Readonly<Record<string, (items: readonly string[]) => string>> = {
    'on lines': (items) => `a:\n${items.map((item) => `  # above\n  - ${item} # beside\n`).join('')}`,
    'in brackets': (items) => `a: [${items.join(', ')}]\n`,
    'in brackets over lines': (items) => `a: [\n${items.map((item) => `  # above\n  ${item}, # beside\n`).join('')}]\n`,
  };
  const rows = Object.entries(lists).flatMap(([what, change]) =>
    Object.entries(forms).map(([form, text]) => ({ what, change, form, text })),
  );

  test.each(rows)('$what $form', ({ change, text }) => {
    const edited: (string | undefined)[] = [];
    const workFor = (count: number) => {
      const [before, wanted] = [text(itemsTo(count)), { a: change(itemsTo(count)) }];
      return () => void edited.push(editText({ name: 'a.yaml', text: before }, wanted).text);
    };
    workFor(FIRST)();
    expect(growth(COUNT, workFor)).toBeLessThan(2.1);
    expect(edited).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
  });
});

test('values at many paths copy each map on their way, and nothing else', () => {
  const blocks = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`b${n}`, { x: 1, inside: { y: n } }]));
  const document = { blocks, other: { z: 1 } };
  const made = withValues(
    document,
    Object.keys(blocks).map((name) => ({ path: ['blocks', name, 'x'], value: 2 })),
  ) as typeof document;
  expect(made.other).toBe(document.other);
  for (const [name, { x, inside }] of Object.entries(made.blocks)) {
    expect(x).toBe(2);
    expect(inside).toBe(blocks[name]?.inside);
  }
});
