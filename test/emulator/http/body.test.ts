// Bodies of requests: which fields they may have, what is read of them, and the first rule that they break.

import { describe, expect, test } from 'vitest';
import { kindByName } from '../../../src/catalog/lookup.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { readBody } from '../../../src/emulator/http/body.ts';
import { PROBLEM } from '../../../src/emulator/problem.ts';
import { codeOf } from '../stored.ts';

const ADDR = kindByName('reserved_addr');
const EDGE = kindByName('tls_edge');
const ROUTE = kindByName('https_edge_route');
const SELECTOR = { match_type: 'path_prefix', match: '/' };

describe('a body is read', () => {
  test.each([
    { name: 'when it is empty, at creation', kind: ADDR, body: {}, purpose: 'create', read: {} },
    {
      name: 'without its nulls',
      kind: ADDR,
      body: { description: null, metadata: 'm' },
      purpose: 'create',
      read: { metadata: 'm' },
    },
    {
      name: 'with nulls inside left out, too',
      kind: EDGE,
      body: { mutual_tls: { enabled: null, certificate_authority_ids: ['ca_1'] } },
      purpose: 'create',
      read: { mutual_tls: { certificate_authority_ids: ['ca_1'] } },
    },
    {
      name: 'with what only creations take',
      kind: ADDR,
      body: { region: 'eu' },
      purpose: 'create',
      read: { region: 'eu' },
    },
    {
      name: 'with what only updates take',
      kind: ADDR,
      body: { endpoint_configuration_id: 'ec_1' },
      purpose: 'update',
      read: { endpoint_configuration_id: 'ec_1' },
    },
    {
      name: 'without what a module needs that is switched off',
      kind: ROUTE,
      body: { ...SELECTOR, webhook_verification: { enabled: false } },
      purpose: 'create',
      read: { ...SELECTOR, webhook_verification: { enabled: false } },
    },
    {
      name: 'of an update that lacks what creations need',
      kind: ROUTE,
      body: { description: 'x' },
      purpose: 'update',
      read: { description: 'x' },
    },
  ] as const)('$name', ({ kind, body, purpose, read }) => {
    expect(readBody(kind, body as JsonObject, purpose)).toEqual(read);
  });
});

interface Refused {
  readonly name: string;
  readonly kind: typeof ADDR;
  readonly body: JsonObject;
  readonly purpose?: 'create' | 'update';
  readonly code: string;
}

test.each<Refused>([
  { name: 'a field that there is not', kind: ADDR, body: { colour: 'red' }, code: PROBLEM.unknownField },
  { name: 'a name that every object has', kind: ADDR, body: { constructor: 'x' }, code: PROBLEM.unknownField },
  { name: 'a field that the service decides', kind: ADDR, body: { addr: 'a:1' }, code: PROBLEM.unknownField },
  {
    name: 'a field of creations in an update',
    kind: ADDR,
    body: { region: 'eu' },
    purpose: 'update',
    code: PROBLEM.unknownField,
  },
  {
    name: 'a field of updates in a creation',
    kind: ADDR,
    body: { endpoint_configuration_id: 'ec_1' },
    code: PROBLEM.unknownField,
  },
  {
    name: 'an update of nothing but nulls',
    kind: ADDR,
    body: { description: null },
    purpose: 'update',
    code: PROBLEM.nothingToChange,
  },
  { name: 'a text that is a number', kind: ADDR, body: { description: 7 }, code: PROBLEM.badValue },
  { name: 'a text that is too long', kind: ADDR, body: { description: 'x'.repeat(256) }, code: PROBLEM.badValue },
  { name: 'another value than those there are', kind: ADDR, body: { region: 'mars' }, code: PROBLEM.badValue },
  {
    name: 'an id of another kind',
    kind: ADDR,
    body: { endpoint_configuration_id: 'ra_1' },
    purpose: 'update',
    code: PROBLEM.badValue,
  },
  {
    name: 'an id that is only its prefix',
    kind: ADDR,
    body: { endpoint_configuration_id: 'ec_' },
    purpose: 'update',
    code: PROBLEM.badValue,
  },
  { name: 'a list that is a text', kind: EDGE, body: { hostports: 'a:443' }, code: PROBLEM.badValue },
  {
    name: 'a switch that is a text',
    kind: EDGE,
    body: { mutual_tls: { enabled: 'yes', certificate_authority_ids: ['ca_1'] } },
    code: PROBLEM.badValue,
  },
  { name: 'a module that is a list', kind: EDGE, body: { mutual_tls: [] }, code: PROBLEM.badValue },
  {
    name: 'a field inside that there is not',
    kind: EDGE,
    body: { mutual_tls: { colour: 'red' } },
    code: PROBLEM.unknownField,
  },
  { name: 'a creation without what it needs', kind: ROUTE, body: { match: '/' }, code: PROBLEM.badValue },
  {
    name: 'a module without what it needs',
    kind: ROUTE,
    body: { ...SELECTOR, webhook_verification: {} },
    code: PROBLEM.badValue,
  },
  { name: 'a required text that is empty', kind: ROUTE, body: { ...SELECTOR, match: '' }, code: PROBLEM.badValue },
  {
    name: 'an object of one form with two',
    kind: kindByName('event_destination'),
    body: { target: { firehose: {}, kinesis: {} } },
    code: PROBLEM.badValue,
  },
  {
    name: 'one name of a map in two cases',
    kind: ROUTE,
    body: { ...SELECTOR, request_headers: { add: { 'X-A': '1', 'x-a': '2' } } },
    code: PROBLEM.badValue,
  },
  {
    name: 'a map of other things than texts',
    kind: ROUTE,
    body: { ...SELECTOR, request_headers: { add: { 'x-a': 1 } } },
    code: PROBLEM.badValue,
  },
])('$name is refused', ({ kind, body, purpose = 'create', code }) => {
  expect(codeOf(() => readBody(kind, body, purpose))).toBe(code);
});
