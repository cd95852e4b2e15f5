// What of a live object may be seen beside a manifest with secrets: nothing that stands where one of them will stand.

import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import type { ValueObject } from '../../../src/core/value.ts';
import { match } from '../../../src/plan/match/match.ts';
import { applyOn, createDirect, planOn, snapshotOf } from '../../support/in-process.ts';
import { manifest } from '../sample.ts';

const ROUTE = { match_type: 'path_prefix', match: '/' };

const load = (block: JsonObject) => manifest({ https_edges: { e: { routes: { r: { ...ROUTE, ...block } } } } });

/** The spec of the route that has `before`, as it is seen beside a manifest that wants `after`. */
async function seen(before: JsonObject, after: JsonObject): Promise<ValueObject> {
  const direct = createDirect();
  await applyOn(direct, await planOn(direct, load(before)));
  const next = load(after);
  const { snapshot: veiled } = match(next, next.resources, await snapshotOf(direct));
  return veiled.resources.find((live) => live.parentId !== undefined)?.spec ?? {};
}

test('a text', async () => {
  const spec = await seen({ description: 'what it was' }, { description: '${var.s}' });
  expect(spec['description']).toBeInstanceOf(Secret);
});

test('a text that repeats a secret where the manifest has another', async () => {
  const spec = await seen({ description: 'was hush-hush-1' }, { description: 'plain' });
  expect(spec['description']).toBeInstanceOf(Secret);
  expect((await seen({ description: 'was' }, { description: 'plain' }))['description']).toBe('was');
});

test('items beside a secret', async () => {
  const list = (...remove: string[]) => ({ response_headers: { remove } });
  const spec = await seen(list('x-old', 'x-plain'), list('${var.s}', 'x-plain'));
  expect(spec).toMatchObject({ response_headers: { remove: [expect.any(Secret), expect.any(Secret)] } });
});

test('keys beside a secret, but not those that the manifest says in clear', async () => {
  const map = (add: JsonObject) => ({ request_headers: { add } });
  const spec = await seen(map({ 'x-old': 'a', 'x-plain': 'b' }), map({ 'x-new': '${var.s}', 'x-plain': 'b' }));
  expect(spec).toMatchObject({ request_headers: { add: { 'x-old': expect.any(Secret), 'x-plain': 'b' } } });
});
