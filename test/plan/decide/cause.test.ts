// Who caused a difference: told from what was applied, what is desired and what is live.

import { describe, expect, test } from 'vitest';
import { kindByName } from '../../../src/catalog/lookup.ts';
import type { ValueObject } from '../../../src/core/value.ts';
import { Expression } from '../../../src/core/value.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import { areApplied, causeOf, isOutdated, likelyApplied } from '../../../src/plan/decide/cause.ts';
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
const ends = (min: string, at = 'edge'): ValueObject => ({ tls_termination: { min_version: min, terminate_at: at } });
const min = (version: string): ValueObject => ({ tls_termination: { min_version: version } });
const unknown = new Expression([{ address: 'tls_edges.b', attr: 'id' }]);

describe('causeOf', () => {
  test.each<Row<Cause>>([
    {
      name: 'nobody knows without a marker',
      field: 'description',
      desired: text('b'),
      live: text('a'),
      expect: 'unknown',
    },
    {
      name: 'the manifest changed',
      field: 'description',
      applied: text('a'),
      desired: text('b'),
      live: text('a'),
      expect: 'config',
    },
    {
      name: 'somebody changed the object',
      field: 'description',
      applied: text('a'),
      desired: text('a'),
      live: text('b'),
      expect: 'drift',
    },
    { name: 'both did', field: 'description', applied: text('a'), desired: text('b'), live: text('c'), expect: 'both' },
    {
      name: 'the manifest gives it for the first time',
      field: 'description',
      applied: {},
      desired: text('b'),
      live: {},
      expect: 'config',
    },
    {
      name: 'somebody set what the manifest leaves out',
      field: 'description',
      applied: {},
      desired: {},
      live: text('b'),
      expect: 'drift',
    },
    {
      name: 'a reference that is not known yet is of the manifest',
      field: 'description',
      applied: text('a'),
      desired: { description: unknown },
      live: text('c'),
      expect: 'config',
    },
    {
      name: 'a new module where none was applied and none is',
      field: 'backend',
      applied: {},
      desired: { backend: { backend_id: 'b' } },
      live: {},
      expect: 'config',
    },
    {
      name: 'a new module beside one that somebody added',
      field: 'backend',
      applied: {},
      desired: { backend: { backend_id: 'b' } },
      live: { backend: { backend_id: 'c' } },
      expect: 'both',
    },
    {
      name: 'and one that somebody switched off counts as absent',
      field: 'backend',
      applied: {},
      desired: { backend: { backend_id: 'b' } },
      live: { backend: { backend_id: 'c', enabled: false } },
      expect: 'config',
    },
    {
      name: 'what the service chose was not applied, and is no change of anybody',
      field: 'tls_termination',
      applied: min('1.2'),
      desired: min('1.3'),
      live: ends('1.2'),
      expect: 'config',
    },
    {
      name: 'the same where a part of it was secret, and not all can be tried',
      field: 'tls_termination',
      applied: { tls_termination: { min_version: new Secret('1.2') } },
      desired: min('1.3'),
      live: ends('1.2'),
      expect: 'config',
    },
    {
      name: 'another value beside it is',
      field: 'tls_termination',
      applied: min('1.1'),
      desired: min('1.3'),
      live: ends('1.2'),
      expect: 'both',
    },
    {
      name: 'a secret that is not shown may be as it was',
      field: 'backend',
      applied: {},
      desired: { backend: { backend_id: 'b' } },
      live: { backend: { backend_id: 'c' } },
      writeOnly: ['backend.secret'],
      expect: 'config',
    },
  ])('$name', ({ field, expect: expected, ...sides }) => {
    const { diff, marker } = facts(sides, field);
    expect(causeOf(diff, marker, SALT)).toBe(expected);
  });

  test('a module that lingers is the work of the manifest', () => {
    const { diff, marker } = facts({ applied: text('a'), desired: text('a'), live: text('b') }, 'description');
    expect(causeOf({ ...diff, isLingering: true }, marker, SALT)).toBe('config');
  });
});

describe('isOutdated', () => {
  const hush = new Secret('hush');
  test.each<Row<boolean>>([
    {
      name: 'not when it was applied as it is',
      field: 'description',
      applied: text('a'),
      desired: text('a'),
      live: text('a'),
      expect: false,
    },
    {
      name: 'when another value was applied',
      field: 'description',
      applied: text('b'),
      desired: text('a'),
      live: text('a'),
      expect: true,
    },
    {
      name: 'when nothing is said of what the manifest gives',
      field: 'backend',
      applied: {},
      desired: { backend: { backend_id: 'b' } },
      live: { backend: { backend_id: 'b' } },
      expect: true,
    },
    {
      name: 'not when the default was left out',
      field: 'description',
      applied: {},
      desired: text(''),
      live: {},
      expect: false,
    },
    {
      name: 'not when nothing is said of what is always there',
      kind: 'https_edge_route',
      field: 'match',
      applied: {},
      desired: { match: '/' },
      live: { match: '/' },
      expect: false,
    },
    {
      name: 'when the same text has become secret',
      field: 'description',
      applied: text('hush'),
      desired: { description: hush },
      live: text('hush'),
      expect: true,
    },
    {
      name: 'when it is secret no more',
      field: 'description',
      applied: { description: hush },
      desired: text('hush'),
      live: text('hush'),
      expect: true,
    },
    {
      name: 'not while it is not known',
      field: 'description',
      applied: text('b'),
      desired: { description: unknown },
      live: text('a'),
      expect: false,
    },
  ])('$name', ({ field, expect: expected, ...sides }) => {
    const { diff, marker } = facts(sides, field);
    expect(isOutdated(diff, marker as Marker, SALT)).toBe(expected);
  });
});

describe('areApplied', () => {
  const field = 'tls_termination';
  test.each<Row<boolean>>([
    { name: 'not without a marker', field, desired: min('1.2'), live: min('1.2'), expect: false },
    {
      name: 'when the marker has what the manifest gives',
      field,
      applied: min('1.2'),
      desired: min('1.2'),
      live: ends('1.1'),
      expect: true,
    },
    {
      name: 'when the marker has what is live',
      field,
      applied: ends('1.1'),
      desired: min('1.2'),
      live: ends('1.1'),
      expect: true,
    },
    {
      name: 'when it has that without what the service chose',
      field,
      applied: min('1.1'),
      desired: min('1.2'),
      live: ends('1.1'),
      expect: true,
    },
    {
      name: 'not when it has neither',
      field,
      applied: min('1.0'),
      desired: min('1.2'),
      live: ends('1.1'),
      expect: false,
    },
  ])('$name', ({ field: name, expect: expected, ...sides }) => {
    const { diff, marker } = facts(sides, name);
    expect(areApplied(diff, marker, SALT)).toBe(expected);
  });
});

test('likelyApplied: the value as it is comes first, and without what the service chose it has no such part', () => {
  const { diff } = facts({ desired: min('1.2'), live: ends('1.2') }, 'tls_termination');
  const [first, bare] = likelyApplied(diff);
  expect(first).toEqual(diff.liveUnignored);
  expect(bare).toEqual({ enabled: true });
  expect(likelyApplied({ field: diff.field, liveUnignored: undefined, desired: undefined })[0]).toBeUndefined();
});
