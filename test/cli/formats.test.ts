// Formats and the summary file, from the command line inside this process, against the emulator.

import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { folder } from '../support/cli.ts';
import { run as runIn } from '../support/host.ts';

const MANIFEST = 'version: 1\nstack: shop\nreserved_addrs:\n  db: { region: eu, description: "cc @octocat" }\n';
const BROKEN = MANIFEST.replace('region:', 'regio:');

let emulator: Emulator;
let cwd: string;

beforeEach(async () => {
  emulator = await startEmulator();
  cwd = folder({ 'edgeform.yaml': MANIFEST, 'broken.yaml': BROKEN });
});
afterEach(() => emulator.close());

function run(...args: string[]) {
  const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  return runIn(args, { cwd, env, columns: 0 });
}

const summary = () => readFileSync(join(cwd, 'summary.md'), 'utf8');

describe('a document', () => {
  test.each([
    ['markdown', '<!-- edgeform:plan stack=', '<!-- edgeform:report stack='],
    ['html', '<!doctype html>', '<!doctype html>'],
  ])('%s has standard output for itself', async (format, planned, applied) => {
    const plan = await run('plan', '--format', format, '--detailed-exitcode');
    expect(plan).toMatchObject({ code: 2, stderr: '' });
    expect(plan.stdout.startsWith(planned)).toBe(true);
    const apply = await run('apply', '--auto-approve', '--format', format);
    expect(apply.code).toBe(0);
    expect(apply.stdout.startsWith(applied)).toBe(true);
    expect(apply.stderr).toContain('Plan: 1 to create');
  });

  test.each(['markdown', 'html'])('%s is printed for failures, too', async (format) => {
    const broken = await run('plan', '-f', 'broken.yaml', '--format', format);
    expect(broken).toMatchObject({ code: 4, stderr: '', stdout: expect.stringContaining('regio') });
    expect(await run('validate', '-f', 'broken.yaml', '--format', format)).toEqual(broken);
    expect(await run('plan', `--format=${format}`, '--nope')).toMatchObject({
      code: 64,
      stdout: expect.stringContaining('1 error'),
    });
  });
});

describe('a log', () => {
  test('github has groups, and annotations where the problem is', async () => {
    const { stdout } = await run('plan', '--format', 'github');
    expect(stdout).toContain('::group::+ create reserved_addrs.db');
    const { code, stderr } = await run('validate', '-f', 'broken.yaml', '--format', 'github');
    expect(code).toBe(4);
    expect(stderr).toContain('::error file=broken.yaml,line=4,col=9,title=unknown-field::');
    expect((await run('plan', '-f', 'broken.yaml', '--format', 'github')).stderr).toBe(stderr);
  });

  test('gitlab has sections', async () => {
    const { stdout } = await run('plan', '--format', 'gitlab');
    expect(stdout).toContain('section_start:0:edgeform_step_1[collapsed=true]\r');
  });
});

test('show and drift know every format, too', async () => {
  expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
  const shown = await run('show', 'plan.json', '--format', 'markdown');
  expect(shown.stdout).toBe((await run('plan', '--format', 'markdown')).stdout);
  const drift = await run('drift', '--format', 'markdown', '--summary-file', 'summary.md');
  expect(drift.code).toBe(0);
  expect(drift.stdout).toBe(summary());
});

describe('--summary-file', () => {
  test('grows by the plan, the report and the problems, beside the normal output', async () => {
    expect((await run('validate', '--summary-file', 'summary.md')).code).toBe(0);
    expect((await run('apply', '--auto-approve', '--format', 'json', '--summary-file', 'summary.md')).code).toBe(0);
    expect((await run('plan', '-f', 'broken.yaml', '--summary-file', 'summary.md')).code).toBe(4);
    expect((await run('destroy', '--auto-approve', '--summary-file', 'summary.md')).code).toBe(0);
    const headings = summary().match(/^### .*$/gm);
    expect(headings).toEqual([
      '### No problems found.',
      '### shop: Plan: 1 to create, 0 to update, 0 to replace, 0 to delete.',
      '### shop: Applied 1 of 1 step to stack shop: 1 done.',
      '### 1 error',
      '### shop: Plan: 0 to create, 0 to update, 0 to replace, 1 to delete.',
      '### shop: Applied 1 of 1 step to stack shop: 1 done.',
    ]);
    expect(statSync(join(cwd, 'summary.md')).mode & 0o777).toBe(0o600);
  });

  test('that cannot be written is exit code 74, and the run goes on', async () => {
    const { code, stdout, stderr } = await run('apply', '--auto-approve', '--summary-file', 'none/summary.md');
    expect(code).toBe(74);
    expect(stdout).toContain('1 done');
    expect(stderr.match(/output-failed/g)).toHaveLength(1);
    expect(existsSync(join(cwd, 'none'))).toBe(false);
  });

  test('that cannot be written does not hide a code that says more', async () => {
    expect((await run('apply', '--summary-file', 'none/summary.md')).code).toBe(5);
    expect((await run('validate', '-f', 'broken.yaml', '--summary-file', 'none/summary.md')).code).toBe(4);
  });

  test('is never larger than 1 MiB, and keeps its mode', async () => {
    writeFileSync(join(cwd, 'summary.md'), 'x'.repeat(1024 * 1024 - 100));
    chmodSync(join(cwd, 'summary.md'), 0o644);
    const { code, stderr } = await run('plan', '--summary-file', 'summary.md');
    expect({ code, stderr }).toEqual({ code: 74, stderr: expect.stringContaining('EFBIG') });
    expect(statSync(join(cwd, 'summary.md'))).toMatchObject({ size: 1024 * 1024 - 100 });
  });
});

describe('--comment-file', () => {
  const comment = () => readFileSync(join(cwd, 'comment.md'), 'utf8');

  test('has the last thing that a run says, as a comment, beside the log and the summary', async () => {
    const plan = await run(
      'plan',
      '--format',
      'github',
      '--summary-file',
      'summary.md',
      '--comment-file',
      'comment.md',
    );
    expect([plan.code, plan.stdout]).toEqual([0, expect.stringContaining('::group::+ create')]);
    expect(comment()).toBe(summary());
    expect((await run('apply', '--auto-approve', '--comment-file', 'comment.md')).code).toBe(0);
    expect(comment().match(/^### .*$/gm)).toEqual(['### shop: Applied 1 of 1 step to stack shop: 1 done.']);
    expect((await run('plan', '-f', 'broken.yaml', '--comment-file', 'comment.md')).code).toBe(4);
    expect(comment()).toContain('### 1 error');
  });

  test('fits into a comment, whatever the summary holds', async () => {
    const names = Array.from({ length: 400 }, (_, index) => `  e${index}: { hostports: [e${index}.example.com:443] }`);
    writeFileSync(join(cwd, 'large.yaml'), `version: 1\nstack: shop\ntls_edges:\n${names.join('\n')}\n`);
    await run('plan', '-f', 'large.yaml', '--summary-file', 'summary.md', '--comment-file', 'comment.md');
    expect(Buffer.byteLength(comment())).toBeLessThanOrEqual(60_001);
    expect(comment()).toContain('Everything is in the log of the job, and in its summary');
    expect(Buffer.byteLength(summary())).toBeGreaterThan(60_001);
    expect(summary()).not.toContain('too long');
  });

  test('that cannot be written is exit code 74, and the run goes on', async () => {
    const { code, stdout, stderr } = await run('plan', '--comment-file', 'none/comment.md');
    expect([code, stdout, stderr.match(/output-failed/g)?.length]).toEqual([74, expect.stringContaining('Plan: '), 1]);
  });
});
