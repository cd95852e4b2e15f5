// Where a value is shown: whether the order of a list counts is known from the catalogue.

import { expect, test } from 'vitest';
import { layoutOf } from '../../../src/render/view/values/changes.ts';
import { plain } from '../sample.ts';

test.each([
  { name: 'a list whose order counts', kind: 'failover_backend', path: 'backends', ordered: true },
  { name: 'a list whose order is ignored', kind: 'event_subscription', path: 'sources', ordered: false },
  { name: 'a list inside a module', kind: 'tls_edge', path: 'ip_restriction.ip_policy_ids', ordered: false },
  { name: 'a field that is no list', kind: 'tls_edge', path: 'description', ordered: true },
  { name: 'a field that there is not', kind: 'tls_edge', path: 'constructor.prototype', ordered: true },
  { name: 'a kind that there is not', kind: 'colour', path: 'sources', ordered: true },
])('$name: order counts is $ordered', ({ kind, path, ordered }) => {
  expect(layoutOf(kind, path, plain)).toEqual({ width: plain.width, full: false, ordered });
});

test('long texts are whole in full detail only', () => {
  expect(
    (['names', 'changes', 'full'] as const).map((detail) => layoutOf('tls_edge', 'x', { ...plain, detail }).full),
  ).toEqual([false, false, true]);
});
