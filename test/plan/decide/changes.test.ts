// Differences as a plan shows them: effect, cause and words, and no secret in clear.

import { describe, expect, test } from 'vitest';
import { kindByName } from '../../../src/catalog/lookup.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import type { Value, ValueObject } from '../../../src/core/value.ts';
import { Expression } from '../../../src/core/value.ts';
import {
  changesOf,
  creationChanges,
  droppingDiffs,
  isTextOutdated,
  metadataChange,
  realDiffs,
} from '../../../src/plan/decide/changes.ts';
import type { Cause, Change } from '../../../src/plan/plan.ts';
import { compareFields, diffResource, valueToSend } from '../../../src/resource/diff.ts';
import { digestOfMany, saltOf } from '../../../src/resource/digests.ts';
import type { LiveResource } from '../../../src/resource/snapshot.ts';
import { live } from '../sample.ts';

const SALT = saltOf({ stack: 'shop', address: 'a' });
const MASK = { sensitive: true };
const hush = new Secret('hush', { origin: 'a#x' });

interface Row {
  readonly name: string;
  readonly id?: string;
  readonly before: ValueObject;
  readonly after: ValueObject;
  readonly writeOnly?: LiveResource['writeOnly'];
  readonly switchedOff?: Value;
  readonly expect: readonly Partial<Change>[];
}

describe('changesOf', () => {
  test.each<Row>([
    {
      name: 'a text',
      before: { description: 'a' },
      after: { description: 'b' },
      expect: [{ path: 'description', before: 'a', after: 'b', effect: 'update', cause: 'unknown', sensitive: false }],
    },
    {
      name: 'a secret hides both sides',
      before: { description: 'a' },
      after: { description: hush },
      expect: [{ path: 'description', before: MASK, after: MASK, sensitive: true }],
    },
    {
      name: 'a field of a module: the module is sent whole, and the service chooses again',
      before: { tls_termination: { min_version: '1.2', terminate_at: 'edge' } },
      after: { tls_termination: { min_version: '1.3' } },
      expect: [
        {
          path: 'tls_termination.min_version',
          effect: 'replace-module',
          note: expect.stringContaining('tls_termination.terminate_at') as string,
        },
      ],
    },
    {
      name: 'a module that goes',
      before: { backend: { backend_id: 'bkdfo_1' } },
      after: {},
      expect: [{ path: 'backend', after: null, effect: 'remove-module' }],
    },
    {
      name: 'a module that is switched off instead, without what goes',
      before: { backend: { backend_id: 'bkdfo_1' } },
      after: {},
      switchedOff: { enabled: false },
      expect: [{ path: 'backend', note: expect.stringMatching(/switched off.*bkdfo_1/) as string }],
    },
    {
      name: 'what cannot be updated',
      id: 'ra_1',
      before: { region: 'us' },
      after: { region: 'eu' },
      expect: [{ path: 'region', effect: 'replace-resource' }],
    },
    {
      name: 'a secret that is not shown and is sent',
      id: 'edghtsrt_1',
      before: { webhook_verification: { provider: 'github' } },
      after: { webhook_verification: { provider: 'github', secret: hush } },
      writeOnly: ['webhook_verification.secret'],
      expect: [{ path: 'webhook_verification.secret', before: MASK, after: MASK, sensitive: true }],
    },
  ])('$name', ({ id = 'edgtls_1', before, after, writeOnly = [], switchedOff, expect: expected }) => {
    const object = live(id, '', { spec: before, writeOnly });
    const diffs = diffResource(kindByName(object.kind), after, object, []);
    const found = diffs.flatMap((diff) => changesOf(diff, object, SALT, switchedOff));
    expect(found).toMatchObject(expected);
    expect(found).toHaveLength(expected.length);
    expect(JSON.stringify(found)).not.toContain('hush');
  });
});

describe('realDiffs: a secret that is not shown counts unless it was applied', () => {
  const kind = kindByName('https_edge_route');
  const spec = { webhook_verification: { provider: 'github', secret: hush } };
  const shown = { spec: { webhook_verification: { provider: 'github' } }, writeOnly: ['webhook_verification.secret'] };
  const applied = (value: ValueObject) => digestOfMany(kind, value, SALT);
  const other = { webhook_verification: { provider: 'github', secret: new Secret('other') } };
  test.each([
    ['without a marker', undefined, ['webhook_verification']],
    ['with a marker of the same secret', applied(spec), []],
    ['with a marker of another one', applied(other), ['webhook_verification']],
  ])('%s', (_, digests, expected) => {
    const object = live('edghtsrt_1', digests && 'shop:a', {
      ...shown,
      ...(digests && { marker: { applied: digests } }),
    });
    const found = realDiffs(compareFields(kind, spec, object, []), object, SALT);
    expect(found.map(({ name }) => name)).toEqual(expected);
  });
});

describe('metadataChange', () => {
  const digest = (text: string) => digestOfMany(kindByName('tls_edge'), { metadata: text }, SALT);
  const unknown = new Expression([{ address: 'tls_edges.b', attr: 'id' }]);
  test.each<
    readonly [string, Value | undefined, string, Readonly<Record<string, string>> | undefined, Cause | undefined]
  >([
    ['no text on either side', undefined, '', {}, undefined],
    ['the same text', 'a', 'a', {}, undefined],
    ['another text of an object without a marker', 'b', 'a', undefined, 'unknown'],
    ['another text in the manifest', 'b', 'a', digest('a'), 'config'],
    ['the first text in the manifest', 'b', '', {}, 'config'],
    ['another text in the object', 'b', 'a', digest('b'), 'drift'],
    ['another text in both', 'b', 'a', digest('c'), 'both'],
    ['a text that is not known yet', unknown, 'a', digest('c'), 'config'],
    ['a text that the manifest takes away', undefined, 'a', digest('a'), 'config'],
  ])('%s', (_, wanted, userMetadata, applied, cause) => {
    const object = live('edgtls_1', applied && 'shop:a', { userMetadata, ...(applied && { marker: { applied } }) });
    const found = metadataChange(wanted === undefined ? {} : { metadata: wanted }, object);
    expect(found.map((one) => one.cause)).toEqual(cause === undefined ? [] : [cause]);
  });

  test('isTextOutdated: when the marker has the digest of another text, or none of one that is there', () => {
    const about = (userMetadata: string, applied: Readonly<Record<string, string>>, wanted = userMetadata) =>
      isTextOutdated(wanted, live('edgtls_1', 'shop:a', { userMetadata, marker: { applied } }));
    expect([about('a', digest('a')), about('', {})]).toEqual([false, false]);
    expect([about('a\n', digest('a'), 'a'), about('a\n', digest('a'), 'a\n')]).toEqual([false, true]);
    expect([about('a', digest('b')), about('a', {}), about('', digest('a'))]).toEqual([true, true, true]);
  });
});

test('creationChanges: every field that the manifest gives, secrets hidden', () => {
  const found = creationChanges({ description: 'a', backend: { backend_id: hush } });
  expect(found.map(({ path, before, after, sensitive }) => [path, before, after, sensitive])).toEqual([
    ['description', null, 'a', false],
    ['backend', null, { backend_id: MASK }, true],
  ]);
});

describe('droppingDiffs: modules that are off anyway let go of what the plan deletes', () => {
  const EDGE = kindByName('tls_edge');
  const off = (backend_id: string) => ({ backend: { backend_id, enabled: false } });
  const ON = { backend: { backend_id: 'bkdfo_1' } };
  test.each<readonly [string, ValueObject, ValueObject, readonly string[], readonly string[]]>([
    ['nothing is there', {}, {}, [], []],
    ['a module that is off and names what goes', {}, off('bkdfo_1'), [], ['backend']],
    ['not one that names what stays', {}, off('bkdfo_2'), [], []],
    ['not one that is on: its removal is a difference of its own', {}, ON, [], []],
    ['not one that the manifest asks for', off('bkdfo_1'), off('bkdfo_1'), [], []],
    ['but one that it gives as null', { backend: null }, off('bkdfo_1'), [], ['backend']],
    ['not one that is ignored', {}, off('bkdfo_1'), ['backend'], []],
  ])('%s', (_, desired, spec, ignored, expected) => {
    const compared = compareFields(EDGE, desired, { spec, writeOnly: [] }, ignored);
    const found = droppingDiffs(compared, new Set(['bkdfo_1']));
    expect(found.map((diff) => [diff.name, valueToSend(diff)])).toEqual(expected.map((name) => [name, undefined]));
  });
});
