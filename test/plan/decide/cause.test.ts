// Who caused a difference: told from what was applied, what is desired and what is live.

import { describe, expect, test } from 'vitest';
import { kindByName } from '../../../src/catalog/lookup.ts';
import type { ValueObject } from '../../../src/core/value.ts';
import { Expression } from '../../../src/core/value.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import { areApplied, causeOf, isOutdated } from '../../../src/plan/decide/cause.ts';
import type { Cause } from '../../../src/plan/plan.ts';
import { compareFields } from '../../../src/resource/diff.ts';
import type { FieldDiff } from '../../../src/resource/diff.ts';
import { digestOfMany } from '../../../src/resource/digests.ts';
import type { LiveResource, Marker } from '../../../src/resource/snapshot.ts';

const SALT = 'shop/a';

interface Sides {
  /** Kind; a TLS edge when missing. */
  readonly kind?: string;
  /** What was applied; no marker at all when missing. */
  readonly applied?: ValueObject | undefined;
  readonly desired: ValueObject;
  readonly live: ValueObject;
  readonly writeOnly?: LiveResource['writeOnly'];
  readonly ignored?: readonly string[];
}

interface Row<T> extends Sides {
  readonly name: string;
  readonly field: string;
  readonly expect: T;
}

function markerOf(kind: string, applied: ValueObject | undefined): Marker | undefined {
  if (applied === undefined) return undefined;
  const digests = digestOfMany(kindByName(kind), applied, SALT);
  return { v: 1, stack: 'shop', address: 'a', applied: digests };
}

function facts({ kind = 'tls_edge', applied, desired, live, writeOnly = [], ignored = [] }: Sides, name: string) {
  const diffs = compareFields(kindByName(kind), desired, { spec: live, writeOnly }, ignored);
  const diff = diffs.find((one) => one.name === name) as FieldDiff;
  return { diff, marker: markerOf(kind, applied) };
}

const text = (description: string): ValueObject => ({ description });
const backend = (backend_id: string): ValueObject => ({ backend: { backend_id } });
const ends = (min: string, at = 'edge'): ValueObject => ({ tls_termination: { min_version: min, terminate_at: at } });
const min = (version: string): ValueObject => ({ tls_termination: { min_version: version } });
const unknown = new Expression([{ address: 'tls_edges.b', attr: 'id' }]);

/** What was applied, what the manifest has and what is live. */
const sides = (field: string, applied: ValueObject | undefined, desired: ValueObject, live: ValueObject) => ({
  field,
  applied,
  desired,
  live,
});
const texts = (applied: ValueObject | undefined, desired: ValueObject, live: ValueObject) =>
  sides('description', applied, desired, live);
const backends = (applied: ValueObject, desired: ValueObject, live: ValueObject) =>
  sides('backend', applied, desired, live);
const versions = (applied: ValueObject | undefined, desired: ValueObject, live: ValueObject) =>
  sides('tls_termination', applied, desired, live);

describe('causeOf', () => {
  const off = { backend: { backend_id: 'c', enabled: false } };
  const secret = { tls_termination: { min_version: new Secret('1.2') } };
  test.each<Row<Cause>>([
    { name: 'nobody knows without a marker', ...texts(undefined, text('b'), text('a')), expect: 'unknown' },
    { name: 'the manifest changed', ...texts(text('a'), text('b'), text('a')), expect: 'config' },
    { name: 'somebody changed the object', ...texts(text('a'), text('a'), text('b')), expect: 'drift' },
    { name: 'both did', ...texts(text('a'), text('b'), text('c')), expect: 'both' },
    { name: 'the manifest gives it for the first time', ...texts({}, text('b'), {}), expect: 'config' },
    { name: 'somebody set what the manifest leaves out', ...texts({}, {}, text('b')), expect: 'drift' },
    {
      name: 'a reference that is not known yet is of the manifest',
      ...texts(text('a'), { description: unknown }, text('a')),
      expect: 'config',
    },
    {
      name: 'and of both where somebody changed the object, too',
      ...texts(text('a'), { description: unknown }, text('c')),
      expect: 'both',
    },
    { name: 'a new module where none was applied and none is', ...backends({}, backend('b'), {}), expect: 'config' },
    { name: 'a new module beside one of somebody', ...backends({}, backend('b'), backend('c')), expect: 'both' },
    { name: 'and one that somebody switched off is absent', ...backends({}, backend('b'), off), expect: 'config' },
    {
      name: 'what the service chose was not applied, and is no change of anybody',
      ...versions(min('1.2'), min('1.3'), ends('1.2')),
      expect: 'config',
    },
    {
      name: 'the same where a part of it was secret, and not all can be tried',
      ...versions(secret, min('1.3'), ends('1.2')),
      expect: 'config',
    },
    { name: 'another value beside it is', ...versions(min('1.1'), min('1.3'), ends('1.2')), expect: 'both' },
    {
      name: 'a secret that is not shown may be as it was',
      ...backends({}, backend('b'), backend('c')),
      writeOnly: ['backend.secret'],
      expect: 'config',
    },
  ])('$name', ({ field, expect: expected, ...given }) => {
    const { diff, marker } = facts(given, field);
    expect(causeOf(diff, marker, SALT)).toBe(expected);
  });
});

describe('isOutdated', () => {
  const hush = { description: new Secret('hush') };
  const route = { kind: 'https_edge_route', ...sides('match', {}, { match: '/' }, { match: '/' }) };
  test.each<Row<boolean>>([
    { name: 'not when it was applied as it is', ...texts(text('a'), text('a'), text('a')), expect: false },
    { name: 'when another value was applied', ...texts(text('b'), text('a'), text('a')), expect: true },
    { name: 'when nothing is said of it', ...backends({}, backend('b'), backend('b')), expect: true },
    { name: 'not when the default was left out', ...texts({}, text(''), {}), expect: false },
    { name: 'not when nothing is said of what is always there', ...route, expect: false },
    { name: 'when the same text has become secret', ...texts(text('hush'), hush, text('hush')), expect: true },
    { name: 'when it is secret no more', ...texts(hush, text('hush'), text('hush')), expect: true },
    { name: 'not while it is not known', ...texts(text('b'), { description: unknown }, text('a')), expect: false },
  ])('$name', ({ field, expect: expected, ...given }) => {
    const { diff, marker } = facts(given, field);
    expect(isOutdated(diff, marker as Marker, SALT)).toBe(expected);
  });
});

describe('areApplied', () => {
  const live = ends('1.1');
  test.each<Row<boolean>>([
    { name: 'not without a marker', ...versions(undefined, min('1.2'), min('1.2')), expect: false },
    { name: 'when the marker has what the manifest gives', ...versions(min('1.2'), min('1.2'), live), expect: true },
    { name: 'when the marker has what is live', ...versions(ends('1.1'), min('1.2'), live), expect: true },
    { name: 'without what the service chose', ...versions(min('1.1'), min('1.2'), live), expect: true },
    { name: 'not when it has neither', ...versions(min('1.0'), min('1.2'), live), expect: false },
  ])('$name', ({ field, expect: expected, ...given }) => {
    const { diff, marker } = facts(given, field);
    expect(areApplied(diff, marker, SALT)).toBe(expected);
  });
});
