// Trees → YAML 1.2 that reads back as exactly the same values, in the manifest's reader and in others: text that could be
// taken for something else is quoted, and what cannot be seen is escaped.

import type { TreeEntry, Tree } from './yaml-tree.ts';

const WIDTH = 100;
const STEP = '  ';

/** The lines of a document. */
export function yamlLines(entries: readonly TreeEntry[]): string[] {
  return mapLines(entries, '');
}

/** Lines that YAML readers skip; what cannot be seen is escaped, also here. */
export function commentLines(lines: readonly string[], indent = ''): string[] {
  return lines.map((line) => `${indent}#${line === '' ? '' : ' '}${escaped(line)}`);
}

function mapLines(entries: readonly TreeEntry[], indent: string): string[] {
  return entries.flatMap(({ key, value, comments = [] }) => {
    const [first = '', ...rest] = valueLines(value, indent);
    return [...commentLines(comments, indent), `${indent}${textOf(key)}:${first}`, ...rest];
  });
}

/** What follows a key: the rest of its line, then lines below it. */
function valueLines(tree: Tree, indent: string): string[] {
  const inner = indent + STEP;
  if (tree.type === 'scalar' && typeof tree.value === 'string' && isBlock(tree.value)) {
    const marker = tree.value.endsWith('\n') ? '|' : '|-';
    const lines = tree.value.replace(/\n$/, '').split('\n');
    return [` ${marker}`, ...lines.map((line) => (line === '' ? '' : inner + line))];
  }
  const short = oneLine(tree);
  if (short !== undefined && (tree.type === 'scalar' || short.length + indent.length < WIDTH)) return [` ${short}`];
  if (tree.type === 'map') return ['', ...mapLines(tree.entries, inner)];
  if (tree.type === 'list') return ['', ...tree.items.flatMap((item) => itemLines(item, inner))];
  return [` ${short ?? ''}`];
}

function itemLines(item: Tree, indent: string): string[] {
  if (item.type !== 'map' || item.entries.length === 0) {
    const [first = '', ...rest] = valueLines(item, indent);
    return [`${indent}-${first}`, ...rest];
  }
  const [first = '', ...rest] = mapLines(item.entries, indent + STEP);
  return [`${indent}- ${first.trimStart()}`, ...rest];
}

/** The value in one line, or undefined when it is better spread. */
function oneLine(tree: Tree): string | undefined {
  if (tree.type === 'scalar') return typeof tree.value === 'string' ? textOf(tree.value) : String(tree.value);
  if (tree.type === 'list') {
    if (!tree.items.every((item) => item.type === 'scalar')) return undefined;
    return `[${tree.items.map((item) => oneLine(item) ?? '').join(', ')}]`;
  }
  if (tree.entries.length === 0) return '{}';
  if (tree.onOneLine !== true) return undefined;
  const parts = tree.entries.map(({ key, value }) => `${textOf(key)}: ${oneLine(value) ?? ''}`);
  return `{ ${parts.join(', ')} }`;
}

const PLAIN = /^[A-Za-z0-9_./](?:[A-Za-z0-9_./@+=:-]| (?! ))*$/;
/** What YAML 1.1 or 1.2 takes for a value of another type, or for a marker. */
const AMBIGUOUS = /^(?:null|true|false|yes|no|on|off|y|n|[-+]?\.(?:inf|nan)|[-+]?[.0-9][0-9a-fA-F_.:xXoOeE+-]*)$/i;
/** Control, format and other characters that a reader of the file would not see as what they are. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

function textOf(text: string): string {
  const isPlain = PLAIN.test(text) && !/:(?: |$)| $/.test(text) && !AMBIGUOUS.test(text);
  if (isPlain) return text;
  if (text.search(UNSEEN) >= 0) return `"${escaped(text.replace(/["\\]/g, '\\$&'))}"`;
  return /["\\]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;
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

/** True for text of several lines that reads well, and back, as a literal block. */
function isBlock(text: string): boolean {
  const lines = text.replace(/\n$/, '').split('\n');
  const isPlain = !/^[ \n]|\n\n$/.test(text) && lines.every((line) => line.search(UNSEEN) < 0 && !line.endsWith(' '));
  return lines.length > 1 && isPlain;
}
