// The built binary against the emulator and against services that are none: exit codes, streams, writes, secrets.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/service/http/exchange.ts';
import { createExchange } from '../../src/service/http/undici-exchange.ts';
import { CLI, edgeform, folder } from '../support/cli.ts';
import { run as runHere } from '../support/host.ts';
import { usePlace } from '../support/place.ts';

const PROBE = 'probe-5b1f0c9e77aa';
const MANIFEST = `version: 1
stack: shop
variables: { secret: { sensitive: true } }
reserved_addrs:
  db: { region: eu }
https_edges:
  site:
    hostports: [shop.example.com:443]
    routes:
      hook: { match_type: exact_path, match: /hook, webhook_verification: { provider: github, secret: "\${var.secret}" } }
tls_edges:
  db: { hostports: ["\${reserved_addrs.db.addr}"] }
outputs: { address: "\${reserved_addrs.db.addr}" }
`;

const place = usePlace({ 'edgeform.yaml': MANIFEST }, { EDGEFORM_VAR_secret: PROBE });

const run = (...args: string[]) => edgeform(args, place);
/** The same in this process, where nothing but the command counts. */
const { run: here } = place;
const { writes } = place;

test('plan, apply, plan, second apply, destroy: codes, writes and words', async () => {
  const planned = await run('plan', '--detailed-exitcode');
  expect(planned.code).toBe(2);
  expect(planned.stdout.split('\n')[1]).toBe(planned.stdout.trimEnd().split('\n').at(-1));
  expect(writes()).toEqual([]);

  expect((await run('apply', '--auto-approve')).code).toBe(0);
  const count = writes().length;
  expect(count).toBe(4);
  const empty = await run('plan', '--detailed-exitcode');
  expect(empty.code).toBe(0);
  expect(empty.stdout).toContain('No changes');
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  expect(writes()).toHaveLength(count);

  expect((await run('destroy', '--auto-approve')).code).toBe(0);
  for (const key of ['reserved_addrs', 'tls_edges', 'https_edges']) expect(place.emulator.objects(key)).toEqual([]);
});

test('the JSON plan follows its schema, and a saved plan is for its owner only', async () => {
  const { code, stdout } = await here('plan', '--format', 'json', '--out', 'plan.json');
  expect(code).toBe(0);
  const schema: object = JSON.parse(readFileSync(new URL('../../schemas/plan.schema.json', import.meta.url), 'utf8'));
  const validate = new Ajv({ strict: false }).compile(schema);
  expect(validate(JSON.parse(stdout)), JSON.stringify(validate.errors)).toBe(true);
  expect(readFileSync(join(place.cwd, 'plan.json'), 'utf8')).toBe(stdout);
  expect(statSync(join(place.cwd, 'plan.json')).mode & 0o777).toBe(0o600);
});

test('the JSON report of apply has totals that equal the plan', async () => {
  const { code, stdout } = await here('apply', '--auto-approve', '--format', 'json');
  expect(code).toBe(0);
  const report: unknown = JSON.parse(stdout);
  expect(report).toMatchObject({ format: 'edgeform-report/1', result: 'done', exit_code: 0, converged: true });
  expect(report).toMatchObject({ totals: { done: 4, failed: 0, blocked: 0, not_attempted: 0, unknown: 0 } });
  expect(report).toMatchObject({ outputs: { address: expect.stringContaining(':') } });
});

test('bad input is exit code 4 with every problem, also as JSON, and no request', async () => {
  const bad = folder({
    'edgeform.yaml': 'version: 1\nstack: shop\nreserved_addrs: { a: { region: mars, nope: 1 } }\n',
  });
  for (const args of [['validate'], ['plan'], ['apply', '--auto-approve']]) {
    const text = await runHere(args, { cwd: bad, env: place.env });
    expect(text.code).toBe(4);
    expect(text.stderr).toMatch(/edgeform\.yaml:3:\d+[\s\S]*edgeform\.yaml:3:\d+[\s\S]*2 errors/);
    const json = await runHere([...args, '--format', 'json'], { cwd: bad, env: place.env });
    expect(json.code).toBe(4);
    expect(JSON.parse(json.stdout)).toMatchObject({ diagnostics: [{ line: 3 }, { line: 3 }] });
  }
  expect(place.emulator.requests).toEqual([]);
});

/** The real network, where a second is over sooner. */
const real = createExchange({ maxBytes: 1 << 24 });
const impatient: Exchange = (asked) => real({ ...asked, timeoutMs: asked.timeoutMs / 20 });

describe('a service that is none gives exit code 1, a plain sentence and no writes', () => {
  const services: readonly (readonly [string, RequestListener, RegExp])[] = [
    [
      'HTML with 200',
      (_, answer) => answer.setHeader('content-type', 'text/html').end('<html>login</html>'),
      /text\/html, not JSON/,
    ],
    ['HTML with 404', (_, answer) => answer.writeHead(404, { 'content-type': 'text/html' }).end('<html>'), /not JSON/],
    ['an empty object', (_, answer) => answer.setHeader('content-type', 'application/json').end('{}'), /no list under/],
    [
      'half an answer',
      (_, answer) => answer.setHeader('content-type', 'application/json').end('{"keys": ['),
      /not complete JSON/,
    ],
    [
      'a redirect',
      (_, answer) => answer.writeHead(302, { location: 'http://127.0.0.2:9/' }).end(),
      /redirect to http:\/\/127\.0\.0\.2:9, .*302/,
    ],
    ['no end', (_, answer) => void answer.setHeader('content-type', 'application/json').write('{'), /within 1 s/],
  ];
  test.each(services)('%s', async (_, listener, sentence) => {
    const methods = new Set<string>();
    const server = createServer((request, answer) => {
      methods.add(request.method ?? '');
      listener(request, answer);
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    place.env = { ...place.env, EDGEFORM_BASE_URL: `http://127.0.0.1:${port}`, EDGEFORM_TIMEOUT: '1' };
    // In this process, because reads are tried again after waits that need not be waited for.
    const exchange = sentence.source.includes('within') ? impatient : undefined;
    const { code, stderr } = await runHere(['apply', '--auto-approve'], { ...place, ports: { exchange } });
    server.closeAllConnections();
    server.close();
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(sentence);
    expect(stderr).not.toContain(place.emulator.apiKey);
    expect(code).toBe(1);
    expect([...methods]).toEqual(['GET']);
  });

  test('a dead port', async () => {
    place.env = { ...place.env, EDGEFORM_BASE_URL: 'http://127.0.0.1:1' };
    const { code, stderr } = await here('plan');
    expect(code).toBe(1);
    expect(stderr).toContain('refused');
  });

  test('a wrong key, which is not repeated although the service does', async () => {
    place.env = { ...place.env, EDGEFORM_API_KEY: `wrong-${PROBE}` };
    const { code, stderr, stdout } = await here('apply', '--auto-approve', '--debug');
    expect(code).toBe(1);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('does not accept the API key');
    expect(stderr + stdout).not.toContain(PROBE);
    expect(writes()).toEqual([]);
  });
});

test('settings: a missing key, plain http and unsafe variables are exit code 4 before any request', async () => {
  const without = (name: string): Record<string, string> =>
    Object.fromEntries(Object.entries(place.env).filter(([key]) => key !== name));
  const cases = [
    without('EDGEFORM_API_KEY'),
    { ...place.env, EDGEFORM_BASE_URL: 'http://example.com' },
    { ...place.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    { ...place.env, NODE_DEBUG: 'http' },
    { ...place.env, NODE_OPTIONS: '--tls-keylog=/tmp/keys' },
    { ...place.env, NODE_OPTIONS: '--inspect=0' },
    { ...place.env, EDGEFORM_API_KEY: 'a b' },
  ];
  for (const one of cases) expect((await runHere(['plan'], { cwd: place.cwd, env: one })).code).toBe(4);
  expect(place.emulator.requests).toEqual([]);
});

test('consent: piped input is none', async () => {
  const { code, stderr } = await edgeform(['apply'], { ...place, stdin: 'yes\n' });
  expect(code).toBe(5);
  expect(stderr).toContain('--auto-approve');
  expect(writes()).toEqual([]);
});

test('refusals: exit code 5, no write, and the flag that would allow it', async () => {
  expect((await here('apply', '--auto-approve')).code).toBe(0);
  const count = writes().length;
  const empty = folder({ 'edgeform.yaml': 'version: 1\nstack: shop\n' });
  const refused = await runHere(['apply', '--auto-approve'], { cwd: empty, env: place.env });
  expect(refused.code).toBe(5);
  expect(refused.stdout).toContain('use `destroy`');
  const moved = folder({ 'edgeform.yaml': MANIFEST.replace('region: eu', 'region: us') });
  const plan = await runHere(['apply', '--auto-approve'], { cwd: moved, env: place.env });
  expect(plan.code).toBe(5);
  expect(plan.stdout).toContain('--allow-loss reserved_addrs.db');
  expect(writes()).toHaveLength(count);
  expect(
    (await runHere(['apply', '--auto-approve', '--allow-loss', 'reserved_addrs.db'], { cwd: moved, env: place.env }))
      .code,
  ).toBe(0);
  expect((await runHere(['plan', '--detailed-exitcode'], { cwd: moved, env: place.env })).code).toBe(0);
});

test('wrong usage is exit code 64', async () => {
  for (const args of [
    ['aply'],
    ['plan', '--frmat', 'json'],
    ['plan', '--format', 'xml'],
    ['apply', '--concurrency', '0'],
    ['plan', 'extra'],
    ['explain', 'nope'],
  ]) {
    expect((await here(...args)).code, args.join(' ')).toBe(64);
  }
});

test('a token goes to one 0600 file, and nowhere else; without a place for it nothing is created', async () => {
  const keys = folder({ 'edgeform.yaml': 'version: 1\nstack: shop\napi_keys: { ci: {} }\n' });
  const refused = await runHere(['apply', '--auto-approve'], { cwd: keys, env: place.env });
  expect(refused.code).toBe(4);
  expect(writes()).toEqual([]);
  const { code, stdout, stderr } = await runHere(['apply', '--auto-approve', '--token-dir', 'tokens'], {
    cwd: keys,
    env: place.env,
  });
  expect(code).toBe(0);
  const token = readFileSync(join(keys, 'tokens', 'api_keys.ci.token'), 'utf8').trim();
  expect(token.length).toBeGreaterThan(20);
  expect(statSync(join(keys, 'tokens', 'api_keys.ci.token')).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(keys, 'tokens'))).toEqual(['api_keys.ci.token']);
  expect(stdout + stderr).not.toContain(token);
  place.env = { ...place.env, EDGEFORM_API_KEY: token };
  expect((await runHere(['plan', '--detailed-exitcode'], { cwd: keys, env: place.env })).code).toBe(0);
});

test('no secret is in any output of any command', async () => {
  const outputs: string[] = [];
  for (const args of [
    ['validate'],
    ['plan', '--detail', 'full', '--debug'],
    ['plan', '--format', 'json', '--out', 'p.json'],
    ['apply', '--auto-approve', '--debug'],
    ['apply', '--auto-approve', '--format', 'json'],
    ['destroy', '--auto-approve', '--detail', 'full'],
  ]) {
    const { stdout, stderr } = await here(...args);
    outputs.push(stdout, stderr);
  }
  outputs.push(readFileSync(join(place.cwd, 'p.json'), 'utf8'));
  for (const output of outputs) {
    expect(output).not.toContain(PROBE);
    expect(output).not.toContain(place.emulator.apiKey);
  }
});

test('a failing step blocks only what waits for it; exit code 3; running again finishes', async () => {
  await place.restart({
    faults: [{ match: { method: 'POST', path: '/reserved_addrs', nth: 1 }, action: 'status', status: 400 }],
  });
  const { code, stdout } = await here('apply', '--auto-approve', '--format', 'json');
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({ result: 'partial', totals: { done: 2, failed: 1, blocked: 1 } });
  expect((await here('apply', '--auto-approve')).code).toBe(0);
  expect(place.emulator.objects('https_edges')).toHaveLength(1);
});

test('a creation whose answer is lost is found by its marker, and is not repeated', async () => {
  await place.restart({
    faults: [{ match: { method: 'POST', path: '/reserved_addrs', nth: 1 }, action: 'dropAfter' }],
  });
  expect((await here('apply', '--auto-approve')).code).toBe(0);
  expect(writes().filter((request) => request.path === '/reserved_addrs')).toHaveLength(1);
  expect(place.emulator.objects('reserved_addrs')).toHaveLength(1);
});

test('a signal in the middle stops starting steps, and running again finishes without a duplicate', async () => {
  await place.restart({ latencyMs: 150 });
  let sent = false;
  const { code } = await edgeform(['apply', '--auto-approve', '--concurrency', '1'], {
    cwd: place.cwd,
    env: place.env,
    onStderr: (text, kill) => {
      if (sent || !text.includes('done')) return;
      sent = true;
      kill('SIGTERM');
    },
  });
  expect(code).toBe(143);
  expect(writes().length).toBeLessThan(4);
  expect((await here('apply', '--auto-approve')).code).toBe(0);
  for (const key of ['reserved_addrs', 'tls_edges', 'https_edges']) expect(place.emulator.objects(key)).toHaveLength(1);
});

test.skipIf(!existsSync('/dev/full'))(
  'a full disk is exit code 74, as is a document that nobody read to its end; a log that nobody reads is quiet',
  () => {
    const status = (command: string): number => {
      try {
        execFileSync('bash', ['-c', `set -o pipefail; ${command}`], {
          cwd: place.cwd,
          env: { PATH: process.env['PATH'] ?? '', CLI },
          stdio: 'pipe',
        });
        return 0;
      } catch (error) {
        return error instanceof Error && 'status' in error ? Number(error.status) : -1;
      }
    };
    expect(status('node "$CLI" schema > /dev/full')).toBe(74);
    for (const args of ['validate', '--help'])
      expect(
        status(`node "$CLI" ${args} 2>&1 > /dev/full | grep 'could not be written.*output-failed' > found`),
        args,
      ).toBe(74);
    expect(status('node "$CLI" validate --format text | true')).toBe(0);
    writeFileSync(join(place.cwd, 'empty.yaml'), 'version: 1\nstack: shop\n');
    const validate = (format: string) => status(`node "$CLI" validate -f empty.yaml --format ${format} | true`);
    expect(['text', 'json', 'html', 'markdown'].map(validate)).toEqual([0, 74, 74, 74]);
    expect(status('node "$CLI" schema | (sleep 0.3; node -e "JSON.parse(require(\'fs\').readFileSync(0))")')).toBe(0);
  },
);

test('the demo runs to its end', () => {
  const text = execFileSync(process.execPath, ['scripts/run.mjs', 'scripts/demo/main.ts'], {
    env: { PATH: process.env['PATH'] ?? '' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  expect(text).toContain('No changes. Live state matches the manifest.');
  expect(text).toContain('[changed outside]');
});
