// The differences of a step as lines: with who made them, from the left margin.

import { describe, expect, test } from 'vitest';
import type { Change, Step } from '../../../src/plan/plan.ts';
import { changeLines, isNew, outsideLines } from '../../../src/render/view/values/changes.ts';
import type { Line } from '../../../src/render/view/values/value.ts';
import { changeOf, plain, stepOf } from '../sample.ts';

const show = (lines: readonly Line[]) => lines.map(({ mark, depth, text }) => `${mark}${'.'.repeat(depth)}${text}`);
const step = (changes: readonly Change[], more: Partial<Step> = {}) =>
  stepOf({
    id: 's1',
    action: 'update',
    live_id: 'edgtls_1',
    address: 'tls_edges.a',
    kind: 'tls_edge',
    changes,
    ...more,
  });
const linesOf = (...changes: Change[]) => show(changeLines(step(changes), plain));

const text = (path: string, more: Partial<Change> = {}) => changeOf({ path, before: 'a', after: 'b', ...more });

describe('an update', () => {
  test.each([
    { name: 'without a difference has no lines', changes: [], lines: [] },
    { name: 'of one field is one line at the margin', changes: [text('description')], lines: ['~description: a → b'] },
    {
      name: 'of one inner field names its path',
      changes: [text('backend.backend_id')],
      lines: ['~backend.backend_id: a → b'],
    },
    {
      name: 'of several fields keeps them apart',
      changes: [text('description'), text('metadata')],
      lines: ['~description: a → b', '~metadata: a → b'],
    },
    {
      name: 'that adds a field says so',
      changes: [changeOf({ path: 'description', after: 'b' })],
      lines: ['+description: b'],
    },
    {
      name: 'that removes a field says so',
      changes: [changeOf({ path: 'description', before: 'a' })],
      lines: ['-description: a'],
    },
    {
      name: 'of what was changed outside says so',
      changes: [text('description', { cause: 'drift' })],
      lines: ['~description: a → b  [changed outside]'],
    },
    {
      name: 'of what nobody knows says nothing of it',
      changes: [text('description', { cause: 'unknown' })],
      lines: ['~description: a → b'],
    },
    {
      name: 'that needs a new object says so before who made it',
      changes: [text('description', { cause: 'both', effect: 'replace-resource' })],
      lines: ['~description: a → b  [forces replacement] [changed outside and in the manifest]'],
    },
    {
      name: 'tells a note of several changes once, below them',
      changes: [text('mutual_tls.x', { note: 'n' }), text('mutual_tls.y', { note: 'n' })],
      lines: ['~mutual_tls.x: a → b', '~mutual_tls.y: a → b', ' .note: n'],
    },
  ])('$name', ({ changes, lines }) => {
    expect(linesOf(...changes)).toEqual(lines);
  });

  test('never shows a secret, only that it is another', () => {
    const hidden = { sensitive: true };
    expect(linesOf(changeOf({ path: 'token', before: hidden, after: hidden, sensitive: true }))).toEqual([
      '~token: (sensitive, changed)',
    ]);
  });
});

describe('a new object', () => {
  const made = (...changes: Change[]) => show(changeLines(step(changes, { action: 'create', live_id: null }), plain));
  test('has its values only, with no word of who changed them', () => {
    expect(
      made(changeOf({ path: 'description', after: 'b', cause: 'drift' }), changeOf({ path: 'metadata', after: 'm' })),
    ).toEqual(['+description: b', '+metadata: m']);
  });

  test.each([
    { name: 'a creation where nothing was is new', action: 'create', live: null, is: true },
    { name: 'a creation in place of something is not', action: 'create', live: 'edgtls_1', is: false },
    { name: 'half a replacement is not', action: 'replace', live: null, is: false },
  ] as const)('$name', ({ action, live, is }) => {
    expect(isNew(step([], { action, live_id: live }))).toBe(is);
  });
});

describe('a difference that was made outside', () => {
  test.each([
    {
      name: 'goes from the manifest to what is live',
      change: text('description', { before: 'live', after: 'manifest', cause: 'drift' }),
      lines: ['~description: manifest → live  [changed outside]'],
    },
    {
      name: 'that nobody knows the maker of says so',
      change: text('description', { cause: 'unknown' }),
      lines: ['~description: b → a  [changed, cause unknown]'],
    },
    {
      name: 'that took a value away is a removal',
      change: changeOf({ path: 'description', after: 'b', cause: 'drift' }),
      lines: ['-description: b  [changed outside]'],
    },
  ])('$name', ({ change, lines }) => {
    expect(show(outsideLines('tls_edge', change, plain))).toEqual(lines);
  });
});
