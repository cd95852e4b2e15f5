// One option: what the command line, its help and completion know of it, and how its value is read. Knows no command.

import { collectAll, usageError } from '../../core/failure.ts';
import { alternatives } from '../../core/text/closest.ts';
import type { Format } from '../../render/formats.ts';
import { asName } from './usage.ts';

/** What the command line, its help and completion need to know; plain data, which the build writes down. */
export interface Flag {
  /** The name of its value in the settings. */
  readonly name: string;
  readonly flags: string;
  readonly text: string;
  readonly isRepeatable?: boolean;
  readonly initial?: string;
  readonly choices?: readonly string[];
  /** Values of `--format`; settings reject others. */
  readonly formats?: readonly Format[];
}

/** An option as the parser of the command line returns it. */
export type Given = string | readonly string[] | boolean | undefined;

/** The formats of the current command, and which commands have the others. */
export interface Offer {
  readonly formats: readonly Format[];
  readonly commandsWith: (format: Format) => readonly string[];
}

interface Uses {
  /** Help where a command only reads what others write. */
  readonly reading?: string;
  /** True if the suggested command that applies a saved plan repeats it. */
  readonly isRepeated?: true;
  /** True if its value is a file that is read. */
  readonly isRead?: true;
  /** The files that a command with this value writes. */
  readonly written?: (path: string) => readonly string[];
}

export interface Option<Value> extends Flag, Uses {
  /** The value, or its default. Throws for wrong usage. */
  readonly parse: (given: Given, offer: Offer) => Value;
}

type More = Uses & Pick<Flag, 'initial' | 'choices'>;
type Parse<Value> = (given: string | undefined, offer: Offer) => Value;

export function parsed<Value>(flags: string, text: string, parse: Parse<Value>, more: More = {}): Option<Value> {
  const valueOf = (given: Given, offer: Offer) => {
    // The last one would win without a word: a stack that a pipeline guards, or a wave that must come first.
    if (Array.isArray(given))
      throw usageError(`${longName({ flags })} is given twice, with different values`, 'give it once');
    return parse(typeof given === 'string' ? given : undefined, offer);
  };
  return { name: '', flags, text, ...more, parse: valueOf };
}

export function word(flags: string, text: string, more?: More): Option<string | undefined> {
  return parsed(flags, text, (given) => given, more);
}

export function each<T>(flags: string, text: string, parse: (given: string) => T, more?: More): Option<readonly T[]> {
  const valuesOf = (given: Given) => collectAll([given ?? []].flat(), (one) => parse(String(one)));
  return { name: '', flags, text: `${text} (repeatable)`, isRepeatable: true, ...more, parse: valuesOf };
}

export function words(flags: string, text: string, more?: More): Option<readonly string[]> {
  return each(flags, text, (given) => given, more);
}

export function toggle(flags: string, text: string): Option<boolean> {
  return { name: '', flags, text, parse: (given) => given === true };
}

/** One of some words; `what` describes them in a message. */
export function choice<T extends string>(
  flags: string,
  { what, choices }: { what: string; choices: readonly T[] },
  otherwise: T,
): Option<T> {
  const parse = (given: string = otherwise) => {
    const found = choices.find((one) => one === given);
    if (found !== undefined) return found;
    throw usageError(`${longName({ flags })} "${asName(given)}" is not ${what}`, `use ${alternatives(choices)}`);
  };
  return parsed(flags, alternatives(choices), parse, { initial: otherwise });
}

interface NumberForm {
  readonly range: readonly [min: number, max: number];
  /** An example, or what else to do. */
  readonly fix: number | string;
  /** True for seconds on the command line and milliseconds in the settings. */
  readonly isSeconds?: true;
  /** As of an option. */
  readonly isRepeated?: true;
}

export function number<T extends number | undefined>(flags: string, text: string, form: NumberForm, otherwise: T) {
  const { range, fix, isSeconds, isRepeated } = form;
  const [min, max] = range;
  const name = longName({ flags });
  const parse = (given: string | undefined): number | T => {
    if (given === undefined) return otherwise;
    const isShort = /^\d+$/.test(given) && given.length <= String(max).length;
    if (isShort && Number(given) >= min && Number(given) <= max) return Number(given) * (isSeconds ? 1000 : 1);
    const help = typeof fix === 'number' ? `for example ${name} ${fix}` : fix;
    throw usageError(`${name} takes a number${isSeconds ? ' of seconds' : ''} from ${min} to ${max}`, help);
  };
  return parsed(flags, text, parse, isRepeated && { isRepeated });
}

/** `--file` of `-f, --file <path>` */
export function longName({ flags }: Pick<Flag, 'flags'>): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags;
}
