// Rules on the creation of every kind but routes, through real HTTP.

import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import type { Row } from './rule-table.ts';
import { checkRow, CREDS, FIREHOSE, KINESIS, ROLE } from './rule-table.ts';
import { create, idOf } from './support.ts';

let emulator: Emulator;
let destination: string;
let backend: string;

beforeAll(async () => {
  emulator = await startEmulator();
  destination = idOf(await create(emulator, '/event_destinations', { target: FIREHOSE }));
  backend = idOf(await create(emulator, '/backends/failover', {}));
});
afterAll(() => emulator.close());

const source = (type: Json): JsonObject => ({ sources: [{ type }] });

const values: readonly Row[] = [
  {
    rule: 'descriptions have at most 255 bytes',
    path: '/api_keys',
    good: () => ({ description: 'é'.repeat(127) }),
    bad: () => ({ description: 'é'.repeat(128) }),
  },
  {
    rule: 'metadata has at most 4096 bytes',
    path: '/edges/tls',
    good: () => ({ metadata: 'x'.repeat(4096) }),
    bad: () => ({ metadata: 'x'.repeat(4097) }),
  },
  {
    rule: 'descriptions of subscriptions are counted in characters',
    path: '/event_subscriptions',
    good: () => ({ description: 'é'.repeat(255) }),
    bad: () => ({ description: 'é'.repeat(256) }),
  },
  {
    rule: 'metadata of subscriptions is counted in characters',
    path: '/event_subscriptions',
    good: () => ({ metadata: '😀'.repeat(4096) }),
    bad: () => ({ metadata: '😀'.repeat(4097) }),
  },
  {
    rule: 'unknown fields are refused',
    path: '/edges/tls',
    good: () => ({ description: '' }),
    bad: () => ({ descriptoin: '' }),
  },
  {
    rule: 'names that every object has are no fields',
    path: '/edges/tls',
    good: () => ({}),
    bad: () => ({ constructor: {} }),
  },
  {
    rule: 'unknown fields of modules are refused',
    path: '/edges/tls',
    good: () => ({ ip_restriction: { ip_policy_ids: [] } }),
    bad: () => ({ ip_restriction: { ip_policies: [] } }),
  },
  { rule: 'bodies are objects', path: '/edges/tls', good: () => ({}), bad: () => [] },
  {
    rule: 'texts are strings',
    path: '/edges/tls',
    good: () => ({ description: '1' }),
    bad: () => ({ description: 1 }),
  },
  { rule: 'lists are lists', path: '/edges/tls', good: () => ({ hostports: [] }), bad: () => ({ hostports: 'a:1' }) },
  {
    rule: 'lists hold no nulls',
    path: '/edges/tls',
    good: () => ({ hostports: [] }),
    bad: () => ({ hostports: [null] }),
  },
  {
    rule: 'null counts as omitted',
    path: '/edges/tls',
    good: () => ({ backend: null, description: null }),
    bad: () => ({ backend: {} }),
  },
  {
    rule: 'switches are booleans',
    path: '/edges/tls',
    good: () => ({ mutual_tls: { enabled: false } }),
    bad: () => ({ mutual_tls: { enabled: 'false' } }),
  },
  {
    rule: 'hostports have a port',
    path: '/edges/tls',
    good: () => ({ hostports: ['form.example.com:443'] }),
    bad: () => ({ hostports: ['form.example.com'] }),
  },
  {
    rule: 'terminate_at has two values',
    path: '/edges/tls',
    good: () => ({ tls_termination: { terminate_at: 'edge' } }),
    bad: () => ({ tls_termination: { terminate_at: 'agent' } }),
  },
  {
    rule: 'min_version is null upstream',
    path: '/edges/tls',
    good: () => ({ tls_termination: { terminate_at: 'upstream', min_version: null } }),
    bad: () => ({ tls_termination: { terminate_at: 'upstream', min_version: '1.2' } }),
  },
  {
    rule: 'HTTPS edges take no terminate_at',
    path: '/edges/https',
    good: () => ({ tls_termination: { min_version: '1.3' } }),
    bad: () => ({ tls_termination: { terminate_at: 'edge' } }),
  },
  { rule: 'routes are no field of an edge', path: '/edges/https', good: () => ({}), bad: () => ({ routes: [] }) },
  {
    rule: 'regions are those listed',
    path: '/reserved_addrs',
    good: () => ({ region: 'jp' }),
    bad: () => ({ region: 'mars' }),
  },
  {
    rule: 'endpoint configurations are attached by updates only',
    path: '/reserved_addrs',
    good: () => ({}),
    bad: () => ({ endpoint_configuration_id: 'ec_1' }),
  },
  { rule: 'addresses are assigned', path: '/reserved_addrs', good: () => ({}), bad: () => ({ addr: 'a:1' }) },
  {
    rule: 'ACL rules bind',
    path: '/ssh_credentials',
    good: () => ({ public_key: 'k1', acl: ['*', 'bind:x'] }),
    bad: () => ({ public_key: 'k2', acl: ['deny:x'] }),
  },
  { rule: 'public keys are required', path: '/ssh_credentials', good: () => ({ public_key: 'k3' }), bad: () => ({}) },
  {
    rule: 'public keys are unique',
    path: '/ssh_credentials',
    good: () => ({ public_key: 'k4' }),
    bad: () => ({ public_key: 'k4' }),
  },
  {
    rule: 'domains are unique whatever their case',
    path: '/agent_ingresses',
    good: () => ({ domain: 'One.example.com' }),
    bad: () => ({ domain: 'one.EXAMPLE.com' }),
  },
  {
    rule: 'a hostport belongs to one TLS edge',
    path: '/edges/tls',
    good: () => ({ hostports: ['u.example.com:443'] }),
    bad: () => ({ hostports: ['U.example.com:443'] }),
  },
  {
    rule: 'a hostport belongs to one edge of whatever kind',
    path: '/edges/https',
    good: () => ({ hostports: ['v.example.com:443'] }),
    bad: () => ({ hostports: ['u.example.com:443'] }),
  },
  {
    rule: 'a hostport is named once',
    path: '/edges/tls',
    good: () => ({ hostports: ['w.example.com:1'] }),
    bad: () => ({ hostports: ['x.example.com:1', 'X.example.com:1'] }),
  },
];

const relations: readonly Row[] = [
  {
    rule: 'backends of the service exist',
    path: '/edges/tls',
    good: () => ({ backend: { backend_id: backend } }),
    bad: () => ({ backend: { backend_id: 'bkdfo_gone' } }),
  },
  {
    rule: 'backends are backends',
    path: '/edges/tls',
    good: () => ({ backend: { backend_id: 'bkdhr_elsewhere' } }),
    bad: () => ({ backend: { backend_id: destination } }),
  },
  {
    rule: 'destinations exist',
    path: '/event_subscriptions',
    good: () => ({ destination_ids: [destination] }),
    bad: () => ({ destination_ids: ['ed_gone'] }),
  },
  {
    rule: 'child backends exist',
    path: '/backends/failover',
    good: () => ({ backends: [backend, 'bkdhr_1'] }),
    bad: () => ({ backends: ['bkdfo_gone'] }),
  },
  {
    rule: 'event types have a version',
    path: '/event_subscriptions',
    good: () => source('a_b.v0'),
    bad: () => source('a_b'),
  },
  {
    rule: 'sources have no uri in requests',
    path: '/event_subscriptions',
    good: () => source('a.v1'),
    bad: () => ({ sources: [{ type: 'a.v1', uri: 'x' }] }),
  },
  { rule: 'targets are required', path: '/event_destinations', good: () => ({ target: FIREHOSE }), bad: () => ({}) },
  {
    rule: 'targets are exactly one',
    path: '/event_destinations',
    good: () => ({ target: { ...KINESIS, firehose: null } }),
    bad: () => ({ target: { ...KINESIS, ...FIREHOSE } }),
  },
  {
    rule: 'targets are not none',
    path: '/event_destinations',
    good: () => ({ target: KINESIS }),
    bad: () => ({ target: {} }),
  },
  {
    rule: 'credentials are one kind',
    path: '/event_destinations',
    good: () => ({ target: { kinesis: { auth: CREDS, stream_arn: 'a' } } }),
    bad: () => ({ target: { kinesis: { auth: { ...ROLE, ...CREDS }, stream_arn: 'a' } } }),
  },
  {
    rule: 'a mask is no secret',
    path: '/event_destinations',
    good: () => ({ target: { kinesis: { auth: CREDS, stream_arn: 'a' } } }),
    bad: () => ({
      target: { kinesis: { auth: { creds: { aws_access_key_id: 'A', aws_secret_access_key: '' } }, stream_arn: 'a' } },
    }),
  },
  {
    rule: 'the format is JSON',
    path: '/event_destinations',
    good: () => ({ format: 'JSON', target: FIREHOSE }),
    bad: () => ({ format: 'XML', target: FIREHOSE }),
  },
  {
    rule: 'targets that are not shown take any field',
    path: '/event_destinations',
    good: () => ({ target: { s3: { auth: ROLE, something: 1 } } }),
    bad: () => ({ target: { gcs: { something: 1 } } }),
  },
];

describe('creation', () => {
  test.each([...values, ...relations])('$rule', (row) => checkRow(emulator, row.path, row));
});
