// References between resources, and ids in their place.

import { describe, expect, test } from 'vitest';
import { checkReferences } from '../../../src/manifest/rules/references.ts';
import { placesOf, stackOf } from '../../support/manifest-parts.ts';

const BASE =
  'reserved_addrs: { db: {} }\nfailover_backends: { f: {} }\nhttps_edges: { s: { routes: { r: { match_type: exact_path, match: / } } } }\n';

const check = (text: string) => checkReferences(stackOf(BASE + text));

describe('a reference names an object, a value of it, and a kind that fits', () => {
  test.each([
    { name: 'none', given: '', expect: [] },
    {
      name: 'a text of an object',
      given: 'tls_edges: { a: { hostports: ["${reserved_addrs.db.addr}"] } }',
      expect: [],
    },
    {
      name: 'an id of an accepted kind',
      given: 'tls_edges: { a: { backend: { backend_id: "${failover_backends.f.id}" } } }',
      expect: [],
    },
    {
      name: 'an id of another kind',
      given: 'tls_edges: { a: { backend: { backend_id: "${reserved_addrs.db.id}" } } }',
      expect: ['wrong-reference 4:42'],
    },
    {
      name: 'another value of an accepted kind',
      given: 'tls_edges: { a: { backend: { backend_id: "${failover_backends.f.uri}" } } }',
      expect: ['wrong-reference 4:42'],
    },
    {
      name: 'an id with text around it',
      given: 'tls_edges: { a: { backend: { backend_id: "${failover_backends.f.id}x" } } }',
      expect: ['wrong-reference 4:42'],
    },
    {
      name: 'no object of that name',
      given: 'tls_edges: { a: { hostports: ["${reserved_addrs.other.addr}"] } }',
      expect: ['unknown-reference 4:31'],
    },
    {
      name: 'what is not there is of no kind',
      given: 'tls_edges: { a: { backend: { backend_id: "${reserved_addrs.x.id}" } } }',
      expect: ['unknown-reference 4:42'],
    },
    {
      name: 'no value of that name',
      given: 'tls_edges: { a: { hostports: ["${reserved_addrs.db.address}"] } }',
      expect: ['unknown-reference 4:31'],
    },
    {
      name: 'a field that is written and not computed',
      given: 'tls_edges: { a: { description: "${reserved_addrs.db.region}" } }',
      expect: ['unknown-reference 4:32'],
    },
    {
      name: 'an object that lies inside another',
      given: 'tls_edges: { a: { description: "${https_edges.s.routes.r.id}" } }',
      expect: [],
    },
    {
      name: 'each of several',
      given: 'tls_edges: { a: { description: "${reserved_addrs.x.id} ${reserved_addrs.y.id}" } }',
      expect: ['unknown-reference 4:32', 'unknown-reference 4:32'],
    },
    {
      name: 'a value that can never have the form of its field',
      given: 'tls_edges: { a: { hostports: ["${reserved_addrs.db.id}"] } }',
      expect: ['wrong-reference 4:31'],
    },
    {
      name: 'a list in a text',
      given:
        'agent_ingresses: { i: { domain: a.test } }\ntls_edges: { a: { description: "x ${agent_ingresses.i.ns_targets}" } }',
      expect: ['wrong-reference 5:32'],
    },
    {
      name: 'a literal id of an accepted kind',
      given: 'tls_edges: { a: { backend: { backend_id: bkdhr_1 } } }',
      expect: [],
    },
    {
      name: 'a literal that is no id',
      given: 'tls_edges: { a: { backend: { backend_id: f } } }',
      expect: ['wrong-reference 4:42'],
    },
    { name: 'an output of a value', given: 'outputs: { o: "${reserved_addrs.db.addr}" }', expect: [] },
    {
      name: 'an output of nothing',
      given: 'outputs: { o: "${reserved_addrs.db.nope}" }',
      expect: ['unknown-reference 4:15'],
    },
    {
      name: 'an output that is a list',
      given: 'agent_ingresses: { i: { domain: a.test } }\noutputs: { o: "${agent_ingresses.i.ns_targets}" }',
      expect: [],
    },
    {
      name: 'an output with a list in its text',
      given: 'agent_ingresses: { i: { domain: a.test } }\noutputs: { o: "x ${agent_ingresses.i.ns_targets}" }',
      expect: ['wrong-reference 5:15'],
    },
    {
      name: 'a reference in a text that is wrong already',
      given: 'tls_edges: { a: { description: "${nope} ${reserved_addrs.x.id}" } }',
      expect: ['unknown-reference 4:32'],
    },
  ])('$name', ({ given, expect: expected }) => {
    expect(placesOf(check(given))).toEqual(expected);
  });

  test('an object may be in a part of the manifest that is not known', () => {
    const text = 'reserved_addrs: !x {}\ntls_edges: { a: { hostports: ["${reserved_addrs.db.addr}"] } }';
    expect(checkReferences(stackOf(text))).toEqual([]);
  });
});

describe('what was probably meant is told', () => {
  test.each([
    { name: 'another name', given: '${reserved_addrs.bd.addr}', fix: 'reserved_addrs.db' },
    { name: 'another value', given: '${reserved_addrs.db.adr}', fix: '"addr"' },
    { name: 'what lies inside', given: '${https_edges.s.r.id}', fix: '${https_edges.s.routes.r.id}' },
    { name: 'a value that is written twice', given: '${reserved_addrs.db.region}', fix: 'variable' },
  ])('$name', ({ given, fix }) => {
    expect(check(`outputs: { o: "${given}" }`)[0]?.fix).toContain(fix);
  });

  test.each([
    { name: 'another kind', given: 'backend: { backend_id: "${reserved_addrs.bd.id}" }', fix: 'add the resource' },
    { name: 'the resource itself', given: 'description: "${https_edges.shop.id}"', fix: 'add the resource' },
    {
      name: 'one of the kind',
      given: 'backend: { backend_id: "${failover_backends.g.id}" }',
      fix: 'failover_backends.f',
    },
  ])('and it is nothing that the field does not take: $name', ({ given, fix }) => {
    expect(check(`tls_edges: { shop: { ${given} } }`)[0]?.fix).toContain(fix);
  });

  test('a reference without its signs', () => {
    expect(check('tls_edges: { a: { backend: { backend_id: failover_backends.f.id } } }')[0]?.fix).toContain(
      '${failover_backends.f.id}',
    );
  });
});
