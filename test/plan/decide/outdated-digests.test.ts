// Fields whose digest in the marker has to be renewed, or must stay as it is.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { kindByName } from '../../../src/catalog/lookup.ts';
import type { ValueObject } from '../../../src/core/value.ts';
import { markerFor } from '../../../src/plan/decide/marker.ts';
import { outdatedFields, unappliedFields } from '../../../src/plan/decide/outdated-digests.ts';
import type { DesiredResource } from '../../../src/manifest/manifest.ts';
import { effectiveSpec } from '../../../src/resource/carry.ts';
import { compareFields } from '../../../src/resource/diff.ts';
import { saltOf } from '../../../src/resource/digests.ts';
import type { LiveResource } from '../../../src/resource/snapshot.ts';
import { live, manifest } from '../sample.ts';

const EDGE = kindByName('tls_edge');
const block = (spec: JsonObject) =>
  manifest({ reserved_addrs: { b: {} }, tls_edges: { a: spec } }).resources[1] as DesiredResource;
const ignoring = (spec: JsonObject, ...paths: string[]) => block({ ...spec, lifecycle: { ignore_changes: paths } });

/** The object, with the marker of an apply of another spec. */
function object(spec: ValueObject, applied: JsonObject, given: Partial<LiveResource> = {}): LiveResource {
  const before = block(applied);
  return live('edgtls_1', 'shop:x', { spec, ...given, marker: markerFor('shop', before, EDGE, before.spec) });
}

const to = (backend_id: string, enabled = true) => ({ backend: { backend_id, enabled } });

interface Row {
  readonly name: string;
  readonly desired: DesiredResource;
  readonly object: LiveResource;
  readonly expect: readonly string[];
}

describe('outdatedFields', () => {
  const a = { description: 'a' };
  test.each<Row>([
    { name: 'none when all was applied as it is', desired: block(a), object: object(a, a), expect: [] },
    {
      name: 'none of an object without a marker',
      desired: block(a),
      object: live('edgtls_1', '', { spec: a }),
      expect: [],
    },
    {
      name: 'what somebody changed to what the manifest has now',
      desired: block(a),
      object: object(a, { description: 'b' }),
      expect: ['description'],
    },
    {
      name: 'what is ignored as a whole is not compared',
      desired: ignoring(a, 'description'),
      object: object(a, { description: 'b' }),
      expect: [],
    },
    {
      name: 'unless it has become secret',
      desired: ignoring({ description: '${var.s}' }, 'description'),
      object: object({ description: 'hush-hush-1' }, { description: 'hush-hush-1' }),
      expect: ['description'],
    },
    {
      name: 'a text in the metadata that is not the one that was applied',
      desired: block({ metadata: 'mine' }),
      object: object({}, { metadata: 'other' }, { userMetadata: 'mine' }),
      expect: ['metadata'],
    },
    {
      name: 'not when it is ignored',
      desired: ignoring({ metadata: 'mine' }, 'metadata'),
      object: object({}, { metadata: 'other' }, { userMetadata: 'mine' }),
      expect: [],
    },
    {
      name: 'not a text that was not known while it was sent',
      desired: block({ metadata: '${reserved_addrs.b.id}' }),
      object: object({}, {}, { userMetadata: 'ra_1' }),
      expect: [],
    },
  ])('$name', ({ desired, object: one, expect: expected }) => {
    const same = compareFields(EDGE, desired.spec, one, desired.lifecycle.ignoreChanges);
    const found = outdatedFields(desired, one, { same, salt: saltOf({ stack: 'shop', address: 'tls_edges.a' }) });
    expect(found).toEqual(expected);
  });
});

describe('unappliedFields', () => {
  const before = { description: 'a' };
  test.each<Row>([
    {
      name: 'none when nothing is ignored',
      desired: block({ description: 'b' }),
      object: object(before, before),
      expect: [],
    },
    {
      name: 'what is ignored and differs',
      desired: ignoring({ description: 'b' }, 'description'),
      object: object(before, before),
      expect: ['description'],
    },
    {
      name: 'not what is as the manifest has it',
      desired: ignoring(before, 'description'),
      object: object(before, before),
      expect: [],
    },
    {
      name: 'not what the marker says nothing of',
      desired: ignoring({ description: 'b' }, 'description'),
      object: object(before, {}),
      expect: [],
    },
    {
      name: 'not what has become secret',
      desired: ignoring({ description: '${var.s}' }, 'description'),
      object: object(before, before),
      expect: [],
    },
    {
      name: 'a part that is ignored, as long as the whole is as it was applied',
      desired: ignoring(to('bkdhr_2'), 'backend.backend_id'),
      object: object(to('bkdhr_1'), to('bkdhr_1')),
      expect: ['backend'],
    },
    {
      name: 'not when the rest of it is another',
      desired: ignoring(to('bkdhr_2', false), 'backend.backend_id'),
      object: object(to('bkdhr_1'), to('bkdhr_1')),
      expect: [],
    },
    {
      name: 'not of an object that is renamed',
      desired: { ...ignoring({ description: 'b' }, 'description'), address: 'tls_edges.b' },
      object: object(before, before),
      expect: [],
    },
  ])('$name', ({ desired, object: one, expect: expected }) => {
    const next = effectiveSpec(EDGE, desired.spec, one, desired.lifecycle.ignoreChanges);
    expect(unappliedFields({ pair: { kind: EDGE, desired, live: one }, spec: desired.spec, next })).toEqual(expected);
  });
});
