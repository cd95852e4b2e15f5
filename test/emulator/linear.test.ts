// The cost of a request does not grow with the number of objects: twice as many take twice the steps.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { growth } from '../support/count-steps.ts';
import type { Direct } from '../support/in-process.ts';
import { createDirect } from '../support/in-process.ts';

const COUNT = 60;
const BACKEND = { backends: ['bkdhr_elsewhere'] };

function add(direct: Direct, path: string, body: JsonObject): string {
  const { status, body: made } = direct.ask('POST', path, body);
  expect(status).toBe(201);
  return String((made as JsonObject)['id']);
}

/** A service with so many edges that refer to a backend each. */
function filled(count: number): { readonly direct: Direct; readonly edges: string[]; readonly backends: string[] } {
  const direct = createDirect({ pageSize: 10 });
  const backends = Array.from({ length: count }, () => add(direct, '/backends/failover', BACKEND));
  const edges = backends.map((id, index) =>
    add(direct, '/edges/tls', { hostports: [`h${index}.example.com:443`], backend: { backend_id: id } }),
  );
  return { direct, edges, backends };
}

function everyPage({ ask }: Direct, path: string): number {
  let pages = 0;
  for (let next = path; next !== ''; pages += 1) {
    const { next_page_uri: uri } = ask('GET', next).body as JsonObject;
    next = typeof uri === 'string' ? uri.slice(uri.indexOf(path)) : '';
  }
  return pages;
}

const cases: readonly (readonly [string, (count: number) => () => unknown])[] = [
  ['creating', (count) => () => filled(count)],
  [
    'listing page by page',
    (count) => {
      const { direct } = filled(count);
      return () => {
        expect(everyPage(direct, '/edges/tls')).toBe(count / 10);
      };
    },
  ],
  [
    'updating',
    (count) => {
      const { direct, edges } = filled(count);
      return () => edges.map((id) => direct.ask('PATCH', `/edges/tls/${id}`, { hostports: [`${id}.example.com:443`] }));
    },
  ],
  [
    'deleting',
    (count) => {
      const { direct, edges, backends } = filled(count);
      return () => {
        for (const id of edges) expect(direct.ask('DELETE', `/edges/tls/${id}`).status).toBe(204);
        for (const id of backends) expect(direct.ask('DELETE', `/backends/failover/${id}`).status).toBe(204);
        expect(direct.store.all()).toEqual([]);
      };
    },
  ],
];

describe('twice the objects take twice the steps', () => {
  test.each(cases)('%s', (_, prepare) => {
    const workFor = (count: number) => {
      const work = prepare(count);
      return () => void work();
    };
    expect(growth(COUNT, workFor)).toBeLessThan(2.1);
  });
});

test('a stale answer is what the service was, whatever was written meanwhile', () => {
  const { direct, edges } = filled(3);
  const before = direct.store.all();
  direct.ask('DELETE', `/edges/tls/${edges[1]!}`);
  direct.ask('PATCH', `/edges/tls/${edges[0]!}`, { description: 'new' });
  const made = add(direct, '/edges/tls', { hostports: ['other.example.com:443'] });
  const { store } = direct;
  const byId = (objects: typeof before) => new Map(objects.map((one) => [one.id, one]));
  expect(store.past(1).get(made)).toBeUndefined();
  const { description, ...spec } = store.get(edges[0]!)!.spec;
  expect([description, store.past(2).get(edges[0]!)?.spec]).toEqual(['new', spec]);
  expect(byId(store.past(3).all())).toEqual(byId(before));
});
