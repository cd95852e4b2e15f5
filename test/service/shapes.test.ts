// Objects of lists that are not as the specification shows them: what is left out is an error, and never "absent". An error about
// one repeats nothing of it.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import type { Kind } from '../../src/catalog/kind.ts';
import { kindByName, managedKinds, rootOf, topLevelKinds } from '../../src/catalog/lookup.ts';
import { alwaysShown } from '../../src/catalog/shown.ts';
import { formatsFor, renderDiagnosticsAs } from '../../src/render/formats.ts';
import { readSnapshot } from '../../src/service/read.ts';
import type { ReadClient } from '../../src/service/transport.ts';
import { failureOf } from '../support/fake-exchange.ts';
import { plain } from '../render/sample.ts';

interface Example {
  readonly created?: JsonObject;
  readonly read?: JsonObject;
}

/** The objects of a kind in the fixtures that were typed from the specification. */
function examplesOf({ name }: Kind): JsonObject[] {
  const text = readFileSync(new URL(`../fixtures/spec/${name}.json`, import.meta.url), 'utf8');
  const { examples }: { readonly examples: readonly Example[] } = JSON.parse(text);
  return examples.map(({ created = {}, read = created }) => read);
}

/** An object as the list of its root shows it: a child is inside the first edge of the fixtures. */
function listedWith(kind: Kind, object: Json): JsonObject {
  const [edge = {}] = examplesOf(rootOf(kind));
  return kind.parent === undefined ? (object as JsonObject) : { ...edge, [kind.parent.listedAs]: [object] };
}

/** An account with these objects in one list, and with what GET says of one of them. */
function read(kind: Kind, items: readonly JsonObject[], own?: JsonObject) {
  const asked: string[] = [];
  const path = rootOf(kind).operations.list?.path;
  const client: ReadClient = {
    list: (listed) => Promise.resolve({ items: listed === path ? items : [], requests: 1, shifted: false }),
    get: (object) => {
      asked.push(object);
      return Promise.resolve(own);
    },
  };
  const snapshot = readSnapshot(client, { capabilities: new Set(CAPABILITIES), pinned: [] });
  return { snapshot, asked };
}

const without = (object: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));

const SHOWN = managedKinds.flatMap((kind) => alwaysShown(kind).map((name) => ({ kind, name })));

describe('every answer', () => {
  test('has what an object cannot be without, by the traits of the catalogue', () => {
    expect(SHOWN.map(({ kind, name }) => `${kind.name}.${name}`)).toEqual([
      'agent_ingress.domain',
      'event_destination.target',
      'failover_backend.backends',
      'https_edge_route.match_type',
      'https_edge_route.match',
      'https_edge.hostports',
      'https_edge.routes',
      'reserved_addr.addr',
      'reserved_addr.region',
      'ssh_credential.public_key',
      'tls_edge.hostports',
    ]);
  });

  test.each(managedKinds)('that the specification shows for $name is read', async (kind) => {
    const { snapshot } = read(kind, examplesOf(kind).slice(0, kind.parent === undefined ? 99 : 0));
    await expect(snapshot).resolves.toBeDefined();
    for (const example of examplesOf(kind)) await read(kind, [listedWith(kind, example)]).snapshot;
  });

  test.each(SHOWN)('of a $kind.name without $name is an error', async ({ kind, name }) => {
    const [example = {}] = examplesOf(kind);
    const error = await failureOf(read(kind, [listedWith(kind, without(example, name))]).snapshot);
    expect([error.code, error.message.endsWith(`: ${name} is missing`)]).toEqual(['api-not-understood', true]);
  });

  test.each(['hostports', 'routes'])('with null in place of the list %s has an empty one', async (name) => {
    const kind = kindByName('https_edge');
    const [example = {}] = examplesOf(kind);
    const { resources } = await read(kind, [{ ...example, [name]: null }]).snapshot;
    expect(resources).toHaveLength(1);
  });
});

describe('an object without metadata', () => {
  const KIND = kindByName('https_edge');
  const ROUTE = kindByName('https_edge_route');
  const [edge = {}] = examplesOf(KIND);
  const [route = {}] = examplesOf(ROUTE);
  const bare = without(edge, 'metadata');
  const path = `/edges/https/${String(edge['id'])}`;

  test('is read on its own: a list that leaves it out is an error', async () => {
    const { snapshot, asked } = read(KIND, [bare], edge);
    const error = await failureOf(snapshot);
    expect(error.message).toContain('GET /edges/https: an object does not have the shape of an HTTPS edge: metadata');
    expect(asked).toEqual([path]);
  });

  test('counts as one without a marker if its own answer has none either', async () => {
    const others = ['edghts_2', 'edghts_3'].map((id) => ({ ...bare, id }));
    const { snapshot, asked } = read(KIND, [bare, ...others], bare);
    const { resources, requests } = await snapshot;
    expect(resources.map(({ marker }) => marker)).toEqual([undefined, undefined, undefined]);
    expect([asked, requests]).toEqual([[path], topLevelKinds.length + 1]);
  });

  test('is no reason to read anything when it has gone meanwhile, or when all have theirs', async () => {
    await expect(read(KIND, [bare]).snapshot).resolves.toBeDefined();
    const { snapshot, asked } = read(KIND, [edge], edge);
    await snapshot;
    expect(asked).toEqual([]);
  });

  test('may be a child', async () => {
    const listed = { ...edge, routes: [without(route, 'metadata')] };
    await expect(failureOf(read(KIND, [listed], { ...edge, routes: [route] }).snapshot)).resolves.toBeDefined();
    await expect(read(KIND, [listed], listed).snapshot).resolves.toBeDefined();
  });
});

/** Not known to be a secret: it is kept because nothing of a malformed object is repeated. */
const PROBE = 'hunter2-of-the-service';

const HTTPS = kindByName('https_edge_route');
const [ROUTE = {}] = examplesOf(HTTPS);
const headers = (add: Json): JsonObject => ({ ...ROUTE, request_headers: { enabled: true, add, remove: [] } });

/** A malformed object, and what is said of it. */
const MALFORMED: readonly (readonly [string, Kind, Json, string])[] = [
  [
    'an id of another form',
    kindByName('reserved_addr'),
    { id: PROBE },
    'id is a text, and not an id that starts with ra_',
  ],
  ['an id that is none', HTTPS, { ...ROUTE, id: { [PROBE]: PROBE } }, 'id is an object, and not'],
  ['an id of a child', HTTPS, { ...ROUTE, id: `edghtsrt_${PROBE}/..` }, 'id is a text, and not an id: a prefix'],
  ['a child that is none', HTTPS, PROBE, 'routes.0 is a text, and not an object'],
  ['the name of a header', HTTPS, headers({ [PROBE]: 7 }), 'request_headers.add.* is a number, and not a text'],
  ['a map that is none', HTTPS, headers([PROBE]), 'request_headers.add is a list, and not an object'],
  ['a module that is none', HTTPS, { ...ROUTE, oidc: PROBE }, 'oidc is a text, and not an object'],
  [
    'a switch',
    HTTPS,
    { ...ROUTE, compression: { enabled: PROBE } },
    'compression.enabled is a text, and not true or false',
  ],
  [
    'a Ref',
    HTTPS,
    { ...ROUTE, backend: { backend: { id: `${PROBE}/..` } } },
    'backend.backend is an object, and not a Ref',
  ],
  ['metadata', HTTPS, { ...ROUTE, metadata: { [PROBE]: 1 } }, 'metadata is an object, and not a text'],
];

describe.each(formatsFor('problems'))('a malformed object in %s', (format) => {
  test.each(MALFORMED)('with the secret in %s', async (_, kind, object, said) => {
    const error = await failureOf(read(kind, [listedWith(kind, object)]).snapshot);
    const { code, message, fix = '' } = error;
    const text = renderDiagnosticsAs(format, { diagnostics: [{ code, severity: 'error', message, fix }] }, plain);
    expect(message).toContain(said);
    expect(`${text}${message}${fix}`).not.toContain(PROBE);
  });
});

test('an id that two objects have is not repeated', async () => {
  const kind = kindByName('reserved_addr');
  const [example = {}] = examplesOf(kind);
  const twice = { ...example, id: `ra_${PROBE}` };
  const error = await failureOf(read(kind, [twice, twice]).snapshot);
  expect(error.message).toBe('GET /reserved_addrs lists two objects with the same id');
});
