// Lost answers, journals, races: what one apply does about them, through the command line in this process.

import { journalOf } from '../../src/journal/place.ts';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { Emulator, EmulatorOptions } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { folder } from '../support/cli.ts';
import { run as runIn } from '../support/host.ts';
import type { Person } from '../support/host.ts';

const ADDRS = 'version: 1\nstack: shop\nreserved_addrs:\n  a: { description: one }\n  b: { description: two }\n';
const EDGE = 'version: 1\nstack: shop\nhttps_edges:\n  site: { hostports: [shop.test:443] }\n';

let emulator: Emulator;
let cwd: string;
let env: Record<string, string>;
afterEach(() => emulator.close());

async function start(manifest: string, options: EmulatorOptions = {}): Promise<void> {
  emulator = await startEmulator(options);
  cwd = folder({ 'edgeform.yaml': manifest });
  env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
}
const run = (args: readonly string[], person: Partial<Person> = {}) => runIn(args, { cwd, env, ...person });
const apply = (...more: string[]) => run(['apply', '--auto-approve', ...more]);
const writes = () => emulator.requests.filter((request) => request.method !== 'GET');
const posts = (path: string) => writes().filter((one) => one.method === 'POST' && one.path === path);
const journalFile = () => join(cwd, journalOf(new URL(emulator.url), 'shop'));
const journal = () => readFileSync(journalFile(), 'utf8');
const lost = (method: string, path: string) => [{ match: { method, path, nth: 1 }, action: 'dropAfter' }] as const;
const unsent = (method: string, path: string) => [{ match: { method, path, nth: 1 }, action: 'dropBefore' }] as const;

describe('a lost answer', () => {
  test('to a creation that was carried out: found, not repeated', async () => {
    await start(ADDRS, { faults: lost('POST', '/reserved_addrs') });
    expect((await apply()).code).toBe(0);
    expect(posts('/reserved_addrs')).toHaveLength(2);
    expect(emulator.objects('reserved_addrs')).toHaveLength(2);
  });

  test('to a creation that never arrived: absent for the settle time, then sent once more', async () => {
    await start(ADDRS, { faults: unsent('POST', '/reserved_addrs') });
    expect((await apply()).code).toBe(0);
    expect(posts('/reserved_addrs')).toHaveLength(3);
    expect(emulator.objects('reserved_addrs')).toHaveLength(2);
  });

  test.each([
    ['an update that was carried out', lost('PATCH', 'reserved_addrs'), 1],
    ['an update that never arrived', unsent('PATCH', 'reserved_addrs'), 2],
  ])('to %s', async (_, faults, sent) => {
    await start(ADDRS, { faults });
    expect((await apply()).code).toBe(0);
    writeFileSync(join(cwd, 'edgeform.yaml'), ADDRS.replace('one', 'three'));
    expect((await apply()).code).toBe(0);
    expect(writes().filter((one) => one.method === 'PATCH')).toHaveLength(sent);
    expect(emulator.objects('reserved_addrs').map((one) => one['description'])).toContain('three');
  });

  test('to an update that was carried out, and somebody changes the value before it is read: sent once more', async () => {
    await start(ADDRS, { faults: lost('PATCH', 'reserved_addrs') });
    await apply();
    writeFileSync(join(cwd, 'edgeform.yaml'), ADDRS.replace('one', 'three'));
    const timer = setInterval(() => {
      const changed = emulator.objects('reserved_addrs').find((one) => one['description'] === 'three');
      if (changed === undefined) return;
      clearInterval(timer);
      emulator.mutate('reserved_addrs', String(changed['id']), { description: 'mine' });
    }, 1);
    const { code, stdout, stderr } = await apply();
    clearInterval(timer);
    expect([code, `${stdout}${stderr}`]).toEqual([0, expect.not.stringContaining('not-taken')]);
    expect(writes().filter((one) => one.method === 'PATCH')).toHaveLength(2);
    expect(emulator.objects('reserved_addrs').map((one) => one['description'])).toContain('three');
  });

  test.each([
    ['a deletion that was carried out', lost('DELETE', 'reserved_addrs'), 2],
    ['a deletion that never arrived', unsent('DELETE', 'reserved_addrs'), 3],
  ])('to %s', async (_, faults, sent) => {
    await start(ADDRS, { faults });
    expect((await apply()).code).toBe(0);
    expect((await run(['destroy', '--auto-approve'])).code).toBe(0);
    expect(writes().filter((one) => one.method === 'DELETE')).toHaveLength(sent);
    expect(emulator.objects('reserved_addrs')).toEqual([]);
  });
});

describe('a creation that cannot be looked up', () => {
  const unlisted = { disabled: ['https-edge-list'] } as const;
  const begin = async (faults: EmulatorOptions['faults']) => {
    await start(EDGE, { ...unlisted, ...(faults && { faults }) });
    env['EDGEFORM_CAPABILITIES'] = '-https-edge-list';
    const first = await apply();
    expect(first.code).toBe(7);
    expect(first.stdout + first.stderr).toContain('--resolve https_edges.site=ID');
    expect(words(first)).toContain('If its step says what to do, do that first. Then run plan');
    await foresee();
    const again = await apply();
    expect(again.code).toBe(7);
    expect(again.stderr).toContain('--resolve https_edges.site=');
    expect(posts('/edges/https')).toHaveLength(1);
  };

  const words = ({ stdout, stderr }: { stdout: string; stderr: string }) => (stdout + stderr).replace(/\s+/g, ' ');
  /** plan and drift say what apply will say. */
  const foresee = async () => {
    const saved = await run(['plan', '--out', 'p.json']);
    expect(saved.code).toBe(1);
    expect(words(saved)).toContain('The plan was saved to p.json.');
    expect(words(saved)).not.toMatch(/To apply exactly this plan|even if it exists/);
    const drift = await run(['drift']);
    expect(words(drift)).toContain('apply stops before its first write');
    expect(words(drift)).not.toContain('apply again');
    const problem = 'https_edges.site may have been created by an earlier run';
    for (const seen of [saved, drift, await run(['show', 'p.json', '--format', 'markdown'])]) {
      expect(words(seen).replaceAll('`', '')).toContain(problem);
      expect(words(seen)).toContain('apply with `--resolve https_edges.site=ID`');
    }
    for (const command of ['plan', 'drift']) {
      const { stdout } = await run([command, '--format', 'json']);
      const told = { code: 'unknown-outcome', severity: 'error', address: 'https_edges.site' };
      expect(JSON.parse(stdout)).toMatchObject({ diagnostics: [told] });
    }
  };

  test('is resolved by its id, and the journal remembers it', async () => {
    await begin(lost('POST', '/edges/https'));
    const id = String(emulator.objects('https_edges')[0]?.['id']);
    expect((await apply('--resolve', `https_edges.site=${id}`)).code).toBe(0);
    expect((await apply()).code).toBe(0);
    expect((await run(['plan', '--detailed-exitcode'])).code).toBe(0);
    expect(posts('/edges/https')).toHaveLength(1);
    writeFileSync(join(cwd, 'edgeform.yaml'), EDGE.replace('shop.test', 'other.test'));
    expect((await apply()).code).toBe(0);
    expect(emulator.objects('https_edges').map((one) => one['hostports'])).toEqual([['other.test:443']]);
  });

  test('is resolved as absent, and made', async () => {
    await begin(unsent('POST', '/edges/https'));
    expect((await apply('--resolve', 'https_edges.site=absent')).code).toBe(0);
    expect(emulator.objects('https_edges')).toHaveLength(1);
    expect((await apply()).code).toBe(0);
    expect(posts('/edges/https')).toHaveLength(2);
  });

  test.each(['absent', 'its id'])('a plan that was saved before has to be made again: %s', async (as) => {
    await begin(as === 'absent' ? unsent('POST', '/edges/https') : lost('POST', '/edges/https'));
    const id = String(emulator.objects('https_edges')[0]?.['id'] ?? 'absent');
    const resolved = await apply('p.json', '--resolve', `https_edges.site=${id}`);
    expect([resolved.code, posts('/edges/https').length]).toEqual([6, 1]);
    expect(words(resolved)).toContain('make a new plan');
    expect(words(resolved)).not.toContain('apply with `--resolve');
    expect((await apply('--resolve', `https_edges.site=${id}`)).code).toBe(0);
  });

  test('wrong resolutions are wrong usage', async () => {
    await start(EDGE);
    for (const text of ['nonsense', 'https_edges.site', 'https_edges.site=', 'https_edges.site=ra_1', 'x=absent'])
      expect((await apply('--resolve', text)).code).toBe(64);
    expect(emulator.requests).toEqual([]);
  });
});

describe('the journal', () => {
  test('notes every write before and after, and holds no secret', async () => {
    const secret = 'probe-9911aa';
    const manifest = `version: 1
stack: shop
variables: { s: { sensitive: true } }
https_edges:
  site:
    routes:
      hook: { match_type: exact_path, match: /h, webhook_verification: { provider: github, secret: "\${var.s}" } }
`;
    await start(manifest);
    env['EDGEFORM_VAR_s'] = secret;
    expect((await apply()).code).toBe(0);
    const types = journal()
      .trim()
      .split('\n')
      .map((line) => String((JSON.parse(line) as JsonObject)['type']));
    expect(types).toEqual(['begin', 'intent', 'outcome', 'intent', 'outcome', 'end']);
    expect(journal()).not.toContain(secret);
    expect(journal()).not.toContain(emulator.apiKey);
    expect(statSync(journalFile()).mode & 0o777).toBe(0o600);
    expect(existsSync(`${journalFile()}.lock`)).toBe(false);
  });

  test('with damage in the middle stops the run before any request', async () => {
    await start(ADDRS);
    expect((await apply()).code).toBe(0);
    const [first = '', ...rest] = journal().split('\n');
    writeFileSync(journalFile(), [first.replace('shop', 'shoq'), ...rest].join('\n'));
    emulator.requests.length = 0;
    const { code, stderr } = await apply();
    expect([code, stderr]).toEqual([1, expect.stringContaining('journal-damaged')]);
    expect(emulator.requests).toEqual([]);
  });

  test('of another run that is at work stops this one', async () => {
    await start(ADDRS, { latencyMs: 30 });
    const [one, other] = await Promise.all([apply(), apply()]);
    expect([one.code, other.code].sort()).toEqual([0, 1]);
    expect(one.stderr + other.stderr).toContain('journal-locked');
    expect(emulator.objects('reserved_addrs')).toHaveLength(2);
  });

  test('that is lost is survived, because markers are on the objects', async () => {
    await start(ADDRS);
    expect((await apply('--journal', 'first.jsonl')).code).toBe(0);
    expect((await apply('--journal', 'second.jsonl')).code).toBe(0);
    expect(emulator.objects('reserved_addrs')).toHaveLength(2);
  });
});

describe('races', () => {
  test('an object that changes between plan and write is left alone, and named', async () => {
    await start(ADDRS);
    expect((await apply()).code).toBe(0);
    writeFileSync(join(cwd, 'edgeform.yaml'), ADDRS.replace('one', 'three'));
    emulator.requests.length = 0;
    const id = String(emulator.objects('reserved_addrs').find((one) => one['description'] === 'one')?.['id']);
    const changing = {
      answer: 'yes',
      onStdout: () => {
        emulator.mutate('reserved_addrs', id, { metadata: 'mine now' });
      },
    };
    const { code, stdout, stderr } = await run(['apply'], changing);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain('changed since the plan was made: metadata');
    expect(writes()).toEqual([]);
  });

  test('an object that is gone by the time it is deleted counts as deleted', async () => {
    await start(ADDRS);
    expect((await apply()).code).toBe(0);
    const id = String(emulator.objects('reserved_addrs')[0]?.['id']);
    let isGone = false;
    const vanish = () => {
      if (!isGone) emulator.remove('reserved_addrs', id);
      isGone = true;
    };
    expect((await run(['destroy'], { answer: 'yes', onStdout: vanish })).code).toBe(0);
    expect(emulator.objects('reserved_addrs')).toEqual([]);
  });

  const FIVE = [0, 1, 2, 3, 4];
  const five = (description: string) =>
    `version: 1\nstack: shop\nreserved_addrs:\n${FIVE.map((at) => `  a${at}: { description: ${description} }\n`).join('')}`;

  /** The same service anew: its first list lacks an object, as one that shifts between its pages does. */
  async function restartWithMovingList(): Promise<void> {
    const id = String(emulator.objects('reserved_addrs')[2]?.['id']);
    const hidden = emulator.objects('reserved_addrs').filter((one) => one['id'] !== id);
    const page = { method: 'GET', path: '^/reserved_addrs', nth: 1 };
    // A seed is loaded from its first object on, so that one becomes the oldest.
    const oldest = String(emulator.objects('reserved_addrs').at(0)?.['id']);
    const next = `${emulator.url}/reserved_addrs?before_id=${oldest}`;
    const faults = [
      { match: page, action: 'status', status: 200, body: { reserved_addrs: hidden, uri: 'x', next_page_uri: next } },
    ] as const;
    const seed = { reserved_addrs: emulator.objects('reserved_addrs') };
    await emulator.close();
    const port = Number(new URL(emulator.url).port);
    emulator = await startEmulator({ port, pageSize: 2, faults, seed, apiKey: env['EDGEFORM_API_KEY'] ?? '' });
  }

  test('what a moving list skips is not created again', async () => {
    await start(five('one'), { pageSize: 2 });
    expect((await apply()).code).toBe(0);
    await restartWithMovingList();
    writeFileSync(join(cwd, 'edgeform.yaml'), `${five('one')}tls_edges: { new: {} }\n`);
    expect((await apply('--journal', 'other.jsonl')).code).toBe(0);
    expect(emulator.objects('reserved_addrs')).toHaveLength(5);
  });

  test('a saved plan is not out of date because a moving list skips what it updates', async () => {
    await start(five('one'), { pageSize: 2 });
    expect((await apply()).code).toBe(0);
    writeFileSync(join(cwd, 'edgeform.yaml'), five('two'));
    expect((await run(['plan', '--out', 'p.json'])).code).toBe(0);
    await restartWithMovingList();
    const { code, stderr } = await apply('p.json', '--journal', 'other.jsonl');
    expect(code, stderr).toBe(0);
    expect(emulator.objects('reserved_addrs').map(({ description }) => description)).toEqual(FIVE.map(() => 'two'));
  });

  test('two runs on two machines end with one object of each address', async () => {
    await start(ADDRS, { latencyMs: 20 });
    const both = await Promise.all([apply('--journal', 'a.jsonl'), apply('--journal', 'b.jsonl')]);
    expect(both.map((one) => one.code).filter((code) => ![0, 1, 3].includes(code ?? -1))).toEqual([]);
    expect((await apply('--journal', 'a.jsonl')).code).toBe(0);
    expect(emulator.objects('reserved_addrs')).toHaveLength(2);
  });
});

test('events are JSON lines, in a file or alone on standard output', async () => {
  await start(ADDRS);
  expect((await apply('--events', 'events.jsonl')).code).toBe(0);
  const events = readFileSync(join(cwd, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);
  expect(events[0]).toMatchObject({ type: 'started', format: 'edgeform-events/1', steps: 2 });
  expect(events.at(-1)).toMatchObject({ type: 'finished', totals: { done: 2 } });
  expect(events.filter((event) => event['type'] === 'step-ended')).toHaveLength(2);
  const { code, stdout } = await run(['destroy', '--auto-approve', '--events', '-']);
  expect(code).toBe(0);
  for (const line of stdout.trim().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow();
  expect((await apply('--events', '-', '--format', 'json')).code).toBe(64);
});
