// Reports an unexpected error: enough to find the bug, but no user data.

import { SourceMap, type SourceMapPayload } from 'node:module';
import { BugError } from '../../core/diagnostic.ts';
import { filtered } from '../../platform/filter.ts';
import { readText } from '../../platform/read.ts';
import { tryTo } from '../../core/try.ts';
import { knownSecrets } from '../../core/secrets/known.ts';
import { Failure } from '../../core/failure.ts';
import type { Sink } from './host.ts';

/** Maximum length of an error message. */
const MAX_MESSAGE = 300;

/** The error as a failure with exit code 1. */
export function unexpectedError(error: unknown): Failure {
  return new Failure('error', [{ code: 'internal-error', severity: 'error', ...explain(error) }]);
}

function explain(error: unknown): { readonly message: string; readonly fix: string } {
  const file = missingFile(error);
  if (file !== undefined)
    return { message: `${file} is missing from this installation`, fix: 'install edgeform again' };
  const fix = 'please report this with the command that you ran; run plan to see what was done';
  return { message: `internal error: ${messageFor(error)}`, fix };
}

/** The program file that could not be loaded. */
function missingFile(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('url' in error) || codeIn(error) !== ' ERR_MODULE_NOT_FOUND') return undefined;
  return /\/((?:dist|src)\/[\w/.-]+)$/.exec(String(error.url))?.[1];
}

/** The same for when no other output works: the run, or the code that draws problems, is missing. */
export function printUnexpectedError(error: unknown, sink: Sink, isJson = false): void {
  const { diagnostics, message } = unexpectedError(error);
  const nowhere = { file: null, line: null, column: null, address: null, expected: null, got: null };
  const rows = diagnostics.map(({ code, severity, message, fix }) => ({ code, severity, message, ...nowhere, fix }));
  const text = isJson
    ? JSON.stringify({ format: 'edgeform-error/1', exit_code: 1, diagnostics: rows }, null, 2)
    : message;
  sink.write(`${filtered(text)}\n`);
}

/** Shows our own messages and those of the JavaScript engine about our code; others may quote input. */
function messageFor(error: unknown): string {
  if (!(error instanceof Error)) return 'a value was thrown that is not an error';
  const isOurs = error instanceof BugError;
  const isOfCode = !('code' in error) && (error instanceof TypeError || error instanceof RangeError);
  const said = isOurs || isOfCode ? `: ${knownSecrets.mask(error.message).slice(0, MAX_MESSAGE)}` : codeIn(error);
  return isOurs ? said.slice(2) : `${nameOf(error)}${said}${placeOf(error)}`;
}

function nameOf({ name }: Error): string {
  return /^\w{1,60}$/.test(name) ? name : 'Error';
}

function codeIn(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? ` ${code}` : '';
}

/** The innermost stack frame in our code, mapped to its source if the build has a source map. */
function placeOf({ stack = '', message }: Error): string {
  const calls = stack.slice(stack.indexOf(message) + message.length);
  for (const [, path = '', file = '', line, column] of calls.matchAll(FRAME)) {
    const place = placeInSource(`${path}${file}.map`, Number(line), Number(column)) ?? `${file}:${line}`;
    if (!place.includes('node_modules/')) return `, at ${place}`;
  }
  return '';
}

const FRAME = /^\s+at .*?(\/[^\n:]*\/(?:dist|src)\/)([\w/.-]+):(\d+):(\d+)/gm;
const MAX_MAP_BYTES = 64 * 1024 * 1024;

function placeInSource(map: string, line: number, column: number): string | undefined {
  return tryTo(() => {
    const sourceMap = new SourceMap(JSON.parse(readText(map, { maxBytes: MAX_MAP_BYTES })) as SourceMapPayload);
    const origin = sourceMap.findOrigin(line, column);
    return 'fileName' in origin
      ? `${origin.fileName.replace(/^(?:\.\.\/)+src\//, '')}:${origin.lineNumber}`
      : undefined;
  });
}
