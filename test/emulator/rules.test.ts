// Rules between values and between objects, on a store without HTTP.

import { describe, expect, test } from 'vitest';
import { kindByIdPrefix, kindByName } from '../../src/catalog/lookup.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { PROBLEM } from '../../src/emulator/problem.ts';
import { checkOwner, checkUnused, checkWhole, ownerOf, violations } from '../../src/emulator/rules.ts';
import type { Stored } from '../../src/emulator/state/store.ts';
import { createStore } from '../../src/emulator/state/store.ts';
import { codeOf, storedOf } from './stored.ts';

const store = createStore(
  [
    storedOf('edghts_1', { hostports: ['www.example.com:443'] }),
    storedOf('edghts_2'),
    storedOf('edghtsrt_1', { match_type: 'path_prefix', match: '/a' }, { parentId: 'edghts_1' }),
    storedOf('bkdfo_1', { backends: ['bkdhr_9'] }),
    storedOf('bkdfo_2', { backends: ['bkdfo_1'] }),
    storedOf('edgtls_1', { tls_termination: { terminate_at: 'edge' } }),
  ],
  () => undefined,
);

const check = (next: Stored, before?: Stored) =>
  codeOf(() => {
    checkWhole(store, kindByIdPrefix(next.id)!, next, before);
  });
const route = (id: string, parentId: string, match: string, more: JsonObject = {}) =>
  storedOf(id, { match_type: 'path_prefix', match, ...more }, { parentId });

describe('an object may be stored', () => {
  test.each([
    {
      name: 'with a hostport of its own',
      next: storedOf('edghts_3', { hostports: ['a.example.com:443'] }),
      code: 'done',
    },
    {
      name: 'but not with one of another edge',
      next: storedOf('edghts_3', { hostports: ['www.example.com:443'] }),
      code: PROBLEM.notUnique,
    },
    {
      name: 'nor with one of an edge of another kind',
      next: storedOf('edgtls_3', { hostports: ['www.example.com:443'] }),
      code: PROBLEM.notUnique,
    },
    {
      name: 'nor with one in other letters',
      next: storedOf('edghts_3', { hostports: ['WWW.example.com:443'] }),
      code: PROBLEM.notUnique,
    },
    {
      name: 'nor with one twice',
      next: storedOf('edghts_3', { hostports: ['a.example.com:443', 'A.example.com:443'] }),
      code: PROBLEM.notUnique,
    },
    {
      name: 'with the hostport that it has already',
      next: storedOf('edghts_1', { hostports: ['www.example.com:443'] }),
      code: 'done',
    },
    { name: 'with a selector of another edge', next: route('edghtsrt_2', 'edghts_2', '/a'), code: 'done' },
    { name: 'but not with one of the same edge', next: route('edghtsrt_2', 'edghts_1', '/a'), code: PROBLEM.notUnique },
    {
      name: 'in whatever way it is compared',
      next: route('edghtsrt_2', 'edghts_1', '/a', { match_type: 'exact_path' }),
      code: PROBLEM.notUnique,
    },
    { name: 'with a reference to what is there', next: storedOf('bkdfo_3', { backends: ['bkdfo_1'] }), code: 'done' },
    {
      name: 'but not to what is not there',
      next: storedOf('bkdfo_3', { backends: ['bkdfo_9'] }),
      code: PROBLEM.unknownReference,
    },
    {
      name: 'nor to an object of another kind',
      next: storedOf('bkdfo_3', { backends: ['edgtls_1'] }),
      code: PROBLEM.unknownReference,
    },
    { name: 'nor to itself', next: storedOf('bkdfo_1', { backends: ['bkdfo_1'] }), code: PROBLEM.unknownReference },
    {
      name: 'with a reference to what the service has elsewhere',
      next: storedOf('bkdfo_3', { backends: ['bkdhr_1'] }),
      code: 'done',
    },
    {
      name: 'but not against a rule between its fields',
      next: storedOf('edgtls_3', { tls_termination: { terminate_at: 'upstream', min_version: '1.2' } }),
      code: PROBLEM.rule,
    },
  ])('$name', ({ next, code }) => {
    expect(check(next)).toBe(code);
  });
});

describe('a target once chosen', () => {
  const kinesis = { kinesis: { stream_arn: 'arn:1' } };
  const firehose = { firehose: { delivery_stream_arn: 'arn:1' } };
  test.each([
    { name: 'stays of its kind', before: kinesis, after: firehose, code: PROBLEM.fixedChoice },
    { name: 'may change in itself', before: kinesis, after: { kinesis: { stream_arn: 'arn:2' } }, code: 'done' },
  ])('$name', ({ before, after, code }) => {
    expect(check(storedOf('ed_1', { target: after }), storedOf('ed_1', { target: before }))).toBe(code);
  });
});

test.each([
  { name: 'what nobody refers to may go', ids: ['bkdfo_2'], code: 'done' },
  { name: 'what another refers to may not', ids: ['bkdfo_1'], code: PROBLEM.inUse },
  { name: 'what goes together does not hold itself back', ids: ['bkdfo_1', 'bkdfo_2'], code: 'done' },
  { name: 'nothing may always go', ids: [], code: 'done' },
])('$name', ({ ids, code }) => {
  expect(
    codeOf(() => {
      checkUnused(store, ids);
    }),
  ).toBe(code);
});

describe('an owner', () => {
  const key = kindByName('api_key');
  test.each([
    { name: 'may be left out', spec: {}, admin: false, code: 'done' },
    { name: 'may be the caller', spec: { owner_id: 'usr_me' }, admin: false, code: 'done' },
    { name: 'may not be another', spec: { owner_id: 'usr_other' }, admin: false, code: PROBLEM.owner },
    { name: 'may be another for an admin', spec: { owner_id: 'usr_other' }, admin: true, code: 'done' },
  ])('$name', ({ spec, admin, code }) => {
    expect(
      codeOf(() => {
        checkOwner(key, spec, { owner: 'usr_me', admin });
      }),
    ).toBe(code);
  });

  test('is known of kinds that have one only', () => {
    expect([
      ownerOf(key, { owner_id: 'usr_1' }),
      ownerOf(key, {}),
      ownerOf(kindByName('tls_edge'), { owner_id: 'usr_1' }),
    ]).toEqual(['usr_1', undefined, undefined]);
  });
});

test('a spec that keeps every rule breaks none', () => {
  expect(violations(kindByName('tls_edge'), { tls_termination: { terminate_at: 'edge', min_version: '1.2' } })).toEqual(
    [],
  );
});
