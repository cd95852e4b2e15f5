// Rules on the creation of HTTPS edge routes and their modules, through real HTTP.

import { afterAll, beforeAll, describe, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import type { Row } from './rule-table.ts';
import { checkRow } from './rule-table.ts';
import { create, idOf } from './support.ts';

let emulator: Emulator;
let edge: string;

beforeAll(async () => {
  emulator = await startEmulator();
  edge = idOf(await create(emulator, '/edges/https', {}));
});
afterAll(() => emulator.close());

let count = 0;
/** A route body with a selector of its own. */
function route(more: JsonObject): JsonObject {
  count += 1;
  return { match_type: 'exact_path', match: `/${count}`, ...more };
}

const oauth = (provider: JsonObject): JsonObject => route({ oauth: { provider } });
const breaker = (fields: JsonObject): JsonObject => route({ circuit_breaker: fields });
const SAML = { idp_metadata: '<x/>' };

const rows: readonly Row[] = [
  {
    rule: 'match types are those listed',
    path: 'routes',
    good: () => route({ match_type: 'path_prefix' }),
    bad: () => route({ match_type: 'regex' }),
  },
  { rule: 'selectors are required', path: 'routes', good: () => route({}), bad: () => ({ match_type: 'exact_path' }) },
  {
    rule: 'selectors are unique in an edge',
    path: 'routes',
    good: () => route({ match: '/same' }),
    bad: () => route({ match: '/same' }),
  },
  {
    rule: 'a path and a prefix of one text are one selector',
    path: 'routes',
    good: () => route({ match: '/one', match_type: 'exact_path' }),
    bad: () => route({ match: '/one', match_type: 'path_prefix' }),
  },
  {
    rule: 'buckets are at most 128',
    path: 'routes',
    good: () => breaker({ num_buckets: 128 }),
    bad: () => breaker({ num_buckets: 129 }),
  },
  {
    rule: 'seconds are integers',
    path: 'routes',
    good: () => breaker({ rolling_window: 10 }),
    bad: () => breaker({ rolling_window: 1.5 }),
  },
  {
    rule: 'seconds are not negative',
    path: 'routes',
    good: () => breaker({ tripped_duration: 0 }),
    bad: () => breaker({ tripped_duration: -1 }),
  },
  {
    rule: 'seconds fit in 32 bits',
    path: 'routes',
    good: () => breaker({ tripped_duration: 4294967295 }),
    bad: () => breaker({ tripped_duration: 4294967296 }),
  },
  {
    rule: 'thresholds are at most 1',
    path: 'routes',
    good: () => breaker({ error_threshold_percentage: 1 }),
    bad: () => breaker({ error_threshold_percentage: 50 }),
  },
  {
    rule: 'header values are strings',
    path: 'routes',
    good: () => route({ request_headers: { add: { a: '1' } } }),
    bad: () => route({ request_headers: { add: { a: 1 } } }),
  },
  {
    rule: 'headers are named once whatever their case',
    path: 'routes',
    good: () => route({ request_headers: { add: { a: '1', b: '2' } } }),
    bad: () => route({ request_headers: { add: { a: '1', A: '2' } } }),
  },
  {
    rule: 'webhooks need a secret',
    path: 'routes',
    good: () => route({ webhook_verification: { provider: 'github', secret: 's' } }),
    bad: () => route({ webhook_verification: { provider: 'github' } }),
  },
  {
    rule: 'one webhook provider needs none',
    path: 'routes',
    good: () => route({ webhook_verification: { provider: 'SNS' } }),
    bad: () => route({ webhook_verification: { secret: 's' } }),
  },
  {
    rule: 'client_id needs client_secret',
    path: 'routes',
    good: () => oauth({ github: { client_id: 'a', client_secret: 'b' } }),
    bad: () => oauth({ github: { client_id: 'a' } }),
  },
  {
    rule: 'scopes need an application',
    path: 'routes',
    good: () => oauth({ google: { client_id: 'a', client_secret: 'b', scopes: ['s'] } }),
    bad: () => oauth({ google: { scopes: ['s'] } }),
  },
  {
    rule: 'one provider is chosen',
    path: 'routes',
    good: () => oauth({ gitlab: {} }),
    bad: () => oauth({ gitlab: {}, github: {} }),
  },
  {
    rule: 'teams belong to one provider',
    path: 'routes',
    good: () => oauth({ github: { teams: ['a/b'] } }),
    bad: () => oauth({ google: { teams: ['a/b'] } }),
  },
  {
    rule: 'reported values cannot be set',
    path: 'routes',
    good: () => route({ saml: { idp_metadata: '<x/>' } }),
    bad: () => route({ saml: { idp_metadata: '<x/>', metadata_url: 'u' } }),
  },
  {
    rule: 'users sign in in one way',
    path: 'routes',
    good: () => route({ saml: SAML, oauth: null }),
    bad: () => route({ saml: SAML, oauth: { provider: { google: {} } } }),
  },
];

describe('creation of routes', () => {
  test.each(rows)('$rule', (row) => checkRow(emulator, `/edges/https/${edge}/${row.path}`, row));
});
