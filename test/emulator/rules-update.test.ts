// Rules on updates, through real HTTP.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { CREDS, FIREHOSE, KINESIS } from './rule-table.ts';
import { create, idOf, send } from './support.ts';

let emulator: Emulator;
let edge: string;

beforeAll(async () => {
  emulator = await startEmulator();
  edge = idOf(await create(emulator, '/edges/https', { hostports: ['taken.example.com:443'] }));
});
afterAll(() => emulator.close());

describe('updates', () => {
  const cases: readonly { rule: string; path: string; from: JsonObject; good: JsonObject; bad: JsonObject }[] = [
    { rule: 'an update changes something', path: '/api_keys', from: {}, good: { description: '' }, bad: {} },
    {
      rule: 'nulls alone change nothing',
      path: '/edges/tls',
      from: {},
      good: { backend: null, description: 'd' },
      bad: { backend: null },
    },
    { rule: 'owners stay', path: '/api_keys', from: {}, good: { metadata: 'm' }, bad: { owner_id: 'usr_1' } },
    {
      rule: 'public keys stay',
      path: '/ssh_credentials',
      from: { public_key: 'p1' },
      good: { acl: ['*'] },
      bad: { public_key: 'p2' },
    },
    {
      rule: 'domains stay',
      path: '/agent_ingresses',
      from: { domain: 'stays.example.com' },
      good: { description: 'd' },
      bad: { domain: 'goes.example.com' },
    },
    { rule: 'regions stay', path: '/reserved_addrs', from: {}, good: { description: 'd' }, bad: { region: 'eu' } },
    {
      rule: 'the kind of a target stays',
      path: '/event_destinations',
      from: { target: FIREHOSE },
      good: { target: { firehose: { auth: CREDS, delivery_stream_arn: 'arn:2' } } },
      bad: { target: KINESIS },
    },
    {
      rule: 'rules hold for the whole object',
      path: '/edges/tls',
      from: { tls_termination: { terminate_at: 'upstream' } },
      good: { tls_termination: { min_version: '1.2' } },
      bad: { tls_termination: { terminate_at: 'upstream', min_version: '1.2' } },
    },
    {
      rule: 'hostports taken elsewhere are refused',
      path: '/edges/tls',
      from: {},
      good: { hostports: ['new.example.com:443'] },
      bad: { hostports: ['taken.example.com:443'] },
    },
  ];
  test.each(cases)('$rule', async ({ path: at, from, good, bad }) => {
    const id = idOf(await create(emulator, at, from));
    expect(await send(emulator, `PATCH ${at}/${id}`, good)).toMatchObject({ status: 200 });
    expect(await send(emulator, `PATCH ${at}/${id}`, bad)).toMatchObject({ status: 400 });
  });

  test('a backend cannot be its own child', async () => {
    const id = idOf(await create(emulator, '/backends/failover', {}));
    expect(await send(emulator, `PATCH /backends/failover/${id}`, { backends: [id] })).toMatchObject({ status: 400 });
  });

  test('ways to sign in exclude each other across updates', async () => {
    const made = await create(emulator, `/edges/https/${edge}/routes`, {
      match_type: 'exact_path',
      match: '/',
      saml: { idp_metadata: '<x/>' },
    });
    const at = `/edges/https/${edge}/routes/${idOf(made)}`;
    const oauthModule = { oauth: { provider: { google: {} } } };
    expect(await send(emulator, `PATCH ${at}`, oauthModule)).toMatchObject({ status: 400 });
    expect(await send(emulator, `DELETE ${at}/saml`)).toMatchObject({ status: 204 });
    expect(await send(emulator, `PATCH ${at}`, oauthModule)).toMatchObject({ status: 200, body: { saml: null } });
  });
});
