// Objects of other people, which stand in every simulated world and must not change by a byte.

import type { JsonObject } from '../../src/core/json.ts';
import { METADATA } from '../../src/catalog/fields/common.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import { makeId } from '../../src/emulator/ids.ts';
import type { Stored } from '../../src/emulator/state/store.ts';
import { digestOfMany, saltOf } from '../../src/resource/digests.ts';
import { writeMarker } from '../../src/resource/marker/marker-codec.ts';

const THEIRS = writeMarker('', { v: 1, stack: 'shopping', address: 'failover_backends.app', applied: {} });
const FORGED = '{"edgeform":{"v":2,"stack":"shopping","address":"tls_edges.a","applied":{}}}';

/** The values with the marker of a stack that gives its objects away, and that applied them. */
function ofAcme(kind: string, address: string, spec: JsonObject): JsonObject {
  const owner = { stack: 'acme', address };
  const applied = digestOfMany(kindByName(kind), spec, saltOf(owner));
  return { ...spec, [METADATA]: writeMarker('', { v: 1, ...owner, applied }) };
}

/** Name of a foreign object → kind, values, and the name of what it lies in. */
const OBJECTS: Readonly<Record<string, readonly [kind: string, spec: JsonObject, parent?: string]>> = {
  addr: ['reserved_addr', { region: 'eu', description: 'theirs' }],
  backend: ['failover_backend', { backends: ['bkdhr_2theirs'], [METADATA]: THEIRS }],
  tls: ['tls_edge', { hostports: ['theirs.example.com:443'], [METADATA]: 'two\nlines' }],
  https: ['https_edge', { hostports: ['www.theirs.example.com:443'], [METADATA]: 'a note' }],
  route: ['https_edge_route', { match_type: 'path_prefix', match: '/', compression: { enabled: false } }, 'https'],
  ssh: ['ssh_credential', { public_key: 'ssh-ed25519 AAAATHEIRS', acl: ['bind:*.theirs.example.com'] }],
  ingress: ['agent_ingress', { domain: 'connect.theirs.example.com' }],
  key: ['api_key', { description: 'theirs', [METADATA]: FORGED }],
  theirs: ['reserved_addr', ofAcme('reserved_addr', 'reserved_addrs.db', { region: 'eu', description: 'of acme' })],
  site: ['https_edge', ofAcme('https_edge', 'https_edges.site', { hostports: ['site.theirs.example.com:443'] })],
  api: [
    'https_edge_route',
    ofAcme('https_edge_route', 'https_edges.site.routes.api', { match_type: 'path_prefix', match: '/api' }),
    'site',
  ],
  destination: [
    'event_destination',
    { target: { kinesis: { stream_arn: 'arn:theirs', auth: { role: { role_arn: 'arn:role' } } } } },
  ],
};

const names = Object.keys(OBJECTS);

/** The id of a foreign object; ids are the same in every world. */
export function foreignId(name: string): string {
  const kind = OBJECTS[name]?.[0];
  if (kind === undefined) throw new Error(`there is no foreign object ${name}`);
  return makeId(kindByName(kind).idPrefix, names.indexOf(name) + 1);
}

/** All of them, as a service stores them. */
export function foreignObjects(): Stored[] {
  return names.map((name, index): Stored => {
    const [kind = '', spec = {}, parent] = OBJECTS[name] ?? [];
    return {
      kind,
      id: foreignId(name),
      parentId: parent === undefined ? undefined : foreignId(parent),
      number: index + 1,
      created: '2029-01-01T00:00:00Z',
      owner: 'usr_they',
      spec,
      once: {},
    };
  });
}
