// Where a value is shown: whether the order of a list counts is known from the catalogue.

import { expect, test } from 'vitest';
import type { Json } from '../../../src/core/json.ts';
import { changeOf, foundOutside, plain } from '../sample.ts';

const shown = (kind: string, path: string, before: Json, after: Json, style = plain) =>
  foundOutside(kind, changeOf({ path, before, after, cause: 'drift' }), style).map((line) => line.trim());

test.each([
  { name: 'a list whose order counts', kind: 'failover_backend', path: 'backends', ordered: true },
  { name: 'a list whose order is ignored', kind: 'event_subscription', path: 'sources', ordered: false },
  { name: 'a list inside a module', kind: 'tls_edge', path: 'ip_restriction.ip_policy_ids', ordered: false },
  { name: 'a field that is no list', kind: 'tls_edge', path: 'description', ordered: true },
  { name: 'a field that there is not', kind: 'tls_edge', path: 'constructor.prototype', ordered: true },
  { name: 'a kind that there is not', kind: 'colour', path: 'sources', ordered: true },
])('$name: order counts is $ordered', ({ kind, path, ordered }) => {
  const lines = shown(kind, path, ['a', 'b', 'c'], ['c', 'a', 'b']);
  expect(lines.includes('… 3 unchanged items')).toBe(!ordered);
});

test('long texts are whole in full detail only, and names have none', () => {
  const text = 'line\n'.repeat(20);
  const most = (['names', 'changes', 'full'] as const).map(
    (detail) => shown('tls_edge', 'x', null, text, { ...plain, detail }).length,
  );
  expect(most).toEqual([0, 8, 21]);
});
