// Masks secrets in manifest text quoted in a problem. The text may be broken YAML, so this works on lines and masks too much
// rather than too little.

import { SECRET_MASK } from '../../core/secrets/known.ts';
import { closest } from '../../core/text/closest.ts';
import { kinds } from '../../catalog/kinds/index.ts';
import { plainNames, secretNameIn, sensitiveNames } from '../../catalog/secrecy/secret-names.ts';
import { BEGIN, depthOf, continueValue, openValue, type OpenValue } from './open-value.ts';

/** Defaults of variables may be secret, and so may text in place of a declaration. */
const VARIABLES = 'variables';
const SECTIONS: ReadonlySet<string> = new Set([
  ...['version', 'stack', 'metadata', 'outputs', 'moved', 'removed', VARIABLES],
  ...kinds.map((kind) => kind.manifestKey),
]);
const PLAIN_IN_VARIABLES: ReadonlySet<string> = new Set(['sensitive', 'description']);

/** Names that are not ours but sound like a secret. */
const LIKELY = /secret|token|pass(?:w|phrase|code|$)|pwd|private|credential|api_?key|key$|authorization|bearer|hmac/i;
const WORD = /[A-Za-z_][\w-]*/g;
/** A value that only refers to a secret: a variable, a file or another object. */
const EXPRESSION = /^["']?\$\{(?:var\.[\w-]+|file:[\w./-]+|[a-z_]+\.[\w-]+(?:\.[\w-]+)+)\}["']?(?=\s*(?:[,}\]#]|$))/;

/** The lines of a text with every possible secret replaced. Line numbers stay, and so do columns before a mask. */
export function maskedLines(text: string): string[] {
  const lines = text.split(/\r\n|[\n\r]/);
  const anchors = anchorsIn(lines);
  const top = topOf(lines);
  let open: OpenValue | undefined;
  let inVariables = false;
  return lines.map((line) => {
    open = open && continueValue(open, line, isKnown);
    if (open !== undefined) return hiddenFrom(line, line.length - line.trimStart().length);
    const words = wordsIn(line, top, inVariables);
    const found = first(pastedIn(line), first(valueAt(line, anchors), valueIn(line, words)));
    inVariables = words.at(-1)?.inVariables ?? inVariables;
    open = found?.open;
    return hiddenFrom(line, found?.shown ?? line.length);
  });
}

function hiddenFrom(line: string, start: number): string {
  return start === line.length ? line : `${line.slice(0, start)}${SECRET_MASK}`;
}

/** A value that may be secret: how much of its line is shown, and how it continues. */
interface Found {
  readonly shown: number;
  readonly open: OpenValue;
}

function first(one: Found | undefined, other: Found | undefined): Found | undefined {
  return one !== undefined && (other === undefined || one.shown < other.shown) ? one : other;
}

/** Names of anchors that secrets are aliases of. */
function anchorsIn(lines: readonly string[]): ReadonlySet<string> {
  const aliases = lines.flatMap(
    (line) => line.slice(valueIn(line, wordsIn(line))?.shown ?? line.length).match(/\*[^\s,[\]{}]+/g) ?? [],
  );
  return new Set(aliases.map((alias) => alias.slice(1)));
}

/** The value at one of the anchors. */
function valueAt(line: string, anchors: ReadonlySet<string>): Found | undefined {
  if (anchors.size === 0) return undefined;
  const found = [...line.matchAll(/&([^\s,[\]{}]+)\s*/g)].find(([, name = '']) => anchors.has(name));
  if (found === undefined) return undefined;
  const shown = found.index + found[0].length;
  return { shown, open: openValue(line, line.slice(shown), false) };
}

/** The beginning of private key files. */
const PASTED = new RegExp(`${BEGIN}|PuTTY-User-Key-File`, 'i');

/** A key block anywhere: it may have been pasted in the wrong place. */
function pastedIn(line: string): Found | undefined {
  const shown = line.search(PASTED);
  return shown < 0 ? undefined : { shown, open: { ...openValue(line, line.slice(shown), false), endsAt: 'any key' } };
}

/** The first value of a key that may be secret. A reference to a secret is shown, but hidden if it continues. */
function valueIn(line: string, words: readonly Word[]): Found | undefined {
  let named: Found | undefined;
  for (const word of words) {
    const secrecy = secrecyOf(word);
    if (secrecy === undefined) continue;
    const { value } = word;
    const open = openValue(line, value, secrecy === 'likely');
    const [expression] = EXPRESSION.exec(value) ?? [];
    const rest = value.slice(expression?.length);
    if (expression === undefined) return { shown: line.length - value.length, open };
    if (rest.includes('#')) return { shown: line.length - rest.length, open };
    if (!/^\s*[,}\]]/.test(rest)) named ??= { shown: line.length, open };
  }
  return named;
}

/** A word that may be a key, and the text after it. */
interface Word {
  readonly word: string;
  /** True at the start of an entry, so that a word with a colon is a key. */
  readonly isFirst: boolean;
  /** The text between it and the value. */
  readonly gap: string;
  readonly value: string;
  /** True inside the declarations of variables, and for the key above them. */
  readonly inVariables: boolean;
}

function wordsIn(line: string, top = 0, isInVariables = false): Word[] {
  const bare = line.replace(QUOTED, (text, colon?: string) =>
    colon === undefined ? ' '.repeat(text.length) : text.replace(/["']/g, ' '),
  );
  let inVariables = isInVariables;
  let depth = 0;
  let from = 0;
  return [...line.matchAll(WORD)].map(({ 0: word, index }) => {
    const isFirst = ENTRY.test(line.slice(Math.max(0, index - MOST_BEFORE), index));
    const name = (isFirst ? secretNameIn(word) : undefined) ?? word;
    const after = line.slice(index + name.length);
    const gap = /^["']?\s*[:=]?\s*/.exec(after)?.[0] ?? '';
    if (isFirst && gap.includes(':') && SECTIONS.has(name) && bare.startsWith(name, index)) {
      const between = bare.slice(from, index);
      depth = name === VARIABLES ? 0 : depth + depthOf(between);
      const isOnTop = from + between.trim().length === 0 ? line.search(/\S/) <= top : FLOW.test(line) && depth <= 0;
      inVariables = name === VARIABLES || (inVariables && !isOnTop);
      from = index;
    }
    return { word: name, isFirst, gap, value: after.slice(gap.length), inVariables };
  });
}

const QUOTED = /(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(\s*:)?/g;
const FLOW = /^\s*["'}\],[{]/;
const MOST_BEFORE = 20;
const ENTRY = /(?:^\s*(?:[-?]\s+)*|[{,[]\s*)["']?$/;

/** The indentation of the first section. */
function topOf(lines: readonly string[]): number {
  const indents = lines.map((line) => /^(\s*)["']?(\w+)["']?\s*:/.exec(line) ?? []);
  return indents.find(([, , name = '']) => SECTIONS.has(name))?.[1]?.length ?? 0;
}

/** Whether a word's value is a secret, or only sounds like one and may be a block of other entries. */
function secrecyOf({ word, isFirst, gap, value, inVariables }: Word): 'certain' | 'likely' | undefined {
  if (sensitiveNames.includes(word)) return /^[\w"'-]?$/.test(value[0] ?? '') || gap !== '' ? 'certain' : undefined;
  if (!/[:=]/.test(gap)) return undefined;
  const isBlock = value.startsWith('{');
  if (inVariables) return isFirst && !isBlock && !PLAIN_IN_VARIABLES.has(word) ? 'likely' : undefined;
  if (isKnown(word)) return undefined;
  if (closest(word, sensitiveNames) !== undefined) return 'certain';
  return LIKELY.test(word) && !isBlock ? 'likely' : undefined;
}

function isKnown(key: string): boolean {
  return plainNames.has(key) || SECTIONS.has(key) || key === 'sensitive' || sensitiveNames.includes(key);
}
