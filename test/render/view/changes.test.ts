// The differences of a step as lines: with who made them, from the left margin.

import { describe, expect, test } from 'vitest';
import type { Change, Step } from '../../../src/plan/plan.ts';
import { renderPlanAs } from '../../../src/render/formats.ts';
import { changeOf, foundOutside, plain, planOf, stepOf } from '../sample.ts';

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

/** What a plan says of the changes of a step. */
function shownOf(one: Step): string[] {
  const text = renderPlanAs('text', planOf({ steps: [one] }), plain);
  const [, item = ''] = / tls_edges\.a .*\n([^]*?)\n\n/.exec(text) ?? [];
  return item.split('\n').filter((line) => line !== '' && !line.includes('why: '));
}
const linesOf = (...changes: Change[]) => shownOf(step(changes));

const text = (path: string, more: Partial<Change> = {}) => changeOf({ path, before: 'a', after: 'b', ...more });

describe('an update', () => {
  test.each([
    { name: 'without a difference has no lines', changes: [], lines: [] },
    {
      name: 'of one field is one line at the margin',
      changes: [text('description')],
      lines: ['    ~ description: a → b'],
    },
    {
      name: 'of one inner field names its path',
      changes: [text('backend.backend_id')],
      lines: ['    ~ backend.backend_id: a → b'],
    },
    {
      name: 'of several fields keeps them apart',
      changes: [text('description'), text('metadata')],
      lines: ['    ~ description: a → b', '    ~ metadata: a → b'],
    },
    {
      name: 'that adds a field says so',
      changes: [changeOf({ path: 'description', after: 'b' })],
      lines: ['    + description: b'],
    },
    {
      name: 'that removes a field says so',
      changes: [changeOf({ path: 'description', before: 'a' })],
      lines: ['    - description: a'],
    },
    {
      name: 'of what was changed outside says so',
      changes: [text('description', { cause: 'drift' })],
      lines: ['    ~ description: a → b  [changed outside]'],
    },
    {
      name: 'of what nobody knows says nothing of it',
      changes: [text('description', { cause: 'unknown' })],
      lines: ['    ~ description: a → b'],
    },
    {
      name: 'that needs a new object says so before who made it',
      changes: [text('description', { cause: 'both', effect: 'replace-resource' })],
      lines: ['    ~ description: a → b  [forces replacement] [changed outside and in the manifest]'],
    },
    {
      name: 'tells a note of several changes once, below them',
      changes: [text('mutual_tls.x', { note: 'n' }), text('mutual_tls.y', { note: 'n' })],
      lines: ['    ~ mutual_tls.x: a → b', '    ~ mutual_tls.y: a → b', '        note: n'],
    },
  ])('$name', ({ changes, lines }) => {
    expect(linesOf(...changes)).toEqual(lines);
  });

  test('never shows a secret, only that it is another', () => {
    const hidden = { sensitive: true };
    expect(linesOf(changeOf({ path: 'token', before: hidden, after: hidden, sensitive: true }))).toEqual([
      '    ~ token: (sensitive, changed)',
    ]);
  });
});

test('a new object has its values only, with no word of who changed them', () => {
  const changes = [
    changeOf({ path: 'description', after: 'b', cause: 'drift' }),
    changeOf({ path: 'metadata', after: 'm' }),
  ];
  const given = (more: Partial<Step>) => shownOf(step(changes, more));
  const bare = ['    description: b', '    metadata: m'];
  const marked = ['    + description: b  [changed outside]', '    + metadata: m'];
  expect(given({ action: 'create', live_id: null })).toEqual(bare);
  expect(given({ action: 'create', live_id: 'edgtls_1' }), 'in place of another').toEqual(marked);
  expect(given({ action: 'replace', live_id: null }), 'half a replacement').toEqual(marked);
});

const MASK = { sensitive: true };

describe('a difference that was made outside', () => {
  test.each([
    {
      name: 'goes from the manifest to what is live',
      change: text('description', { before: 'live', after: 'manifest', cause: 'drift' }),
      lines: ['    ~ description: manifest → live  [changed outside]'],
    },
    {
      name: 'that nobody knows the maker of says so',
      change: text('description', { cause: 'unknown' }),
      lines: ['    ~ description: b → a  [changed, cause unknown]'],
    },
    {
      name: 'of a list with secrets knows which of them differs',
      change: changeOf({
        path: 'ip_restriction.ip_policy_ids',
        before: [MASK],
        after: [MASK, MASK],
        items: { removed: [], added: [1] },
        cause: 'drift',
      }),
      lines: [
        '    ~ ip_restriction.ip_policy_ids: [changed outside]',
        '      - (sensitive)',
        '        … 1 unchanged item',
      ],
    },
    {
      name: 'that took a value away is a removal',
      change: changeOf({ path: 'description', after: 'b', cause: 'drift' }),
      lines: ['    - description: b  [changed outside]'],
    },
  ])('$name', ({ change, lines }) => {
    expect(foundOutside('tls_edge', change, plain)).toEqual(lines);
  });
});
