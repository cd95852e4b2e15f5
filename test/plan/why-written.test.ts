// Why the metadata of an object is written although none of its fields differs, and what stands there beside the marker.

import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { buildPlan } from '../../src/plan/build.ts';
import { readMarker } from '../../src/resource/marker/marker-codec.ts';
import type { LiveResource, Marker } from '../../src/resource/snapshot.ts';
import { live, manifest, options, snapshot } from './sample.ts';

const A = 'tls_edges.a';
const planOf = (content: JsonObject, ...objects: readonly LiveResource[]) =>
  buildPlan({
    manifest: manifest(content),
    snapshot: snapshot(...objects),
    service: 'https://api.test/',
    options: options({ allowDeletes: 'all' }),
  });
const edge = (mark: string, marker: Partial<Marker> = {}) => live('edgtls_1', mark, { marker });
const adopting = { lifecycle: { adopt: 'edgtls_1' } };
const pinned = { lifecycle: { id: 'edgtls_1' } };

interface Row {
  readonly name: string;
  readonly live: LiveResource;
  readonly block?: JsonObject;
  readonly more?: JsonObject;
  /** The reason of the only step; undefined: there is none. */
  readonly why: RegExp | undefined;
}

test.each<Row>([
  { name: 'none when the marker is as it should be', live: edge(`shop:${A}`), why: undefined },
  { name: 'no marker: adopted', live: edge(''), block: adopting, why: /lifecycle\.adopt/ },
  { name: 'no marker: pinned', live: edge(''), block: pinned, why: /lifecycle\.id/ },
  { name: 'another stack', live: edge(`other:${A}`), block: adopting, why: /^adopted from stack other$/ },
  {
    name: 'another address',
    live: edge('shop:tls_edges.old'),
    more: { moved: [{ from: 'tls_edges.old', to: A }] },
    why: /renamed from tls_edges\.old/,
  },
  {
    name: 'protection on',
    live: edge(`shop:${A}`),
    block: { lifecycle: { prevent_destroy: true } },
    why: /switched on/,
  },
  { name: 'protection off', live: edge(`shop:${A}`, { protect: true }), why: /switched off/ },
  { name: 'another text', live: edge(`shop:${A}`), block: { metadata: 'a' }, why: /its metadata differs/ },
  {
    name: 'a digest of an earlier value',
    live: edge(`shop:${A}`, { applied: { description: 'earlier' } }),
    why: /description/,
  },
])('why a marker is written: $name', ({ live: object, block = {}, more = {}, why }) => {
  const { steps } = planOf({ tls_edges: { a: block }, ...more }, object);
  expect(steps.map(({ reason }) => reason.text)).toEqual(why === undefined ? [] : [expect.stringMatching(why)]);
});

test.each([
  { name: 'no text', metadata: '', sent: /^\{"edgeform":/ },
  { name: 'text that looks like a reference', metadata: '$${a}', sent: /^\$\$\{a\}\nedgeform\/v1 / },
  { name: 'a reference', metadata: 'x${tls_edges.b.id}', sent: /^x\$\{tls_edges\.b\.id\}\nedgeform\/v1 / },
])('the marker stands behind $name', ({ metadata, sent }) => {
  const { steps } = planOf({ tls_edges: { a: { metadata }, b: {} } });
  const [request] = steps.find(({ address }) => address === A)?.requests ?? [];
  expect(request?.body).toEqual({ metadata: expect.stringMatching(sent) });
});

test.each([
  { name: 'values that are shown once as pending', content: { api_keys: { a: {} } }, applied: { token: 'pending' } },
  {
    name: 'nothing of what only a later request sends',
    content: { reserved_addrs: { a: { region: 'eu', endpoint_configuration_id: 'ec_1' } } },
    applied: { region: expect.any(String) as string },
  },
])('the marker of a creation has $name', ({ content, applied }) => {
  const [creation] = planOf(content).steps[0]?.requests ?? [];
  expect(readMarker(String(creation?.body?.['metadata'])).marker?.applied).toEqual(applied);
});
