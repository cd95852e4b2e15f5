// What a plan saw of an object: the same as long as it means the same, and another as soon as it does not.

import { describe, expect, test } from 'vitest';
import { kindByManifestKey } from '../../src/catalog/lookup.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import type { ValueObject } from '../../src/core/value.ts';
import { isRemoval, changedFields, fingerprintObject, fingerprintFields } from '../../src/plan/fingerprint.ts';
import type { LiveResource } from '../../src/resource/snapshot.ts';

const kind = kindByManifestKey('tls_edges')!;
const live = (spec: ValueObject, more: Partial<LiveResource> = {}) =>
  ({ kind: kind.name, id: 'edgtls_1', parentId: undefined, spec, metadata: '', ...more }) as unknown as LiveResource;
const seen = (spec: ValueObject, more: Partial<LiveResource> = {}) => fingerprintFields(kind, live(spec, more));

type Row = readonly [name: string, before: ValueObject, now: ValueObject, moved: readonly string[]];

const HOSTS = ['a.test:443', 'b.test:443'];

describe('changedFields', () => {
  test.each<Row>([
    ['nothing', { description: 'a' }, { description: 'a' }, []],
    ['a text', { description: 'a' }, { description: 'b' }, ['description']],
    ['a text that is gone', { description: 'a' }, {}, ['description']],
    ['the order of a set', { hostports: HOSTS }, { hostports: [...HOSTS].reverse() }, []],
    ['the case of hosts', { hostports: ['A.test:443'] }, { hostports: ['a.test:443'] }, []],
    ['one of a set', { hostports: HOSTS }, { hostports: HOSTS.slice(1) }, ['hostports']],
    ['two fields, sorted', { hostports: HOSTS, description: 'a' }, {}, ['description', 'hostports']],
  ])('%s', (_, before, now, moved) => {
    expect(changedFields(seen(before), seen(now))).toEqual(moved);
    expect(changedFields(seen(now), seen(before))).toEqual(moved);
    const same = fingerprintObject(live(before), seen(before)) === fingerprintObject(live(now), seen(now));
    expect(same).toBe(moved.length === 0);
  });
});

test('metadata counts byte for byte', () => {
  const spec = { description: 'a' };
  expect(changedFields(seen(spec, { metadata: '{}' }), seen(spec, { metadata: '{ }' }))).toEqual(['metadata']);
});

describe('what goes with an object', () => {
  const edge = kindByManifestKey('https_edges')!;
  const route = (id: string, spec: ValueObject = {}) => live(spec, { kind: 'https_edge_route', id });
  const inside = (...children: LiveResource[]) => fingerprintFields(edge, live({}), { children });

  test('is seen, in whatever order it comes', () => {
    expect(inside(route('b'), route('a'))).toEqual(inside(route('a'), route('b')));
    expect(changedFields(inside(route('a')), inside(route('a'), route('b')))).toEqual(['routes.b.id']);
    expect(changedFields(inside(), inside(route('a')))).toEqual(['routes.a.id']);
  });

  test('counts with its fields, by name', () => {
    const before = inside(route('a', { match: '/a', description: 'd' }), route('b', { match: '/b' }));
    const now = inside(route('a', { match: '/c', description: 'd' }), route('b', { match: '/b' }));
    expect(changedFields(before, now)).toEqual(['routes.a.match']);
  });

  test('is secret where it was', () => {
    const secret = inside(route('a', { description: new Secret('hunter22') }));
    const now = fingerprintFields(edge, live({}), {
      children: [route('a', { description: 'hunter22' })],
      before: secret,
    });
    expect(now).toEqual(secret);
  });
});

test('another object, or one in another parent, is another one', () => {
  const digests = [live({}), live({}, { id: 'edgtls_2' }), live({}, { parentId: 'p_1' })].map((one) =>
    fingerprintObject(one, {}),
  );
  expect(new Set(digests).size).toBe(3);
});

test.each([
  [{ action: 'delete' }, true],
  [{ action: 'replace', phase: 'delete' }, true],
  [{ action: 'replace', phase: 'create' }, false],
  [{ action: 'release' }, false],
  [{ action: 'update', phase: 'detach' }, false],
] as const)('isRemoval: %j: %s', (given, expected) => {
  expect(isRemoval(given)).toBe(expected);
});
