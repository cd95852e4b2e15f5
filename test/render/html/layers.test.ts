// Places of nodes: right of what they wait for, apart from each other, and lines that only say what no other says.

import { describe, expect, test } from 'vitest';
import { layersOf } from '../../../src/render/html/layers.ts';
import { chanceOf } from '../../support/chance.ts';

/** Height of a node with the gap below it. */
const ROW = 34;

const graph = (...after: (readonly number[])[]) => layersOf(after.map((list) => ({ after: list, width: 100 })));
const ends = ({ nodes, lines }: ReturnType<typeof graph>) =>
  lines.map((line) =>
    [line[0], line.at(-1)].map((point) =>
      nodes.findIndex(({ y, x }) => y === point?.y && x <= point.x && point.x <= x + 100),
    ),
  );

describe('a node', () => {
  test('is right of all that it waits for', () => {
    const { nodes, count } = graph([1, 2], [2], [], [0]);
    expect([2, 1, 0, 3].map((node) => nodes[node]?.x)).toEqual([0, 156, 312, 468]);
    expect(count).toBe(4);
  });

  test('that waits for itself, or for one that is not there, has a place all the same', () => {
    expect(graph([0], [2], [1], [9]).nodes).toHaveLength(4);
  });
});

describe('a line', () => {
  test('is left out where others say the same', () => {
    expect(ends(graph([], [0], [0, 1]))).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });

  test('passes through a place of its own in each layer between its ends', () => {
    const { lines, nodes } = graph([], [0], [1], [], [2, 3]);
    const long = lines.find((line) => line.length > 2) ?? [];
    expect(long).toHaveLength(6);
    for (const { y } of long.slice(1, -1)) for (const node of [1, 2]) expect(y).not.toBe(nodes[node]?.y);
  });
});

test('whatever waits for what, no two nodes touch and everything is inside the picture', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const chance = chanceOf(seed);
    const after = Array.from({ length: 2 + chance(60) }, (_, node) =>
      Array.from({ length: chance(4) }, () => chance(node + 1)).filter((one) => one < node),
    );
    const { nodes, lines, width, height } = graph(...after);
    for (const [index, one] of nodes.entries()) {
      expect(one.x + 100).toBeLessThanOrEqual(width);
      expect(one.y - ROW / 2).toBeGreaterThanOrEqual(-1);
      expect(one.y + ROW / 2).toBeLessThanOrEqual(height + 1);
      for (const other of nodes.slice(index + 1))
        if (one.x === other.x) expect(Math.abs(one.y - other.y)).toBeGreaterThanOrEqual(ROW - 2);
      for (const before of after[index] ?? []) expect(nodes[before]?.x).toBeLessThan(one.x);
    }
    expect(lines.flat().every(({ x, y }) => x >= 0 && x <= width && y >= 0 && y <= height)).toBe(true);
  }
});
