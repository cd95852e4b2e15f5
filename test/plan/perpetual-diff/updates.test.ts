// What updates carry beside the field that changed.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import type { Body } from '../../support/answers.ts';
import { changesIn, objectsIn, planAgainst } from '../../support/answers.ts';
import type { Key } from '../../support/usual-answers.ts';
import { answered, manifestOf, ref } from '../../support/usual-answers.ts';

const bodiesOf = (plan: Plan): JsonObject[] =>
  plan.steps.flatMap((step) => step.requests.flatMap(({ body }) => (body === undefined ? [] : [body])));

describe('what updates carry', () => {
  /** The bodies of the updates that lead from `spec`, as the service shows it, to `wanted`; the marker aside. */
  async function sent(of: Key, spec: JsonObject, shape: Body, wanted: JsonObject): Promise<JsonObject[]> {
    const plan = await planAgainst(manifestOf(of, wanted), await answered(of, spec, shape));
    expect(changesIn(plan)).not.toEqual([]);
    return bodiesOf(plan).map(({ metadata: _, ...body }) => body);
  }

  test('an update of a failover backend carries its children, also when only the description changes', async () => {
    const backends = ['bkdhr_2', 'bkdhr_1'];
    expect(
      await sent(
        'failover_backends',
        { backends, description: 'a' },
        { backends, description: 'a' },
        { backends, description: 'b' },
      ),
    ).toEqual([{ backends, description: 'b' }]);
    expect(await sent('failover_backends', { backends }, { backends }, { backends, metadata: 'mine' })).toEqual([
      { backends },
    ]);
    expect(await sent('failover_backends', {}, { backends: null }, { description: 'b' })).toEqual([
      { backends: [], description: 'b' },
    ]);
  });

  test('children under `ignore_changes` are sent as they are in the service', async () => {
    const backends = ['bkdhr_1'];
    const lifecycle = { ignore_changes: ['backends'] };
    const wanted = { backends, description: 'b', lifecycle };
    expect(await sent('failover_backends', { backends }, { backends: ['bkdhr_2'] }, wanted)).toEqual([
      { backends: ['bkdhr_2'], description: 'b' },
    ]);
  });

  test('other lists stay out of an update that does not change them', async () => {
    const hostports = ['a.example.com:443'];
    expect(await sent('tls_edges', { hostports }, { hostports }, { hostports, description: 'b' })).toEqual([
      { description: 'b' },
    ]);
  });

  test('an emptied list is sent as []', async () => {
    const full = { hostports: ['a.example.com:443'] };
    for (const wanted of [{}, { hostports: [] }]) {
      expect(await sent('tls_edges', full, full, wanted)).toEqual([{ hostports: [] }]);
      expect(await sent('https_edges', full, full, wanted)).toEqual([{ hostports: [] }]);
    }
    const key = { public_key: 'ssh-ed25519 AAAA' };
    const acl = ['bind:a.example.com'];
    for (const wanted of [key, { ...key, acl: [] }]) {
      expect(await sent('ssh_credentials', { ...key, acl }, { acl }, wanted)).toEqual([{ acl: [] }]);
    }
    const backends = ['bkdhr_1'];
    for (const wanted of [{}, { backends: [] }]) {
      expect(await sent('failover_backends', { backends }, { backends }, wanted)).toEqual([{ backends: [] }]);
    }
    const both = { sources: [{ type: 'a.v0' }], destination_ids: ['ed_1'] };
    const shown = { sources: [{ type: 'a.v0', uri: 'x' }], destinations: [ref('event_destinations', 'ed_1')] };
    expect(await sent('event_subscriptions', both, shown, {})).toEqual([{ sources: [], destination_ids: [] }]);
  });

  test('a cleared description is sent as ""', async () => {
    for (const of of ['api_keys', 'tls_edges', 'https_edges', 'reserved_addrs', 'routes'] as const) {
      for (const wanted of [{}, { description: '' }]) {
        expect(await sent(of, { description: 'a' }, { description: 'a' }, wanted)).toEqual([{ description: '' }]);
      }
    }
  });

  test('cleared metadata of the user leaves the marker alone in it', async () => {
    const plan = await planAgainst(manifestOf('tls_edges', {}), await answered('tls_edges', { metadata: 'mine' }, {}));
    expect(changesIn(plan)).toEqual(['update tls_edges.x metadata: config']);
    expect(bodiesOf(plan).map((body) => Object.keys(JSON.parse(String(body['metadata'])) as JsonObject))).toEqual([
      ['edgeform'],
    ]);
  });

  test('a module is sent whole, and is never sent as null', async () => {
    const spec = { tls_termination: { min_version: '1.2' }, mutual_tls: { certificate_authority_ids: ['ca_1'] } };
    const shape = {
      tls_termination: { enabled: true, terminate_at: 'edge', min_version: '1.2' },
      mutual_tls: { enabled: true, certificate_authorities: [ref('certificate_authorities', 'ca_1')] },
    };
    const changed = { ...spec, tls_termination: { min_version: '1.3' } };
    expect(await sent('https_edges', spec, shape, changed)).toEqual([{ tls_termination: { min_version: '1.3' } }]);
    for (const capabilities of [new Set(['routes', 'module-delete'] as const), new Set(['routes'] as const)]) {
      const answers = await answered('https_edges', spec, shape);
      const plan = await planAgainst(manifestOf('https_edges', { description: 'b' }), answers, { capabilities });
      const values = bodiesOf(plan).flatMap((body) => objectsIn(body).flatMap((object) => Object.values(object)));
      expect(values).not.toContain(null);
      expect(changesIn(plan)).toHaveLength(3);
    }
  });

  test('a module that was switched off in place of being removed is as good as gone', async () => {
    const answers = await answered('routes', {}, { compression: { enabled: false } });
    expect(changesIn(await planAgainst(manifestOf('routes', {}), answers))).toEqual([]);
    const plan = await planAgainst(manifestOf('routes', { compression: {} }), answers);
    expect(bodiesOf(plan)).toMatchObject([{ compression: {} }]);
  });

  test('and when the manifest has it again, only the manifest changed', async () => {
    const answers = await answered('routes', {}, { compression: { enabled: false } });
    const plan = await planAgainst(manifestOf('routes', { compression: {} }), answers);
    expect(plan.steps[0]?.changes).toMatchObject([{ path: 'compression.enabled', cause: 'config' }]);
  });
});
