// Waves from the command line: what every format says after a failure, where the next run goes on, and what selects a wave.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { usePlace } from '../support/place.ts';

const FLEET = `version: 1
stacks:
  - { name: late, path: site.yaml, variables: { name: late }, wave: 2 }
  - { name: canary, path: site.yaml, variables: { name: canary } }
  - { name: network, path: network.yaml }
`;
const SITE = `version: 1
stack: "\${var.name}"
variables: { name: {} }
imports: { db: { stack: network, address: reserved_addrs.db } }
tls_edges:
  web: { hostports: ["\${var.name}.example.com:443"], description: "at \${imports.db.addr}" }
`;
const NETWORK = 'version: 1\nstack: network\nreserved_addrs: { db: { region: eu } }\n';

const place = usePlace({ 'edgeform.fleet.yaml': FLEET, 'site.yaml': SITE, 'network.yaml': NETWORK });
const { run, write, writes } = place;

interface Document extends JsonObject {
  readonly stacks: readonly JsonObject[];
  readonly waves: readonly JsonObject[];
  readonly removals: JsonObject;
}

const fleet = (...args: string[]) => run('fleet', ...args);
const apply = (...more: string[]) => fleet('apply', ...more, '--auto-approve');
const read = (name: string) => readFileSync(join(place.cwd, name), 'utf8');
const documentOf = ({ stdout }: { readonly stdout: string }) => JSON.parse(stdout) as Document;
const results = (ended: { readonly stdout: string }): Record<string, string> =>
  Object.fromEntries(
    documentOf(ended).stacks.map(
      ({ name, wave, result }) => [String(name), `${String(wave)} ${String(result)}`] as const,
    ),
  );
const said = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) =>
  `${stdout}${stderr}`.replace(/\s+/g, ' ');

/** The service refuses the edge of the canary. */
const failing = () =>
  place.restart({ faults: [{ match: { method: 'POST', path: '/edges/tls', nth: 1 }, action: 'status', status: 422 }] });

describe('after a failure in the first wave', () => {
  test.each([
    ['text', /late 2 not attempted after wave 1/],
    ['markdown', /\| `late` \| 2 \| \*\*not attempted\*\* after wave 1 \|/],
    ['html', /not attempted.{0,40} after wave 1/],
    ['junit', /<skipped type="not attempted after wave 1"/],
    ['github', /late 2 not attempted after wave 1/],
  ])('%s names what was not attempted', async (format, expected) => {
    await failing();
    const ended = await apply('--format', format);
    expect(ended.code).toBe(3);
    expect(said(ended)).toMatch(expected);
    expect(writes().map(({ path }) => path)).toEqual(['/reserved_addrs', '/edges/tls']);
  });

  test('json, metrics and events do, too', async () => {
    await failing();
    const ended = await apply('--format', 'json', '--metrics-file', 'fleet.prom', '--events', 'events.jsonl');
    expect(results(ended)).toEqual({ late: '2 not_attempted', canary: '1 error', network: '1 ok' });
    expect(documentOf(ended).stacks[0]).toMatchObject({ after_wave: 1, exit_code: 1 });
    const metrics = read('fleet.prom').split('\n');
    const about = (text: string) =>
      metrics.filter((line) => line.includes(text)).map((line) => line.replace(/service="[^"]*",/, ''));
    expect(about('edgeform_stack_result{')).toEqual([
      'edgeform_stack_result{stack="network",wave="1",result="ok"} 1',
      'edgeform_stack_result{stack="canary",wave="1",result="error"} 1',
      'edgeform_stack_result{stack="late",wave="2",result="not_attempted"} 1',
    ]);
    expect(about('edgeform_apply_steps{stack="network"')).toEqual([
      'edgeform_apply_steps{stack="network",wave="1",kind="reserved_addr",action="create",status="done"} 1',
    ]);
    const events = read('events.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as JsonObject);
    expect(events.filter(({ type }) => type === 'wave-started')).toEqual([
      { type: 'wave-started', wave: 1, stacks: ['canary', 'network'] },
    ]);
    expect(events.at(-1)).toEqual({
      type: 'not-run',
      result: 'not_attempted',
      after_wave: 1,
      stack: 'late',
      service: `${place.emulator.url}/`,
      wave: 2,
    });
    expect(events.find(({ type, stack }) => type === 'step-ended' && stack === 'network')).toMatchObject({ wave: 1 });
  });

  test('the same saved plans go on: what is done says so, and the later wave begins', async () => {
    await failing();
    expect((await fleet('plan', '--out', 'plans')).code).toBe(0);
    expect((await apply('plans')).code).toBe(3);
    const before = writes().length;
    const again = await apply('plans', '--format', 'json');
    expect([again.code, results(again)]).toEqual([0, { late: '2 ok', canary: '1 ok', network: '1 ok' }]);
    expect(
      writes()
        .slice(before)
        .map(({ method, path }) => `${method} ${path}`),
    ).toEqual(['POST /edges/tls', 'POST /edges/tls']);
    const last = await apply('plans');
    expect([last.code, said(last)]).toEqual([
      0,
      expect.stringMatching(/verdict done before canary, network 1 ok 2 late 2 ok 1/),
    ]);
    expect(writes()).toHaveLength(before + 2);
  });
});

test('a log says when a wave begins', async () => {
  const { code, stderr } = await apply();
  expect(code).toBe(0);
  expect(stderr.match(/^Wave .*$/gm)).toEqual(['Wave 1: 2 stacks', 'Wave 2: 1 stack']);
});

describe('one wave', () => {
  test('of saved plans is carried out alone; the next one fills in what it created', async () => {
    await fleet('plan', '--out', 'plans');
    const first = await apply('plans', '--wave', '1', '--format', 'json');
    expect([first.code, results(first)]).toEqual([0, { canary: '1 ok', network: '1 ok' }]);
    const second = await apply('plans', '--wave', '2', '--format', 'json');
    expect([second.code, results(second)]).toEqual([0, { late: '2 ok' }]);
    expect((await fleet('plan', '--detailed-exitcode')).code).toBe(0);
  });

  test('that no entry has is an error before any request', async () => {
    const ended = await fleet('plan', '--wave', '3');
    expect([ended.code, said(ended)]).toEqual([4, expect.stringContaining('no entry of the fleet has wave 3')]);
    expect(place.emulator.requests).toEqual([]);
  });

  test.each(['0', '-1', '1.5', 'two', '1000'])('%s is wrong usage', async (wave) => {
    expect((await fleet('list', '--wave', wave)).code).toBe(64);
  });

  test('is what a shard applies', async () => {
    const ended = await apply('--shard', '1/2');
    expect([ended.code, said(ended)]).toEqual([64, expect.stringContaining('--wave N')]);
    expect(writes()).toEqual([]);
    expect((await apply('--shard', '1/1', '--wave', '1')).code).toBe(0);
    expect((await fleet('plan', '--shard', '1/2')).code).toBe(0);
  });
});

describe('--except', () => {
  test('leaves entries out, of --only, too', async () => {
    expect(results(await fleet('plan', '--except', 'l*', '--format', 'json'))).toEqual({
      canary: '1 pending',
      network: '1 pending',
    });
    expect((await fleet('list', '--only', '*a*', '--except', 'late')).stdout).toContain('1 stack:');
  });

  test('keeps what the stacks that it leaves out import', async () => {
    await apply();
    write(`${FLEET.replace(/.*network.yaml.*\n/, '')}  - { name: network, path: empty.yaml }\n`, 'edgeform.fleet.yaml');
    write(
      'version: 1\nstack: network\nfailover_backends: { a: { backends: [bkdhr_2abc] } }\nremoved: [{ from: reserved_addrs.db, destroy: true }]\n',
      'empty.yaml',
    );
    expect((await fleet('plan', '--except', '*a*', '--format', 'json')).code).toBe(4);
  });

  test('that matches nothing is an error: what it was to leave out would be applied', async () => {
    const ended = await apply('--except', 'netwerk');
    expect([ended.code, said(ended)]).toEqual([4, expect.stringContaining('did you mean "network"?')]);
    expect(writes()).toEqual([]);
  });

  test('is an option of every command for fleets', async () => {
    await apply('--except', 'late');
    expect(place.emulator.objects('tls_edges')).toHaveLength(1);
    for (const command of ['list', 'validate', 'plan', 'drift', 'graph'])
      expect([command, (await fleet(command, '--except', 'late')).code]).toEqual([command, 0]);
    const destroyed = await fleet('destroy', '--except', 'network', '--auto-approve', '--format', 'json');
    expect(results(destroyed)).toMatchObject({ canary: '1 ok', late: '2 ok' });
    expect(place.emulator.objects('reserved_addrs')).toHaveLength(1);
  });
});

describe('fleet list', () => {
  test('names the wave in every form', async () => {
    expect((await fleet('list')).stdout).toMatch(/late +stack late at \S+, wave 2\n +canary .*, wave 1/);
    expect(JSON.parse((await fleet('list', '--format', 'github-matrix')).stdout)).toEqual({
      include: [
        { name: 'late', wave: 2 },
        { name: 'canary', wave: 1 },
        { name: 'network', wave: 1 },
      ],
    });
    expect(documentOf(await fleet('list', '--format', 'json')).waves).toMatchObject([
      { wave: 1, stacks: 2 },
      { wave: 2, stacks: 1 },
    ]);
  });

  test('says nothing of waves where the file has none', async () => {
    write(FLEET.replace(', wave: 2', ''), 'edgeform.fleet.yaml');
    expect((await fleet('list')).stdout).not.toContain('wave');
    expect((await fleet('plan')).stdout).not.toContain('wave');
    expect(results(await fleet('list', '--format', 'json'))).toMatchObject({ late: '1 ok' });
  });
});

test('a plan counts for each wave what it takes away', async () => {
  await apply();
  write(
    SITE.replace('"${var.name}.example.com:443"', '"${var.name}.example.org:443"').replace('web:', 'new:'),
    'site.yaml',
  );
  write(NETWORK.replace('eu', 'us'), 'network.yaml');
  const planned = documentOf(await fleet('plan', '--format', 'json'));
  expect([planned.waves, planned.removals]).toEqual([
    [
      { wave: 1, stacks: 2, deletes: 1, replaces: 1, losses: 1 },
      { wave: 2, stacks: 1, deletes: 1, replaces: 0, losses: 0 },
    ],
    { deletes: 2, replaces: 1, losses: 1 },
  ]);
  expect((await fleet('plan')).stdout).toMatch(/^Fleet plan: 3 stacks in 2 waves, /);
});

test('an import from a later wave names all places, before any request', async () => {
  write(FLEET.replace('path: network.yaml', 'path: network.yaml, wave: 2'), 'edgeform.fleet.yaml');
  for (const command of ['validate', 'plan']) {
    const ended = await fleet(command);
    expect([ended.code, said(ended)]).toEqual([
      4,
      expect.stringMatching(
        /canary imports reserved_addrs.db of network, but canary is in wave 1, before network in wave 2 .*site.yaml:4:12 .*edgeform.fleet.yaml:5:48 .*edgeform.fleet.yaml:4:13/,
      ),
    ]);
  }
  expect(place.emulator.requests).toEqual([]);
});
