// The examples of docs/errors.md: how to come to each code, and what the program then prints. In scripts/docs/errors all but
// `output` is written by hand; test/documents/errors.test.ts carries each out, and records that.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { JsonObject } from '../../src/core/json.ts';

export interface Example {
  readonly code: string;
  /** What led to it, where no file shows it. */
  readonly when?: string;
  /** Files by path; one with a number has so many bytes. */
  readonly files?: Readonly<Record<string, string | number>>;
  /** Files that the page does not show. */
  readonly hidden?: readonly string[];
  /** What was done before: commands, and what others did (scripts/docs/errors.ts). */
  readonly before?: readonly string[];
  readonly command: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What the service holds, as `edgeform emulator --seed` takes it. */
  readonly seed?: JsonObject;
  /** How the service differs from others, as in test/faults/service.ts. */
  readonly service?: JsonObject;
  readonly faults?: readonly Fault[];
  /** A mistake of the program itself, in its words. */
  readonly bug?: string;
  /** The lines of the output that are kept; all of them when missing. */
  readonly keep?: string;
  readonly output: string;
}

/** What goes wrong with the requests whose method and path match a pattern, or with the nth of them. */
export interface Fault {
  readonly on: string;
  readonly nth?: number;
  /** What comes first: a request of others (`METHOD PATH BODY`), or `SIGINT`. */
  readonly first?: string;
  /** The answer in place of the service's. */
  readonly answer?: { readonly status?: number; readonly text?: string; readonly headers?: Record<string, string> };
  /** The error in place of an answer: a code of the platform, or `timeout`. */
  readonly error?: string;
  /** True if the request is carried out, whatever the answer is. */
  readonly isDone?: boolean;
  /** True if this happens to the commands of `before`, and not to the one of the example. */
  readonly isBefore?: boolean;
}

/** The texts of the examples, by the path of the file that holds them. */
export function exampleTexts(root: string): ReadonlyMap<string, readonly string[]> {
  const folder = join(root, 'scripts/docs/errors');
  const paths = readdirSync(folder).map((name) => join(folder, name));
  return new Map(paths.map((path) => [path, readFileSync(path, 'utf8').split(/^---\n/m)]));
}

export function exampleOf(text: string): Example {
  return parse(text) as Example;
}

/** The examples of each code, in the order in which they are written. */
export function examplesByCode(root: string): ReadonlyMap<string, readonly Example[]> {
  const made = new Map<string, Example[]>();
  for (const text of [...exampleTexts(root).values()].flat()) {
    const example = exampleOf(text);
    made.set(example.code, [...(made.get(example.code) ?? []), example]);
  }
  return made;
}

/** The text of an example with what was recorded. */
export function withOutput(text: string, output: string): string {
  return text.replace(/^output:[\s\S]*$/m, '') + stringify({ output }, { lineWidth: 0 });
}

/** The lines of an output that its example keeps, with a mark where others are left out. */
export function shortened(output: string, { keep = '' }: Example): string {
  const pattern = new RegExp(keep);
  const lines = output.split('\n').map((line) => (pattern.test(line) ? line : '…'));
  return lines.filter((line, index) => line !== '…' || lines[index - 1] !== '…').join('\n');
}
