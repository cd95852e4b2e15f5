// Tests of `npm test` that are run on a copy of the project with a seeded mistake in it: for mistakes that no run without
// another mistake would show, and for what a simulated machine does not have.

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Json } from '../../src/core/json.ts';
import { isList, isObject, parseJson } from '../../src/core/json.ts';

/** A file of the program with a mistake in it. */
export interface Changed {
  readonly file: string;
  readonly source: string;
}

/** A copy of the project that tests can be run in. */
export interface Copy {
  /** Name of the first test that fails with the change, or undefined; without a change, as the project is. */
  readonly failing: (tests: readonly string[], changed?: Changed) => Promise<string | undefined>;
  readonly remove: () => void;
}

/** How long the tests of one mistake may take; what hangs was noticed. */
const LIMIT_MS = 300_000;
/** How long all of them may take where there is no mistake, on a machine that is busy with something else. */
const WHOLE_MS = 1_800_000;
const LEFT_OUT = new Set(['node_modules', '.git', 'coverage']);
const RESULTS = 'results.json';

/** Copies the project from `root`, where it is built, to `folder`. */
export function copyProject(root: string, folder: string): Copy {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(root))
    if (!LEFT_OUT.has(name)) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(resolve(root, 'node_modules'), join(folder, 'node_modules'));
  return {
    failing: async (tests, changed) => {
      if (changed === undefined) return run(folder, tests, WHOLE_MS);
      const path = join(folder, 'src', changed.file);
      const before = readFileSync(path, 'utf8');
      const needsBuild = tests.some((name) => usesBuild(folder, name));
      const put = (source: string) => {
        writeFileSync(path, source);
        if (needsBuild) execFileSync(process.execPath, ['scripts/bundle.mjs'], { cwd: folder, stdio: 'ignore' });
      };
      put(changed.source);
      try {
        return await run(folder, tests, LIMIT_MS);
      } finally {
        put(before);
      }
    },
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether tests run what is made of the sources. */
export function usesBuild(folder: string, name: string): boolean {
  return /support\/cli\.ts'|dist/.test(readFileSync(join(folder, 'test', name), 'utf8'));
}

async function run(folder: string, tests: readonly string[], limitMs: number): Promise<string | undefined> {
  const results = join(folder, RESULTS);
  rmSync(results, { force: true });
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
  const args = ['run', '--bail', '1', '--maxWorkers', '1', '--reporter', 'json', '--outputFile', results];
  const child = spawn(process.execPath, [vitest, ...args, ...tests.map((name) => join('test', name))], {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, CI: '1' },
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), limitMs);
  const code = await new Promise<number | null>((done) => child.once('close', done));
  clearTimeout(limit);
  if (code === 0) return undefined;
  if (code === null) return 'the tests do not end';
  return firstFailure(results) ?? `vitest ended with ${code}`;
}

function firstFailure(results: string): string | undefined {
  let json: Json;
  try {
    json = parseJson(readFileSync(results, 'utf8'));
  } catch {
    return undefined;
  }
  const files = isObject(json) && isList(json['testResults']) ? json['testResults'].filter(isObject) : [];
  const tests = files.flatMap(({ assertionResults: list }) => (isList(list) ? list.filter(isObject) : []));
  const failed = tests.find(({ status }) => status === 'failed');
  const broken = files.find(({ status }) => status === 'failed');
  return failed === undefined ? broken && `cannot load: ${String(broken['message'])}` : String(failed['fullName']);
}
