// A service that keeps a value of its own in place of the one that is sent: told once, and neither drift nor sent again.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { usePlace } from '../support/place.ts';

const MANIFEST = `version: 1
stack: shop
https_edges:
  shop:
    routes:
      api:
        match_type: path_prefix
        match: /
        circuit_breaker: { volume_threshold: 0 }
`;
const place = usePlace({ 'edgeform.yaml': MANIFEST });
const { run } = place;
const apply = () => run('apply', '--auto-approve');

interface Route {
  readonly id: string;
  readonly circuit_breaker: { readonly volume_threshold: number };
}

function route(): Route {
  const [edge] = place.emulator.objects('https_edges');
  const [one] = (edge?.['routes'] ?? []) as unknown as readonly Route[];
  if (one === undefined) throw new Error('unreachable');
  return one;
}

const set = (volume: number) => {
  const { id, circuit_breaker: breaker } = route();
  place.emulator.mutate('routes', id, { circuit_breaker: { ...breaker, volume_threshold: volume } });
};

beforeEach(() => place.restart({ keepsDefaults: true }));

test('it is told once with both values, and is neither sent again nor drift', async () => {
  const { code, stderr, stdout } = await apply();
  expect(code, stderr).toBe(0);
  expect(`${stdout}${stderr}`.replaceAll(/\s+/g, ' ')).toContain(
    'https_edges.shop.routes.api: the service did not take circuit_breaker.volume_threshold: 0 was sent, and it shows 20',
  );
  place.emulator.requests.length = 0;
  const plan = await run('plan', '--detailed-exitcode');
  expect([plan.code, plan.stdout]).toEqual([0, expect.stringContaining('No changes')]);
  // It says so again: a plan never calls a live state right that is not what the manifest says.
  expect(plan.stdout.replaceAll(/\s+/g, ' ')).toContain('0 was sent, and it shows 20');
  const drift = await run('drift');
  expect(drift).toMatchObject({ code: 0, stdout: expect.not.stringContaining('changed outside') });
  expect(drift.stdout.split('not-taken')).toHaveLength(2);
  expect(drift.stdout.replaceAll(/\s+/g, ' ')).toContain('https_edges.shop.routes.api: the service did not take');
  expect((await run('drift', '--format', 'json')).stdout.split('not-taken')).toHaveLength(2);
  const again = await apply();
  expect([again.code, `${again.stdout}${again.stderr}`.split('not-taken').length]).toEqual([0, 2]);
  expect(place.writes()).toEqual([]);
});

test('a third value is drift, and what puts it right is told again', async () => {
  await apply();
  set(7);
  expect(await run('drift')).toMatchObject({ code: 2, stdout: expect.stringContaining('volume_threshold') });
  expect((await apply()).code).toBe(0);
  expect((await run('drift')).code).toBe(0);
});

test('another value in the manifest is sent, as a change of the manifest', async () => {
  await apply();
  place.write(MANIFEST.replace('volume_threshold: 0', 'volume_threshold: 9'));
  const { stdout } = await run('plan');
  expect(stdout).toContain('volume_threshold: 20 → 9');
  expect(stdout).not.toContain('changed outside');
  expect((await run('drift')).code).toBe(0);
  expect((await apply()).code).toBe(0);
  expect(route().circuit_breaker.volume_threshold).toBe(9);
});

describe('an object that moves', () => {
  test('keeps its note under another address', async () => {
    await apply();
    const renamed = MANIFEST.replace('shop:\n    routes', 'web:\n    routes');
    place.write(`${renamed}moved: [{ from: https_edges.shop, to: https_edges.web }]\n`);
    place.emulator.requests.length = 0;
    expect((await apply()).code).toBe(0);
    expect(place.writes().map(({ body }) => JSON.stringify(body))).not.toContainEqual(
      expect.stringContaining('volume_threshold'),
    );
    expect((await run('drift')).code).toBe(0);
  });

  test('is sent the value once more in another stack, which is told, and then neither sent again nor drift', async () => {
    await apply();
    place.write(`${MANIFEST.replace('stack: shop', 'stack: web')}moved: [{ from: { stack: shop } }]\n`);
    place.emulator.requests.length = 0;
    const { code, stdout, stderr } = await apply();
    expect([code, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining('did not take')]);
    expect(place.writes().map(({ method }) => method)).toEqual(['PATCH', 'PATCH']);
    place.emulator.requests.length = 0;
    expect((await run('drift')).code).toBe(0);
    expect((await apply()).code).toBe(0);
    expect(place.writes()).toEqual([]);
  });
});

test('the note outlives later runs, and goes with the journal', async () => {
  await apply();
  place.write(MANIFEST.replace('    routes:', '    description: more\n    routes:'));
  expect((await apply()).code).toBe(0);
  expect((await run('drift')).code).toBe(0);
  expect(readFileSync(place.journal(), 'utf8')).not.toContain('volume_threshold');
  rmSync(place.journal());
  expect((await run('drift')).code).toBe(2);
});

/** Leaves the journal as a run does that is cut off right after its last request. */
function forgetLastOutcome(): void {
  const lines = readFileSync(place.journal(), 'utf8').split('\n');
  const last = lines.findLastIndex((line) => line.includes('"type":"intent"'));
  writeFileSync(place.journal(), `${lines.slice(0, last + 1).join('\n')}\n`);
}

test('after a run that was cut off in the write, it is no drift, and the next apply sends it again', async () => {
  place.write(MANIFEST.replace('volume_threshold: 0', 'volume_threshold: 5'));
  await apply();
  place.write(MANIFEST);
  await apply();
  forgetLastOutcome();
  const plan = await run('plan', '--format', 'json');
  expect(JSON.parse(plan.stdout)).toMatchObject({
    steps: [{ changes: [{ path: 'circuit_breaker.volume_threshold', before: 20, after: 0, cause: 'not-taken' }] }],
    summary: { drifted: 0 },
  });
  expect((await run('plan')).stdout).toContain('volume_threshold: 20 → 0  [not taken by the service, as far as known]');
  expect(await run('drift')).toMatchObject({ code: 0, stdout: expect.not.stringContaining('changed outside') });
  place.emulator.requests.length = 0;
  expect((await apply()).code).toBe(0);
  expect(place.writes()).toHaveLength(1);
  expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
});

test('after such a run, drift of a field that was not in the write is drift', async () => {
  const described = (text: string) => `${MANIFEST}        description: ${text}\n`;
  place.write(described('one'));
  await apply();
  const { id } = route();
  place.write(described('two'));
  await apply();
  forgetLastOutcome();
  place.emulator.mutate('routes', id, { match: '/elsewhere' });
  expect(await run('drift')).toMatchObject({ code: 2, stdout: expect.stringContaining('match: / → /elsewhere') });
  expect((await run('plan')).stdout).toMatch(/match: \/elsewhere → \/ +\[changed outside\]/);
});

test('a value that was taken later forgets what was shown in its place before', async () => {
  await apply();
  place.write(MANIFEST.replace('volume_threshold: 0', 'volume_threshold: 9'));
  expect((await apply()).code).toBe(0);
  // Somebody sets what the service once showed for a 0.
  set(20);
  expect((await run('drift')).code).toBe(2);
  place.write(MANIFEST.replace('volume_threshold: 0', 'volume_threshold: 5'));
  expect(await run('drift')).toMatchObject({ code: 2 });
  expect((await run('plan')).stdout).toContain('[changed outside and in the manifest]');
});

test('a saved plan whose value somebody else has set meanwhile is out of date', async () => {
  await apply();
  place.write(MANIFEST.replace('volume_threshold: 0', 'volume_threshold: 9'));
  await apply();
  place.write(MANIFEST);
  expect((await run('plan', '--out', 'back.plan.json')).code).toBe(0);
  set(20);
  expect((await run('apply', 'back.plan.json', '--auto-approve')).code).toBe(6);
});

const SECRET = 'a-secret-of-the-hook';
const HOOK = `version: 1
stack: shop
variables: { hook: { sensitive: true } }
https_edges:
  shop:
    routes:
      api:
        match_type: path_prefix
        match: /
        webhook_verification: { provider: github, secret: "\${var.hook}" }
`;

test('a mask of the service’s own is what it shows, and no change by somebody', async () => {
  place.write(HOOK);
  place.env['EDGEFORM_VAR_hook'] = SECRET;
  await place.restart({ masks: '************1234' });
  place.env['EDGEFORM_VAR_hook'] = SECRET;
  const { code, stderr, stdout } = await apply();
  expect(code, stderr).toBe(0);
  expect(`${stdout}${stderr}`).toContain('not-taken');
  expect(await run('drift')).toMatchObject({ code: 0 });
  place.emulator.requests.length = 0;
  expect((await apply()).code).toBe(0);
  expect(place.writes()).toEqual([]);
  expect(`${stdout}${stderr}${readFileSync(place.journal(), 'utf8')}`).not.toContain(SECRET);
  place.env['EDGEFORM_VAR_hook'] = 'another-secret-of-the-hook';
  expect((await run('plan', '--detailed-exitcode')).code).toBe(2);
});

test('a module that the service leaves out is missing, and sent again', async () => {
  place.write(
    MANIFEST.replace('circuit_breaker: { volume_threshold: 0 }', 'ip_restriction: { ip_policy_ids: [ipp_2a] }'),
  );
  expect((await apply()).code).toBe(0);
  const { id } = route();
  place.emulator.mutate('routes', id, { ip_restriction: null });
  expect((await run('drift')).code).toBe(2);
  expect((await run('plan', '--detailed-exitcode')).code).toBe(2);
});

test('a saved plan that was carried out is done, whatever the service took of it', async () => {
  expect((await run('plan', '--out', 'new.plan.json')).code).toBe(0);
  expect((await run('apply', 'new.plan.json', '--auto-approve')).code).toBe(0);
  const again = await run('apply', 'new.plan.json', '--auto-approve');
  expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/already applied/i)]);
  // Another value by somebody else is not what the plan left.
  set(7);
  expect((await run('apply', 'new.plan.json', '--auto-approve')).code).toBe(6);
});

test('so is one that changes what is there', async () => {
  place.write(MANIFEST.replace('volume_threshold: 0', 'volume_threshold: 5'));
  await apply();
  place.write(MANIFEST);
  expect((await run('plan', '--out', 'change.plan.json')).code).toBe(0);
  expect((await run('apply', 'change.plan.json', '--auto-approve')).code).toBe(0);
  expect((await run('apply', 'change.plan.json', '--auto-approve')).code).toBe(0);
});

describe('a saved plan that was cut off in a write whose value the service changes', () => {
  const goOn = () => run('apply', 'cut.plan.json', '--auto-approve');

  /** The plan was saved while the manifest said 5 and the service showed `shown`; its run was cut off after the last request. */
  async function cutOff(shown = 5): Promise<void> {
    place.write(MANIFEST.replace('volume_threshold: 0', 'volume_threshold: 5'));
    await apply();
    set(shown);
    place.write(MANIFEST);
    expect((await run('plan', '--out', 'cut.plan.json')).code).toBe(0);
    expect((await goOn()).code).toBe(0);
    forgetLastOutcome();
    place.emulator.requests.length = 0;
  }

  test('goes on, and sends only what may not have been taken', async () => {
    await cutOff();
    const { code, stdout, stderr } = await goOn();
    expect([code, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining('did not take')]);
    expect(place.writes().map(({ body }) => body)).toEqual([{ circuit_breaker: { volume_threshold: 0 } }]);
    expect((await goOn()).code).toBe(0);
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
  });

  test('goes on where the write put back what somebody had changed', async () => {
    place.write(MANIFEST.replace('volume_threshold: 0', 'volume_threshold: 9'));
    await apply();
    set(7);
    expect((await run('plan', '--out', 'cut.plan.json')).code).toBe(0);
    // The service shows another value than was sent, and the outcome is not in the journal.
    expect((await goOn()).code).toBe(0);
    set(20);
    forgetLastOutcome();
    expect((await goOn()).code).toBe(0);
    expect(route().circuit_breaker.volume_threshold).toBe(9);
  });

  test('is out of date where the journal does not tell who changed the value', async () => {
    await cutOff();
    rmSync(place.journal());
    expect(await goOn()).toMatchObject({ code: 6, stderr: expect.stringContaining('circuit_breaker') });
    expect(place.writes()).toEqual([]);
  });

  test('is out of date where another field was changed meanwhile', async () => {
    await cutOff();
    place.emulator.mutate('routes', route().id, { match: '/elsewhere' });
    expect(await goOn()).toMatchObject({ code: 6, stderr: expect.stringContaining('match') });
    expect(place.writes()).toEqual([]);
  });

  test('is out of date where it was made after the run that was cut off, and the value is another by now', async () => {
    await cutOff();
    expect((await run('plan', '--out', 'cut.plan.json')).code).toBe(0);
    set(7);
    expect(await goOn()).toMatchObject({ code: 6, stderr: expect.stringContaining('circuit_breaker') });
    expect(place.writes()).toEqual([]);
  });
});
