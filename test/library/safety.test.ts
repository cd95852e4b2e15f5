// What the library promises beyond the command line: no secret in its texts, nothing unchecked, nothing incomplete applied.

import { symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Secret } from '../../src/core/secrets/secret.ts';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import type { LoadInput, Manifest, NewRun } from '../../src/index.ts';
import * as library from '../../src/index.ts';
import { folder } from '../support/cli.ts';

let emulator: Emulator;
beforeEach(async () => {
  emulator = await startEmulator();
});
afterEach(() => emulator.close());

const SECRET = 'hunter2hunter2';
const REPEATED = `
version: 1
stack: shop
variables: { s: { sensitive: true }, plain: {} }
event_destinations: { d: { target: { datadog: { api_key: "\${var.s}" } } } }
reserved_addrs: { a: { description: "x \${var.plain}" } }
outputs: { o: "y \${var.plain}", id: "\${reserved_addrs.a.id}" }
`;

function loadWith(text: string, given: Partial<LoadInput> = {}) {
  return library.loadManifest({
    files: [{ name: 'edgeform.yaml', text }],
    variables: new Map(),
    env: {},
    readFile: () => ({ diagnostics: [] }),
    ...given,
  });
}

function runOf(manifest: Manifest, given: Partial<NewRun> = {}) {
  const options = { journal: join(folder({}), 'j.jsonl'), ...given.options };
  return library.createRun({ manifest, baseUrl: emulator.url, apiKey: emulator.apiKey, ...given, options });
}

const approve = () => Promise.resolve();
const STYLE = { color: false, width: 100, detail: 'full' } as const;

describe('texts pass the output filter', () => {
  test('plans, reports, drift and problems repeat no secret, and keep names', async () => {
    const variables = new Map([
      ['s', SECRET],
      ['plain', SECRET],
    ]);
    const run = runOf(loadWith(REPEATED, { variables }).value!);
    const plan = await library.makePlan(run);
    const report = await library.applyManifest({ ...run, approve });
    expect(report.result).toBe('done');
    const problem = { code: 'unknown-field', severity: 'error', message: `it says ${SECRET}` } as const;
    const { live_id: id } = report.results.find(({ address }) => address === 'reserved_addrs.a')!;
    emulator.mutate('reserved_addrs', id!, { description: `now ${SECRET}` });
    const drift = await library.detectDrift(run);
    const texts = [
      library.planJson(plan),
      ...library.formatsFor('plan').map((format) => library.renderPlanAs(format, plan, STYLE)),
      ...library
        .formatsFor('report')
        .map((format) => library.renderReportAs(format, { ...report, exitCode: 0 }, STYLE)),
      ...library
        .formatsFor('drift')
        .map((format) => library.renderDriftAs(format, { ...drift, diagnostics: [problem] }, STYLE)),
      ...library
        .formatsFor('problems')
        .map((format) => library.renderDiagnosticsAs(format, { diagnostics: [problem], sources: new Map() }, STYLE)),
    ];
    for (const text of texts) expect(text).not.toContain(SECRET);
    expect(library.planJson(plan)).toContain('"description": "x (sensitive)"');
  });

  test('a secret that is a word of the format breaks no document', async () => {
    const variables = new Map([
      ['s', 'create'],
      ['plain', 'shop'],
    ]);
    const plan = await library.makePlan(runOf(loadWith(REPEATED, { variables }).value!));
    expect(library.parseSavedPlan(library.planJson(plan)).diagnostics).toEqual([]);
  });
});

describe('an incomplete manifest is not planned with', () => {
  const LACKING = 'version: 1\nstack: shop\nvariables: { v: {} }\nreserved_addrs: { a: { description: "${var.v}" } }\n';
  const input = (text: string, given: Partial<LoadInput>) => runOf(loadWith(text, given).value!);

  test('one without values, and one without some of its files', async () => {
    const lacking = input(LACKING, { mayLackValues: true });
    const partial = input('version: 1\nstack: shop\nreserved_addrs: { a: {} }\n', { isPartial: true });
    for (const [run, code] of [
      [lacking, 'unset-variable'],
      [partial, 'file-unreadable'],
    ] as const) {
      const refused = { outcome: 'invalid', diagnostics: [{ code }] };
      await expect(library.makePlan(run)).rejects.toMatchObject(refused);
      await expect(library.detectDrift(run)).rejects.toMatchObject(refused);
      await expect(library.applyManifest({ ...run, approve })).rejects.toMatchObject(refused);
    }
    const destroyed = (run: typeof lacking) => library.applyManifest({ ...run, approve, destroy: true });
    await expect(destroyed(partial)).rejects.toMatchObject({ diagnostics: [{ code: 'file-unreadable' }] });
    // No value of a field is needed for what only deletes.
    await expect(destroyed(lacking)).resolves.toMatchObject({ result: 'done' });
    expect(emulator.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('one that may lack values and lacks none is whole', async () => {
    const run = input(LACKING, { mayLackValues: true, variables: new Map([['v', 'here']]) });
    expect((await library.makePlan(run)).steps).toHaveLength(1);
  });
});

describe('a connection is checked whatever way it is given', () => {
  const manifest = () => loadWith('version: 1\nstack: shop\n').value!;
  const wrong: readonly [string, NonNullable<NewRun['connection']>][] = [
    ['https', { baseUrl: new URL('http://192.0.2.1:8080') }],
    ['user name', { baseUrl: new URL('https://me:word@192.0.2.1') }],
    ['API key', { apiKey: new Secret('two words') }],
  ];
  test.each(wrong)('%s', (words, connection) => {
    expect(() => runOf(manifest(), { connection })).toThrow(words);
  });
});

describe('the reader of the command line, for programs', () => {
  test('a file outside the folder is refused, a missing one is a problem', async () => {
    const out = join(folder({ 'out.txt': 'outside' }), 'out.txt');
    const cwd = folder({ 'in.txt': 'inside' });
    symlinkSync(out, join(cwd, 'link.txt'));
    for (const [path, codes] of [
      ['in.txt', []],
      [`../${basename(dirname(out))}/out.txt`, ['file-outside-root']],
      ['link.txt', ['file-outside-root']],
      ['nothing.txt', ['file-unreadable']],
    ] as const) {
      const text = `version: 1\nstack: shop\nreserved_addrs: { a: { description: "\${file:${path}}" } }\n`;
      writeFileSync(join(cwd, 'edgeform.yaml'), text);
      const read = await library.readManifestFiles([], cwd);
      const { diagnostics } = loadWith('', read.value);
      expect(diagnostics.map(({ code }) => code)).toEqual(codes);
    }
    const { value, diagnostics } = await library.readManifestFiles(['nope.yaml'], cwd);
    expect([value, diagnostics.map(({ code }) => code)]).toEqual([undefined, ['file-unreadable']]);
  });
});

describe('a run that its program stops', () => {
  const blocks = (count: number) =>
    `version: 1\nstack: shop\nreserved_addrs:\n${Array.from({ length: count }, (_, index) => `  a${index}: {}\n`).join('')}`;

  test('is told to be stopped by it, and not by a deadline that it does not have', async () => {
    const controller = new AbortController();
    const run = runOf(loadWith(blocks(3)).value!, { signal: controller.signal });
    const report = await library.applyManifest({
      ...run,
      approve: () => {
        controller.abort();
        return Promise.resolve();
      },
    });
    const why = { code: 'interrupted', message: 'the run was stopped by the program that runs it' };
    expect(report).toMatchObject({ result: 'interrupted', outcome: 'interrupted', diagnostics: [why] });
    await expect(library.makePlan(run)).rejects.toThrow(why.message);
  });

  test('gives up what is in flight some seconds after its signal, unless the program says when', () => {
    vi.useFakeTimers();
    try {
      const controller = new AbortController();
      const { hardCancel } = runOf(loadWith(blocks(1)).value!, { signal: controller.signal });
      vi.advanceTimersByTime(60_000);
      controller.abort();
      vi.advanceTimersByTime(5_999);
      expect(hardCancel.aborted).toBe(false);
      vi.advanceTimersByTime(1);
      expect(hardCancel.aborted).toBe(true);
      const own = new AbortController().signal;
      expect(runOf(loadWith(blocks(1)).value!, { signal: controller.signal, hardCancel: own }).hardCancel).toBe(own);
    } finally {
      vi.useRealTimers();
    }
  });

  test('may go on beside many others without a warning of the platform', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error) => warnings.push(name);
    process.on('warning', note);
    try {
      const texts = Array.from({ length: 12 }, (_, index) => blocks(2).replace('shop', `shop${index}`));
      const runs = texts.map((text) => runOf(loadWith(text).value!, { options: { concurrency: 20 } }));
      const reports = await Promise.all(runs.map((run) => library.applyManifest({ ...run, approve })));
      expect(new Set(reports.map(({ result }) => result))).toEqual(new Set(['done']));
      await new Promise((next) => setImmediate(next));
    } finally {
      process.off('warning', note);
    }
    expect(warnings).toEqual([]);
  });
});

test('a refused run reports each step of its plan as not attempted', async () => {
  const first = runOf(loadWith('version: 1\nstack: shop\nreserved_addrs: { a: {}, b: {} }\n').value!);
  await library.applyManifest({ ...first, approve });
  const text = 'version: 1\nstack: shop\nreserved_addrs: { b: { description: new } }\n';
  const run = runOf(loadWith(text).value!, { options: { ...first.options, allowDeletes: 0 } });
  const report = await library.applyManifest({ ...run, approve });
  const { totals, steps } = JSON.parse(library.renderReportAs('json', { ...report, exitCode: 5 }, STYLE)) as {
    readonly totals: Readonly<Record<string, number>>;
    readonly steps: readonly { readonly status: string; readonly error: string }[];
  };
  expect(report.outcome).toBe('refused');
  expect(totals).toEqual({ done: 0, failed: 0, blocked: 0, not_attempted: report.plan.steps.length, unknown: 0 });
  expect(steps).toHaveLength(report.plan.steps.length);
  expect(steps[0]).toMatchObject({
    status: 'not_attempted',
    error: 'not started, because the run ended before its first step',
  });
});
