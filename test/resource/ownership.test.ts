// Whose an object is: the marker counts only on an object of its kind, inside the object that its address says.

import { describe, expect, test } from 'vitest';
import { kindByIdPrefix } from '../../src/catalog/lookup.ts';
import type { OwnershipScope } from '../../src/resource/marker/ownership.ts';
import { scopeOfStack, ownershipIn, withoutMisplaced } from '../../src/resource/marker/ownership.ts';
import type { LiveResource, MarkerState } from '../../src/resource/snapshot.ts';

/** `shop:ADDRESS` is a marker, `?` one that cannot be read, `?shop` one of which only the stack can be read. */
function marking(text: string): MarkerState {
  if (text === '') return { marker: undefined };
  if (text.startsWith('?')) return { marker: undefined, markerProblem: { what: 'is cut off', stacks: namedIn(text) } };
  const [stack = '', address = ''] = text.split(':');
  return { marker: { v: 1, stack, address, applied: {} } };
}

const namedIn = (text: string) => text.slice(1).split(',').filter(Boolean);

function object(id: string, text: string, parentId?: string): LiveResource {
  const kind = kindByIdPrefix(id)?.name ?? '';
  return {
    kind,
    id,
    parentId,
    spec: {},
    computed: {},
    writeOnly: [],
    metadata: '',
    userMetadata: '',
    ...marking(text),
  };
}

function ownerships(objects: readonly LiveResource[], claims: Partial<OwnershipScope> = {}): string[] {
  const { of } = ownershipIn({ ...scopeOfStack('shop'), ...claims }, objects);
  return objects.map((live) => of(live).is);
}

const pin = (address: string, id: string): Pick<OwnershipScope, 'resources'> => ({
  resources: [{ address, lifecycle: { pin: { id } } }],
});
const moved = (from: string, to: string): Pick<OwnershipScope, 'moved'> => ({ moved: [{ from, to }] });

describe('an object that lies in no other', () => {
  test.each([
    ['', 'unowned'],
    ['shop:tls_edges.a', 'ours'],
    ['other:tls_edges.a', 'foreign'],
    ['other:https_edges.a', 'foreign'],
    ['shop:https_edges.a', 'misplaced'],
    ['shop:https_edges.a.routes.b', 'misplaced'],
    ['shop:tls_edges.a.id', 'misplaced'],
    ['shop:tls_edges', 'misplaced'],
    ['shop:something.a', 'misplaced'],
    ['shop:', 'misplaced'],
    ['?', 'unclear'],
    ['?shop', 'unclear'],
    ['?other,shop', 'unclear'],
    ['?other', 'foreign'],
  ])('%s: %s', (text, expected) => {
    expect(ownerships([object('edgtls_1', text)])).toEqual([expected]);
  });
});

describe('an object of another stack that a move brings here', () => {
  const block = (address: string) => ({ address, lifecycle: { pin: undefined } });
  const WHOLE = [{ stack: 'other', ends: undefined }];
  const one = (from: string, to: string) => [{ stack: 'other', ends: { from, to } }];
  const resources = ['tls_edges.a', 'https_edges.a', 'https_edges.a.routes.x'].map(block);

  test.each<readonly [string, OwnershipScope['transfers'], string]>([
    ['other:tls_edges.a', WHOLE, 'transferred'],
    ['other:tls_edges.b', WHOLE, 'foreign'],
    ['third:tls_edges.a', WHOLE, 'foreign'],
    ['other:tls_edges.b', one('tls_edges.b', 'tls_edges.a'), 'transferred'],
    ['other:tls_edges.c', one('tls_edges.b', 'tls_edges.a'), 'foreign'],
    ['other:tls_edges.b', one('tls_edges.b', 'tls_edges.c'), 'foreign'],
    // A marker that was copied to an object of another kind.
    ['other:https_edges.a', WHOLE, 'foreign'],
    ['other:https_edges.b', one('https_edges.b', 'tls_edges.a'), 'foreign'],
    ['?other', WHOLE, 'foreign'],
    ['shop:tls_edges.a', WHOLE, 'ours'],
    ['', WHOLE, 'unowned'],
  ])('%s by %j', (text, transfers, expected) => {
    expect(ownerships([object('edgtls_1', text)], { transfers, resources })).toEqual([expected]);
  });

  test.each<readonly [string, string, OwnershipScope['transfers'], readonly [string, string]]>([
    ['other:https_edges.a', 'other:https_edges.a.routes.x', WHOLE, ['transferred', 'transferred']],
    ['shop:https_edges.a', 'other:https_edges.a.routes.x', WHOLE, ['ours', 'transferred']],
    ['other:https_edges.a', 'shop:https_edges.a.routes.x', WHOLE, ['transferred', 'ours']],
    ['third:https_edges.a', 'other:https_edges.a.routes.x', WHOLE, ['foreign', 'foreign']],
    [
      'other:https_edges.b',
      'other:https_edges.b.routes.x',
      one('https_edges.b', 'https_edges.a'),
      ['transferred', 'transferred'],
    ],
    ['other:https_edges.a', 'other:https_edges.a.routes.y', WHOLE, ['transferred', 'foreign']],
  ])('%s with %s', (parent, child, transfers, expected) => {
    const objects = [object('edghts_1', parent), object('edghtsrt_1', child, 'edghts_1')];
    expect(ownerships(objects, { transfers, resources })).toEqual(expected);
  });

  test('a rename within the stack leads on', () => {
    const claims = { transfers: WHOLE, moved: [{ from: 'tls_edges.old', to: 'tls_edges.a' }], resources };
    expect(ownerships([object('edgtls_1', 'other:tls_edges.old')], claims)).toEqual(['transferred']);
  });
});

describe('an object inside another', () => {
  const inside = 'shop:https_edges.a.routes.x';
  test.each<readonly [string, string, string, Partial<OwnershipScope>]>([
    ['shop:https_edges.a', inside, 'ours', {}],
    ['shop:https_edges.b', inside, 'misplaced', {}],
    ['shop:tls_edges.a', inside, 'misplaced', {}],
    ['', inside, 'misplaced', {}],
    ['other:https_edges.a', inside, 'misplaced', {}],
    ['other:https_edges.a', 'other:https_edges.a.routes.x', 'foreign', {}],
    ['other:https_edges.a', '?', 'foreign', {}],
    ['?other', inside, 'misplaced', {}],
    ['?', inside, 'unclear', {}],
    ['?', '', 'unowned', {}],
    // Also when the marker of the parent, or its own, cannot be read; but not when it names another stack.
    ['?', inside, 'ours', pin('https_edges.a', 'edghts_1')],
    ['?shop', inside, 'ours', pin('https_edges.a', 'edghts_1')],
    ['?', inside, 'unclear', pin('tls_edges.a', 'edghts_1')],
    ['?other,shop', inside, 'unclear', pin('https_edges.a', 'edghts_1')],
    ['shop:https_edges.a', '?', 'unowned', pin('https_edges.a.routes.x', 'edghtsrt_1')],
    ['shop:https_edges.a', '?other,shop', 'unclear', pin('https_edges.a.routes.x', 'edghtsrt_1')],
    ['other:https_edges.a', '?', 'foreign', pin('https_edges.a.routes.x', 'edghtsrt_1')],
    ['', '?', 'unclear', {}],
    // A block that names the id of the parent takes it over, and with it what has the right marker inside.
    ['', inside, 'ours', pin('https_edges.a', 'edghts_1')],
    ['', inside, 'misplaced', pin('https_edges.b', 'edghts_1')],
    ['', inside, 'misplaced', pin('tls_edges.a', 'edghts_1')],
    ['shop:tls_edges.z', inside, 'ours', pin('https_edges.a', 'edghts_1')],
    ['shop:https_edges.b', inside, 'ours', pin('https_edges.a', 'edghts_1')],
    ['shop:https_edges.b', 'shop:https_edges.b.routes.x', 'ours', pin('https_edges.a', 'edghts_1')],
    ['other:https_edges.a', inside, 'misplaced', pin('https_edges.a', 'edghts_1')],
    // A rename may have reached one of them and not the other.
    ['shop:https_edges.b', inside, 'ours', moved('https_edges.a', 'https_edges.b')],
    ['shop:https_edges.z', inside, 'ours', moved('https_edges.z', 'https_edges.a')],
    ['shop:https_edges.b', inside, 'ours', moved('https_edges.b', 'https_edges.a')],
    ['shop:https_edges.b', inside, 'misplaced', moved('https_edges.c', 'https_edges.a')],
  ])('in %s, marked %s: %s', (above, text, expected, claims) => {
    const [, child] = ownerships([object('edghts_1', above), object('edghtsrt_1', text, 'edghts_1')], claims);
    expect(child).toBe(expected);
  });

  test('whose parent is not known is not ours', () => {
    expect(ownerships([object('edghtsrt_1', inside, 'edghts_1')])).toEqual(['misplaced']);
  });
});

test('a marker that does not belong to its object says nothing of it', () => {
  const [fits, not] = [object('edgtls_1', 'shop:tls_edges.a'), object('edgtls_2', 'shop:api_keys.a')];
  const ownership = ownershipIn(scopeOfStack('shop'), [fits, not]);
  expect(withoutMisplaced(fits, ownership)).toBe(fits);
  expect(withoutMisplaced(not, ownership)).toEqual({ ...not, marker: undefined });
});
