// With EDGEFORM_RECORD=FOLDER, keeps what each call of the command line said and asked: arguments, both streams, the requests that
// services of this process got, and the exit code. What differs from run to run has a name in its place, so that `diff -r` of two
// such folders says what a refactoring has changed.

import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, mkdirSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Ran } from './cli.ts';

const FOLDER = process.env['EDGEFORM_RECORD'];
const TESTS = fileURLToPath(new URL('..', import.meta.url));

/** What is random, a time, a port or a temporary folder. */
const PASSING: readonly (readonly [RegExp, string])[] = [
  [/(?:\/dev\/shm|\/tmp)\/ef-[A-Za-z0-9]+(?:\/[a-z]+-[A-Za-z0-9]{6})?/g, 'FOLDER'],
  [/(127\.0\.0\.1|localhost|\[::1\])(:|_|%3A)\d+/g, '$1$2PORT'],
  [/\d{4}-\d\d-\d\d[ T][\d:.]+Z?/g, 'TIME'],
  [/\b[a-z]+_[0-9A-Za-z]{27}\b/g, 'ID'],
  [/\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{6,})\b/g, 'HEX'],
  [/\b[\w-]{32,}\b/g, 'RANDOM'],
  [/((?:created_by|metadata)\W+)[\w-]{12}(?![\w-])/g, '$1DIGEST'],
  [/\b\d+(?:\.\d+)? (m?s|min)\b/g, 'N $1'],
  [/("[a-z_]*(?:seconds|ms)":\s*)[\d.]+/g, '$1N'],
];

/** Since the last call ended, or the first of several began. */
let requests: (() => string)[] = [];

let callsUnderWay = 0;

const known = new WeakSet<Server>();

if (FOLDER !== undefined) {
  // Told before the server's listeners are, so that it listens to the first request of each server, too.
  subscribe('http.server.request.start', (message) => {
    const { server } = message as { readonly server: Server };
    if (!known.has(server)) server.prependListener('request', note);
    known.add(server);
  });
}

function note(request: IncomingMessage): void {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  requests.push(() => withoutPassing(`${request.method} ${request.url} ${Buffer.concat(parts).toString()}`));
}

function withoutPassing(text: string): string {
  return PASSING.reduce((left, [pattern, name]) => left.replaceAll(pattern, name), text);
}

/** The same, kept when it has ended. Requests that were sent at the same time have no order. */
export async function recorded<R extends Ran>(args: readonly string[], ran: Promise<R>): Promise<R> {
  const { currentTestName: test = '', testPath = '' } = expect.getState();
  if (callsUnderWay === 0) requests = [];
  callsUnderWay += 1;
  const done = await ran.finally(() => (callsUnderWay -= 1));
  if (FOLDER === undefined) return done;
  const asked = requests.map((one) => one()).sort();
  requests = [];
  const lines = [
    `# ${test}`,
    `$ edgeform ${args.join(' ')}`,
    ...done.stdout.split('\n').map((line) => `  ${line}`),
    ...done.stderr.split('\n').map((line) => `! ${line}`),
    ...asked.map((line) => `> ${line}`),
    `exit code ${done.code}`,
  ];
  mkdirSync(FOLDER, { recursive: true });
  const name = relative(TESTS, testPath).replaceAll('/', '--');
  appendFileSync(join(FOLDER, `${name}.txt`), `${withoutPassing(lines.join('\n'))}\n\n`);
  return done;
}
