// The requests of a step: a whole creation, an update with no more than what differs, parts before the whole.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import type { ValueObject } from '../../../src/core/value.ts';
import { kindByName } from '../../../src/catalog/lookup.ts';
import { createRequests, patchRequest, updateRequests, updateObstacles } from '../../../src/plan/decide/requests.ts';
import { diffResource, compareFields, type FieldDiff } from '../../../src/resource/diff.ts';
import type { LiveResource } from '../../../src/resource/snapshot.ts';
import { ALL, live, without } from '../sample.ts';
import type { Capability } from '../../../src/catalog/kind.ts';

const EDGE = { kind: kindByName('tls_edge'), address: 'tls_edges.a' };
const ADDR = { kind: kindByName('reserved_addr'), address: 'reserved_addrs.a' };
const ROUTE = { kind: kindByName('https_edge_route'), address: 'https_edges.e.routes.r' };
const FAILOVER = { kind: kindByName('failover_backend'), address: 'failover_backends.f' };

interface CreateRow {
  readonly name: string;
  readonly given: Partial<Parameters<typeof createRequests>[0]>;
  readonly expect: readonly (readonly [string, string, JsonObject])[];
}

describe('createRequests', () => {
  test.each<CreateRow>([
    {
      name: 'an object without fields has its metadata',
      given: {},
      expect: [['POST', '/edges/tls', { metadata: 'm' }]],
    },
    {
      name: 'what the manifest gives, but for null and read-only values; text is escaped',
      given: { spec: { description: '${x}', hostports: ['a.test:443'], backend: null, id: 'no' } },
      expect: [['POST', '/edges/tls', { description: '$${x}', hostports: ['a.test:443'], metadata: 'm' }]],
    },
    {
      name: 'a secret is named, never written out',
      given: { spec: { description: new Secret('hush', { origin: 'tls_edges.a#description' }) } },
      expect: [
        ['POST', '/edges/tls', { description: { sensitive: true, from: 'tls_edges.a#description' }, metadata: 'm' }],
      ],
    },
    {
      name: 'what only updates accept follows',
      given: { ...ADDR, spec: { region: 'eu', endpoint_configuration_id: 'ec_1' } },
      expect: [
        ['POST', '/reserved_addrs', { region: 'eu', metadata: 'm' }],
        ['PATCH', '/reserved_addrs/${reserved_addrs.a.id}', { endpoint_configuration_id: 'ec_1' }],
      ],
    },
    {
      name: 'the final marker follows when it is another one',
      given: { finalMetadata: 'final' },
      expect: [
        ['POST', '/edges/tls', { metadata: 'm' }],
        ['PATCH', '/edges/tls/${tls_edges.a.id}', { metadata: 'final' }],
      ],
    },
    {
      name: 'a child of an object that is there',
      given: { ...ROUTE, parentId: 'edghts_1' },
      expect: [['POST', '/edges/https/edghts_1/routes', { metadata: 'm' }]],
    },
    {
      name: 'a child of an object that is made as well',
      given: { ...ROUTE, parentId: '${https_edges.e.id}', finalMetadata: 'final' },
      expect: [
        ['POST', '/edges/https/${https_edges.e.id}/routes', { metadata: 'm' }],
        ['PATCH', '/edges/https/${https_edges.e.id}/routes/${https_edges.e.routes.r.id}', { metadata: 'final' }],
      ],
    },
  ])('$name', ({ given, expect: expected }) => {
    const defaults = { ...EDGE, spec: {}, metadata: 'm', finalMetadata: 'm', parentId: undefined };
    const found = createRequests({ ...defaults, ...given });
    expect(found.map(({ method, path, body }) => [method, path, body])).toEqual(expected);
  });
});

interface UpdateRow {
  readonly name: string;
  readonly target?: typeof EDGE;
  readonly before: ValueObject;
  readonly after: ValueObject;
  readonly metadata?: string;
  readonly capabilities?: typeof ALL;
  readonly deleted?: readonly string[];
  /** Method, last segment of the path, and body. */
  readonly expect: readonly (readonly [string, string, JsonObject?])[];
  readonly blocked?: readonly string[];
}

const BACKEND = { backend: { backend_id: 'bkdfo_1' } };
const TERMINATION = { tls_termination: { min_version: '1.2' } };
const OFF = without('module-delete');

describe('updateRequests', () => {
  test.each<UpdateRow>([
    { name: 'nothing', before: {}, after: {}, expect: [] },
    {
      name: 'the changed field alone',
      before: { description: 'a', ...BACKEND },
      after: { description: 'b', ...BACKEND },
      expect: [['PATCH', 'edgtls_1', { description: 'b' }]],
    },
    {
      name: 'metadata alone',
      before: {},
      after: {},
      metadata: 'm',
      expect: [['PATCH', 'edgtls_1', { metadata: 'm' }]],
    },
    {
      name: 'a changed module as a whole',
      before: { tls_termination: { min_version: '1.2', terminate_at: 'edge' } },
      after: { tls_termination: { min_version: '1.3', terminate_at: 'edge' } },
      expect: [['PATCH', 'edgtls_1', { tls_termination: { min_version: '1.3', terminate_at: 'edge' } }]],
    },
    {
      name: 'what has a default is cleared',
      before: { description: 'a', hostports: ['a.test:443'] },
      after: {},
      expect: [['PATCH', 'edgtls_1', { description: '', hostports: [] }]],
    },
    {
      name: 'a module that goes is deleted before the rest is sent',
      before: BACKEND,
      after: { description: 'b' },
      expect: [
        ['DELETE', 'backend'],
        ['PATCH', 'edgtls_1', { description: 'b' }],
      ],
    },
    {
      name: 'a module that cannot be deleted is switched off, with what else is sent',
      before: BACKEND,
      after: { description: 'b' },
      capabilities: OFF,
      expect: [['PATCH', 'edgtls_1', { backend: { backend_id: 'bkdfo_1', enabled: false }, description: 'b' }]],
    },
    {
      name: 'it goes off first when another module is sent',
      before: BACKEND,
      after: TERMINATION,
      capabilities: OFF,
      expect: [
        ['PATCH', 'edgtls_1', { backend: { backend_id: 'bkdfo_1', enabled: false } }],
        ['PATCH', 'edgtls_1', TERMINATION],
      ],
    },
    {
      name: 'it does not name what the plan deletes',
      before: BACKEND,
      after: {},
      capabilities: OFF,
      deleted: ['bkdfo_1'],
      expect: [['PATCH', 'edgtls_1', { backend: { enabled: false } }]],
    },
    {
      name: 'what nothing can remove is blocked, and the rest is sent',
      target: ADDR,
      before: { endpoint_configuration_id: 'ec_1', description: 'a' },
      after: { description: 'b' },
      expect: [['PATCH', 'ra_1', { description: 'b' }]],
      blocked: ['endpoint_configuration_id'],
    },
    {
      name: 'what every update has to carry goes along',
      target: FAILOVER,
      before: { backends: ['bkdhr_1'], description: 'a' },
      after: { backends: ['bkdhr_1'], description: 'b' },
      expect: [['PATCH', 'bkdfo_1', { backends: ['bkdhr_1'], description: 'b' }]],
    },
    {
      name: 'and when it is not given, as its default',
      target: FAILOVER,
      before: { description: 'a' },
      after: { description: 'b' },
      expect: [['PATCH', 'bkdfo_1', { backends: [], description: 'b' }]],
    },
  ])('$name', (row) => {
    const { target = EDGE, before, after, capabilities = ALL, deleted = [] } = row;
    const object = live(`${target.kind.idPrefix}1`, '', { spec: before });
    const diffs = diffResource(target.kind, after, object, []);
    const found = updateRequests({
      ...target,
      live: object,
      effective: after,
      diffs,
      metadata: row.metadata,
      capabilities,
      deletedIds: new Set(deleted),
      obstacles: updateObstacles({
        kind: target.kind,
        live: object,
        effective: after,
        wanted: after,
        ignored: [],
        diffs,
        capabilities,
      }),
    });
    const shown = found.requests.map(({ method, path, body }) => [
      method,
      path.split('/').at(-1),
      ...(body ? [body] : []),
    ]);
    expect(shown).toEqual(row.expect);
    expect(found.blocked.map(({ path }) => path)).toEqual(row.blocked ?? []);
  });
});

test('a detaching step carries what every update has to carry, unless that is what it takes away', () => {
  const object = live('bkdfo_1', '', { spec: { backends: ['bkdhr_1'] } });
  expect(patchRequest(FAILOVER.kind, object, { description: '' }).body).toEqual({
    backends: ['bkdhr_1'],
    description: '',
  });
  expect(patchRequest(FAILOVER.kind, object, { backends: [] }).body).toEqual({ backends: [] });
});

interface Row {
  readonly name: string;
  readonly before: ValueObject;
  readonly after: ValueObject;
  readonly writeOnly?: readonly string[];
  readonly ignored?: readonly string[];
  readonly on?: ReadonlySet<Capability>;
  readonly expect: readonly string[];
}

const SECRET = 'webhook_verification.secret';
const hook = (provider: string, secret?: string) => ({
  webhook_verification: { provider, ...(secret !== undefined && { secret: new Secret(secret) }) },
});

function obstaclesOf(
  object: LiveResource,
  effective: ValueObject,
  diffs: readonly FieldDiff[],
  capabilities: ReadonlySet<Capability>,
) {
  const found = updateObstacles({
    kind: kindByName(object.kind),
    live: object,
    effective,
    wanted: effective,
    ignored: [],
    diffs,
    capabilities,
  });
  return [...found.values()].flat();
}

describe('updateObstacles', () => {
  test.each<Row>([
    { name: 'none for what is sent', before: hook('github'), after: hook('gitlab', 's'), expect: [] },
    {
      name: 'not when the manifest has it',
      before: hook('github'),
      after: hook('gitlab', 's'),
      writeOnly: [SECRET],
      ignored: [SECRET],
      expect: [],
    },
    { name: 'none for a part that is deleted', before: hook('github'), after: {}, writeOnly: [SECRET], expect: [] },
    {
      name: 'switching it off would need its secret, which is not shown',
      before: hook('github'),
      after: {},
      writeOnly: [SECRET],
      on: OFF,
      expect: [SECRET],
    },
    {
      name: 'nor is one that is shown sent back',
      before: hook('github', 'shown'),
      after: {},
      on: OFF,
      expect: [SECRET],
    },
    { name: 'nothing shown may be a secret that is hidden', before: hook('sns'), after: {}, on: OFF, expect: [SECRET] },
  ])('$name', ({ before, after, writeOnly = [], ignored = [], on = ALL, expect: expected }) => {
    const object = live('edghtsrt_1', '', { spec: before, writeOnly });
    const diffs = compareFields(kindByName(object.kind), after, object, ignored);
    const diff = diffs.find(({ name }) => name === 'webhook_verification');
    const found = diff && obstaclesOf(object, after, [diff], on);
    expect(found?.map(({ path }) => path)).toEqual(expected);
  });

  test('a value that nothing removes says what to do', () => {
    const object = live('ra_1', '', { spec: { endpoint_configuration_id: 'ec_1' } });
    const [diff] = compareFields(kindByName('reserved_addr'), {}, object, []).filter(
      (one) => one.differences.length > 0,
    );
    const [found] = diff ? obstaclesOf(object, {}, [diff], ALL) : [];
    expect(found).toEqual({
      path: 'endpoint_configuration_id',
      code: 'cannot-remove',
      severity: 'error',
      message: expect.stringContaining('no operation') as string,
      fix: expect.stringContaining('ignore_changes') as string,
    });
  });
});
