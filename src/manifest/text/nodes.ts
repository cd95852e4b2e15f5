// What a node of the YAML library is and where it stands. Knows nothing of the library's types.

export type Offsets = readonly [number, number];

/**
 * Builds of the library for Node and for browsers differ in what they say of a `!!binary` that is no base64. It is refused in
 * any case, so what it holds is never an error.
 */
export const BINARY = { tag: 'tag:yaml.org,2002:binary', resolve: (text: string) => Buffer.from(text, 'base64') };

/** A tag that is not one of YAML's own. */
export function hasUnknownTag(node: unknown): boolean {
  return typeof node === 'object' && node !== null && 'tag' in node && String(node.tag).startsWith('!');
}

/** A tag of YAML whose values JSON does not have, such as `!!binary`. */
export function hasOtherTag(node: unknown): boolean {
  if (typeof node !== 'object' || node === null || !('tag' in node) || typeof node.tag !== 'string') return false;
  return /^tag:yaml\.org,2002:(?!(?:str|int|float|bool|null|map|seq)$)/.test(node.tag);
}

export function rangeOf(node: unknown): Offsets | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return undefined;
  const [start, end] = node.range as readonly unknown[];
  return typeof start === 'number' && typeof end === 'number' ? [start, end] : undefined;
}

/** A quoted text, or a block or list in brackets. */
export interface Delimited {
  readonly range: Offsets;
  readonly isFlow: boolean;
}

/** The node itself, when it is one of these. */
export function delimitedAt(node: unknown): Delimited[] {
  const range = rangeOf(node);
  if (range === undefined || typeof node !== 'object' || node === null) return [];
  const isFlow = 'flow' in node && node.flow === true;
  const isQuoted = 'type' in node && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE');
  return isFlow || isQuoted ? [{ range, isFlow }] : [];
}

/** A key that is text. */
export function keyOf(node: unknown): string | undefined {
  if (typeof node !== 'object' || node === null || !('value' in node)) return undefined;
  return typeof node.value === 'string' ? node.value.normalize('NFC') : undefined;
}

export function isMerge({ key }: { readonly key: unknown }): boolean {
  return keyOf(key) === '<<';
}

/** A number or switch as it is written: quotes make it text. */
export function sourceOf(node: unknown): string | undefined {
  if (typeof node !== 'object' || node === null || !('value' in node) || node.value === null) return undefined;
  return 'source' in node && typeof node.source === 'string' ? node.source : undefined;
}
