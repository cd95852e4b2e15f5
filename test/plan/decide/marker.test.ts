// The marker that goes with a request, when it has to be written, and the text around it.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { kindByName } from '../../../src/catalog/lookup.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import { Expression } from '../../../src/core/value.ts';
import type { Value } from '../../../src/core/value.ts';
import {
  checkText,
  markerFor,
  reasonToRewrite,
  userText,
  withKeptDigests,
  withReplaced,
} from '../../../src/plan/decide/marker.ts';
import type { Change } from '../../../src/plan/plan.ts';
import type { DesiredResource } from '../../../src/manifest/manifest.ts';
import type { Marker } from '../../../src/resource/snapshot.ts';
import { creationMarker } from '../../../src/resource/marker/pending.ts';
import { writeMarker } from '../../../src/resource/marker/marker-codec.ts';
import { manifest } from '../sample.ts';

const EDGE = kindByName('tls_edge');
const KEY = kindByName('api_key');
const desired = (spec: JsonObject = {}) => manifest({ tls_edges: { a: spec } }).resources[0] as DesiredResource;
const unknown = new Expression(['x', { address: 'tls_edges.b', attr: 'id' }]);
const marker = (given: Partial<Marker> = {}): Marker => ({
  v: 1,
  stack: 'shop',
  address: 'tls_edges.a',
  applied: {},
  ...given,
});

describe('markerFor', () => {
  const made = (spec: Readonly<Record<string, Value>>, block?: JsonObject) =>
    markerFor('shop', desired(block), EDGE, spec);
  test('has a digest of each field that is given, and no other', () => {
    expect(made({})).toEqual(marker());
    expect(Object.keys(made({ description: 'a', hostports: [], backend: null }).applied)).toEqual([
      'description',
      'hostports',
    ]);
  });

  test('what is known only later is a placeholder, and secrets have longer digests with their place', () => {
    expect(made({ description: unknown }).applied['description']).toBe('${digest:description}');
    const [plain, secret] = ['a', new Secret('a')].map(
      (description) => made({ description }).applied['description'] ?? '',
    );
    expect(plain).toHaveLength(12);
    expect(secret).toMatch(/^.{20}:/);
  });

  test('protection is in it only where the block says so', () => {
    const protects = (prevent_destroy: boolean) => made({}, { lifecycle: { prevent_destroy } }).protect;
    expect([protects(true), protects(false), made({}).protect]).toEqual([true, undefined, undefined]);
  });
});

test('withReplaced: only what takes the place of another remembers one', () => {
  expect(withReplaced(marker(), undefined)).toEqual(marker());
  expect(withReplaced(marker(), 'edgtls_1').replaces).toBe('edgtls_1');
});

describe('withKeptDigests', () => {
  const [next, before] = [
    marker({ applied: { description: 'new', hostports: 'new' } }),
    marker({ applied: { description: 'old', backend: 'old' } }),
  ];
  test.each<readonly [string, Marker | undefined, readonly string[], Readonly<Record<string, string>>]>([
    ['nothing is kept', before, [], { description: 'new', hostports: 'new' }],
    ['one stays as it was', before, ['description'], { description: 'old', hostports: 'new' }],
    [
      'one that the new marker does not have comes back',
      before,
      ['backend'],
      { description: 'new', hostports: 'new', backend: 'old' },
    ],
    ['one that was not there goes', before, ['hostports'], { description: 'new' }],
    ['without a marker before, it goes as well', undefined, ['description'], { hostports: 'new' }],
  ])('%s', (_, old, names, expected) => {
    expect(withKeptDigests(next, old, EDGE, names).applied).toEqual(expected);
  });
});

test('creationMarker: values that are shown once are pending, and what only updates accept is not applied', () => {
  expect(creationMarker(marker(), EDGE)).toEqual(marker());
  expect(creationMarker(marker({ applied: { description: 'd' } }), KEY).applied).toEqual({
    description: 'd',
    token: 'pending',
  });
  const applied = { region: 'r', endpoint_configuration_id: 'e' };
  expect(creationMarker(marker({ applied }), kindByName('reserved_addr')).applied).toEqual({ region: 'r' });
});

describe('reasonToRewrite', () => {
  const text: Change = {
    path: 'metadata',
    before: 'a',
    after: 'b',
    effect: 'update',
    cause: 'config',
    sensitive: false,
  };
  interface Row {
    readonly name: string;
    readonly before: Marker | undefined;
    readonly block?: JsonObject;
    readonly textChanges?: readonly Change[];
    readonly outdated?: readonly string[];
    readonly expect: string | undefined;
  }
  test.each<Row>([
    { name: 'none when the marker is as it should be', before: marker(), expect: undefined },
    {
      name: 'no marker: adopted',
      before: undefined,
      block: { lifecycle: { adopt: 'edgtls_1' } },
      expect: 'lifecycle.adopt',
    },
    { name: 'no marker: pinned', before: undefined, block: { lifecycle: { id: 'edgtls_1' } }, expect: 'lifecycle.id' },
    { name: 'another stack', before: marker({ stack: 'other' }), expect: 'from stack other' },
    { name: 'another address', before: marker({ address: 'tls_edges.old' }), expect: 'renamed from tls_edges.old' },
    { name: 'protection on', before: marker(), block: { lifecycle: { prevent_destroy: true } }, expect: 'switched on' },
    { name: 'protection off', before: marker({ protect: true }), expect: 'switched off' },
    { name: 'another text', before: marker(), textChanges: [text], expect: 'its metadata differs' },
    { name: 'a digest of an earlier value', before: marker(), outdated: ['backend'], expect: 'backend' },
  ])('$name', ({ before, block, textChanges = [], outdated = [], expect: expected }) => {
    const owner = { stack: 'shop', desired: desired(block), kind: EDGE };
    const reason = reasonToRewrite(before, owner, { isTransfer: false, textChanges, outdated: () => outdated });
    if (expected === undefined) expect(reason).toBeUndefined();
    else expect(reason?.text).toContain(expected);
  });

  test.each([
    ['tls_edges.a', 'moved from stack other to stack shop'],
    ['tls_edges.old', 'moved from tls_edges.old of stack other to stack shop'],
  ])('a move from another stack names both: %s', (address, expected) => {
    const owner = { stack: 'shop', desired: desired(), kind: EDGE };
    const reasons = { isTransfer: true, textChanges: [], outdated: () => [] };
    expect(reasonToRewrite(marker({ stack: 'other', address }), owner, reasons)?.text).toBe(expected);
  });

  test('a value that is stored by now; and what is slow to find is not looked for when there is another reason', () => {
    const block = manifest({ api_keys: { a: {} } }).resources[0] as DesiredResource;
    const slow = () => {
      throw new Error('looked');
    };
    const before = marker({ address: 'api_keys.a', applied: { token: 'pending' } });
    const reason = reasonToRewrite(
      before,
      { stack: 'shop', desired: block, kind: KEY },
      { isTransfer: false, textChanges: [], outdated: slow },
    );
    expect(reason?.text).toContain('token is stored');
  });
});

describe('the text around the marker', () => {
  test.each<readonly [string, Value | undefined, string]>([
    ['none', undefined, ''],
    ['text that looks like a placeholder', '${a}', '$${a}'],
    ['a reference', unknown, 'x${tls_edges.b.id}'],
  ])('%s', (_, metadata, sent) => {
    const spec = metadata === undefined ? {} : { metadata };
    expect(userText(spec)).toBe(sent);
  });
});

describe('checkText', () => {
  const used = writeMarker('', marker()).length;
  const waiting = marker({ applied: { description: '${digest:description}' } });
  test.each<readonly [string, string, Marker, readonly string[]]>([
    ['no text', '', marker(), []],
    ['text that just fits', 'x'.repeat(3_900), marker(), []],
    ['text that does not', 'x'.repeat(4_096 - used + 20), marker(), ['metadata-too-long']],
    ['text with a marker in it', writeMarker('', marker({ stack: 'other' })), marker(), ['marker-in-metadata']],
  ])('%s', (_, text, own, expected) => {
    expect(
      checkText(EDGE, 'tls_edges.a', { next: { metadata: text }, marker: own, spec: {} }).map(({ code }) => code),
    ).toEqual(expected);
  });

  test.each<readonly [string, Value, number]>([
    ['text', unknown, 12],
    ['a secret', new Expression([new Secret('x'), 'y']), 20],
  ])(
    'the last byte decides, and a digest of %s that is not known yet counts with its length',
    (_, description, length) => {
      const most = (own: Marker) => {
        let length = 3_800;
        const sent = () => ({ next: { metadata: 'x'.repeat(length + 1) }, marker: own, spec: { description } });
        while (checkText(EDGE, 'tls_edges.a', sent()).length === 0) length += 1;
        return length;
      };
      const sent = { ...marker(), commit: '0'.repeat(12) };
      expect(Buffer.byteLength(writeMarker('x'.repeat(most(marker())), sent))).toBe(4_096);
      expect(most(waiting)).toBe(most(marker({ applied: { description: 'x'.repeat(length) } })));
    },
  );
});
