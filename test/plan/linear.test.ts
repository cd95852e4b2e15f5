// What a manifest and its plan cost grows with the manifest and the live state, and no faster.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import { buildPlan } from '../../src/plan/build.ts';
import { dryRun } from '../../src/plan/dry-run.ts';
import { formatManifest } from '../../src/manifest/text/format.ts';
import { match } from '../../src/plan/match/match.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { LiveResource, Snapshot } from '../../src/resource/snapshot.ts';
import { loadTexts } from '../support/loading.ts';
import { growth } from '../support/count-steps.ts';

const COUNT = 60;

function numbersTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Backends, edges that refer to them, and routes inside, of each so many. */
function stack(count: number, change: (n: number) => JsonObject = () => ({})): JsonObject {
  const named = (prefix: string, block: (n: number) => JsonObject): JsonObject =>
    Object.fromEntries(numbersTo(count).map((n) => [`${prefix}${n}`, block(n)]));
  return {
    version: 1,
    stack: 'shop',
    failover_backends: named('b', (n) => ({ backends: ['bkdhr_1'], description: `pool ${n}` })),
    https_edges: named('e', (n) => ({
      hostports: [`h${n}.example.com:443`],
      routes: {
        root: {
          match_type: 'path_prefix',
          match: '/',
          backend: { backend_id: `\${failover_backends.b${n}.id}` },
          request_headers: { add: { 'x-a': '1' } },
        },
      },
      ...change(n),
    })),
  };
}

function manifestOf(content: JsonObject): Manifest {
  const { value, diagnostics } = loadTexts(JSON.stringify(content));
  expect(diagnostics).toEqual([]);
  return value!;
}

const OPTIONS = { destroy: false, allowDeletes: 'all', allowLoss: [], targets: [] } as const;

function plan(manifest: Manifest, snapshot: Snapshot, destroy = false): Plan {
  const options = { ...OPTIONS, destroy, capabilities: new Set(CAPABILITIES) };
  return buildPlan({ manifest, snapshot, service: 'https://x.example.com/', options });
}

const NOTHING: Snapshot = { resources: [], unread: [], requests: 1 };

/** The live state after the first apply of a stack. */
function applied(manifest: Manifest): Snapshot {
  const { steps } = plan(manifest, NOTHING);
  return {
    ...NOTHING,
    resources: dryRun({ manifest, snapshot: NOTHING, matched: match(manifest, manifest.resources, NOTHING) }, steps)
      .snapshot.resources,
  };
}

const without = (live: LiveResource, problem: LiveResource['markerProblem']): LiveResource => ({
  ...live,
  marker: undefined,
  markerProblem: problem,
});

/** For each size, what is planned, and how many steps that must have so that the case is the one it says. */
const plans: Readonly<Record<string, { readonly steps: number; readonly plan: (count: number) => () => Plan }>> = {
  'everything is new': {
    steps: 3,
    plan: (count) => {
      const manifest = manifestOf(stack(count));
      return () => plan(manifest, NOTHING);
    },
  },
  'nothing differs': {
    steps: 0,
    plan: (count) => {
      const manifest = manifestOf(stack(count));
      const live = applied(manifest);
      return () => plan(manifest, live);
    },
  },
  'each edge differs': {
    steps: 1,
    plan: (count) => {
      const live = applied(manifestOf(stack(count)));
      const manifest = manifestOf(stack(count, (n) => ({ description: `new ${n}` })));
      return () => plan(manifest, live);
    },
  },
  'each route gets another selector': {
    steps: 1,
    plan: (count) => {
      const route = (n: number, match: string) => ({
        routes: { root: { match_type: 'path_prefix', match: `${match}${n}` } },
      });
      const live = applied(manifestOf(stack(count, (n) => route(n, '/old'))));
      const manifest = manifestOf(stack(count, (n) => route(n, '/new')));
      return () => plan(manifest, live);
    },
  },
  'everything is deleted': {
    steps: 2,
    plan: (count) => {
      const manifest = manifestOf(stack(count));
      const live = applied(manifest);
      return () => plan(manifest, live, true);
    },
  },
  'each edge is renamed': {
    steps: 2,
    plan: (count) => {
      const live = applied(manifestOf(stack(count)));
      const { https_edges: edges, ...rest } = stack(count);
      const renamed = Object.fromEntries(
        Object.entries(edges as JsonObject).map(([name, block]) => [`n${name}`, block]),
      );
      const moved = Object.keys(edges as JsonObject).map((name) => ({
        from: `https_edges.${name}`,
        to: `https_edges.n${name}`,
      }));
      const manifest = manifestOf({ ...rest, https_edges: renamed, moved });
      return () => plan(manifest, live);
    },
  },
  'all objects belong to another stack': {
    steps: 3,
    plan: (count) => {
      const live = applied(manifestOf({ ...stack(count), stack: 'other' }));
      const hosts = (n: number) => ({ hostports: [`own${n}.example.com:443`] });
      const manifest = manifestOf(stack(count, hosts));
      return () => plan(manifest, live);
    },
  },
  'each header of a map is ignored': {
    steps: 0,
    plan: (count) => {
      const headers = (value: string) => Object.fromEntries(numbersTo(count).map((n) => [`x-${n}`, value]));
      const ofMap = (value: string, ignored: readonly string[]) =>
        manifestOf({
          version: 1,
          stack: 'shop',
          https_edges: {
            e: {
              hostports: ['h.example.com:443'],
              routes: {
                root: {
                  match_type: 'path_prefix',
                  match: '/',
                  request_headers: { add: headers(value) },
                  response_headers: { add: headers(value) },
                  lifecycle: { ignore_changes: ignored },
                },
              },
            },
          },
        });
      const live = applied(ofMap('1', []));
      const ways = ['request_headers.add', 'response_headers.add'];
      const manifest = ofMap(
        '2',
        numbersTo(count).flatMap((n) => ways.map((way) => `${way}.x-${n}`)),
      );
      return () => plan(manifest, live);
    },
  },
  'no marker of an edge can be read': {
    steps: 2,
    plan: (count) => {
      const manifest = manifestOf(stack(count));
      const { resources, ...rest } = applied(manifest);
      const broken = { what: 'cannot be read', stacks: ['shop'] };
      const live = resources.map((one) => (one.kind === 'https_edge' ? without(one, broken) : one));
      return () => plan(manifest, { ...rest, resources: live });
    },
  },
};

describe('twice the objects take twice the steps of a plan', () => {
  test.each(Object.entries(plans))('%s', (_, { steps, plan: planOf }) => {
    const planned = new Map<number, Plan>();
    const workFor = (count: number) => {
      const work = planOf(count);
      return () => void planned.set(count, work());
    };
    // What is made once, such as tables, is made before anything is counted.
    workFor(2)();
    expect(growth(COUNT, workFor)).toBeLessThan(2.1);
    for (const [count, plan] of planned) expect(plan.steps.length).toBe(steps * count);
  });
});

const yaml = (count: number, line: (n: number) => string) =>
  `version: 1\nstack: shop\nfailover_backends:\n${numbersTo(count).map(line).join('')}`;

const texts: Readonly<Record<string, (count: number) => string>> = {
  'valid JSON': (count) => JSON.stringify(stack(count)),
  'valid YAML': (count) => yaml(count, (n) => `  b${n}:\n    description: pool ${n}\n    backends: [bkdhr_1]\n`),
  'YAML that only the library reads': (count) =>
    yaml(count, (n) => `  b${n}:\n    description: >-\n      pool ${n}\n    backends: [ bkdhr_1, ]\n`),
  'an unknown field in each block': (count) => yaml(count, (n) => `  b${n}: { descriptoin: pool }\n`),
  'keys without a value behind a list without its brackets': (count) =>
    `version: 1\nstack: shop\ntls_edges: { a: { hostports: x, ${numbersTo(count)
      .map((n) => `key${n}`)
      .join(', ')} } }\n`,
  'a wrong type in each block': (count) => yaml(count, (n) => `  b${n}: { description: [1] }\n`),
  'the same value in each block': (count) =>
    JSON.stringify(stack(count, () => ({ hostports: ['same.example.com:443'] }))),
  'a bracket that closes nothing on each line': (count) =>
    `version: 1\nstack: shop\n${numbersTo(count)
      .map((n) => `  reserved_addrs: { a${n}: {} }\n`)
      .join('')}`,
  'an invisible character on each line': (count) => `version: 1\nstack: shop\n${'\u0007\n'.repeat(count)}`,
  'a rename that cannot be read beside each that can': (count) =>
    JSON.stringify({
      ...stack(count),
      moved: numbersTo(count).flatMap((n) => [
        { from: `https_edges.o${n}`, to: `https_edges.e${n}` },
        { from: `https_edges.p${n}.`, to: 1 },
      ]),
    }),
  'a variable in each block': (count) =>
    `variables: { v: { default: x } }\n${yaml(count, (n) => `  b${n}: { description: "\${var.v} ${n}" }\n`)}`,
};

test('twice the outputs take twice the steps of formatting', () => {
  const workFor = (count: number) => {
    const outputs = numbersTo(count).map((n) => `  o${n}: x\n`);
    return () => void formatManifest('f.yaml', `version: 1\nstack: shop\noutputs:\n${outputs.join('')}`);
  };
  workFor(2)();
  expect(growth(COUNT, workFor)).toBeLessThan(2.1);
});

describe('twice the blocks take twice the steps of loading', () => {
  test.each(Object.entries(texts))('%s', (_, textOf) => {
    const workFor = (count: number) => {
      const text = textOf(count);
      return () => void loadTexts(text, { isOnce: true });
    };
    workFor(2)();
    expect(growth(COUNT, workFor)).toBeLessThan(2.1);
  });
});
