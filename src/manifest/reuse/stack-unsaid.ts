// An environment is a stack. Without a name of its own, an overlay would take over what the stack of the manifest owns.

import { basename, dirname } from 'node:path/posix';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { trimEndOf, trimOf } from '../../core/text/trim.ts';
import { MAX_STACK_NAME } from '../../catalog/address.ts';
import { ADD } from '../../catalog/reuse-keys.ts';
import { buildSourceMap } from '../source-map.ts';
import type { ParsedFile } from '../text/parse.ts';

const STACK = 'stack';

/** An error when no overlay says which stack is meant, and the manifest's has no variable. */
export function stackUnsaid(files: readonly ParsedFile[], overlays: readonly ParsedFile[]): Diagnostic[] {
  const last = overlays.at(-1);
  const named = files.find(({ json }) => stackIn(json) !== undefined);
  const stack = named && stackIn(named.json);
  if (last === undefined || named === undefined || stack === undefined || stack.includes('${')) return [];
  if (overlays.some(mayNameStack) || named.unknownValues.has([STACK])) return [];
  const other = nameOfEnvironment(stack, last.name);
  const problem = buildSourceMap([last]).error('overlay-stack', [], {
    message: `with this overlay, the manifest is still the stack ${stack}, whose objects it would change`,
    expected: `stack: in an overlay, or a variable in that of the manifest`,
    fix: `write \`stack: ${other}\` first in ${last.name}, or \`stack: ${stack}\` if that stack is meant`,
  });
  const range = buildSourceMap([named]).value([STACK]);
  return [{ ...problem, related: [{ message: 'the manifest names its stack here', range }] }];
}

/** The stack that a document names. */
export function stackIn(json: Json): string | undefined {
  const stack = isObject(json) ? json[STACK] : undefined;
  return typeof stack === 'string' ? stack : undefined;
}

function mayNameStack({ json, unknownValues }: ParsedFile): boolean {
  const isNamed = documentsIn(json).some((document) => Object.hasOwn(document, STACK));
  return isNamed || !isObject(json) || unknownValues.mayHave([STACK]);
}

/** What an overlay changes, and what it adds. */
export function documentsIn(overlay: Json): readonly JsonObject[] {
  const added = isObject(overlay) ? (overlay[ADD] ?? null) : null;
  return [overlay, added].filter(isObject);
}

/** Names of files and folders that say nothing of an environment. */
const GENERIC: readonly string[] = ['edgeform', 'overlay', 'overlays', 'manifest', 'fd', ''];

/** The stack's name with that of the environment, as far as the file has one. */
function nameOfEnvironment(stack: string, file: string): string {
  const words = [basename(file).replace(/\.[^.]*$/, ''), basename(dirname(file))].map(asName);
  const own = words.find((word) => !GENERIC.includes(word) && /[a-z]/.test(word)) ?? 'staging';
  const isWhole = own === stack || own.startsWith(`${stack}-`);
  const name = isWhole && own !== stack ? own : `${stack}-${own}`;
  return trimEndOf(name.slice(0, MAX_STACK_NAME), '-');
}

function asName(text: string): string {
  return trimOf(text.toLowerCase().replace(/[^a-z0-9]+/g, '-'), '-');
}
