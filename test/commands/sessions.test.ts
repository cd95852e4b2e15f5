// sessions: every page is listed, and exactly the named ones are deleted, with consent and an honest result for each.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Emulator, EmulatorOptions } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { edgeform, folder } from '../support/cli.ts';
import type { Person } from '../support/host.ts';
import { run as runHere } from '../support/host.ts';

const KEY = 'application_sessions';
const IDS = ['as_one', 'as_two', 'as_three'];

function session(id: string) {
  return {
    id,
    public_url: `https://${id.slice(3)}.example.com`,
    browser_session: {
      user_agent: {
        raw: 'curl/8 \u001b[31m',
        browser_name: 'curl',
        browser_version: '8',
        device_type: '',
        os_name: '',
        os_version: '',
      },
      ip_address: '192.0.2.7',
      location: { country_code: 'DE', latitude: 52.5, longitude: 13.4, lat_long_radius_km: 20 },
    },
    application_user: { id: `au_${id.slice(3)}`, uri: 'https://api.example.test/app/users/x' },
    created_at: '2024-03-01T10:00:00Z',
    last_active: '2024-03-01T11:00:00Z',
    expires_at: id === 'as_one' ? '\u001b[31mnever' : '2024-03-02T10:00:00Z',
    endpoint: { id: 'ep_1', uri: 'https://api.example.test/endpoints/ep_1' },
    edge: null,
    route: null,
  };
}

let emulator: Emulator;
let env: Record<string, string>;
const cwd = folder({});

async function start(options: EmulatorOptions = {}): Promise<void> {
  emulator = await startEmulator({ seed: { [KEY]: IDS.map(session) }, ...options });
  env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
}
async function restart(options: EmulatorOptions): Promise<void> {
  await emulator.close();
  await start(options);
}
beforeEach(() => start());
afterEach(() => emulator.close());

const run = (args: readonly string[], person: Partial<Person> = {}) =>
  runHere(['sessions', ...args], { cwd, env, ...person });
const left = () =>
  emulator
    .objects(KEY)
    .map((one) => String(one['id']))
    .sort();
const deletes = () =>
  emulator.requests.filter((request) => request.method !== 'GET').map((r) => `${r.method} ${r.path}`);

describe('list', () => {
  test('a table of all pages, safe to print', async () => {
    await restart({ pageSize: 1 });
    const { code, stdout, stderr } = await edgeform(['sessions', 'list'], { cwd, env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(emulator.requests.length).toBeGreaterThanOrEqual(3);
    expect([...new Set(emulator.requests.map((request) => request.method))]).toEqual(['GET']);
    const [head, ...rows] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(head).toEqual(['ID', 'USER', 'IP', 'LAST ACTIVE', 'EXPIRES', 'URL']);
    expect(rows.sort((a, b) => a[0]!.localeCompare(b[0]!))).toEqual([
      ['as_one', 'au_one', '192.0.2.7', '2024-03-01T11:00:00Z', '\\x1b[31mnever', 'https://one.example.com'],
      [
        'as_three',
        'au_three',
        '192.0.2.7',
        '2024-03-01T11:00:00Z',
        '2024-03-02T10:00:00Z',
        'https://three.example.com',
      ],
      ['as_two', 'au_two', '192.0.2.7', '2024-03-01T11:00:00Z', '2024-03-02T10:00:00Z', 'https://two.example.com'],
    ]);
  });

  test('JSON holds every session with all its fields', async () => {
    const { code, stdout } = await run(['list', '--format', 'json']);
    expect(code).toBe(0);
    expect(stdout).not.toContain('\u001b');
    const document = JSON.parse(stdout) as { format: string; sessions: { id: string }[] };
    expect(Object.keys(document)).toEqual(['format', 'sessions']);
    expect(document.format).toBe('edgeform-sessions/1');
    expect(document.sessions).toHaveLength(3);
    expect(document.sessions.find((one) => one.id === 'as_two')).toEqual({
      ...session('as_two'),
      uri: `${emulator.url}/app/sessions/as_two`,
    });
  });

  test('none is an empty list, not an error', async () => {
    await restart({ seed: {} });
    const text = await run(['list']);
    expect(text).toMatchObject({ code: 0, stdout: '' });
    expect(text.stderr).toContain('There are no application sessions.');
    expect(JSON.parse((await run(['list', '--format', 'json'])).stdout)).toEqual({
      format: 'edgeform-sessions/1',
      sessions: [],
    });
  });

  test('a page that fails is an error, not a shorter list', async () => {
    const second = { method: 'GET', path: 'before_id' };
    await restart({ pageSize: 1, faults: [{ match: second, action: 'status', status: 500 }] });
    const { code, stdout } = await run(['list']);
    expect(code).toBe(1);
    expect(stdout).toBe('');
  });
});

describe('revoke', () => {
  test('asks, and deletes exactly what was named, each once', async () => {
    const { code, stdout, asked } = await run(['revoke', 'as_one', 'as_two', 'as_one'], { answer: 'yes' });
    expect(code).toBe(0);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('Revoke 2 application sessions');
    expect(stdout).toBe('as_one: revoked\nas_two: revoked\n2 application sessions revoked.\n');
    expect(left()).toEqual(['as_three']);
    expect(deletes()).toEqual(['DELETE /app/sessions/as_one', 'DELETE /app/sessions/as_two']);
  });

  const ONLY_YES = 'not confirmed, because only "yes" is consent, and the answer was';
  test.each([
    ['no', 'not confirmed; nothing was changed'],
    ['a-secret-of-the-clipboard', 'not confirmed; nothing was changed'],
    ['', 'not confirmed; nothing was changed'],
    ['y', `${ONLY_YES} "y"; nothing was changed`],
    ['YES', `${ONLY_YES} "YES"; nothing was changed`],
  ])('the answer %j is no consent', async (answer, words) => {
    const { code, stderr } = await run(['revoke', 'as_one'], { answer });
    expect(code).toBe(5);
    expect(stderr.replace(/\s+/g, ' ')).toContain(words);
    expect(deletes()).toEqual([]);
  });

  test('piped input is no consent', async () => {
    const { code, stderr } = await edgeform(['sessions', 'revoke', 'as_one'], { cwd, env, stdin: 'yes\n' });
    expect(code).toBe(5);
    expect(stderr).toContain('--auto-approve');
    expect(stderr).toContain('DELETE /app/sessions/as_one');
    expect(deletes()).toEqual([]);
    expect((await edgeform(['sessions', 'revoke', 'as_one', '--auto-approve'], { cwd, env })).code).toBe(0);
    expect(left()).toEqual(['as_three', 'as_two']);
  });

  test('the plan of deletions is shown when it is approved beforehand, too', async () => {
    const { stderr } = await run(['revoke', 'as_one', 'as_two', '--auto-approve']);
    expect(stderr).toBe('DELETE /app/sessions/as_one\nDELETE /app/sessions/as_two\n');
  });

  test('ids that no session has are an error, all of them at once, before anything is asked', async () => {
    const args = ['revoke', 'as_oen', 'as_two', 'as_elsewhere'];
    const { code, stdout, stderr, asked } = await run(args, { answer: 'yes' });
    expect([code, stdout, asked]).toEqual([64, '', []]);
    const words = stderr.replace(/\s+/g, ' ');
    expect(words).toContain('there is no application session as_oen; nothing was revoked');
    expect(words).toContain('fix: did you mean "as_one"?');
    expect(words).toContain('there is no application session as_elsewhere; nothing was revoked');
    expect(words).toContain('the ids are listed by `edgeform sessions list`');
    expect(words).not.toContain('DELETE');
    const json = await run([...args, '--auto-approve', '--format', 'json']);
    expect(json.code).toBe(64);
    expect(JSON.parse(json.stdout)).toMatchObject({
      format: 'edgeform-error/1',
      exit_code: 64,
      diagnostics: expect.arrayContaining([
        expect.objectContaining({ code: 'bad-usage', fix: 'did you mean "as_one"?' }),
        expect.objectContaining({ message: 'there is no application session as_elsewhere; nothing was revoked' }),
      ]),
    });
    expect(deletes()).toEqual([]);
  });

  test('an id is looked for on every page', async () => {
    await restart({ pageSize: 1 });
    expect((await run(['revoke', ...IDS, '--auto-approve'])).code).toBe(0);
    expect(left()).toEqual([]);
  });

  test('nothing is revoked where the sessions cannot be listed', async () => {
    await restart({ faults: [{ match: { method: 'GET' }, action: 'status', status: 500 }] });
    expect((await run(['revoke', 'as_one', '--auto-approve'])).code).toBe(1);
    expect(deletes()).toEqual([]);
  });

  test('one that ends once it was listed is done', async () => {
    // The list of the second run, after a list and an object.
    await restart({ faults: [{ match: { method: 'GET', nth: 3 }, action: 'staleList' }] });
    await run(['revoke', 'as_one', '--auto-approve']);
    const { code, stdout } = await run(['revoke', 'as_one', 'as_two', '--auto-approve', '--format', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      format: 'edgeform-revoke/1',
      result: 'done',
      exit_code: 0,
      sessions: [
        { id: 'as_one', status: 'done', error: null },
        { id: 'as_two', status: 'done', error: null },
      ],
    });
    expect(left()).toEqual(['as_three']);
  });

  test('some refused is partly done, all refused is an error', async () => {
    const refuse = (nth?: number): EmulatorOptions => ({
      faults: [{ match: { method: 'DELETE', ...(nth !== undefined && { nth }) }, action: 'status', status: 403 }],
    });
    await restart(refuse(2));
    const partly = await run(['revoke', ...IDS, '--auto-approve', '--format', 'json']);
    expect(partly.code).toBe(3);
    expect(JSON.parse(partly.stdout)).toMatchObject({
      result: 'partial',
      exit_code: 3,
      sessions: [
        { status: 'done' },
        { id: 'as_two', status: 'failed', error: expect.stringContaining('403') },
        { status: 'done' },
      ],
    });
    expect(left()).toEqual(['as_two']);
    await restart(refuse());
    const none = await run(['revoke', ...IDS, '--auto-approve']);
    expect(none.code).toBe(1);
    expect(none.stderr).toContain('[revoke-failed]');
    expect(none.stdout).toContain('0 application sessions revoked, 3 failed.');
  });

  test('an answer that was lost is looked up', async () => {
    await restart({ faults: [{ match: { method: 'DELETE', nth: 1 }, action: 'dropAfter' }] });
    expect((await run(['revoke', 'as_one', '--auto-approve'])).code).toBe(0);
    await restart({ faults: [{ match: { method: 'DELETE', nth: 1 }, action: 'dropBefore' }] });
    expect((await run(['revoke', 'as_one', '--auto-approve'])).code).toBe(0);
    expect(left()).not.toContain('as_one');
  });

  test('a 404 that is not the API’s own is not taken for gone', async () => {
    await restart({ faults: [{ match: { method: 'DELETE' }, action: 'status', status: 404, body: '<html>' }] });
    const { code } = await run(['revoke', 'as_one', '--auto-approve']);
    expect(code).toBe(7);
    expect(left()).toContain('as_one');
  });

  test('wrong ids and wrong usage end before any request, and nothing given is repeated', async () => {
    for (const args of [
      ['revoke'],
      ['revoke', 'probe-key-1234'],
      ['revoke', 'as_one', 'edghts_probe'],
      ['revoke', 'as_'],
      ['revoke', 'as_one/../probe'],
      ['revoke', 'as_one', '--nope'],
      ['revoke', 'as_one', '--format', 'yaml'],
      ['list', 'as_one'],
      ['list', '--auto-approve'],
    ]) {
      const { code, stdout, stderr } = await run(args, { answer: 'yes' });
      expect(code, args.join(' ')).toBe(64);
      expect(stdout + stderr).not.toContain('probe');
    }
    expect(emulator.requests).toEqual([]);
  });
});

test('a wrong subcommand is a usage error, and missing settings are invalid input', async () => {
  for (const args of [[], ['lst'], ['delete', 'as_one']]) expect((await run(args)).code, args.join(' ')).toBe(64);
  expect((await run(['list'], { env: {} })).code).toBe(4);
  expect((await run(['revoke', 'as_one', '--auto-approve'], { env: {} })).code).toBe(4);
});
