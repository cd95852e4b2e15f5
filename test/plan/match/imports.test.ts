// How imported objects are found: never guessed, never of another kind, and the same in whatever order objects are read.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../../src/core/secrets/secret.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { buildPlan } from '../../../src/plan/build.ts';
import { importsIn } from '../../../src/plan/match/imports.ts';
import type { PlanOptions } from '../../../src/plan/plan-options.ts';
import type { LiveResource } from '../../../src/resource/snapshot.ts';
import { live, manifest, options, snapshot } from '../sample.ts';

const WANTED = manifest({
  imports: { db: { stack: 'network', address: 'reserved_addrs.db' } },
  tls_edges: { web: { hostports: ['${imports.db.addr}'] } },
});
const addr = (id: string, mark = '', given: Parameters<typeof live>[2] = {}) =>
  live(id, mark, {
    computed: { id, addr: `${id.replace('_', '-')}.test:443`, created_at: '2030-01-01T00:00:00Z' },
    ...given,
  });
const OWNED = 'network:reserved_addrs.db';

const found = (wanted: typeof WANTED, objects: readonly LiveResource[]) => {
  const { known, problems } = importsIn(wanted, snapshot(...objects));
  return [...[...known.values()].map(({ id }) => id), ...problems.map(({ code }) => code)];
};

describe('by marker', () => {
  test.each<readonly [string, readonly LiveResource[], readonly string[]]>([
    ['nothing is there', [], ['import-missing']],
    ['the one', [addr('ra_1', OWNED), addr('ra_2')], ['ra_1']],
    ['only that of another address', [addr('ra_1', 'network:reserved_addrs.other')], ['import-missing']],
    ['only that of another stack', [addr('ra_1', 'web:reserved_addrs.db')], ['import-missing']],
    ['a marker on another kind', [live('edgtls_1', OWNED)], ['import-missing']],
    ['a marker on another kind, beside the one', [live('edgtls_1', OWNED), addr('ra_1', OWNED)], ['ra_1']],
    ['a marker that cannot be read', [addr('ra_1', '?network')], ['import-missing']],
    ['two', [addr('ra_1', OWNED), addr('ra_2', OWNED)], ['import-doubled']],
    [
      'the old object of an unfinished replacement',
      [addr('ra_1', OWNED), addr('ra_2', OWNED, { marker: { replaces: 'ra_1' } })],
      ['ra_2'],
    ],
    ['without the value that is used', [addr('ra_1', OWNED, { computed: { id: 'ra_1' } })], ['import-missing']],
  ])('%s', (_, objects, expected) => {
    expect(found(WANTED, objects)).toEqual(expected);
    expect(found(WANTED, [...objects].reverse())).toEqual(expected);
  });

  test('a route counts in its own edge only', () => {
    const wanted = manifest({
      imports: { api: { stack: 'web', address: 'https_edges.s.routes.api' } },
      outputs: { id: '${imports.api.id}' },
    });
    const edge = live('edghts_1', 'web:https_edges.s');
    const route = (parentId: string) => live('edghtsrt_1', 'web:https_edges.s.routes.api', { parentId });
    expect(found(wanted, [edge, route('edghts_1')])).toEqual(['edghtsrt_1']);
    expect(found(wanted, [edge, live('edghts_2'), route('edghts_2')])).toEqual(['import-missing']);
  });

  test('a kind that cannot be listed needs the id', () => {
    const wanted = manifest({
      imports: { s: { stack: 'web', address: 'https_edges.s' } },
      outputs: { id: '${imports.s.id}' },
    });
    const [problem] = importsIn(wanted, { ...snapshot(), unread: [{ kind: 'https_edge', reason: 'off' }] }).problems;
    expect(problem?.fix).toBe('HTTPS edges cannot be listed, so import it by its id');
  });
});

describe('by id', () => {
  const wanted = manifest({
    imports: { db: { kind: 'reserved_addr', id: 'ra_1' } },
    tls_edges: { web: { hostports: ['${imports.db.addr}'] } },
  });
  test.each<readonly [string, readonly LiveResource[], readonly string[]]>([
    ['nothing is there', [addr('ra_2')], ['import-missing']],
    ['nobody’s', [addr('ra_1')], ['ra_1']],
    ['another stack’s', [addr('ra_1', OWNED)], ['ra_1']],
    ['with a marker that cannot be read', [addr('ra_1', '?')], ['ra_1']],
    ['the stack’s own', [addr('ra_1', 'shop:reserved_addrs.x')], ['import-own']],
    ['of another kind', [addr('ra_1', '', { kind: 'tls_edge' })], ['import-missing']],
  ])('%s', (_, objects, expected) => {
    expect(found(wanted, objects)).toEqual(expected);
  });
});

const planOf = (content: JsonObject, objects: readonly LiveResource[], given: Partial<PlanOptions> = {}) =>
  buildPlan({
    manifest: manifest(content),
    snapshot: snapshot(...objects),
    service: 'https://service.test/',
    options: options(given),
  });

test('a value that repeats a secret of its object is shown nowhere', () => {
  const secret = 'ra-1.test:443';
  const objects = [addr('ra_1', OWNED, { spec: { description: new Secret(secret) } })];
  const content = {
    imports: { db: { stack: 'network', address: 'reserved_addrs.db' } },
    outputs: { a: '${imports.db.addr}' },
  };
  const plan = planOf(content, objects);
  expect(plan.imports?.[0]?.values).toEqual({ addr: { sensitive: true } });
  expect(JSON.stringify(plan)).not.toContain(secret);
});

test('whatever is imported, found or pending: the plan is the same in any order, and would converge', () => {
  const names = ['a', 'b', 'c', 'd'] as const;
  const state = fc.constantFrom('there', 'pending', 'there and pending', 'by id');
  fc.assert(
    fc.property(fc.tuple(state, state, state, state), fc.boolean(), (states, isReversed) => {
      const all = names.map((name, index) => ({ name, index, state: states[index] ?? 'there' }));
      const content = {
        imports: Object.fromEntries(
          all.map(({ name, index, state: how }) => [
            name,
            how === 'by id'
              ? { kind: 'reserved_addr', id: `ra_${index}` }
              : { stack: 'network', address: `reserved_addrs.${name}` },
          ]),
        ),
        tls_edges: Object.fromEntries(
          names.map((name) => [
            name,
            { hostports: [`\${imports.${name}.addr}`], description: `is \${imports.${name}.id}` },
          ]),
        ),
        outputs: Object.fromEntries(names.map((name) => [name, `\${imports.${name}.addr}`])),
      };
      const objects = all.flatMap(({ name, index, state: how }) =>
        how === 'pending' ? [] : [addr(`ra_${index}`, `network:reserved_addrs.${name}`)],
      );
      const pending = all.filter(({ state: how }) => how.endsWith('pending')).map(({ name }) => `imports.${name}`);
      const pendingImports = new Set(pending);
      const plan = planOf(content, isReversed ? [...objects].reverse() : objects, { pendingImports });
      const { steps, imports, outputs } = planOf(content, objects, { pendingImports });
      expect([plan.steps, plan.imports, plan.outputs]).toEqual([steps, imports, outputs]);
      expect([plan.refusals, plan.diagnostics, plan.steps.length]).toEqual([[], [], 4]);
      const unknown = plan.imports?.filter(({ live_id: id }) => id === null).map(({ name }) => `imports.${name}`);
      expect(unknown).toEqual(pending);
      for (const name of names) expect(plan.outputs[name] === null).toBe(pendingImports.has(`imports.${name}`));
      expect(plan.steps.flatMap(({ requests }) => requests.map(({ path }) => path))).toEqual(
        names.map(() => '/edges/tls'),
      );
    }),
    { numRuns: 25 },
  );
});
