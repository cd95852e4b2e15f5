// Warnings of secrets that are ignored and sent all the same.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { kindByName } from '../../../src/catalog/lookup.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import type { ValueObject } from '../../../src/core/value.ts';
import { overwritten } from '../../../src/plan/decide/overwritten.ts';
import { markerFor } from '../../../src/plan/decide/marker.ts';
import type { Pair } from '../../../src/plan/match/match.ts';
import { effectiveSpec } from '../../../src/resource/carry.ts';
import { compareFields } from '../../../src/resource/diff.ts';
import type { LiveResource } from '../../../src/resource/snapshot.ts';
import { live, manifest } from '../sample.ts';

const ROUTE = kindByName('https_edge_route');
const SECRET = 'webhook_verification.secret';

const specOf = (provider: string) => ({
  match_type: 'path_prefix',
  match: '/',
  webhook_verification: { provider, secret: '${var.s}' },
});

/** A block with a webhook whose paths are ignored. */
function pairOf(provider: string, ignored: readonly string[], object: LiveResource): Pair {
  const route: JsonObject = { ...specOf(provider), lifecycle: { ignore_changes: ignored } };
  const desired = manifest({ https_edges: { e: { routes: { r: route } } } }).resources[1];
  if (desired === undefined) throw new Error('no route');
  return { kind: ROUTE, desired, live: object };
}

/** The object as it is read; the secret is not shown, or shown as it is given here. */
function object(shown?: string, applied?: ValueObject): LiveResource {
  const secret = shown === undefined ? {} : { secret: new Secret(shown, { origin: `live:edghtsrt_1#${SECRET}` }) };
  const spec = { match_type: 'path_prefix', match: '/', webhook_verification: { provider: 'github', ...secret } };
  const content = { spec, writeOnly: shown === undefined ? [SECRET] : [], parentId: 'edghts_1' };
  if (applied === undefined) return live('edghtsrt_1', '', content);
  const { desired } = pairOf('github', [], live('edghtsrt_1'));
  return live('edghtsrt_1', 'shop:x', { ...content, marker: markerFor('shop', desired, ROUTE, applied) });
}

interface Row {
  readonly name: string;
  readonly ignored: readonly string[];
  readonly provider: string;
  readonly object: LiveResource;
  /** Code and path of each warning. */
  readonly expect: readonly (readonly [string, string])[];
}

const hook = (provider: string, secret: string): ValueObject => ({
  webhook_verification: { provider, secret: new Secret(secret) },
});

const ROWS: readonly Row[] = [
  { name: 'none when nothing is ignored', ignored: [], provider: 'gitlab', object: object(), expect: [] },
  {
    name: 'what is not shown is sent from the manifest',
    ignored: [SECRET],
    provider: 'gitlab',
    object: object(),
    expect: [['secret-sent-again', SECRET]],
  },
  {
    name: 'what is shown goes back, and nothing says what was applied',
    ignored: [SECRET],
    provider: 'gitlab',
    object: object('********'),
    expect: [['secret-sent-back', SECRET]],
  },
  {
    name: 'what is shown goes back, and is not what was applied',
    ignored: [SECRET],
    provider: 'gitlab',
    object: object('********', hook('github', 'applied')),
    expect: [['secret-sent-back', SECRET]],
  },
  {
    name: 'not when it is what was applied',
    ignored: [SECRET],
    provider: 'gitlab',
    object: object('applied', hook('github', 'applied')),
    expect: [],
  },
  {
    name: 'not when the manifest gives the same',
    ignored: [SECRET],
    provider: 'gitlab',
    object: object('hush-hush-1'),
    expect: [],
  },
];

describe('overwritten', () => {
  const sent = ({ ignored, provider, object: one }: Row) => {
    const pair = pairOf(provider, ignored, one);
    const diffs = compareFields(ROUTE, pair.desired.spec, one, ignored).filter((diff) => diff.differences.length > 0);
    return overwritten(pair, one, Object.fromEntries(diffs.map(({ name, send }) => [name, send ?? null])));
  };
  test.each(ROWS)('an update: $name', (row) => {
    const found = sent(row);
    expect(found.map(({ code, severity }) => [code, severity])).toEqual(row.expect.map(([code]) => [code, 'warning']));
    found.forEach(({ message }, at) => {
      expect(message).toContain(row.expect[at]?.[1]);
    });
    expect(JSON.stringify(found)).not.toMatch(/hush|applied-|\*\*\*/);
  });

  test('none while the part is not sent', () => {
    expect(sent({ name: '', ignored: [SECRET], provider: 'github', object: object(), expect: [] })).toEqual([]);
  });
});

describe('overwritten, in a new object', () => {
  test.each(ROWS)('a new object: $name', ({ ignored, provider, object: one, expect: expected }) => {
    const pair = pairOf(provider, ignored, one);
    const next = effectiveSpec(ROUTE, pair.desired.spec, one, ignored);
    expect(overwritten(pair, one, next, 'the object is replaced').map(({ code }) => code)).toEqual(
      expected.map(([code]) => code),
    );
  });
});
