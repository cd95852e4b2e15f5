// Layered layout of a graph from left to right: each node is to the right of those that it waits for, with few crossings.
// Knows numbers only.

import { groupBy } from '../../core/group.ts';

/** A node: the indices of those that it waits for, and its width. */
interface GraphNode {
  readonly after: readonly number[];
  readonly width: number;
}

/** A node of the graph, or a point where a line crosses a layer. */
interface Slot {
  readonly layer: number;
  readonly node: number | undefined;
  readonly before: Slot[];
  readonly next: Slot[];
  y: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Layers {
  readonly width: number;
  readonly height: number;
  readonly count: number;
  /** The left end of each node, at half its height. */
  readonly nodes: readonly Point[];
  /** Each line, from the right end of a node to the left end of one that waits for it. */
  readonly lines: readonly (readonly Point[])[];
}

const ROW = 34;
const GAP = 56;
/** Space that a passing line takes in a layer. */
const NARROW = 14;
const ROUNDS = 6;

export function layersOf(nodes: readonly GraphNode[]): Layers {
  const depths = depthsOf(nodes);
  const slots = nodes.map((_, node): Slot => slotOf(depths[node] ?? 0, node));
  const chains = linksOf(nodes, depths).map(([from, to]) => chainOf(slots[from], slots[to]));
  const all = new Set([...slots, ...chains.flat()]);
  const layers = [...groupBy(all, ({ layer }) => layer)].sort(([a], [b]) => a - b).map(([, layer]) => layer);
  for (const layer of layers) stack(layer);
  for (let round = 0; round < ROUNDS; round++) {
    for (const layer of layers) arrange(layer, ({ before }) => before);
    for (const layer of layers.toReversed()) arrange(layer, ({ next }) => next);
  }
  for (let round = 0; round < ROUNDS; round++) for (const layer of layers) align(layer);
  return drawn(nodes, layers, slots, chains);
}

function slotOf(layer: number, node?: number): Slot {
  return { layer, node, before: [], next: [], y: 0 };
}

/** The length of the longest chain of nodes that each node waits for; links that form a cycle are ignored. */
function depthsOf(nodes: readonly GraphNode[]): number[] {
  const depths: number[] = [];
  const open = new Set<number>();
  const visit = (node: number): number => {
    const known = depths[node];
    if (known !== undefined) return known;
    if (open.has(node)) return -1;
    open.add(node);
    const depth = Math.max(-1, ...(nodes[node]?.after ?? []).map(visit)) + 1;
    open.delete(node);
    depths[node] = depth;
    return depth;
  };
  nodes.forEach((_, node) => visit(node));
  return depths;
}

/** Pairs of nodes whose second waits for the first, without those implied by others. */
function linksOf(nodes: readonly GraphNode[], depths: readonly number[]): (readonly [number, number])[] {
  const order = nodes.map((_, node) => node).sort((a, b) => (depths[a] ?? 0) - (depths[b] ?? 0));
  const above = new Map<number, ReadonlySet<number>>();
  return order.flatMap((node) => {
    const after = [...new Set(nodes[node]?.after)].filter((one) => (depths[one] ?? 0) < (depths[node] ?? 0));
    above.set(node, new Set(after.flatMap((one) => [one, ...(above.get(one) ?? [])])));
    return after.filter((one) => !after.some((other) => above.get(other)?.has(one))).map((one) => [one, node] as const);
  });
}

/** The slots from one node to another, with one in each layer between them. */
function chainOf(from: Slot | undefined, to: Slot | undefined): Slot[] {
  if (from === undefined || to === undefined) return [];
  const between = Array.from({ length: to.layer - from.layer - 1 }, (_, index) => slotOf(from.layer + index + 1));
  const chain = [from, ...between, to];
  chain.forEach((slot, index) => {
    const next = chain[index + 1];
    if (next === undefined) return;
    slot.next.push(next);
    next.before.push(slot);
  });
  return chain;
}

/** Half of the space that a slot takes. */
function half({ node }: Slot): number {
  return (node === undefined ? NARROW : ROW) / 2;
}

function stack(layer: readonly Slot[]): void {
  let at = 0;
  for (const slot of layer) {
    slot.y = at + half(slot);
    at += 2 * half(slot);
  }
}

function mean(slots: readonly Slot[], fallback: number): number {
  return slots.length === 0 ? fallback : slots.reduce((sum, { y }) => sum + y, 0) / slots.length;
}

/** Sorts a layer by the positions of its neighbours. */
function arrange(layer: Slot[], neighbours: (slot: Slot) => readonly Slot[]): void {
  const wanted = new Map(layer.map((slot) => [slot, mean(neighbours(slot), slot.y)]));
  layer.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
  stack(layer);
}

/** Moves slots towards their neighbours, in order and without overlap: the average of a forward and a backward pass. */
function align(layer: readonly Slot[]): void {
  const wanted = layer.map((slot) => mean([...slot.before, ...slot.next], slot.y));
  const down: number[] = [];
  layer.forEach((slot, at) => {
    const last = layer[at - 1];
    const least = last === undefined ? -Infinity : (down[at - 1] ?? 0) + half(last) + half(slot);
    down.push(Math.max(wanted[at] ?? 0, least));
  });
  const up: number[] = [];
  layer.toReversed().forEach((slot, index) => {
    const at = layer.length - 1 - index;
    const next = layer[at + 1];
    const most = next === undefined ? Infinity : (up[at + 1] ?? 0) - half(next) - half(slot);
    up[at] = Math.min(wanted[at] ?? 0, most);
  });
  layer.forEach((slot, at) => (slot.y = ((down[at] ?? 0) + (up[at] ?? 0)) / 2));
}

function drawn(
  nodes: readonly GraphNode[],
  layers: readonly (readonly Slot[])[],
  slots: readonly Slot[],
  chains: readonly (readonly Slot[])[],
): Layers {
  const widths = layers.map((layer) => Math.max(...layer.map(({ node }) => nodes[node ?? -1]?.width ?? 0)));
  const lefts = widths.map((_, at) => widths.slice(0, at).reduce((sum, width) => sum + width + GAP, 0));
  const top = Math.min(...layers.flat().map((slot) => slot.y - half(slot)));
  const bottom = Math.max(...layers.flat().map((slot) => slot.y + half(slot)));
  const left = (slot: Slot): Point => ({ x: lefts[slot.layer] ?? 0, y: Math.round(slot.y - top) });
  const right = (slot: Slot): Point => {
    const { x, y } = left(slot);
    return { x: x + (nodes[slot.node ?? -1]?.width ?? widths[slot.layer] ?? 0), y };
  };
  return {
    width: (lefts.at(-1) ?? 0) + (widths.at(-1) ?? 0),
    height: Math.round(bottom - top),
    count: layers.length,
    nodes: slots.map(left),
    lines: chains.map((chain) =>
      chain.flatMap((slot, at) => [...(at > 0 ? [left(slot)] : []), ...(at < chain.length - 1 ? [right(slot)] : [])]),
    ),
  };
}
