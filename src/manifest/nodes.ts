// What a node of the YAML library is and where it stands. Knows nothing of the library's types.

export type Offsets = readonly [number, number];

/** A tag that is not one of YAML's own. */
export function hasUnknownTag(node: unknown): boolean {
  return typeof node === 'object' && node !== null && 'tag' in node && String(node.tag).startsWith('!');
}

export function rangeOf(node: unknown): Offsets | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return undefined;
  const [start, end] = node.range as readonly unknown[];
  return typeof start === 'number' && typeof end === 'number' ? [start, end] : undefined;
}
