// What is kept of a run that wrote, and what can be asked of it later.

import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { historyOf } from '../../src/journal/history.ts';
import { readMarker } from '../../src/resource/marker/marker-codec.ts';
import { usePlace } from '../support/place.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const manifest = (description: string) => `version: 1
stack: shop
tls_edges: { a: { description: ${description} }, b: {} }
`;

const CLAIMS = {
  EDGEFORM_ACTOR: 'maria',
  EDGEFORM_COMMIT: COMMIT,
  GITHUB_SERVER_URL: 'https://github.test',
  GITHUB_REPOSITORY: 'acme/edge',
  GITHUB_RUN_ID: '77',
};
const place = usePlace({ 'edgeform.yaml': manifest('first') }, CLAIMS);
const { run } = place;

const path = () => historyOf(place.journal());
const records = () =>
  readFileSync(path(), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);
const commits = () =>
  place.emulator.objects('tls_edges').map((edge) => readMarker(String(edge['metadata'])).marker?.commit);
const apply = (...more: string[]) => run('apply', '--auto-approve', ...more);

test('a run that writes leaves one line for its owner only, and says the same of itself in its report', async () => {
  const { stdout, code } = await apply('--format', 'json');
  expect(code, stdout).toBe(0);
  const report = JSON.parse(stdout) as { readonly run: JsonObject };
  const claims = { actor: 'maria', commit: COMMIT, link: 'https://github.test/acme/edge/actions/runs/77' };
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  expect(report.run).toMatchObject(claims);
  const { id, ...more } = report.run;
  expect(records()).toEqual([
    {
      v: 1,
      run: id,
      command: 'apply',
      stack: 'shop',
      service: `${place.emulator.url}/`,
      ...more,
      totals: { done: 2, failed: 0, blocked: 0, not_attempted: 0, unknown: 0 },
      exit_code: 0,
      steps: ['a', 'b'].map((name) => ({ address: `tls_edges.${name}`, action: 'create', status: 'done' })),
      steps_left_out: 0,
    },
  ]);
});

test('a run that wrote nothing leaves none', async () => {
  await apply();
  await apply();
  await run('apply');
  await run('plan');
  await run('drift');
  expect(records()).toHaveLength(1);
});

test('events and metrics name the run', async () => {
  await apply('--events', 'events.jsonl', '--metrics-file', 'run.prom');
  const events = readFileSync(`${place.cwd}/events.jsonl`, 'utf8').trimEnd().split('\n');
  const [started, ...others] = events.map((line) => JSON.parse(line) as JsonObject);
  const [{ run: id } = {}] = records();
  expect(started).toMatchObject({ type: 'started', run: { id, actor: 'maria', commit: COMMIT } });
  expect(others.at(-1)).toMatchObject({ type: 'finished', run: id });
  const metrics = readFileSync(`${place.cwd}/run.prom`, 'utf8');
  expect(metrics).toContain(`edgeform_run_info{stack="shop",run="${String(id)}",commit="${COMMIT}"} 1`);
});

test('a marker that is written carries the commit, and another commit alone is nothing to write', async () => {
  await apply();
  expect(commits()).toEqual(['0123456789ab', '0123456789ab']);
  place.env['EDGEFORM_COMMIT'] = 'f'.repeat(40);
  const { stdout } = await apply();
  expect(stdout).toContain('No changes');
  place.write(manifest('second'));
  await apply();
  expect(commits().sort()).toEqual(['0123456789ab', 'ffffffffffff']);
});

test('a repair that leaves the marker alone sends no marker for the sake of its commit', async () => {
  await apply();
  // The run that created an object names itself in the marker, until the next write.
  place.write(manifest('second'));
  await apply();
  const edge = place.emulator.objects('tls_edges').find(({ description }) => description === 'second');
  const id = String(edge?.['id']);
  place.emulator.mutate('tls_edges', id, { ip_restriction: { ip_policy_ids: ['ipp_1'] } });
  place.env['EDGEFORM_COMMIT'] = 'f'.repeat(40);
  place.emulator.requests.length = 0;
  await apply();
  expect(place.writes().map(({ method }) => method)).toEqual(['DELETE']);
});

test('a plan that was saved at one commit is applied at another', async () => {
  await run('plan', '--out', 'p.json');
  expect(readFileSync(`${place.cwd}/p.json`, 'utf8')).not.toContain('0123456789ab');
  place.env['EDGEFORM_COMMIT'] = 'f'.repeat(40);
  expect((await apply('p.json')).code).toBe(0);
  expect(commits()).toEqual(['ffffffffffff', 'ffffffffffff']);
  expect((await apply('p.json')).stdout).toContain('Already applied');
});

test('a claim is bounded, inert text, and no commit is one that has no form of a commit', async () => {
  place.env['EDGEFORM_ACTOR'] = `\u001b[31m${'x'.repeat(300)}\n::error::`;
  place.env['EDGEFORM_COMMIT'] = 'main; rm -rf /';
  place.env['GITHUB_SERVER_URL'] = 'javascript:alert(1)';
  await apply();
  const [{ actor, commit, link } = {}] = records();
  expect(String(actor)).toHaveLength(200);
  expect([commit, link]).toEqual([null, null]);
  const { stdout } = await run('history');
  expect(stdout).not.toContain('\u001b');
  expect(stdout).toContain('\\x1b[31mxxx');
});

test('a line that is broken is skipped and named, and the next run adds a line of its own', async () => {
  await apply();
  writeFileSync(path(), `${readFileSync(path(), 'utf8')}{"v":1,"run":"to`);
  place.write(manifest('second'));
  await apply();
  const { stdout, code } = await run('history', '--format', 'json');
  const { runs, diagnostics } = JSON.parse(stdout) as { runs: JsonObject[]; diagnostics: JsonObject[] };
  expect([code, runs.length]).toEqual([0, 2]);
  expect(diagnostics).toMatchObject([{ code: 'history-damaged', severity: 'warning' }]);
  expect(diagnostics[0]?.['message']).toContain('line 2');
});

test('history shows the newest run first: when, who, which commit and what', async () => {
  await apply();
  place.env['EDGEFORM_ACTOR'] = 'otto';
  place.write(manifest('second'));
  await apply();
  const { stdout, code } = await run('history');
  expect(code).toBe(0);
  const [title, otto, maria] = stdout.split('\n');
  expect(title).toMatch(/^ENDED \(UTC\) +WHO +COMMIT +WHAT +EXIT CODE +LINK$/);
  expect(otto).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +otto +0123456789ab +apply: 1 done +0 +https:/);
  expect(maria).toMatch(/maria +0123456789ab +apply: 2 done +0 +https:/);
});

test('history of an address has its runs and its marker, and needs no records to say which commit it is from', async () => {
  await apply();
  place.write(manifest('second'));
  place.env['EDGEFORM_COMMIT'] = 'f'.repeat(40);
  await apply();
  const of = async (address: string) =>
    JSON.parse((await run('history', address, '--format', 'json')).stdout) as JsonObject;
  expect(await of('tls_edges.b')).toMatchObject({
    format: 'edgeform-history/1',
    stack: 'shop',
    address: 'tls_edges.b',
    runs: [{ actor: 'maria', commit: COMMIT }],
    objects: [{ address: 'tls_edges.b', kind: 'tls_edge', commit: '0123456789ab' }],
  });
  expect((await of('tls_edges.a'))['runs']).toHaveLength(2);
  const { stdout } = await run('history', 'tls_edges.a', '--stack', 'shop', '--journal', 'elsewhere.jsonl');
  expect(stdout).toMatch(/^tls_edges\.a \(edgtls_\w+\) was last written from ffffffffffff\.$/m);
});

test('history of an address has the runs whose records leave steps out, and says so', async () => {
  await apply();
  const [record] = records();
  const large = { ...record, actor: 'otto', steps: [], steps_left_out: 2 };
  writeFileSync(path(), `${JSON.stringify(record)}\n${JSON.stringify(large)}\n`);
  const { stdout } = await run('history', 'tls_edges.a');
  expect(stdout).toMatch(/otto .* apply: unknown, its record leaves 2 steps out +0/);
  expect(stdout).toMatch(/maria .* apply: create done +0/);
});

test('an address that is none is wrong usage, and a stack that owns nothing has no history', async () => {
  expect((await run('history', 'tls_edges')).code).toBe(64);
  const { code, stdout, stderr } = await run('history', '--stack', 'other');
  expect([code, stdout, stderr]).toEqual([0, '', 'No run of stack other is on record here, and it owns no objects.\n']);
});

test('the file is beside the journal, whatever that is called', async () => {
  await apply('--journal', 'state/j.jsonl');
  expect(existsSync(`${place.cwd}/state/j.jsonl.history.jsonl`)).toBe(true);
  expect(historyOf('a/b')).toBe('a/b.history.jsonl');
  expect(historyOf('a/b.journal.jsonl')).toBe('a/b.history.jsonl');
});

test('a record that cannot be written is a loss of output, like any other file', async () => {
  await apply();
  const { chmodSync } = await import('node:fs');
  rmSync(path());
  mkdirSync(path());
  chmodSync(path(), 0o700);
  place.write(manifest('second'));
  const { code, stderr } = await apply();
  expect(code).toBe(74);
  expect(stderr).toContain('history.jsonl');
});

test('plan and drift say which commit was applied last, where something was changed since', async () => {
  await apply();
  const id = String(place.emulator.objects('tls_edges')[0]?.['id']);
  place.emulator.mutate('tls_edges', id, { description: 'by hand' });
  for (const command of ['plan', 'drift'])
    expect((await run(command)).stdout, command).toContain('last applied from 0123456789ab');
  const { findings } = JSON.parse((await run('drift', '--format', 'json')).stdout) as { findings: JsonObject[] };
  expect(findings).toMatchObject([{ type: 'changed', applied_from: '0123456789ab' }]);
  const { steps } = JSON.parse((await run('plan', '--format', 'json')).stdout) as { steps: JsonObject[] };
  expect(steps).toMatchObject([{ action: 'update', applied_from: '0123456789ab' }]);
});

test('a line of another stack or service is none of this one, and a file that cannot be read is a warning', async () => {
  await apply();
  const own = readFileSync(path(), 'utf8');
  const other = { ...(JSON.parse(own) as object), stack: 'other', run: 'of-another' };
  writeFileSync(path(), `${own}${JSON.stringify(other)}\n`);
  expect((await place.run('history')).stdout).not.toContain('of-another');
  expect((await place.run('history', '--format', 'json')).stdout).not.toContain('of-another');
  rmSync(path());
  mkdirSync(path());
  for (const command of [['history'], ['stacks']]) {
    const { code, stderr, stdout } = await place.run(...command);
    expect([code, stdout === ''], command.join()).toEqual([0, false]);
    expect(stderr).toContain('[history-damaged]');
  }
});

test.each([
  ['tls_edge.b', 'did you mean "tls_edges.b"?'],
  ['tls_edges', 'did you mean "tls_edges.a" or "tls_edges.b"?'],
  ['failover_backend.app', 'did you mean "failover_backends.app"?'],
  ['routes', 'use an address as a plan names it, such as https_edges.legacy'],
])('an address that is none is told what was meant: %s', async (address, fix) => {
  const { stderr, code } = await run('history', address);
  expect([code, stderr]).toEqual([64, expect.stringContaining(fix)]);
});
