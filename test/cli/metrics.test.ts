// The file of `--metrics-file`: what it says of each end of a run, in the text format of Prometheus, for everybody to read.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { metricsText } from '../../src/render/metrics/metrics.ts';
import { drifted } from '../render/drift-sample.ts';
import { everything, planOf, stepOf } from '../render/sample.ts';
import { CLI, edgeform, folder } from '../support/cli.ts';
import { run as runHere } from '../support/host.ts';

const MANIFEST = 'version: 1\nstack: shop\nreserved_addrs: { a: { description: one }, b: { description: two } }\n';

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The grammar of https://prometheus.io/docs/instrumenting/exposition_formats/, and the rules beside it. */
function parse(text: string): Sample[] {
  expect(text.endsWith('\n')).toBe(true);
  const samples: Sample[] = [];
  const [helps, types] = [new Set<string>(), new Map<string, string>()];
  let group = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line);
    if (comment !== null) {
      const [, what, name = '', rest = ''] = comment;
      const known = what === 'HELP' ? helps.has(name) : types.has(name);
      expect(known, `${name} is told once`).toBe(false);
      if (what === 'HELP') helps.add(name);
      else types.set(name, rest);
      if (what === 'TYPE') expect(rest).toBe('gauge');
      expect(rest).not.toMatch(/\\(?![\\n])/);
      group = name;
      continue;
    }
    const found = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/.exec(line);
    expect(found, line).not.toBeNull();
    const [, name = '', inside = '', value = ''] = found ?? [];
    const pairs = [...inside.matchAll(/([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)"(?:,|$)/g)];
    expect(pairs.map(([pair]) => pair).join('')).toBe(inside);
    const labels = pairs.map(([, label = '', quoted = '']) => {
      const meant = quoted.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
      return [label, meant] as const;
    });
    expect(new Set(labels.map(([label]) => label)).size).toBe(labels.length);
    expect([name, types.has(name), helps.has(name)]).toEqual([group, true, true]);
    samples.push({ name, labels: Object.fromEntries(labels), value: Number(value) });
  }
  const keys = samples.map(({ name, labels }) => JSON.stringify([name, Object.entries(labels).sort()]));
  expect(new Set(keys).size).toBe(keys.length);
  return samples;
}

describe('the text', () => {
  const ended = { command: 'drift', outcome: 'pending', took: 1.25, at: 1_800_000_000.5 } as const;

  test('of drift, a run and its steps', async () => {
    const results = [{ ...everything.steps[0]!, status: 'done', error: null, requests_done: 1 } as const];
    const text = metricsText(ended, [
      { labels: { stack: 'shop' }, content: drifted },
      { labels: { stack: 'web' }, content: { plan: everything, results } },
    ]);
    parse(text);
    await expect(text).toMatchFileSnapshot('golden/metrics.prom');
  });

  const HOSTILE = ['"} 1\nevil 2', 'a\\', '\\n', '\u2028\u001b[31m\ud800', '{}', '# HELP x', 'x\r', '__proto__', ' '];
  test.each(HOSTILE)('%j is a value of a label', (text) => {
    const plan = planOf({ steps: [stepOf({ id: 's1', action: 'create', address: 'a.b', kind: text })] });
    const samples = parse(metricsText(ended, [{ labels: { stack: text }, content: { plan, results: [] } }]));
    expect(Object.keys(samples.at(-1)?.labels ?? {})).toEqual(['stack', 'kind', 'action', 'status']);
  });

  test('what is of all stacks, or of none, names no stack', () => {
    const unknown = ['one', 'two'].map((stack) => ({ labels: { stack }, content: undefined }));
    for (const known of [unknown, []])
      expect(parse(metricsText(ended, known)).filter(({ labels }) => 'stack' in labels)).toEqual([]);
  });
});

describe('the file', () => {
  let emulator: Emulator;
  let cwd: string;
  beforeEach(async () => {
    emulator = await startEmulator();
    cwd = folder({ 'edgeform.yaml': MANIFEST, 'broken.yaml': 'version: 1\nstack: shop\nnope: 1\n' });
  });
  afterEach(() => emulator.close());

  const place = () => ({ cwd, env: { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey } });
  const built = (...args: string[]) => edgeform(args, place());
  const run = (...args: string[]) => runHere(args, place());
  /** The exit code behind redirections. */
  const inShell = (args: readonly string[], redirections: string) =>
    new Promise((done) => {
      const script = `set -o pipefail; "$NODE" "$CLI" "$@" 2> /dev/null ${redirections}`;
      const env = { PATH: process.env['PATH'] ?? '', NODE: process.execPath, CLI };
      const service = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
      const child = spawn('bash', ['-c', script, 'bash', ...args], { cwd, env: { ...env, ...service } });
      child.once('close', done);
    });
  const samples = () => parse(readFileSync(join(cwd, 'run.prom'), 'utf8'));
  const valueOf = (name: string, labels: Readonly<Record<string, string>> = {}) =>
    samples().find(
      (one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value),
    )?.value;

  test('apply, drift and destroy write it anew, readable and whole', async () => {
    expect((await built('apply', '--auto-approve', '--metrics-file', 'run.prom')).code).toBe(0);
    expect(statSync(join(cwd, 'run.prom')).mode & 0o777).toBe(0o644);
    expect(readdirSync(cwd).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(
      valueOf('edgeform_apply_steps', { stack: 'shop', kind: 'reserved_addr', action: 'create', status: 'done' }),
    ).toBe(2);
    expect(valueOf('edgeform_run_exit_code', { command: 'apply', stack: 'shop' })).toBe(0);
    expect(valueOf('edgeform_run_outcome', { outcome: 'done' })).toBe(1);
    expect(valueOf('edgeform_run_timestamp_seconds')).toBeGreaterThan(1_700_000_000);
    const { live_id: id } = JSON.parse((await built('drift', '--format', 'json')).stdout) as { live_id?: string };
    expect(id).toBeUndefined();
    const [one] = emulator.objects('reserved_addrs');
    emulator.mutate('reserved_addrs', String(one?.['id']), { description: 'by hand' });
    expect((await built('drift', '--metrics-file', 'run.prom')).code).toBe(2);
    expect(valueOf('edgeform_drift_findings', { kind: 'reserved_addr', type: 'changed' })).toBe(1);
    expect([valueOf('edgeform_drifted'), valueOf('edgeform_drift_coverage_ratio')]).toEqual([1, 1]);
    expect([valueOf('edgeform_run_outcome', { outcome: 'pending' }), valueOf('edgeform_apply_steps')]).toEqual([
      1,
      undefined,
    ]);
    expect((await built('destroy', '--auto-approve', '--metrics-file', 'run.prom')).code).toBe(0);
    expect(valueOf('edgeform_apply_steps', { action: 'delete', status: 'done' })).toBe(2);
  });

  test('of a fleet has a series for each stack, also for one that was refused or cannot be read', async () => {
    writeFileSync(
      join(cwd, 'edgeform.fleet.yaml'),
      'version: 1\nstacks: [{ name: shop, path: edgeform.yaml }, { name: bad, path: bad.yaml }]\n',
    );
    writeFileSync(join(cwd, 'bad.yaml'), MANIFEST.replace('stack: shop', 'stack: bad').replace('a:', 'x:'));
    await run('fleet', 'apply', '--auto-approve');
    writeFileSync(join(cwd, 'bad.yaml'), 'version: 1\nstack: bad\n');
    const { code } = await run('fleet', 'apply', '--auto-approve', '--metrics-file', 'run.prom');
    expect(code).toBe(5);
    expect(valueOf('edgeform_stack_result', { stack: 'bad', result: 'refused' })).toBe(1);
    expect(valueOf('edgeform_stack_result', { stack: 'shop', result: 'ok' })).toBe(1);
  });

  test('of one shard has no sample of another shard', async () => {
    const stacks = Array.from({ length: 6 }, (_, at) => `{ name: s${at}, path: s${at}.yaml }`);
    writeFileSync(join(cwd, 'edgeform.fleet.yaml'), `version: 1\nstacks: [${stacks.join(', ')}]\n`);
    for (const at of stacks.keys()) writeFileSync(join(cwd, `s${at}.yaml`), `version: 1\nstack: s${at}\n`);
    const of = async (shard: string, env = {}) => {
      const args = ['fleet', 'drift', '--shard', shard, '--metrics-file', 'run.prom'];
      await runHere(args, { ...place(), env: { ...place().env, ...env } });
      return samples();
    };
    const both = [await of('1/2'), await of('auto', { JOB_COMPLETION_INDEX: '1', EDGEFORM_SHARDS: '2' })].flat();
    const keys = both.map(({ name, labels }) => JSON.stringify([name, labels]));
    expect(new Set(keys).size).toBe(keys.length);
    const shards = both.flatMap(({ name, labels }) => (name === 'edgeform_run_exit_code' ? [labels['shard']] : []));
    expect(shards).toEqual(['1/2', '2/2']);
  });

  test('times are seconds', async () => {
    writeFileSync(join(cwd, 'edgeform.yaml'), 'version: 1\nstack: shop\n');
    let time = 5_000;
    const clock = { now: () => time, sleep: () => Promise.resolve() };
    const onStdout = () => (time = 95_500);
    const args = ['apply', '--auto-approve', '--metrics-file', 'run.prom'];
    expect((await runHere(args, { ...place(), ports: { clock }, onStdout })).code).toBe(0);
    expect(valueOf('edgeform_run_duration_seconds', { command: 'apply' })).toBe(90.5);
    const now = Date.now() / 1000;
    const at = valueOf('edgeform_run_timestamp_seconds', { command: 'apply' });
    expect(at).toBeGreaterThan(now - 60);
    expect(at).toBeLessThanOrEqual(now);
  });

  test('a run that fails says so, and one that is refused has attempted nothing', async () => {
    expect((await run('drift', '-f', 'broken.yaml', '--metrics-file', 'run.prom')).code).toBe(4);
    expect(valueOf('edgeform_run_exit_code', { command: 'drift' })).toBe(4);
    expect(samples().some(({ name }) => name.startsWith('edgeform_drift'))).toBe(false);
    expect((await run('apply', '--metrics-file', 'run.prom')).code).toBe(5);
    expect(valueOf('edgeform_run_outcome', { outcome: 'refused', stack: 'shop' })).toBe(1);
  });

  test('wrong usage writes nothing, and no file that is read is replaced', async () => {
    expect((await run('drift', '--metrics-file', 'run.prom', '--format', 'x')).code).toBe(64);
    expect(existsSync(join(cwd, 'run.prom'))).toBe(false);
    const same = await run('drift', '--metrics-file', 'edgeform.yaml');
    expect([same.code, readFileSync(join(cwd, 'edgeform.yaml'), 'utf8')]).toEqual([64, MANIFEST]);
    expect((await run('drift', '--metrics-file', 'x', '--summary-file', 'x')).code).toBe(64);
  });

  test('what cannot be written is told, and ends with 74', async () => {
    mkdirSync(join(cwd, 'folder'));
    writeFileSync(join(cwd, 'other'), 'kept');
    symlinkSync('other', join(cwd, 'link'));
    for (const path of ['folder', 'link', 'no/such/run.prom']) {
      const { code, stderr } = await run('drift', '--metrics-file', path);
      expect([code, stderr]).toEqual([74, expect.stringContaining('could not be written')]);
    }
    expect(readFileSync(join(cwd, 'other'), 'utf8')).toBe('kept');
  });

  describe.each(['--metrics-file', '--summary-file'])('what %s cannot write is told in the document too', (option) => {
    const lost = [option, 'no/such/file'];
    test.each([['apply', '--auto-approve'], ['drift'], ['destroy', '--auto-approve']])('%s %s', async (...args) => {
      const { code, stdout, stderr } = await run(...args, ...lost, '--format', 'json');
      const document = JSON.parse(stdout) as { exit_code?: number; diagnostics: { code: string }[] };
      expect([code, document.diagnostics.map((one) => one.code)]).toEqual([74, ['output-failed']]);
      if (args[0] !== 'drift') expect(document.exit_code).toBe(74);
      expect(stderr.split('could not be written')).toHaveLength(2);
      expect((await run(...args, ...lost, '--format', 'junit')).stdout).toMatch(
        /<(?:error|failure) type="output-failed"/,
      );
    });

    test.each(['text', 'json'])('a command that fails, as %s', async (format) => {
      const { code, stdout, stderr } = await run('drift', '-f', 'broken.yaml', ...lost, '--format', format);
      expect([code, stderr.split('could not be written')]).toEqual([4, expect.objectContaining({ length: 2 })]);
      if (format === 'json') expect(stdout).toContain('"output-failed"');
    });
  });

  describe.skipIf(!existsSync('/dev/full'))('says that standard output was lost', () => {
    const FULL = '> /dev/full';
    const UNREAD = '| true';
    test.each([
      { args: ['apply', '--auto-approve'], where: FULL, code: 74 },
      { args: ['apply', '--auto-approve', '--events', '-'], where: FULL, code: 74 },
      { args: ['apply', '--auto-approve', '--format', 'json'], where: UNREAD, code: 74 },
      { args: ['apply', '--auto-approve'], where: UNREAD, code: 0 },
      { args: ['destroy', '--auto-approve'], where: FULL, code: 74 },
      { args: ['drift'], where: FULL, code: 74, drifted: true },
      { args: ['drift', '--format', 'json'], where: UNREAD, code: 74, drifted: true },
      { args: ['drift', '--format', 'json'], where: UNREAD, code: 74 },
      { args: ['drift', '-f', 'broken.yaml', '--format', 'json'], where: FULL, code: 4 },
    ])('$args $where: $code', async ({ args, where, code, drifted = false }) => {
      if (drifted) {
        expect((await run('apply', '--auto-approve')).code).toBe(0);
        emulator.mutate('reserved_addrs', String(emulator.objects('reserved_addrs')[0]?.['id']), { description: 'x' });
      }
      expect(await inShell([...args, '--metrics-file', 'run.prom'], where)).toBe(code);
      expect(valueOf('edgeform_run_exit_code')).toBe(code);
      const outcome = { 0: 'done', 4: 'invalid', 74: 'output' }[code] ?? '';
      expect(valueOf('edgeform_run_outcome', { outcome })).toBe(1);
    });
  });
});
