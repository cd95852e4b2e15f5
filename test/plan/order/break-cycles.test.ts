// Cycles are taken out of the order: a replacement deletes first, or one object is detached and takes its value later.

import { describe, expect, test } from 'vitest';
import type { StepDraft } from '../../../src/plan/decide/step-draft.ts';
import { breakCycles } from '../../../src/plan/order/break-cycles.ts';
import { digestOfMany } from '../../../src/resource/digests.ts';
import { readMarker } from '../../../src/resource/marker/marker-codec.ts';
import { uniqueKeys } from '../../../src/resource/uniques.ts';
import { kindByName } from '../../../src/catalog/lookup.ts';
import { draft, live } from '../sample.ts';

const EDGE = kindByName('tls_edge');
const key = (text: string) => uniqueKeys(EDGE, { hostports: [text] }, undefined)[0] ?? '';
const patch = (id: string, body = {}) => ({ method: 'PATCH', path: `/edges/tls/${id}`, body }) as const;

/** An edge that goes from one hostport to another. */
function going(name: string, from: string, to: string, given: Partial<StepDraft> = {}): StepDraft {
  const object = live(`edgtls_${name}`, `shop:tls_edges.${name}`, { spec: { hostports: [from, 'own.test:443'] } });
  return draft('update', `tls_edges.${name}`, {
    live: object,
    claims: [key(to)],
    releases: [key(from)],
    requests: [patch(object.id, { hostports: [to, 'own.test:443'] })],
    ...given,
  });
}

const [X, Y, Z] = ['x.test:443', 'y.test:443', 'z.test:443'] as const;
const names = (drafts: readonly StepDraft[]) =>
  drafts.map(({ action, phase, address }) => `${phase ?? action} ${address.split('.')[1] ?? ''}`);

interface Row {
  readonly name: string;
  readonly drafts: readonly StepDraft[];
  readonly expect: readonly string[];
}

describe('breakCycles', () => {
  test.each<Row>([
    { name: 'nothing', drafts: [], expect: [] },
    {
      name: 'no cycle: the order alone',
      drafts: [going('a', X, Y), going('b', Y, Z)],
      expect: ['update b', 'update a'],
    },
    {
      name: 'two that change places: one is detached',
      drafts: [going('a', X, Y), going('b', Y, X)],
      expect: ['detach a', 'update b', 'update a'],
    },
    {
      name: 'three: still only one',
      drafts: [going('a', X, Y), going('b', Y, Z), going('c', Z, X)],
      expect: ['detach a', 'update c', 'update b', 'update a'],
    },
    {
      name: 'two cycles: one in each',
      drafts: [going('a', X, Y), going('b', Y, X), going('c', Z, 'q.test:443'), going('d', 'q.test:443', Z)],
      expect: ['detach a', 'update b', 'update a', 'detach c', 'update d', 'update c'],
    },
    {
      name: 'what is ours is detached before what is only taken over',
      drafts: [going('a', X, Y, { action: 'adopt', key: 'tls_edges.a adopt' }), going('b', Y, X)],
      expect: ['detach b', 'adopt a', 'update b'],
    },
    {
      name: 'a replacement that creates first deletes first',
      drafts: [
        draft('replace', 'tls_edges.a', { phase: 'create', claims: [key(Y)] }),
        draft('replace', 'tls_edges.a', {
          phase: 'delete',
          live: live('edgtls_a', '', { spec: { hostports: [X] } }),
          after: ['tls_edges.a replace create'],
          releases: [key(X)],
        }),
        going('b', Y, X),
      ],
      expect: ['delete a', 'update b', 'create a'],
    },
  ])('$name', ({ drafts, expect: expected }) => {
    const found = breakCycles(drafts);
    expect(names(found.drafts)).toEqual(expected);
    expect(found.cycles).toEqual([]);
    expect(names(breakCycles([...drafts].reverse()).drafts)).toEqual(expected);
  });

  test('what waits for anything but a value in a circle is a mistake of the planner', () => {
    const after = (key: string) => ({ after: [`tls_edges.${key} create`] });
    const drafts = [draft('create', 'tls_edges.a', after('b')), draft('create', 'tls_edges.b', after('a'))];
    expect(() => breakCycles(drafts)).toThrow('steps wait for each other');
  });
});

describe('the one that is detached', () => {
  const [detach, , rest] = breakCycles([going('a', X, Y), going('b', Y, X)]).drafts;

  test('gives up what others wait for, and keeps what nobody does', () => {
    expect(detach?.requests).toMatchObject([patch('edgtls_a', { hostports: ['own.test:443'] })]);
    expect(detach?.releases).toEqual([key(X)]);
    expect(detach?.changes.map(({ path, after }) => [path, after])).toEqual([['hostports', ['own.test:443']]]);
    expect(detach?.reason).toMatchObject({ code: 'detached', addresses: ['tls_edges.b'] });
  });

  test('comes before the update, which frees nothing a second time', () => {
    expect(rest?.after).toEqual([detach?.key]);
    expect(rest?.releases).toEqual([]);
    expect(rest?.requests).toMatchObject([patch('edgtls_a', { hostports: [Y, 'own.test:443'] })]);
  });

  test('says in its marker what it has until then, and the update gives the marker back', () => {
    const salt = 'shop/tls_edges.a';
    const digests = (hostports: string[]) => digestOfMany(EDGE, { hostports, description: 'd' }, salt);
    const marked = going('a', X, Y, {
      live: live('edgtls_a', 'shop:tls_edges.a', {
        spec: { hostports: [X, 'own.test:443'] },
        userMetadata: 'mine',
        marker: { applied: digests([Y, 'own.test:443']) },
      }),
    });
    const [first, , last] = breakCycles([marked, going('b', Y, X)]).drafts.map(({ requests }) => {
      const text = requests[0]?.body?.['metadata'];
      return typeof text === 'string' ? readMarker(text) : undefined;
    });
    expect(first).toMatchObject({ user: 'mine', marker: { applied: digests(['own.test:443']) } });
    expect(last).toMatchObject({ user: 'mine', marker: { applied: digests([Y, 'own.test:443']) } });
  });

  test.each([
    { name: 'has no marker', mark: '' },
    { name: 'has none of the field', mark: 'shop:tls_edges.a' },
  ])('is marked as before when it $name', ({ mark }) => {
    const object = live('edgtls_a', mark, { spec: { hostports: [X] } });
    const [first] = breakCycles([going('a', X, Y, { live: object }), going('b', Y, X)]).drafts;
    const text = first?.requests[0]?.body?.['metadata'];
    expect(typeof text === 'string' ? readMarker(text).marker : undefined).toEqual(object.marker);
  });

  test('has a stand-in for a value that must be there, which the update gives back when it differs in nothing else', () => {
    const ROUTE = kindByName('https_edge_route');
    const route = (name: string, from: string, to: string): StepDraft => {
      const specs = [from, to].map((match_type) => ({ match_type, match: '/x' }));
      const [before, after] = specs.map((spec) => uniqueKeys(ROUTE, spec, 'edghts_1'));
      return draft('update', `https_edges.e.routes.${name}`, {
        live: live(`edghtsrt_${name}`, `shop:https_edges.e.routes.${name}`, {
          parentId: 'edghts_1',
          spec: specs[0] ?? {},
        }),
        claims: after ?? [],
        releases: before ?? [],
        requests: [patch(name, { match_type: to })],
      });
    };
    const drafts = [route('a', 'exact_path', 'path_prefix'), route('b', 'path_prefix', 'exact_path')];
    const [first, , last] = breakCycles(drafts).drafts;
    expect(first?.phase).toBe('detach');
    expect(first?.requests[0]?.body).toMatchObject({ match: expect.stringContaining('edghtsrt_a') as string });
    expect(last?.requests[0]?.body).toMatchObject({ match_type: 'path_prefix', match: '/x' });
  });
});
