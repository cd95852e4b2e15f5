// Trees → YAML 1.2 that our reader and others parse to exactly the same values: ambiguous text is quoted, and invisible
// characters are escaped.

import { isList } from '../core/json.ts';

/** The content of a file before it becomes text: scalars, lists, and maps with comments. */
export type Tree = string | number | boolean | null | readonly Tree[] | TreeMap;

interface TreeMap {
  readonly entries: readonly TreeEntry[];
  readonly onOneLine?: true;
}

export interface TreeEntry {
  readonly key: string;
  readonly value: Tree;
  /** Lines above the key. */
  readonly comments?: readonly string[];
}

const WIDTH = 100;
const STEP = '  ';

/** Comment lines; invisible characters are escaped here, too. */
export function commentLines(lines: readonly string[], indent = ''): string[] {
  return lines.map((line) => `${indent}#${line === '' ? '' : ' '}${escaped(line)}`);
}

/** The lines of a text after its key: a header, then the text; undefined where they would not say the same. */
export function blockLines(text: string, indent: string): string[] | undefined {
  if (!isBlock(text)) return undefined;
  const lines = text.replace(/\n$/, '').split('\n');
  return [text.endsWith('\n') ? '|' : '|-', ...lines.map((line) => (line === '' ? '' : indent + line))];
}

/** The text in these quotes, or in double ones if single ones cannot hold it. */
export function quotedText(text: string, quote: '"' | "'"): string {
  const isSingle = quote === "'" && text.search(UNSEEN) < 0;
  return isSingle ? `'${text.replaceAll("'", "''")}'` : `"${escaped(text.replace(/["\\]/g, '\\$&'))}"`;
}

export function yamlLines(entries: readonly TreeEntry[], indent = ''): string[] {
  return entries.flatMap(({ key, value, comments = [] }) => {
    const [first = '', ...rest] = valueLines(value, indent);
    return [...commentLines(comments, indent), `${indent}${textOf(key)}:${first}`, ...rest];
  });
}

/** An entry on one line, which stands in maps of either style. */
export function flowEntry({ key, value }: TreeEntry): string {
  return `${textOf(key)}: ${flowText(value)}`;
}

export function flowText(tree: Tree): string {
  if (typeof tree === 'string') return textOf(tree);
  if (typeof tree !== 'object' || tree === null) return String(tree);
  if (isList(tree)) return `[${tree.map(flowText).join(', ')}]`;
  return tree.entries.length === 0 ? '{}' : `{ ${tree.entries.map(flowEntry).join(', ')} }`;
}

/** The value after a key: the rest of its line, then lines below it. */
function valueLines(tree: Tree, indent: string): string[] {
  const inner = indent + STEP;
  const block = typeof tree === 'string' ? blockLines(tree, inner) : undefined;
  if (block !== undefined) return block.map((line, index) => (index === 0 ? ` ${line}` : line));
  const short = oneLine(tree);
  const isScalar = typeof tree !== 'object' || tree === null;
  if (isScalar || (short !== undefined && short.length + indent.length < WIDTH)) return [` ${short ?? ''}`];
  return ['', ...(isList(tree) ? tree.flatMap((item) => itemLines(item, inner)) : yamlLines(tree.entries, inner))];
}

function itemLines(item: Tree, indent: string): string[] {
  if (typeof item !== 'object' || item === null || isList(item) || item.entries.length === 0) {
    const [first = '', ...rest] = valueLines(item, indent);
    return [`${indent}-${first}`, ...rest];
  }
  const [first = '', ...rest] = yamlLines(item.entries, indent + STEP);
  return [`${indent}- ${first.trimStart()}`, ...rest];
}

/** The value on one line, or undefined if it needs several. */
function oneLine(tree: Tree): string | undefined {
  return fitsOneLine(tree) ? flowText(tree) : undefined;
}

function fitsOneLine(tree: Tree): boolean {
  if (typeof tree !== 'object' || tree === null) return true;
  if (isList(tree)) return !tree.some((item) => typeof item === 'object' && item !== null);
  return tree.entries.length === 0 || tree.onOneLine === true;
}

const PLAIN = /^[A-Za-z0-9_./](?:[A-Za-z0-9_./@+=:-]| (?! ))*$/;
/** Text that YAML 1.1 or 1.2 reads as another type or as a marker. */
const AMBIGUOUS =
  /^(?:null|true|false|yes|no|on|off|y|n|[-+]?\.(?:inf|nan)|[-+]?[.0-9][0-9a-fA-F_.:xXoOeE+-]*|\d{4}-\d\d?-\d\d?(?:t| +)\d\d?:.*)$/i;
/** Control, format and other characters that a reader of the file would not recognise. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

function textOf(text: string): string {
  const isPlain = PLAIN.test(text) && !/:(?: |$)| $/.test(text) && !AMBIGUOUS.test(text);
  if (isPlain) return text;
  return quotedText(text, /["\\]/.test(text) ? "'" : '"');
}

function escaped(text: string): string {
  return text.replace(UNSEEN, (char) => {
    if (char === '\n') return '\\n';
    if (char === '\t') return '\\t';
    const code = char.codePointAt(0) ?? 0;
    const hex = code.toString(16).toUpperCase();
    if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
    return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
  });
}

/** True for multi-line text that is readable and parses back as a literal block. */
function isBlock(text: string): boolean {
  const lines = text.replace(/\n$/, '').split('\n');
  const isPlain = !/^[ \n]|\n\n$/.test(text) && lines.every((line) => line.search(UNSEEN) < 0 && !line.endsWith(' '));
  return lines.length > 1 && isPlain;
}
