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

type Row = readonly [name: string, desired: DesiredResource, object: LiveResource, expect: readonly string[]];

describe('outdatedFields', () => {
  const a = { description: 'a' };
  test.each<Row>([
    ['none when all was applied as it is', block(a), object(a, a), []],
    ['none of an object without a marker', block(a), live('edgtls_1', '', { spec: a }), []],
    ['what somebody changed to what the manifest has now', block(a), object(a, { description: 'b' }), ['description']],
    ['what is ignored as a whole is not compared', ignoring(a, 'description'), object(a, { description: 'b' }), []],
    [
      'unless it has become secret',
      ignoring({ description: '${var.s}' }, 'description'),
      object({ description: 'hush-hush-1' }, { description: 'hush-hush-1' }),
      ['description'],
    ],
    [
      'a text in the metadata that is not the one that was applied',
      block({ metadata: 'mine' }),
      object({}, { metadata: 'other' }, { userMetadata: 'mine' }),
      ['metadata'],
    ],
    [
      'not when it is ignored',
      ignoring({ metadata: 'mine' }, 'metadata'),
      object({}, { metadata: 'other' }, { userMetadata: 'mine' }),
      [],
    ],
    [
      'not a text that was not known while it was sent',
      block({ metadata: '${reserved_addrs.b.id}' }),
      object({}, {}, { userMetadata: 'ra_1' }),
      [],
    ],
  ])('%s', (_, desired, one, expected) => {
    const same = compareFields(EDGE, desired.spec, one, desired.lifecycle.ignoreChanges);
    const found = outdatedFields(desired, one, { same, salt: saltOf({ stack: 'shop', address: 'tls_edges.a' }) });
    expect(found).toEqual(expected);
  });
});

describe('unappliedFields', () => {
  const before = { description: 'a' };
  test.each<Row>([
    ['none when nothing is ignored', block({ description: 'b' }), object(before, before), []],
    [
      'what is ignored and differs',
      ignoring({ description: 'b' }, 'description'),
      object(before, before),
      ['description'],
    ],
    ['not what is as the manifest has it', ignoring(before, 'description'), object(before, before), []],
    ['not what the marker says nothing of', ignoring({ description: 'b' }, 'description'), object(before, {}), []],
    ['not what has become secret', ignoring({ description: '${var.s}' }, 'description'), object(before, before), []],
    [
      'a part that is ignored, as long as the whole is as it was applied',
      ignoring(to('bkdhr_2'), 'backend.backend_id'),
      object(to('bkdhr_1'), to('bkdhr_1')),
      ['backend'],
    ],
    [
      'not when the rest of it is another',
      ignoring(to('bkdhr_2', false), 'backend.backend_id'),
      object(to('bkdhr_1'), to('bkdhr_1')),
      [],
    ],
    [
      'not of an object that is renamed',
      { ...ignoring({ description: 'b' }, 'description'), address: 'tls_edges.b' },
      object(before, before),
      [],
    ],
  ])('%s', (_, desired, one, expected) => {
    const next = effectiveSpec(EDGE, desired.spec, one, desired.lifecycle.ignoreChanges);
    const context = { stack: 'shop' };
    expect(unappliedFields({ pair: { kind: EDGE, desired, live: one }, context, spec: desired.spec, next })).toEqual(
      expected,
    );
  });
});
