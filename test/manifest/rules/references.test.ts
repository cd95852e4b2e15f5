// References between resources, and ids in their place.

import { describe, expect, test } from 'vitest';
import { checkReferences } from '../../../src/manifest/rules/references.ts';
import { placesOf, stackOf } from '../../support/manifest-parts.ts';

const BASE =
  'reserved_addrs: { db: {} }\nfailover_backends: { f: {} }\nhttps_edges: { s: { routes: { r: { match_type: exact_path, match: / } } } }\n';

const check = (text: string) => checkReferences(stackOf(BASE + text));

describe('a reference names an object, a value of it, and a kind that fits', () => {
  test.each([
    ['none', '', []],
    ['a text of an object', 'tls_edges: { a: { hostports: ["${reserved_addrs.db.addr}"] } }', []],
    ['an id of an accepted kind', 'tls_edges: { a: { backend: { backend_id: "${failover_backends.f.id}" } } }', []],
    [
      'an id of another kind',
      'tls_edges: { a: { backend: { backend_id: "${reserved_addrs.db.id}" } } }',
      ['wrong-reference 4:42'],
    ],
    [
      'another value of an accepted kind',
      'tls_edges: { a: { backend: { backend_id: "${failover_backends.f.uri}" } } }',
      ['wrong-reference 4:42'],
    ],
    [
      'an id with text around it',
      'tls_edges: { a: { backend: { backend_id: "${failover_backends.f.id}x" } } }',
      ['wrong-reference 4:42'],
    ],
    [
      'no object of that name',
      'tls_edges: { a: { hostports: ["${reserved_addrs.other.addr}"] } }',
      ['unknown-reference 4:31'],
    ],
    [
      'what is not there is of no kind',
      'tls_edges: { a: { backend: { backend_id: "${reserved_addrs.x.id}" } } }',
      ['unknown-reference 4:42'],
    ],
    [
      'no value of that name',
      'tls_edges: { a: { hostports: ["${reserved_addrs.db.address}"] } }',
      ['unknown-reference 4:31'],
    ],
    [
      'a field that is written and not computed',
      'tls_edges: { a: { description: "${reserved_addrs.db.region}" } }',
      ['unknown-reference 4:32'],
    ],
    ['an object that lies inside another', 'tls_edges: { a: { description: "${https_edges.s.routes.r.id}" } }', []],
    [
      'each of several',
      'tls_edges: { a: { description: "${reserved_addrs.x.id} ${reserved_addrs.y.id}" } }',
      ['unknown-reference 4:32', 'unknown-reference 4:32'],
    ],
    [
      'a value that can never have the form of its field',
      'tls_edges: { a: { hostports: ["${reserved_addrs.db.id}"] } }',
      ['wrong-reference 4:31'],
    ],
    [
      'a list in a text',
      'agent_ingresses: { i: { domain: a.test } }\ntls_edges: { a: { description: "x ${agent_ingresses.i.ns_targets}" } }',
      ['wrong-reference 5:32'],
    ],
    ['a literal id of an accepted kind', 'tls_edges: { a: { backend: { backend_id: bkdhr_1 } } }', []],
    ['a literal that is no id', 'tls_edges: { a: { backend: { backend_id: f } } }', ['wrong-reference 4:42']],
    ['an output of a value', 'outputs: { o: "${reserved_addrs.db.addr}" }', []],
    ['an output of nothing', 'outputs: { o: "${reserved_addrs.db.nope}" }', ['unknown-reference 4:15']],
    [
      'an output that is a list',
      'agent_ingresses: { i: { domain: a.test } }\noutputs: { o: "${agent_ingresses.i.ns_targets}" }',
      [],
    ],
    [
      'an output with a list in its text',
      'agent_ingresses: { i: { domain: a.test } }\noutputs: { o: "x ${agent_ingresses.i.ns_targets}" }',
      ['wrong-reference 5:15'],
    ],
  ])('%s', (_, given, expected) => {
    expect(placesOf(check(given))).toEqual(expected);
  });

  test('an object may be in a part of the manifest that is not known', () => {
    const text = 'reserved_addrs: !x {}\ntls_edges: { a: { hostports: ["${reserved_addrs.db.addr}"] } }';
    expect(checkReferences(stackOf(text))).toEqual([]);
  });
});

describe('what was probably meant is told', () => {
  test.each([
    ['another name', '${reserved_addrs.bd.addr}', 'reserved_addrs.db'],
    ['another value', '${reserved_addrs.db.adr}', '"addr"'],
    ['a value that is written twice', '${reserved_addrs.db.region}', 'variable'],
  ])('%s', (_, given, fix) => {
    expect(check(`outputs: { o: "${given}" }`)[0]?.fix).toContain(fix);
  });

  test('a reference without its signs', () => {
    expect(check('tls_edges: { a: { backend: { backend_id: failover_backends.f.id } } }')[0]?.fix).toContain(
      '${failover_backends.f.id}',
    );
  });
});
