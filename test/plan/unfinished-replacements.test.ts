// Replacements of one object that runs have begun and not finished. Wherever the next run stops, what remains of an address says
// which object is the new one.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { buildPlan } from '../../src/plan/build.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { LiveResource } from '../../src/resource/snapshot.ts';
import { journal, live, manifest, options, snapshot, type Known } from './sample.ts';

interface Given {
  readonly content: JsonObject;
  readonly objects: readonly LiveResource[];
  readonly known?: Known;
  readonly isDestroyed?: boolean;
}

function planOf({ content, objects, known = {}, isDestroyed = false }: Given): Plan {
  return buildPlan({
    manifest: manifest(content),
    snapshot: snapshot(...objects),
    service: 'https://service.test/',
    options: options({ allowDeletes: 'all', destroy: isDestroyed, journal: journal(known) }),
  });
}

/** The objects of an address in the order of their creation, each of which was created to replace the one before it. */
function successive(address: string, ids: readonly string[], specs: readonly LiveResource['spec'][]): LiveResource[] {
  return ids.map((id, at) => {
    const replaces = ids[at - 1];
    return live(id, `shop:${address}`, {
      spec: specs[at] ?? {},
      computed: { created_at: `2030-01-0${at + 1}T00:00:00Z`, id },
      ...(replaces !== undefined && { marker: { replaces } }),
    });
  });
}

/** Ids of what is deleted, each with those that must be gone before. */
function deletions({ steps }: Plan): string[] {
  const removals = steps.filter(({ requests }) => requests[0]?.method === 'DELETE');
  return removals.map(({ live_id: id, depends_on: ids }) => {
    const before = removals.filter((removal) => ids.includes(removal.id)).map((removal) => removal.live_id);
    return [id, ...before].join(' after ');
  });
}

const KEYS = ['ak_1', 'ak_2', 'ak_3'];
const owners = (...names: readonly string[]) => names.map((name) => ({ owner_id: `usr_${name}` }));
const keyOf = (owner: string) => ({ api_keys: { ci: { owner_id: `usr_${owner}` } } });
const CI = successive('api_keys.ci', KEYS, owners('one', 'two', 'three'));
const ADDRESSES = successive('reserved_addrs.a', ['ra_1', 'ra_2'], [{ region: 'us' }, { region: 'eu' }]);
const CREDENTIALS = successive(
  'ssh_credentials.a',
  ['sshcr_1', 'sshcr_2'],
  [{ public_key: 'ssh-ed25519 AAAA' }, { public_key: 'ssh-ed25519 BBBB' }],
);

describe('what was replaced is deleted before the object that replaced it', () => {
  test.each<Given & { readonly name: string; readonly expect: readonly string[] }>([
    {
      name: 'when that one is replaced in turn',
      content: keyOf('three'),
      objects: CI.slice(0, 2),
      expect: ['ak_1', 'ak_2 after ak_1'],
    },
    {
      name: 'when a third object replaced both',
      content: keyOf('three'),
      objects: CI,
      expect: ['ak_1', 'ak_2 after ak_1'],
    },
    {
      name: 'when no block asks for either',
      content: { reserved_addrs: { other: {} } },
      objects: ADDRESSES,
      expect: ['ra_1', 'ra_2 after ra_1'],
    },
    {
      name: 'when all is destroyed',
      content: keyOf('three'),
      objects: CI,
      isDestroyed: true,
      expect: ['ak_1', 'ak_2 after ak_1', 'ak_3 after ak_2'],
    },
    {
      name: 'when the new object needs a value of the one that goes',
      content: { ssh_credentials: { a: { public_key: 'ssh-ed25519 BBBB', owner_id: 'usr_two' } } },
      objects: CREDENTIALS,
      expect: ['sshcr_1', 'sshcr_2 after sshcr_1'],
    },
  ])('$name', ({ expect: expected, ...given }) => {
    expect(deletions(planOf(given))).toEqual(expected);
  });
});

test('keys go after everything else, also where one waits for another', () => {
  const edge = live('edgtls_1', 'shop:tls_edges.old');
  const plan = planOf({ content: keyOf('three'), objects: [...CI.slice(0, 2), edge] });
  expect(plan.steps.map(({ live_id: id, last }) => [id, last])).toEqual([
    [null, undefined],
    ['edgtls_1', undefined],
    ['ak_1', true],
    ['ak_2', true],
  ]);
});

test('what was replaced twice is the old object of an unfinished replacement, and needs no second consent', () => {
  const ids = new Map(KEYS.map((id) => [id, 'api_keys.ci']));
  const plan = planOf({ content: keyOf('three'), objects: CI, known: { ids, made: new Set(['ak_2', 'ak_3']) } });
  const deleted = plan.steps.filter(({ action }) => action === 'delete');
  expect(deleted.map(({ live_id: id, reason }) => [id, reason.code])).toEqual([
    ['ak_1', 'replaced'],
    ['ak_2', 'replaced'],
  ]);
  expect(plan.refusals).toEqual([]);
});
