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
  const fix = 'please report this with the command that you ran; run plan to see what was done';
  return Failure.of('error', 'internal-error', `internal error: ${messageFor(error)}`, fix);
}

/** The same for when no other output works, because the run, or the code that draws problems, cannot be loaded. */
export function printUnexpectedError(error: unknown, sink: Sink): void {
  sink.write(`${filtered(unexpectedError(error).message)}\n`);
}

/** The variable of a parent names no pipe: the run goes on, but nobody should rely on it. */
export function printNoParent(sink: Sink): void {
  const consequence = 'this run goes on when the process that started it is killed';
  sink.write(`warning: EDGEFORM_PARENT_FD names no open pipe, so ${consequence}\n`);
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
  for (const call of calls.split('\n')) {
    const frame = frameIn(call);
    const place = frame && (placeInSource(frame) ?? `${frame.file}:${frame.line}`);
    if (place !== undefined && !place.includes('node_modules/')) return `, at ${place}`;
  }
  return '';
}

/** A place in a file of ours. */
interface StackFrame {
  readonly folder: string;
  /** Below our folder. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const CALL = /^\s+at /;
const POSITION = /:(\d+):(\d+)\)?$/;
const OUR_FOLDERS = ['/dist/', '/src/'];

/** The place in a line of a stack: `    at name (file:///opt/edgeform/dist/main.js:12:34)`. */
function frameIn(call: string): StackFrame | undefined {
  const position = CALL.test(call) ? POSITION.exec(call) : null;
  if (position === null) return undefined;
  const before = call.slice(0, position.index);
  const path = before.slice(before.indexOf('/', before.lastIndexOf(':') + 1));
  const start = Math.max(...OUR_FOLDERS.map((folder) => path.lastIndexOf(folder) + folder.length));
  const file = path.slice(start);
  if (!OUR_FOLDERS.some((folder) => path.slice(0, start).endsWith(folder)) || !/^[\w/.-]+$/.test(file))
    return undefined;
  return { folder: path.slice(0, start), file, line: Number(position[1]), column: Number(position[2]) };
}

const MAX_MAP_BYTES = 64 * 1024 * 1024;

function placeInSource({ folder, file, line, column }: StackFrame): string | undefined {
  return tryTo(() => {
    const map = `${folder}${file}.map`;
    const sourceMap = new SourceMap(JSON.parse(readText(map, { maxBytes: MAX_MAP_BYTES })) as SourceMapPayload);
    const origin = sourceMap.findOrigin(line, column);
    return 'fileName' in origin
      ? `${origin.fileName.replace(/^(?:\.\.\/)+src\//, '')}:${origin.lineNumber}`
      : undefined;
  });
}
