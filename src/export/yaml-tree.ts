// What a YAML file holds before it is text: maps with comments, lists and scalars. Knows nothing of kinds.

export interface TreeEntry {
  readonly key: string;
  readonly value: Tree;
  /** Lines above the key. */
  readonly comments?: readonly string[];
}

export type Tree =
  | { readonly type: 'scalar'; readonly value: string | number | boolean | null }
  | { readonly type: 'list'; readonly items: readonly Tree[] }
  | { readonly type: 'map'; readonly entries: readonly TreeEntry[]; readonly onOneLine?: true };

export function scalar(value: string | number | boolean | null): Tree {
  return { type: 'scalar', value };
}

export function map(entries: readonly TreeEntry[]): Tree {
  return { type: 'map', entries };
}
