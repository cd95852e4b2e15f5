// Every way out of the program, one row each: a text that spells a secret is masked there, or not written at all. The
// architecture test holds that there is no other way.

import { journalOf } from '../../src/journal/place.ts';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ApplyEvent } from '../../src/apply/event.ts';
import { THIS_RUN } from '../reconcile/sample.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import { openOutputFilter } from '../../src/commands/shell/output-filter.ts';
import { eventsListener } from '../../src/commands/files/events.ts';
import { writeNew } from '../../src/platform/shared.ts';
import type { Host, Sink } from '../../src/commands/shell/host.ts';
import { printUnexpectedError } from '../../src/commands/shell/unexpected-error.ts';
import { connectionOf } from '../../src/commands/options/connection.ts';
import { invoke, type Invocation } from '../../src/commands/shell/invocation.ts';
import { platformOf } from '../../src/reconcile/platform.ts';
import { summaryListener } from '../../src/commands/files/summary-file.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { folder } from '../support/cli.ts';
import { run } from '../support/host.ts';

const SECRET = 'probe-7Qz3-hunter2';
const LINE = `the secret is ${SECRET}.\n`;

interface Scene {
  readonly host: Host;
  readonly path: string;
  readonly said: { stdout: string; stderr: string; asked: string };
}

let door: ReturnType<typeof openOutputFilter>;
let scene: Scene;

beforeEach(() => {
  const said = { stdout: '', stderr: '', asked: '' };
  const sink = (name: 'stdout' | 'stderr'): Sink => ({
    isTty: false,
    columns: 100,
    write: (text) => {
      said[name] += text;
    },
    show: (line) => {
      said[name] += line;
    },
  });
  const cwd = folder({});
  door = openOutputFilter({
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    env: { EDGEFORM_BASE_URL: 'https://api.example.test', EDGEFORM_API_KEY: 'key-0123456789' },
    cwd,
    readStdin: () => Promise.resolve(new Uint8Array()),
    ask: (question) => {
      said.asked += question;
      return Promise.resolve('yes');
    },
    signal: new AbortController().signal,
    hardCancel: new AbortController().signal,
    signalName: () => undefined,
    untilSignal: new Promise(() => undefined),
  });
  scene = { host: door.host, path: join(cwd, 'file'), said };
  new Secret(SECRET);
});
afterEach(() => {
  door.close();
});

const failed = { type: 'step-ended', result: { status: 'failed', error: LINE } } as ApplyEvent;

function emit(run: Invocation): void {
  const events = eventsListener(run);
  events.note({ type: 'loaded' });
  events.note({ type: 'step', event: failed, run: THIS_RUN });
}

interface Row {
  readonly sink: string;
  readonly write: (scene: Scene) => unknown;
  readonly read: (scene: Scene) => string;
}

const file = ({ path }: Scene) => readFileSync(path, 'utf8');

const MASKED: readonly Row[] = [
  { sink: 'standard output', write: ({ host }) => host.stdout.write(LINE), read: ({ said }) => said.stdout },
  { sink: 'standard error', write: ({ host }) => host.stderr.write(LINE), read: ({ said }) => said.stderr },
  { sink: 'a line drawn anew', write: ({ host }) => host.stderr.show?.(LINE), read: ({ said }) => said.stderr },
  { sink: 'a question', write: ({ host }) => host.ask(LINE, 'stdout'), read: ({ said }) => said.asked },
  {
    sink: '--debug',
    write: async ({ host }) => (await connectionOf(invoke({ debug: true }, host))).trace?.(LINE),
    read: ({ said }) => said.stderr,
  },
  {
    sink: '--events FILE',
    write: ({ host, path }) => {
      emit(invoke({ events: path }, host));
    },
    read: file,
  },
  {
    sink: '--events -',
    write: ({ host }) => {
      emit(invoke({ events: '-' }, host));
    },
    read: ({ said }) => said.stdout,
  },
  {
    sink: '--summary-file',
    write: ({ host, path }) =>
      summaryListener(invoke({ summaryFile: path }, host)).note({
        type: 'checked',
        found: { diagnostics: [{ code: 'internal-error', severity: 'error', message: LINE }] },
      }),
    read: file,
  },
  {
    sink: '--metrics-file',
    write: ({ host, path }) => {
      platformOf(host.ports).textFiles.writeAtomic(path, LINE);
    },
    read: file,
  },
  { sink: 'a file of init', write: ({ path }) => writeNew(path, LINE), read: file },
];

test.each(MASKED)('a secret on its way to $sink is masked, and that is said', async ({ write, read }) => {
  await write(scene);
  expect(read(scene)).toContain('(sensitive)');
  door.close();
  expect(scene.said.stderr).toMatch(/^warning: a secret was held back from .*report/m);
  expect([read(scene), ...Object.values(scene.said)].join()).not.toContain(SECRET);
});

test('a saved plan is read back: it is not written with a secret in it, and the place is named', () => {
  const { host, path } = scene;
  expect(() => platformOf(host.ports).files.writeAtomic(path, JSON.stringify({ a: [LINE] }))).toThrow(
    /could not be written(?: \(|: )it would hold a secret/,
  );
  expect(existsSync(path)).toBe(false);
});

test('what is said of a mistake where there is no door is masked', () => {
  const { said } = scene;
  const error = Object.assign(new Error(), { name: SECRET.replaceAll('-', '_') });
  new Secret(error.name);
  const sink = { isTty: false, columns: 80, write: (text: string) => void (said.stderr += text) };
  printUnexpectedError(error, sink);
  expect(said.stderr).toMatch(/^internal error: \(sensitive\)/);
});

test('a token file is the one file that may hold a secret', () => {
  platformOf(scene.host.ports).tokenFiles.createPrivate(scene.path, LINE);
  expect(file(scene)).toBe(LINE);
});

test('a secret in two parts is one; what has no end is written at the end', () => {
  const { host, said } = scene;
  host.stdout.write(`begin ${SECRET.slice(0, 8)}`);
  expect(said.stdout).toBe('');
  host.stdout.write(SECRET.slice(8));
  door.close();
  expect(said.stdout).toBe('begin (sensitive)');
});

describe('a run', () => {
  const MANIFEST = `version: 1
stack: shop
variables: { pw: { sensitive: true } }
https_edges:
  shop:
    hostports: [shop.example.com:443]
    description: "uses ${SECRET}"
    routes:
      api:
        match_type: path_prefix
        match: /api
        webhook_verification: { provider: github, secret: "\${var.pw}" }
`;

  test.each(['text', 'json', 'markdown', 'html', 'github', 'gitlab'])('shows no secret as %s', async (format) => {
    const emulator = await startEmulator();
    try {
      const cwd = folder({ 'edgeform.yaml': MANIFEST });
      const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey, EDGEFORM_VAR_pw: SECRET };
      const person = { cwd, env, mayHoldBack: true };
      const plan = await run(['plan', '--format', format, '--detail', 'full', '--summary-file', 'sum.md'], person);
      expect(plan).toMatchObject({ code: 0, stderr: expect.stringMatching(/held back/) });
      const saved = await run(['plan', '--out', 'plan.json'], person);
      expect([saved.code, existsSync(join(cwd, 'plan.json'))]).toEqual([74, false]);
      expect(saved.stdout + saved.stderr).toMatch(/it\s+would\s+hold\s+a\s+secret/);
      const apply = await run(['apply', '--auto-approve', '--format', format, '--events', 'events.jsonl'], person);
      expect(apply.code).toBe(0);
      const files = ['sum.md', 'events.jsonl', journalOf(new URL(emulator.url), 'shop')].map((name) =>
        readFileSync(join(cwd, name), 'utf8'),
      );
      const all = [plan, saved, apply].flatMap(({ stdout, stderr }) => [stdout, stderr]).concat(files);
      expect(all.filter((text) => text.includes(SECRET))).toEqual([]);
    } finally {
      await emulator.close();
    }
  });

  test('without a hit nothing is said', async () => {
    const cwd = folder({ 'edgeform.yaml': MANIFEST.replace(SECRET, 'nothing') });
    writeFileSync(join(cwd, 'vars.yaml'), `pw: ${SECRET}\n`);
    const { code, stderr } = await run(['validate', '--var-file', 'vars.yaml'], { cwd, env: {} });
    expect([code, stderr]).toEqual([0, '']);
  });
});
