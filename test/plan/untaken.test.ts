// What a service shows in place of a value that it was sent is not taken; what it does not show is missing.

import { expect, test } from 'vitest';
import { secrecyOfDigest } from '../../src/core/digest.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import type { ValueObject } from '../../src/core/value.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import { splitByTaking, withAnswers } from '../../src/plan/decide/untaken.ts';
import { compareFields } from '../../src/resource/diff.ts';
import type { LiveResource } from '../../src/resource/snapshot.ts';
import { digestOfMany } from '../../src/resource/digests.ts';
import { untakenIn } from '../../src/resource/untaken.ts';

const KIND = kindByName('https_edge_route');
const MATCH = { match_type: 'path_prefix', match: '/' };
const ADDRESS = 'https_edges.shop.routes.api';
const SALT = `shop/${ADDRESS}`;

/** How a field counts of which our write was answered with what is live. */
function judged(sent: ValueObject, shown: ValueObject) {
  const spec = { ...MATCH, ...sent };
  const marker = { stack: 'shop', address: ADDRESS, applied: digestOfMany(KIND, spec, SALT) };
  const live = {
    kind: KIND.name,
    id: 'edghtsrt_1',
    spec: { ...MATCH, ...shown },
    marker,
    writeOnly: [],
  } as unknown as LiveResource;
  const journal = {
    objects: new Map([[live.id, { address: ADDRESS, untaken: untakenIn(KIND, spec, { live, salt: SALT }) }]]),
    creating: new Set<string>(),
    runs: new Set<string>(),
    unfinished: new Set<string>(),
  };
  const facts = { live, salt: SALT, journal };
  const split = splitByTaking(withAnswers(compareFields(KIND, spec, live, []), facts), facts);
  return {
    untaken: split.untaken.map(({ name }) => name),
    taken: split.taken.flatMap((one) => (one.differences.length > 0 ? [one.name] : [])),
  };
}

test('another value is not taken', () => {
  const found = judged(
    { circuit_breaker: { volume_threshold: 0 } },
    { circuit_breaker: { enabled: true, volume_threshold: 20 } },
  );
  expect(found).toEqual({ untaken: ['circuit_breaker'], taken: [] });
});

test.each([
  ['ip_restriction', { ip_policy_ids: ['ipp_2a'] }],
  ['webhook_verification', { provider: 'github', secret: 'sssss' }],
])('a module that is not there is missing: %s', (name, module) => {
  expect(judged({ [name]: module }, {})).toEqual({ untaken: [], taken: [name] });
});

test('what is shown in place of a secret is as slow to guess as the secret: it may be a part of it', () => {
  const kind = kindByName('tls_edge');
  const live = {
    kind: kind.name,
    id: 'edgtls_1',
    spec: { description: 'PIN-4711' },
    writeOnly: [],
  } as unknown as LiveResource;
  const shown = untakenIn(kind, { description: new Secret('PIN-4711-and-more') }, { live, salt: SALT }).get(
    'description',
  );
  const [sent = '', kept = ''] = shown?.split('.') ?? [];
  expect([secrecyOfDigest(sent), secrecyOfDigest(kept)]).toEqual(['hidden', 'hidden']);
});
