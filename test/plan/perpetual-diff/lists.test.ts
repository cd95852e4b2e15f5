// Lists and maps in every shape that an answer may give them.

import { describe } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import type { Key } from '../../support/usual-answers.ts';
import { API, ref, ROUTE, trap } from '../../support/usual-answers.ts';

/** Lists that are empty, or that the manifest leaves out, and an entry that somebody may add. */
const EMPTY: readonly (readonly [Key, string, JsonObject, string])[] = [
  ['tls_edges', 'hostports', { hostports: [] }, 'a.example.com:443'],
  ['https_edges', 'hostports', {}, 'a.example.com:443'],
  ['failover_backends', 'backends', { backends: [] }, 'bkdhr_1'],
  ['ssh_credentials', 'acl', { public_key: 'ssh-ed25519 AAAA' }, 'bind:a.example.com'],
];

describe('lists and maps', () => {
  for (const [of, field, spec, entry] of EMPTY) {
    trap(`no ${field} of ${of}`, {
      of,
      spec,
      shapes: { null: { [field]: null }, absent: { [field]: undefined }, empty: { [field]: [] } },
      but: {
        'somebody added one': { shape: { [field]: [entry] }, seen: [`update ${field}: drift`] },
        'the manifest has one': { wanted: { ...spec, [field]: [entry] }, seen: [`update ${field}: config`] },
      },
    });
  }

  trap('hostports in another order and in lower case', {
    of: 'tls_edges',
    spec: { hostports: ['B.Example.com:443', 'a.example.com:443'] },
    shapes: {
      'as sent': { hostports: ['B.Example.com:443', 'a.example.com:443'] },
      'lower case': { hostports: ['b.example.com:443', 'a.example.com:443'] },
      'another order': { hostports: ['a.example.com:443', 'b.example.com:443'] },
    },
    but: {
      'another port': {
        shape: { hostports: ['b.example.com:444', 'a.example.com:443'] },
        seen: ['update hostports: drift'],
      },
      'one is missing': { shape: { hostports: ['b.example.com:443'] }, seen: ['update hostports: drift'] },
      'the manifest drops one': { wanted: { hostports: ['a.example.com:443'] }, seen: ['update hostports: config'] },
    },
  });

  trap('no routes', {
    of: 'https_edges',
    spec: {},
    shapes: { null: { routes: null }, absent: { routes: undefined }, empty: { routes: [] } },
    but: {
      'the manifest has one': {
        wanted: { routes: { r: ROUTE } },
        seen: ['create.routes.r match_type: config', 'create.routes.r match: config'],
      },
    },
  });

  trap('children of a failover backend keep their order', {
    of: 'failover_backends',
    spec: { backends: ['bkdhr_2', 'bkdhr_1', 'bkdhr_2'] },
    shapes: { 'as sent': { backends: ['bkdhr_2', 'bkdhr_1', 'bkdhr_2'] } },
    but: {
      'one of two equal ones is gone': {
        shape: { backends: ['bkdhr_2', 'bkdhr_1'] },
        seen: ['update backends: drift'],
      },
      'somebody turned them round': {
        shape: { backends: ['bkdhr_1', 'bkdhr_2', 'bkdhr_2'] },
        seen: ['update backends: drift'],
      },
      'the manifest turned them round': {
        wanted: { backends: ['bkdhr_1', 'bkdhr_2', 'bkdhr_2'] },
        seen: ['update backends: config'],
      },
    },
  });

  trap('sources and destinations in another order', {
    of: 'event_subscriptions',
    spec: { sources: [{ type: 'b.v0' }, { type: 'a.v0' }], destination_ids: ['ed_2', 'ed_1'] },
    shapes: {
      'another order': {
        sources: [
          { type: 'a.v0', uri: `${API}/a` },
          { type: 'b.v0', uri: `${API}/b` },
        ],
        destinations: [ref('event_destinations', 'ed_1'), ref('event_destinations', 'ed_2')],
      },
    },
    but: {
      'another source': {
        shape: {
          sources: [{ type: 'a.v0' }, { type: 'c.v0' }],
          destinations: [ref('event_destinations', 'ed_1'), ref('event_destinations', 'ed_2')],
        },
        seen: ['update sources: drift'],
      },
      'the manifest drops a destination': {
        wanted: { sources: [{ type: 'b.v0' }, { type: 'a.v0' }], destination_ids: ['ed_2'] },
        seen: ['update destination_ids: config'],
      },
    },
  });

  trap('entries that are given twice in a list without an order', {
    of: 'event_subscriptions',
    spec: { sources: [{ type: 'a.v0' }, { type: 'a.v0' }], destination_ids: ['ed_1', 'ed_1'] },
    shapes: {
      once: { sources: [{ type: 'a.v0' }], destinations: [ref('event_destinations', 'ed_1')] },
      'once and twice': {
        sources: [{ type: 'a.v0' }, { type: 'a.v0', uri: 'x' }],
        destinations: [ref('event_destinations', 'ed_1')],
      },
    },
    but: {
      'another beside it': {
        shape: {
          sources: [{ type: 'a.v0' }, { type: 'b.v0' }],
          destinations: [ref('event_destinations', 'ed_1'), ref('event_destinations', 'ed_1')],
        },
        seen: ['update sources: drift'],
      },
    },
  });

  trap('header names that differ in case only, to be removed', {
    of: 'routes',
    spec: { request_headers: { remove: ['Server', 'server'] } },
    shapes: { once: { request_headers: { enabled: true, add: {}, remove: ['server'] } } },
    but: {
      'nothing removed any more': {
        shape: { request_headers: { enabled: true, add: {}, remove: [] } },
        seen: ['update request_headers.remove: drift'],
      },
    },
  });

  trap('sources with an address of the service and with fields that the manifest cannot give', {
    of: 'event_subscriptions',
    spec: { sources: [{ type: 'a.v0' }] },
    shapes: {
      'with an address': { sources: [{ type: 'a.v0', uri: `${API}/event_subscriptions/esb_1/sources/a.v0` }] },
      'with fields': { sources: [{ type: 'a.v0', uri: `${API}/x`, fields: ['object', 'principal'], filter: null }] },
      'destinations null': { sources: [{ type: 'a.v0' }], destinations: null },
    },
    but: {
      'another type': { shape: { sources: [{ type: 'a.v1', uri: `${API}/x` }] }, seen: ['update sources: drift'] },
    },
  });

  trap('header names in lower case, in `add` and in `remove`', {
    of: 'routes',
    spec: { response_headers: { add: { 'X-Frame-Options': 'DENY' }, remove: ['Server', 'X-Powered-By'] } },
    shapes: {
      'lower case': {
        response_headers: { enabled: true, add: { 'x-frame-options': 'DENY' }, remove: ['server', 'x-powered-by'] },
      },
      'another order': {
        response_headers: { enabled: true, add: { 'x-frame-options': 'DENY' }, remove: ['x-powered-by', 'server'] },
      },
    },
    but: {
      'a value in another case': {
        shape: { response_headers: { add: { 'x-frame-options': 'deny' }, remove: ['server', 'x-powered-by'] } },
        seen: ['update response_headers.add: drift'],
      },
      'a header more': {
        shape: {
          response_headers: { add: { 'x-frame-options': 'DENY', 'x-b': '' }, remove: ['server', 'x-powered-by'] },
        },
        seen: ['update response_headers.add: drift'],
      },
      'a removed header less': {
        wanted: { response_headers: { add: { 'X-Frame-Options': 'DENY' }, remove: ['Server'] } },
        seen: ['update response_headers.remove: config'],
      },
    },
  });

  trap('header modules with nothing in them', {
    of: 'routes',
    spec: { request_headers: { enabled: true } },
    shapes: {
      null: { request_headers: { enabled: true, add: null, remove: null } },
      empty: { request_headers: { enabled: true, add: {}, remove: [] } },
      absent: { request_headers: { enabled: true } },
    },
    but: {
      'somebody added a header': {
        shape: { request_headers: { enabled: true, add: { 'x-a': '' }, remove: [] } },
        seen: ['update request_headers.add: drift'],
      },
    },
  });
});
