// When lists are believed: everything of this run was listed, and a read began as long after that as it took.

import { describe, expect, test } from 'vitest';
import { emptyHistory, noteCreation } from '../../src/apply/gate/run-history.ts';
import { createLagMeter } from '../../src/reconcile/settle.ts';

/** Reads at these times, each with the ids that the lists showed; created at 0. Whether each of them proves. */
function proves(
  created: readonly string[],
  reads: readonly (readonly [at: number, listed: readonly string[]])[],
  settleMs = 20_000,
  stamp = '2030-01-01T00:00:00.123Z',
): readonly boolean[] {
  const history = emptyHistory();
  for (const id of created)
    noteCreation(
      history,
      { kind: 'reserved_addr', address: `reserved_addrs.${id}` },
      { id, parentId: undefined, at: 0, stamp },
    );
  const meter = createLagMeter(history, settleMs, (kind) => kind !== 'https_edge');
  return reads.map(([at, listed]) => {
    meter.note(at, at + 10, new Set(listed));
    return meter.isProven();
  });
}

const WITHIN_A_SECOND = [100, 220, 900, 1_110].map((at) => [at, ['a']] as const);

describe('a read proves something', () => {
  test.each([
    ['at once, when this run created nothing', proves([], [[0, []]]), [true]],
    ['not the first time', proves(['a'], [[100, ['a']]]), [false]],
    [
      'as long again after the first',
      proves(
        ['a'],
        [
          [100, ['a']],
          [220, ['a']],
        ],
      ),
      [false, true],
    ],
    [
      'not before',
      proves(
        ['a'],
        [
          [100, ['a']],
          [200, ['a']],
        ],
      ),
      [false, false],
    ],
    [
      'not while something is missing',
      proves(
        ['a', 'b'],
        [
          [100, ['a']],
          [900, ['a']],
        ],
      ),
      [false, false],
    ],
    [
      'only after the longest lag that was seen',
      proves(
        ['a', 'b'],
        [
          [100, ['a']],
          [900, ['a', 'b']],
          [1_100, ['a', 'b']],
          [1_820, ['a', 'b']],
        ],
      ),
      [false, false, false, true],
    ],
    [
      'not when the list forgets again what it showed',
      proves(
        ['a'],
        [
          [100, ['a']],
          [220, []],
          [300, ['a']],
        ],
      ),
      [false, false, true],
    ],
    ['at once, when the creation is older than any lag', proves(['a'], [[20_000, ['a']]]), [true]],
    [
      'not before the second is over, where times of creation are whole seconds',
      proves(['a'], WITHIN_A_SECOND, 20_000, '2030-01-01T00:00:00Z'),
      [false, false, false, true],
    ],
    ['never, while the list shows nothing of it', proves(['a'], [[30_000, []]]), [false]],
  ])('%s', (_, found, expected) => {
    expect(found).toEqual(expected);
  });
});
