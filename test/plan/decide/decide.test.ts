// What happens to one block: nothing, or which steps, with what they take, free and name.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { kindByName } from '../../../src/catalog/lookup.ts';
import { decide, needsReplacement } from '../../../src/plan/decide/decide.ts';
import { markerFor } from '../../../src/plan/decide/marker.ts';
import type { PlanContext } from '../../../src/plan/plan-options.ts';
import type { Pair } from '../../../src/plan/match/match.ts';
import type { LiveResource } from '../../../src/resource/snapshot.ts';
import { context, live, manifest, options, without } from '../sample.ts';

/** The pair of the last block of a manifest. */
function pairOf(content: JsonObject, object?: LiveResource): Pair {
  const desired = manifest(content).resources.at(-1);
  if (desired === undefined) throw new Error('no block');
  return { kind: kindByName(desired.kind), desired, live: object };
}

/** The object as an apply of this content leaves it, then changed by somebody else. */
function applied(content: JsonObject, id: string, given: Partial<LiveResource> = {}): LiveResource {
  const { kind, desired } = pairOf(content);
  return live(id, 'shop:x', { spec: desired.spec, ...given, marker: markerFor('shop', desired, kind, desired.spec) });
}

const edge = (spec: JsonObject) => ({ tls_edges: { a: spec } });
const addr = (spec: JsonObject) => ({ reserved_addrs: { a: spec } });
const BACKEND = { backend: { backend_id: 'bkdfo_1' } };
const A = edge({ description: 'a' });
const ROUTE = { match_type: 'path_prefix', match: '/', compression: {} };
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExample';

interface Row {
  readonly name: string;
  readonly given: JsonObject;
  readonly object?: LiveResource;
  readonly context?: Partial<PlanContext>;
  /** Action and phase, and a word of the reason. */
  readonly expect: readonly (readonly [string, string])[];
  readonly blocked?: readonly string[];
  readonly codes?: readonly string[];
}

describe('decide', () => {
  test.each<Row>([
    { name: 'what is not there is created', given: A, expect: [['create', 'not in the service']] },
    {
      name: 'what somebody deleted is created, and that is told',
      given: A,
      context: { missing: new Map([['tls_edges.a', { is: 'deleted', id: 'edgtls_1', evidence: 'the journal' }]]) },
      expect: [['create', 'deleted outside: the journal']],
    },
    { name: 'what is as it was applied needs nothing', given: A, object: applied(A, 'edgtls_1'), expect: [] },
    {
      name: 'what differs is updated',
      given: edge({ description: 'b' }),
      object: applied(A, 'edgtls_1'),
      expect: [['update', '1 value']],
    },
    {
      name: 'what has no marker is adopted, also when nothing differs',
      given: edge({ description: 'a', lifecycle: { adopt: 'edgtls_1' } }),
      object: live('edgtls_1', '', { spec: { description: 'a' } }),
      expect: [['adopt', 'adopted by']],
    },
    {
      name: 'what has another address is renamed',
      given: { tls_edges: { b: { description: 'a' } } },
      object: applied(A, 'edgtls_1'),
      expect: [['update', 'renamed from tls_edges.a']],
    },
    {
      name: 'what is ignored is no difference',
      given: edge({ description: 'a', lifecycle: { ignore_changes: ['description'] } }),
      object: applied(A, 'edgtls_1', { spec: { description: 'other' } }),
      expect: [],
    },
    {
      name: 'what nothing can remove is blocked, and alone no reason to write',
      given: addr({ description: 'a' }),
      object: applied(addr({ description: 'a', endpoint_configuration_id: 'ec_1' }), 'ra_1'),
      expect: [],
      blocked: ['endpoint_configuration_id'],
    },
    {
      name: 'what takes the place of another is created before that goes',
      given: addr({ region: 'eu' }),
      object: applied(addr({ region: 'us' }), 'ra_1'),
      context: { replaced: new Set(['reserved_addrs.a']) },
      expect: [
        ['replace create', 'region cannot be changed'],
        ['replace delete', 'the old object'],
      ],
    },
    {
      name: 'what lies in a replaced object is made anew',
      given: { https_edges: { e: { routes: { r: ROUTE } } } },
      object: live('edghtsrt_1', 'shop:https_edges.e.routes.r', { parentId: 'edghts_1' }),
      context: { replaced: new Set(['https_edges.e']) },
      expect: [['create', 'its parent is replaced']],
    },
  ])('$name', (row) => {
    const found = decide(pairOf(row.given, row.object), context(row.context));
    expect(found.drafts.map(({ action, phase }) => [action, phase].filter(Boolean).join(' '))).toEqual(
      row.expect.map(([what]) => what),
    );
    row.expect.forEach(([, why], at) => {
      expect(found.drafts[at]?.reason.text).toContain(why);
    });
    expect(found.blocked.map(({ path }) => path)).toEqual(row.blocked ?? []);
    expect(found.diagnostics.map(({ code }) => code)).toEqual(row.codes ?? []);
  });
});

describe('what steps take and free', () => {
  test('an update takes the values that are new and frees those that go', () => {
    const ports = (...hostports: string[]) => edge({ hostports });
    const object = applied(ports('a.test:443', 'b.test:443'), 'edgtls_1');
    const [draft] = decide(pairOf(ports('b.test:443', 'c.test:443'), object), context()).drafts;
    expect(draft?.claims.map((key) => key.split('\0')[1])).toEqual(['c.test:443']);
    expect(draft?.releases.map((key) => key.split('\0')[1])).toEqual(['a.test:443']);
  });

  test('an update drops the ids that it no longer names; a module that is only switched off keeps its own', () => {
    const object = applied(edge(BACKEND), 'edgtls_1');
    const dropped = (capabilities = options().capabilities) =>
      decide(pairOf(edge({}), object), context({ options: options({ capabilities }) })).drafts.map(
        ({ drops }) => drops,
      );
    expect(dropped()).toEqual([['bkdfo_1']]);
    expect(dropped(without('module-delete'))).toEqual([[]]);
  });

  test('a replacement that needs a value of the old object deletes that first', () => {
    const key = (owner: string) => ({ ssh_credentials: { a: { public_key: KEY, owner_id: owner } } });
    const object = applied(key('usr_1'), 'sshcr_1');
    const { drafts } = decide(pairOf(key('usr_2'), object), context({ replaced: new Set(['ssh_credentials.a']) }));
    const [created, removed] = drafts;
    expect([created?.after, removed?.after]).toEqual([[removed?.key], []]);
    expect(created?.requests[0]?.body?.['metadata']).not.toContain('sshcr_1');
  });

  test('one that does not need any is remembered by the new marker until the old one is gone', () => {
    const object = applied(addr({ region: 'us' }), 'ra_1');
    const given = context({ replaced: new Set(['reserved_addrs.a']) });
    const [created, removed] = decide(pairOf(addr({ region: 'eu' }), object), given).drafts;
    expect([created?.after, removed?.after]).toEqual([[], [created?.key]]);
    expect(created?.requests[0]?.body?.['metadata']).toContain('ra_1');
  });

  test('a creation names the parent that is made as well, and not one that is there', () => {
    const child = pairOf({ https_edges: { e: { routes: { r: ROUTE } } } });
    const named = (known: PlanContext['known']) => decide(child, context({ known })).drafts[0]?.references;
    expect(named(new Map())).toEqual(['https_edges.e']);
    expect(named(new Map([['https_edges.e', live('edghts_1')]]))).toEqual([]);
  });
});

describe('needsReplacement', () => {
  const token = (id: string, given: Partial<PlanContext['options']>) =>
    needsReplacement(
      pairOf({ api_keys: { a: {} } }, live(id, 'shop:api_keys.a', { marker: { applied: { token: 'pending' } } })),
      new Map(),
      given,
    );
  const region = (before: string | undefined, after: string) =>
    needsReplacement(
      pairOf(addr({ region: after }), before === undefined ? undefined : applied(addr({ region: before }), 'ra_1')),
      new Map(),
      {},
    );
  const stored = (ids: readonly string[]) => ({ stored: { ids: new Set(ids), files: new Set<string>() } });

  test.each([
    ['not what is not there', region(undefined, 'eu'), false],
    ['not what is as it should be', region('us', 'us'), false],
    ['what cannot be updated', region('us', 'eu'), true],
    ['a token that nobody may have', token('ak_1', stored([])), true],
    ['not one whose token is stored', token('ak_1', stored(['ak_1'])), false],
  ])('%s', (_, found, expected) => {
    expect(found).toBe(expected);
  });
});
