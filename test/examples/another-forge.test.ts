// The script for forges without a pipeline of ours, as its document has it: what it refuses, and what its reports say. The configurations
// beside it are read.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { fencesIn } from '../../scripts/docs/blocks.mjs';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { servedScript } from '../support/served.ts';
import { commit, git, GIT_ENV, startRepository } from '../support/repository.ts';

const SCRIPT = 'ci/edgeform.sh';
const { fences } = fencesIn(readFileSync('docs/how-to/another-forge.md', 'utf8'));
const script = fences.find(({ file }) => file === SCRIPT)?.text ?? '';
const manifest = (description: string) => `version: 1
stack: shop
failover_backends:
  app: { description: ${description}, backends: [bkdhr_1] }
`;
const EMPTY = 'version: 1\nstack: shop\nfailover_backends: {}\n';
const WITHOUT_ALL = 'version: 1\nstack: shop\n';

/** A folder with the `edgeform` that the script finds. */
const bin = mkdtempSync(join(tmpdir(), 'bin-'));
const program = await servedScript(mkdtempSync(join(tmpdir(), 'served-')));
writeFileSync(join(bin, 'edgeform'), `#!/bin/bash\n${program}\n`, { mode: 0o755 });
writeFileSync(join(bin, 'npm'), '#!/bin/sh\necho "key: $EDGEFORM_API_KEY, args: $*"\n', { mode: 0o755 });

let service: Emulator;
let cwd: string;

beforeEach(async () => {
  service = await startEmulator({ apiKey: 'local' });
  const origin = mkdtempSync(join(tmpdir(), 'origin-'));
  git(origin, 'init', '--quiet', '--bare', '--initial-branch', 'main');
  cwd = mkdtempSync(join(tmpdir(), 'checkout-'));
  startRepository(cwd, { [SCRIPT]: script, 'edgeform.yaml': manifest('one') });
  git(cwd, 'remote', 'add', 'origin', origin);
  git(cwd, 'push', '--quiet', 'origin', 'HEAD:main');
});
afterEach(() => service.close());

/** Runs one job in the smallest shell that is here. */
function job(name: string, env: Readonly<Record<string, string>> = {}) {
  return new Promise<{ readonly code: number | null; readonly log: string }>((done) => {
    const path = [bin, dirname(process.execPath), GIT_ENV['PATH']].join(delimiter);
    const own = { ...GIT_ENV, PATH: path, EDGEFORM_BASE_URL: service.url, EDGEFORM_API_KEY: 'local', ...env };
    const child = spawn('sh', [SCRIPT, name], { cwd, env: own });
    let log = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += String(chunk)));
    child.once('close', (code) => {
      done({ code, log });
    });
  });
}

const result = (name: string) => readFileSync(join(cwd, 'test-results', name), 'utf8');
const writes = () => service.requests.filter(({ method }) => method !== 'GET').length;
const push = (text: string) => {
  commit(cwd, { 'edgeform.yaml': text });
  git(cwd, 'push', '--quiet', 'origin', 'HEAD:main');
};

test('from a plan that is read to drift, each job leaves a report', async () => {
  expect((await job('validate', { EDGEFORM_BASE_URL: '', EDGEFORM_API_KEY: '' })).code).toBe(0);
  expect(result('validate.xml')).toMatch(/<testsuite [^>]*tests="1" failures="0"/);
  const planned = await job('plan', { BASE: git(cwd, 'rev-parse', 'HEAD') });
  expect([planned.code, planned.log]).toEqual([0, expect.stringContaining('failover_backends.app')]);
  expect(result('plan.md')).toMatch(
    /^<!-- edgeform:plan stack=shop [^\n]*result=pending[\s\S]*Already pending: 1 to create/,
  );
  expect([writes(), (await job('apply')).code, service.objects('backends').length]).toEqual([0, 0, 1]);
  expect(result('apply.xml')).toMatch(/<testsuite [^>]*failures="0"/);
  expect((await job('drift')).code).toBe(0);
  service.mutate('backends', String(service.objects('backends')[0]?.['id']), { description: 'by hand' });
  expect((await job('drift')).code).toBe(2);
  expect(result('drift.xml')).toMatch(/<testsuite [^>]*failures="1"/);
  expect(result('drift.md')).toContain('by hand');
});

describe('what is refused, with nothing written', () => {
  test('a manifest that is wrong', async () => {
    push(manifest('one').replace('backends: [', 'bakends: ['));
    expect((await job('validate')).code).toBe(4);
    expect(result('validate.xml')).toMatch(/failures="1"/);
    expect((await job('plan')).code).toBe(4);
    expect(existsSync(join(cwd, 'plan.json'))).toBe(false);
  });

  test('a plan that apply would refuse is red, and shown', async () => {
    await job('plan');
    await job('apply');
    push(WITHOUT_ALL);
    const before = writes();
    const planned = await job('plan');
    expect([planned.code, planned.log]).toEqual([5, expect.stringContaining('failover_backends.app')]);
    expect([(await job('apply')).code, writes()]).toEqual([5, before]);
  });

  test('a plan of another manifest', async () => {
    await job('plan');
    push(EMPTY.replace('{}', '{ other: { backends: [bkdhr_2] } }'));
    expect([(await job('apply')).code, writes()]).toEqual([6, 0]);
  });

  test('the plan of an older commit, in a run that is started again', async () => {
    await job('plan');
    const old = git(cwd, 'rev-parse', 'HEAD');
    push(manifest('two'));
    git(cwd, 'checkout', '--quiet', old);
    const applied = await job('apply');
    expect([applied.code, writes()]).toEqual([1, 0]);
    expect(applied.log).toContain('this is not the newest commit of main, so nothing was applied');
  });

  test('a branch that cannot be read', async () => {
    await job('plan');
    git(cwd, 'remote', 'set-url', 'origin', '/nowhere');
    const { code, log } = await job('apply');
    expect([code === 0, log.includes('newest'), writes()]).toEqual([false, false, 0]);
  });

  test('another stack, and another word', async () => {
    push(manifest('one').replace('stack: shop', 'stack: blog'));
    expect((await job('plan')).code).not.toBe(0);
    expect([(await job('destroy')).code, writes()]).toEqual([64, 0]);
  });
});

test('what is installed sees no key', async () => {
  expect((await job('install')).log).toMatch(/^key: , args: install .*--ignore-scripts .*edgeform@\d/);
});

test('every line of a configuration calls a job of the script, and each forge has all of them', () => {
  const jobs = ['install', 'validate', 'plan', 'apply', 'drift'];
  const configurations = fences.filter(({ language }) => language === 'yaml' || language === 'groovy');
  expect(configurations).toHaveLength(4);
  for (const { language, text } of configurations) {
    if (language === 'yaml') expect(parse(text)).toBeTypeOf('object');
    const called = [...text.matchAll(/sh ci\/edgeform\.sh (\w+)/g)].map(([, name]) => name);
    expect(new Set(called)).toEqual(new Set(jobs));
  }
});

test.skipIf(spawnSync('shellcheck', ['--version']).status !== 0)(
  'shellcheck (where it is installed) finds nothing',
  () => {
    mkdirSync(join(cwd, 'ci'), { recursive: true });
    expect(spawnSync('shellcheck', ['--shell=sh', '-'], { input: script, encoding: 'utf8' })).toMatchObject({
      stdout: '',
    });
  },
);
