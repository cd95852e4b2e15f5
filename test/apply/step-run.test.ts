// One step under way: what its result says, and what fills the placeholders of its requests.

import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/core/json.ts';
import { lookupFor, stepResult } from '../../src/apply/step-run.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import { fieldDigest, saltOf } from '../../src/resource/digests.ts';
import type { Field } from '../../src/catalog/field.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import { addrStep, runOf, service } from './sample.ts';

const RUN = runOf(addrStep('update'), service({}), {
  known: new Map([['tls_edges.a', { id: 'edgtls_1', deep: { list: [1], text: 't' } }]]),
  secrets: (from) => (from === 'tls_edges.a#b' ? new Secret('hush') : undefined),
});

test('stepResult says what is known of the object by now', () => {
  const run = runOf(addrStep('create'), service({}));
  expect(stepResult(run, 'failed', 'why')).toMatchObject({
    address: 'reserved_addrs.a',
    live_id: null,
    requests_done: 0,
    error: 'why',
  });
  run.liveId = 'ra_7';
  run.requestsDone = 2;
  expect(stepResult(run, 'done', null)).toMatchObject({
    status: 'done',
    live_id: 'ra_7',
    requests_done: 2,
    error: null,
  });
});

test('a step that ended between its requests says which of them were accepted', () => {
  const requests = [
    { method: 'DELETE', path: '/reserved_addrs/ra_1/part' },
    { method: 'PATCH', path: '/reserved_addrs/ra_1', body: {} },
  ] as const;
  const run = runOf(addrStep('update', requests), service({}));
  run.requestsDone = 1;
  expect(stepResult(run, 'failed', 'no').error).toBe(
    'no; accepted before that, and live now: DELETE /reserved_addrs/ra_1/part',
  );
  expect(stepResult(run, 'done', null).error).toBeNull();
});

describe('lookupFor', () => {
  const { attr, secret, digest } = lookupFor(RUN);
  test.each<readonly [string, string, string, Json | undefined]>([
    ['a value', 'tls_edges.a', 'id', 'edgtls_1'],
    ['a value below', 'tls_edges.a', 'deep.text', 't'],
    ['a value that is not there', 'tls_edges.a', 'deep.gone', undefined],
    ['nothing below text', 'tls_edges.a', 'id.length', undefined],
    ['nothing below a list', 'tls_edges.a', 'deep.list.0', undefined],
    ['an object that is not known', 'tls_edges.b', 'id', undefined],
  ])('%s', (_, address, name, expected) => {
    expect(attr(address, name)).toEqual(expected);
  });

  test('values that answers tell meanwhile', () => {
    RUN.known.set('tls_edges.c', { id: 'edgtls_3' });
    expect(attr('tls_edges.c', 'id')).toBe('edgtls_3');
  });

  test('secrets by where they are found, and digests with the salt of the object', () => {
    expect([secret('tls_edges.a#b')?.toString(), secret('tls_edges.a#c')]).toEqual(['(sensitive)', undefined]);
    const field = kindByName('reserved_addr').fields['description'] as Field;
    const value = new Secret('hush');
    expect(digest('description', value)).toBe(
      fieldDigest(field, value, saltOf({ stack: 'shop', address: 'reserved_addrs.a' })),
    );
  });
});
