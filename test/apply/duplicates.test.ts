// Which of several objects of one address stays, and which this run rolls back.

import { describe, expect, test } from 'vitest';
import { findDuplicates, noteRepeated } from '../../src/apply/duplicates/duplicates.ts';
import { emptyHistory, noteCreation } from '../../src/apply/gate/run-history.ts';
import type { LiveResource } from '../../src/resource/snapshot.ts';
import { scopeOfStack } from '../../src/resource/marker/ownership.ts';
import { writeMarker } from '../../src/resource/marker/marker-codec.ts';
import { receive } from '../../src/resource/receive.ts';
import { kindByName } from '../../src/catalog/lookup.ts';

interface Given {
  readonly id: string;
  /** Seconds. */
  readonly at: number;
  readonly address?: string;
  readonly stack?: string;
  readonly kind?: string;
  readonly replaces?: string;
  readonly createdBy?: string;
}

function live({
  id,
  at,
  address = 'reserved_addrs.db',
  stack = 'shop',
  kind = 'reserved_addr',
  replaces,
  createdBy: by,
}: Given): LiveResource {
  const more = { ...(replaces !== undefined && { replaces }), ...(by !== undefined && { created_by: by }) };
  const marker = { v: 1, stack, address, applied: {}, ...more } as const;
  const created = `2030-01-01T00:00:${String(at).padStart(2, '0')}Z`;
  return receive(kindByName(kind), { id, created_at: created, metadata: writeMarker('', marker) });
}

function find(given: readonly Given[], ours: readonly string[], more: { deleted?: string[]; signature?: string } = {}) {
  const history = emptyHistory(more.signature);
  for (const id of ours)
    noteCreation(history, { kind: 'reserved_addr', address: 'reserved_addrs.db' }, { id, parentId: undefined, at: 0 });
  for (const id of more.deleted ?? []) history.deleted.add(id);
  const snapshot = { resources: given.map(live), unread: [], requests: 0 };
  const found = findDuplicates({ ownershipScope: scopeOfStack('shop'), snapshot, history });
  return found.map(({ keep, rollBack }) => [keep.id, rollBack.map((one) => one.id)]);
}

/** Two keys of one address that this run created, with what their markers say of their tokens. */
function keysOf(tokens: readonly (string | undefined)[]) {
  const history = emptyHistory();
  const resources = tokens.map((token, index) => {
    const [id, address] = [index === 0 ? 'ak_a' : 'ak_b', 'api_keys.ci'];
    noteCreation(history, { kind: 'api_key', address }, { id, parentId: undefined, at: 0 });
    const marker = { v: 1, stack: 'shop', address, applied: token === undefined ? {} : { token } } as const;
    const created = `2030-01-01T00:00:0${index}Z`;
    return receive(kindByName('api_key'), { id, created_at: created, metadata: writeMarker('', marker) });
  });
  const found = findDuplicates({
    ownershipScope: scopeOfStack('shop'),
    snapshot: { resources, unread: [], requests: 0 },
    history,
  });
  return found.map(({ keep, rollBack }) => [keep.id, rollBack.map((one) => one.id)]);
}

const old = { id: 'ra_a', at: 1 };
const late = { id: 'ra_b', at: 2 };

describe('of two objects of one address', () => {
  test.each([
    ['the later one goes, when this run created it', find([late, old], ['ra_b']), [['ra_a', ['ra_b']]]],
    ['the older one waits for the other run', find([late, old], ['ra_a']), [['ra_a', []]]],
    ['the later of two of this run goes', find([late, old], ['ra_a', 'ra_b']), [['ra_a', ['ra_b']]]],
    ['of two of this run the one stays whose token was stored', keysOf(['pending', undefined]), [['ak_b', ['ak_a']]]],
    ['of two of this run the older stays, when neither was', keysOf(['pending', 'pending']), [['ak_a', ['ak_b']]]],
    ['ids decide between equal ages', find([{ id: 'ra_b', at: 1 }, old], ['ra_b']), [['ra_a', ['ra_b']]]],
    ['those of others are no business of this run', find([late, old], []), []],
    [
      'one that this run deleted is not there, whatever a list says',
      find([late, old], ['ra_b'], { deleted: ['ra_a'] }),
      [],
    ],
    [
      'a copy of what this run made is no reason for anything',
      find(
        [
          { ...old, createdBy: 'me' },
          { ...late, createdBy: 'me' },
        ],
        ['ra_b'],
        { signature: 'me' },
      ),
      [],
    ],
    ['the old one of a replacement is none', find([{ ...late, replaces: 'ra_a' }, old], ['ra_b']), []],
    [
      'an older one did not replace a later one, whatever its marker says',
      find([late, { ...old, replaces: 'ra_b' }], ['ra_b']),
      [['ra_a', ['ra_b']]],
    ],
    ['one of another stack is none', find([late, { ...old, stack: 'other' }], ['ra_b']), []],
    ['one of another address is none', find([late, { ...old, address: 'reserved_addrs.x' }], ['ra_b']), []],
    ['one of another kind is none', find([late, { ...old, id: 'bkdfo_a', kind: 'failover_backend' }], ['ra_b']), []],
  ])('%s', (_, found, expected) => {
    expect(found).toEqual(expected);
  });
});

describe('what this run created without knowing, because an answer was lost', () => {
  const first = { id: 'ra_a', at: 1, createdBy: 'me' };
  const noted = (given: Given, more: { repeated?: string; signature?: string | undefined } = {}) => {
    const history = emptyHistory('signature' in more ? more.signature : 'me');
    history.repeated.add(more.repeated ?? 'reserved_addrs.db');
    const snapshot = { resources: [live(given)], unread: [], requests: 0 };
    noteRepeated({ ownershipScope: scopeOfStack('shop'), snapshot, history }, 5);
    return [...history.created.keys()];
  };
  test.each([
    ['is what has its name, at an address that was sent twice', noted(first), ['ra_a']],
    ['is nothing of another run', noted({ ...first, createdBy: 'you' }), []],
    ['is nothing without a name', noted({ id: 'ra_a', at: 1 }, { signature: undefined }), []],
    ['is nothing of an address that was sent once', noted(first, { repeated: 'reserved_addrs.x' }), []],
    ['is nothing of another stack', noted({ ...first, stack: 'other' }), []],
    ['is nothing of another kind', noted({ ...first, address: 'tls_edges.db' }, { repeated: 'tls_edges.db' }), []],
  ])('%s', (_, found, expected) => {
    expect(found).toEqual(expected);
  });
});
