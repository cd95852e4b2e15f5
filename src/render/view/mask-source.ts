// Masks secrets in manifest text quoted in a problem: nothing is shown behind the name of a sensitive field, on its line and on
// the lines indented below it. The text may be broken YAML, so this works on lines; a secret under another name is shown.

import { SECRET_MASK } from '../../core/secrets/known.ts';
import { kinds } from '../../catalog/kinds/index.ts';
import { allFields } from '../../catalog/walk.ts';

const everyField = kinds.flatMap((kind) => allFields(kind.fields));
const NAMES = [...new Set(everyField.flatMap(({ name, field }) => (field.sensitive ? [name] : [])))];

/** A name at the beginning of an entry, and what separates it from its value. */
const KEY = /(?:^\s*(?:[-?]\s+)*|[{,[]\s*)["']?([\w.-]+)["']?\s*[:=]?\s*/g;
/** A value that only refers to a secret: a variable, a file or another object. */
const EXPRESSION = /^["']?\$\{(?:var\.[\w-]+|file:[\w./-]+|[a-z_]+\.[\w-]+(?:\.[\w-]+)+)\}["']?(?=\s*(?:[,}\]#]|$))/;

/** The beginning of a private key, wherever it was pasted. */
const PASTED = /-----BEGIN [A-Z ]*PRIVATE KEY|PuTTY-User-Key-File/;

/** A value that goes on below its line: lines indented more than its key belong to it, and the next one if it has not begun. */
interface OpenValue {
  readonly indentation: number;
  readonly hasBegun: boolean;
}

/** The lines of a text with every secret replaced. Line numbers stay, and so do columns before a mask. */
export function maskedLines(text: string): string[] {
  const names = new Set([...NAMES, ...namesOfValues(text)]);
  let open: OpenValue | undefined;
  return text.split(/\r\n|[\n\r]/).map((line) => {
    const indentation = line.length - line.trimStart().length;
    if (line.trim() === '') return line;
    if (open !== undefined && (!open.hasBegun || indentation > open.indentation)) {
      open = { ...open, hasBegun: line.trim() !== ':' };
      return `${line.slice(0, indentation)}${SECRET_MASK}`;
    }
    const { value, shown } = foundIn(line, names);
    open = value === undefined ? undefined : openValue(line, value, shown === line.length && value !== '');
    return shown === line.length ? line : `${line.slice(0, shown)}${SECRET_MASK}`;
  });
}

/** What has a value that may be secret, though no field says so. */
function namesOfValues(text: string): readonly string[] {
  // A fleet file does not know which of its variables are secret.
  if (text.split('\n').some((line) => /^\{?\s*["']?stacks["']?\s*:/.test(line.trimStart()))) return ['variables'];
  // Defaults are secret where the file declares a sensitive variable.
  return /\bsensitive["']?\s*:/.test(text) ? ['default'] : [];
}

/** Where the value ends; after a reference, which is shown, a key at the column of the line's first key is another one. */
function openValue(line: string, value: string, isReference: boolean): OpenValue {
  const before = (isReference ? /^\s*(?:[-?]\s+)*/ : /^\s*/).exec(line)?.[0] ?? '';
  return { indentation: before.length, hasBegun: value !== '' && !value.startsWith('#') };
}

/** What stands behind the last name of a secret, and how much of the line is shown: also a reference in its place. */
function foundIn(
  line: string,
  names: ReadonlySet<string>,
): { readonly value: string | undefined; readonly shown: number } {
  const keys = [...line.matchAll(KEY)].filter(([, name = '']) => names.has(name));
  const found = keys.map(({ index, 0: key }) => index + key.length);
  const pasted = line.search(PASTED);
  const secret = found.find((start) => !EXPRESSION.test(line.slice(start))) ?? (pasted < 0 ? undefined : pasted);
  const last = found.at(-1);
  return { value: last === undefined ? undefined : line.slice(last).trim(), shown: secret ?? line.length };
}
