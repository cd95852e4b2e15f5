// What happens around the command of an example of docs/errors.md: files that others change, and a service that is asked by
// others and answers something else. Knows neither the command line nor what the service holds.

import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonObject } from '../../src/core/json.ts';
import { fingerprintPlan } from '../../src/plan/build.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { Files } from '../../src/platform/files.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { Exchange } from '../../src/service/http/exchange.ts';
import type { Fault } from '../generate/examples.ts';

/** One request as a service takes it. */
interface Asked {
  readonly run: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A service, and the id of the object with an address. */
export interface Around {
  readonly ask: (asked: Asked) => { readonly status: number; readonly text: string };
  readonly idOf: (address: string) => string | undefined;
  readonly key: string;
  readonly clock: Clock;
}

/** Appends without flushes, which would take their time beside the clock's. */
export const openAppender: Files['openAppender'] = (path) => {
  const append = (text: string) => {
    appendFileSync(path, text);
    return Promise.resolve();
  };
  return { append, close: () => undefined };
};

export function writeFiles(cwd: string, files: Readonly<Record<string, string | number>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), typeof text === 'number' ? 'x'.repeat(text) : text);
  }
}

/** Does what others do: a request, a text at the end of a file, a first commit, or keys of a plan file. */
export function doOtherwise(cwd: string, line: string, around: Around): void {
  const [, verb = '', target = '', text = ''] = /^(\S+) (\S+) ?(.*)$/s.exec(line) ?? [];
  if (verb === 'append') appendFileSync(join(cwd, target), text);
  else if (verb === 'commit') commitTo(cwd, target);
  else if (verb === 'edit') editPlan(join(cwd, target), JSON.parse(text) as JsonObject);
  else askAs(around, verb, target, text);
}

/** The first commit of a new repository, with everything on this branch. */
function commitTo(cwd: string, branch: string): void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=you', '-c', 'user.email=you@example.com', ...args], { cwd, env });
  git('init', '--quiet', `--initial-branch=${branch}`);
  git('add', '.');
  git('commit', '--quiet', '--message', 'start');
}

/** Changes keys of a plan, which then looks as if the program had made it so. */
function editPlan(path: string, keys: JsonObject): void {
  const plan = { ...(JSON.parse(readFileSync(path, 'utf8')) as Plan), ...keys };
  writeFileSync(path, JSON.stringify({ ...plan, fingerprint: fingerprintPlan(plan) }));
}

/** A request of others; `{ADDRESS}` in its path stands for the id of the object that is marked so. */
function askAs({ ask, idOf, key }: Around, method: string, template: string, text: string): void {
  const path = template.replace(/\{([^{}]*)\}/g, (_, address: string) => idOf(address) ?? '');
  const headers = { authorization: `Bearer ${key}`, 'service-version': '2', 'content-type': 'application/json' };
  const { status, text: said } = ask({ run: 0, method, path, headers, text });
  if (status >= 400) throw new Error(`${method} ${path}: ${said}`);
}

/** The network between the program and the service, with faults. */
export function networkTo(around: Around, faults: readonly Fault[], signal: AbortController): Exchange {
  const seen = new Map<Fault, number>();
  const strikes = (one: Fault, request: string): boolean => {
    if (!new RegExp(one.on).test(request)) return false;
    seen.set(one, (seen.get(one) ?? 0) + 1);
    return one.nth === undefined || one.nth === seen.get(one);
  };
  return async ({ method, url, headers, body: text = '', timeoutMs }) => {
    const path = url.pathname + url.search;
    const struck = faults.find((one) => strikes(one, `${method} ${path}`));
    const { first, answer, error, isDone = answer === undefined && error === undefined } = struck ?? {};
    if (first === 'SIGINT') signal.abort();
    else if (first !== undefined) doOtherwise('', first, around);
    const real = isDone ? around.ask({ run: 1, method, path, headers, text }) : { status: 0, text: '' };
    await around.clock.sleep(error === 'timeout' ? timeoutMs : LATENCY_MS);
    if (error !== undefined) throw networkError(error);
    const made = { ...real, ...answer };
    const type = { 'content-type': 'application/json', ...answer?.headers };
    return { status: made.status, headers: type, bytes: Buffer.from(made.text) };
  };
}

const LATENCY_MS = 20;

function networkError(code: string): Error {
  if (code === 'timeout') return Object.assign(new Error('timeout'), { name: 'TimeoutError' });
  const syscall = code === 'ECONNREFUSED' ? 'connect' : 'read';
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code, syscall }) });
}
