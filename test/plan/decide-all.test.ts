// A plan for targets: what they need comes along, and nothing else does.

import { describe, expect, test } from 'vitest';
import { decideAll } from '../../src/plan/decide-all.ts';
import { live, manifest, options, snapshot } from './sample.ts';

const ROUTE = { match_type: 'path_prefix', match: '/', backend: { backend_id: '${failover_backends.f.id}' } };
const WANTED = manifest({
  failover_backends: { f: { backends: ['${failover_backends.g.id}'] }, g: { backends: ['bkdhr_1'] } },
  https_edges: { e: { routes: { r: ROUTE, s: { ...ROUTE, match: '/s' } } }, other: {} },
  tls_edges: { alone: {} },
});
const R = 'https_edges.e.routes.r';
const S = 'https_edges.e.routes.s';
const BACKENDS = ['failover_backends.f', 'failover_backends.g'];

describe('targets select', () => {
  test.each<readonly [string, readonly string[], readonly string[]]>([
    ['no target: everything', [], WANTED.resources.map(({ address }) => address)],
    ['one that needs nothing', ['tls_edges.alone'], ['tls_edges.alone']],
    ['what it refers to, and what that refers to', ['failover_backends.f'], BACKENDS],
    ['not what refers to it', ['failover_backends.g'], ['failover_backends.g']],
    ['a child with its parent, but not with its siblings', [R], [...BACKENDS, 'https_edges.e', R]],
    ['a parent with its children', ['https_edges.e'], [...BACKENDS, 'https_edges.e', R, S]],
    ['several, each once', [R, R, 'tls_edges.alone'], [...BACKENDS, 'https_edges.e', R, 'tls_edges.alone']],
    ['one that the manifest does not have', ['tls_edges.gone'], []],
  ])('%s', (_, targets, expected) => {
    const { pairs } = decideAll({ manifest: WANTED, snapshot: snapshot(), options: options({ targets }) }).matched;
    expect(pairs.map(({ desired }) => desired.address)).toEqual(expected);
  });

  test('doubles and problems of others are left out; what is about no address stays', () => {
    const wanted = manifest({ tls_edges: { a: {}, b: {} } });
    const marked = ['a', 'a', 'b', 'b'].map((name, at) => live(`edgtls_${at}`, `shop:tls_edges.${name}`));
    const found = snapshot(...marked, live('edghts_1', 'shop:tls_edges.a'));
    const targets = ['tls_edges.a'];
    const { matched, all } = decideAll({ manifest: wanted, snapshot: found, options: options({ targets }) });
    const { duplicates, diagnostics, dispositions } = matched;
    expect([...duplicates.keys()]).toEqual(['tls_edges.a']);
    expect(diagnostics.map(({ address }) => address)).toEqual(['tls_edges.a', undefined]);
    expect(dispositions).toBe(all.dispositions);
  });
});
