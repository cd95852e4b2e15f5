// Saved plans through the built binary: what is read back, what is refused with zero writes, and which exit codes say so.

import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { usePlace } from '../support/place.ts';

const PROBE = 'probe-0d1f77ab93';
const manifest = (description: string) => `version: 1
stack: shop
variables: { secret: { sensitive: true } }
tls_edges:
  a: { description: ${description}, hostports: [a.test:443] }
  b: { description: b }
https_edges:
  site:
    routes:
      hook: { match_type: exact_path, match: /hook, webhook_verification: { provider: github, secret: "\${var.secret}" } }
`;

const place = usePlace({ 'edgeform.yaml': manifest('first') }, { EDGEFORM_VAR_secret: PROBE });

beforeEach(async () => {
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  place.write(manifest('second'));
  expect((await run('plan', '--out', 'p.json')).code).toBe(0);
  place.emulator.requests.length = 0;
});

const { run } = place;
const { writes } = place;
const applySaved = (...more: string[]) => run('apply', 'p.json', '--auto-approve', ...more);
const edge = (description: string) =>
  String(place.emulator.objects('tls_edges').find((one) => one['description'] === description)?.['id']);
const edit = (change: (text: string) => string) => {
  const file = join(place.cwd, 'p.json');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
};

test('the saved plan is carried out as it is, and is for its owner only', async () => {
  expect(statSync(join(place.cwd, 'p.json')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(place.cwd, 'p.json'), 'utf8')).not.toContain(PROBE);
  const { code, stdout } = await applySaved();
  expect(code, stdout).toBe(0);
  expect(writes().map(({ method, path }) => `${method} ${path}`)).toEqual([`PATCH /edges/tls/${edge('second')}`]);
});

test('a plan that was carried out whole ends with 0, says so, and writes nothing', async () => {
  await applySaved();
  const { code, stdout } = await applySaved();
  expect([code, stdout]).toEqual([0, expect.stringContaining('Already applied: 1 step of this plan done before')]);
  const json = JSON.parse((await applySaved('--format', 'json')).stdout) as JsonObject;
  expect(json).toMatchObject({
    result: 'done',
    exit_code: 0,
    steps: [],
    already_done: [{ id: 's1', address: 'tls_edges.a', action: 'update' }],
    converged: true,
  });
  // No consent is asked for.
  expect((await run('apply', 'p.json')).code).toBe(0);
  expect(writes()).toHaveLength(1);
});

describe('after a partial failure the same file is applied again', () => {
  const HEAD = 'version: 1\nstack: parts\n';
  const BEFORE = `${HEAD}reserved_addrs: { k1: {}, k2: {}, k3: {} }\ntls_edges: { t: { description: old }, gone: {} }\n`;
  const AFTER = `${HEAD}reserved_addrs: { k1: {}, k2: {}, k3: {}, new: { description: new } }
tls_edges: { t: { description: new, hostports: ["\${reserved_addrs.new.addr}"] } }
`;

  /** The plan from one manifest to the other, on a service on which this write fails once. */
  async function planned(method: string, path: string): Promise<void> {
    const nth = method === 'POST' ? 4 : 1;
    await place.restart({ faults: [{ match: { method, path, nth }, action: 'status', status: 400 }] });
    place.write(BEFORE);
    expect((await run('apply', '--auto-approve')).code).toBe(0);
    place.write(AFTER);
    const saved = await run('plan', '--out', 'p.json');
    expect(saved.code, saved.stdout).toBe(0);
    place.emulator.requests.length = 0;
  }
  const sent = () => writes().map(({ method, path }) => `${method} ${path.replace(/\/\w+_\w{10,}$/, '/ID')}`);

  test.each([
    ['POST', '^/reserved_addrs', ['PATCH /edges/tls/ID', 'POST /reserved_addrs']],
    ['PATCH', '^/edges/tls', ['PATCH /edges/tls/ID']],
    ['DELETE', '^/edges/tls', ['DELETE /edges/tls/ID']],
  ])('%s %s fails once', async (method, path, left) => {
    await planned(method, path);
    const first = await applySaved();
    expect([first.code, first.stdout]).toEqual([
      expect.toSatisfy((code) => code === 1 || code === 3),
      expect.any(String),
    ]);
    const before = writes().length;
    const second = await applySaved();
    expect(second.code, second.stdout + second.stderr).toBe(0);
    expect(sent().slice(before).sort()).toEqual(left);
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
    const third = await applySaved();
    expect([third.code, third.stdout]).toEqual([0, expect.stringContaining('Already applied: 3 steps')]);
    expect(place.emulator.objects('reserved_addrs')).toHaveLength(4);
  });

  test('the plan that is shown says how much is done, and asks for the rest only', async () => {
    await planned('PATCH', '^/edges/tls');
    expect((await applySaved()).code).toBe(3);
    const { stdout } = await applySaved();
    expect(stdout).toMatch(/2 of 3 steps done before\. Plan: 0 to create, 1 to update, 0 to replace, 0 to delete/);
  });

  test('advice is the same command, with which it goes on', async () => {
    await planned('PATCH', '^/edges/tls');
    expect((await applySaved()).stdout.replace(/\s+/g, ' ')).toContain(
      'run the same command again. It continues from here.',
    );
  });

  test('what somebody changed of what is done makes it stale', async () => {
    await planned('PATCH', '^/edges/tls');
    expect((await applySaved()).code).toBe(3);
    const made = place.emulator.objects('reserved_addrs').find((one) => one['description'] === 'new');
    place.emulator.mutate('reserved_addrs', String(made?.['id']), { description: 'theirs' });
    const before = writes().length;
    const { code, stderr } = await applySaved();
    expect([code, stderr]).toEqual([6, expect.stringContaining('reserved_addrs.new')]);
    expect(stderr).toContain('description');
    expect(writes()).toHaveLength(before);
  });

  test('what somebody deleted of what is done is created again, by the request of the plan', async () => {
    await planned('PATCH', '^/edges/tls');
    expect((await applySaved()).code).toBe(3);
    const made = place.emulator.objects('reserved_addrs').find((one) => one['description'] === 'new');
    place.emulator.remove('reserved_addrs', String(made?.['id']));
    expect((await applySaved()).code).toBe(0);
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
  });
});

test('objects that it does not touch may move freely; what is pending there is told', async () => {
  place.emulator.mutate('tls_edges', edge('b'), { description: 'moved by somebody' });
  const { code, stderr } = await applySaved();
  expect(code).toBe(0);
  expect(stderr).toContain('tls_edges.b');
  expect(writes()).toHaveLength(1);
});

describe('converged is false while something outside the plan is pending', () => {
  const convergedBy = async (plan: string) => {
    const { code, stdout } = await run('apply', plan, '--auto-approve', '--format', 'json');
    const { result, converged, diagnostics } = JSON.parse(stdout) as JsonObject;
    return [code, result, converged, (diagnostics as JsonObject[]).map((one) => one['code'])];
  };

  test('of a plan with steps', async () => {
    place.emulator.mutate('tls_edges', edge('b'), { description: 'moved by somebody' });
    expect(await convergedBy('p.json')).toEqual([0, 'done', false, ['not-converged']]);
  });
});

describe('a plan without steps', () => {
  beforeEach(async () => {
    expect((await applySaved()).code).toBe(0);
    expect((await run('plan', '--out', 'empty.json')).code).toBe(0);
    place.emulator.requests.length = 0;
  });

  const applyEmpty = () => run('apply', 'empty.json', '--auto-approve');

  test('is done when nothing is pending, whatever the manifest says now', async () => {
    expect(await applyEmpty()).toMatchObject({ code: 0 });
    place.write(manifest('second').replace('description: b', 'description: c'));
    place.emulator.mutate('tls_edges', edge('b'), { description: 'c' });
    await run('apply', '--auto-approve');
    place.emulator.requests.length = 0;
    const json = await run('apply', 'empty.json', '--auto-approve', '--format', 'json');
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([0, { result: 'done', converged: true, steps: [] }]);
    expect(writes()).toEqual([]);
  });

  test.each([
    ['somebody changed an object', () => place.emulator.mutate('tls_edges', edge('b'), { description: 'theirs' })],
    [
      'the manifest has another value',
      () => place.write(manifest('second').replace('description: b', 'description: c')),
    ],
    ['the manifest has one more object', () => place.write(`${manifest('second')}reserved_addrs: { r: {} }\n`)],
  ])('is no review of what is pending: %s', async (_, change) => {
    change();
    const { code, stderr } = await applyEmpty();
    expect(code).toBe(6);
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
      /(tls_edges\.b|reserved_addrs\.r): nobody has reviewed what is pending: (description|not in the service)/,
    );
    expect(stderr).toContain('edgeform plan --out FILE');
    expect(writes()).toEqual([]);
  });

  test('of targets has looked at them only, so that another manifest makes it out of date', async () => {
    expect((await run('plan', '--target', 'tls_edges.b', '--out', 'empty.json')).code).toBe(0);
    expect((await applyEmpty()).code).toBe(0);
    place.write(manifest('second').replace('  b: { description: b }\n', ''));
    expect((await applyEmpty()).code).toBe(6);
    expect(writes()).toEqual([]);
  });

  test('is still that of one stack and service', async () => {
    place.write(manifest('second').replace('stack: shop', 'stack: other'));
    expect((await applyEmpty()).code).toBe(4);
  });
});

describe('stale: exit 6, the object and the field named, nothing written', () => {
  test.each([
    ['a field that it changes', { description: 'elsewhere' }, 'description'],
    ['a field that it leaves alone', { hostports: ['z.test:443'] }, 'hostports'],
    ['the metadata', { metadata: 'x' }, 'exists now|gone|metadata|no longer needs'],
  ])('%s', async (_, patch, field) => {
    place.emulator.mutate('tls_edges', edge('first'), patch);
    const { code, stderr } = await applySaved();
    expect(code).toBe(6);
    expect(stderr).toMatch(/tls_edges\.a/);
    expect(stderr).toMatch(new RegExp(field));
    expect(writes()).toEqual([]);
  });

  test('the object is gone', async () => {
    place.emulator.remove('tls_edges', edge('first'));
    const { code, stderr } = await applySaved();
    expect([code, stderr]).toEqual([6, expect.stringContaining('tls_edges.a')]);
    expect(writes()).toEqual([]);
  });

  test('the object is there twice', async () => {
    const { metadata } = place.emulator.objects('tls_edges').find((one) => one['id'] === edge('first')) ?? {};
    place.emulator.mutate('tls_edges', edge('b'), { metadata: metadata ?? null });
    const { code, stderr } = await applySaved();
    expect([code, stderr]).toEqual([6, expect.stringContaining('tls_edges.a')]);
    expect(writes()).toEqual([]);
  });

  test('an object that it creates exists now, and is another one', async () => {
    place.write(`${manifest('first')}reserved_addrs: { db: {} }\n`);
    await run('plan', '--out', 'p.json');
    expect((await run('apply', '--auto-approve')).code).toBe(0);
    const [made] = place.emulator.objects('reserved_addrs');
    place.emulator.mutate('reserved_addrs', String(made?.['id']), { description: 'theirs' });
    place.emulator.requests.length = 0;
    const { code, stderr } = await applySaved();
    expect([code, stderr]).toEqual([6, expect.stringContaining('reserved_addrs.db exists now')]);
    expect(stderr).toContain('description');
    expect(writes()).toEqual([]);
  });

  test('not when another run has created exactly that', async () => {
    place.write(`${manifest('first')}reserved_addrs: { db: {} }\n`);
    await run('plan', '--out', 'p.json');
    expect((await run('apply', '--auto-approve')).code).toBe(0);
    place.emulator.requests.length = 0;
    const { code, stdout } = await applySaved();
    expect([code, stdout]).toEqual([0, expect.stringContaining('Already applied')]);
    expect(writes()).toEqual([]);
  });

  test('the manifest is another one by now', async () => {
    place.write(manifest('third'));
    const { code, stderr } = await applySaved();
    expect([code, stderr]).toEqual([6, expect.stringContaining('manifest')]);
    expect(writes()).toEqual([]);
  });

  test('a secret is another one by now', async () => {
    place.write(manifest('first').replace('match: /hook', 'match: /other'));
    await run('plan', '--out', 'p.json');
    place.env['EDGEFORM_VAR_secret'] = 'another-secret';
    expect((await applySaved()).code).toBe(6);
    expect(writes()).toEqual([]);
  });

  const givenAnew: readonly (readonly [string, () => readonly string[]])[] = [
    ['as a variable of the environment', () => ((place.env['EDGEFORM_VAR_secret'] = 'another-secret'), [])],
    ['as a flag', () => ['--var', 'secret=another-secret']],
    [
      'in a file of variables',
      () => (writeFileSync(join(place.cwd, 'v.json'), '{"secret":"another-secret"}'), ['--var-file', 'v.json']),
    ],
  ];
  test.each(givenAnew)('a secret that no step of the plan sends is another one by now, %s', async (_, give) => {
    const { code, stderr } = await applySaved(...give());
    expect(code).toBe(6);
    expect(stderr.replace(/\s+/g, ' ')).toMatch(/https_edges\.site\.routes\.hook .*webhook_verification\.secret/);
    expect(stderr).not.toContain('another-secret');
    expect(writes()).toEqual([]);
  });
});

describe('refused: exit 4, nothing written, nothing asked', () => {
  const tampered = (text: string) =>
    JSON.stringify({ ...(JSON.parse(text) as object), stack: 'shop', complete: false });
  test.each<[string, (text: string) => string, RegExp]>([
    ['one letter of a request was changed', (text) => text.replaceAll('"second"', '"tampered"'), /it was edited/],
    [
      'a request leads to another object',
      (text) => text.replace(/"path": "\/edges\/tls\/[^"]*"/, '"path": "/edges/tls/edgtls_other"'),
      /it was edited/,
    ],
    ['a field was changed', tampered, /it was edited/],
    ['it has a newer format', (text) => text.replace('edgeform-plan/1', 'edgeform-plan/2'), /newer/],
    ['it is cut off', (text) => text.slice(0, text.length / 2), /not JSON/],
    ['it is another document', () => '{"format":"edgeform-report/1"}', /format/],
    ['it lacks a part', (text) => text.replace('"steps"', '"stepz"'), /shape/],
  ])('%s', async (_, change, words) => {
    edit(change);
    const { code, stderr } = await applySaved();
    expect([code, stderr]).toEqual([4, expect.stringMatching(words)]);
    expect(place.emulator.requests).toEqual([]);
    expect((await run('show', 'p.json')).code).toBe(4);
  });

  test('it is for another service', async () => {
    const other = await startEmulator({ apiKey: place.emulator.apiKey });
    place.env['EDGEFORM_BASE_URL'] = other.url;
    const { code, stderr } = await applySaved();
    expect([code, stderr]).toEqual([4, expect.stringContaining(other.url)]);
    expect(other.requests).toEqual([]);
    await other.close();
  });

  test('it is for another stack', async () => {
    place.write(manifest('second').replace('stack: shop', 'stack: other'));
    expect((await applySaved()).code).toBe(4);
    expect(place.emulator.requests).toEqual([]);
  });

  test('the file is not there', async () => {
    expect((await run('apply', 'no.json', '--auto-approve')).code).toBe(4);
    expect((await run('show', 'no.json')).code).toBe(4);
  });
});

test('a forged plan with a right fingerprint is not what the live state asks for: exit 6, nothing written', async () => {
  const { fingerprintPlan: fingerprintOf } = await import('../../src/plan/build.ts');
  edit((text) => {
    const forged = JSON.parse(text.replaceAll('"second"', '"forged"')) as Parameters<typeof fingerprintOf>[0];
    return JSON.stringify({ ...forged, fingerprint: fingerprintOf(forged) });
  });
  expect((await run('show', 'p.json')).code).toBe(0);
  const { code, stderr } = await applySaved();
  expect([code, stderr]).toEqual([6, expect.stringMatching(/needs\s+other\s+requests/)]);
  expect(writes()).toEqual([]);
});

test('a safety rule that the plan was made without is allowed by a flag of plan or of apply', async () => {
  const one = 'version: 1\nstack: many\ntls_edges:\n';
  const edges = (count: number) => one + Array.from({ length: count }, (_, index) => `  e${index}: {}\n`).join('');
  place.write(edges(6));
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  const before = place.emulator.objects('tls_edges').length;
  place.write(edges(2));
  await run('plan', '--out', 'p.json');
  expect((await applySaved()).code).toBe(5);
  await run('plan', '--out', 'allowed.json', '--allow-deletes', '4');
  expect((await applySaved('--allow-deletes', '3')).code).toBe(5);
  expect((await run('apply', 'allowed.json', '--auto-approve')).code).toBe(0);
  expect(place.emulator.objects('tls_edges')).toHaveLength(before - 4);
});

describe('a refusal of now that concerns a step of the plan stops it: exit 5, nothing written', () => {
  const KEEP = 'reserved_addrs: { k1: {}, k2: {}, k3: {} }\n';
  const saved = async (before: string, after: string, ...flags: string[]) => {
    const head = 'version: 1\nstack: later\n';
    place.write(`${head}${before}${KEEP}`);
    const first = await run('apply', '--auto-approve');
    expect(first.code, first.stderr).toBe(0);
    place.write(`${head}${after}${KEEP}`);
    const planned = await run('plan', '--out', 'p.json', ...flags);
    expect([planned.code, planned.stdout]).toEqual([0, expect.not.stringContaining('Refused')]);
    place.emulator.requests.length = 0;
  };
  const foreign = async (path: string, body: object) => {
    const headers = {
      authorization: `Bearer ${place.emulator.apiKey}`,
      'service-version': '2',
      'content-type': 'application/json',
    };
    const answer = await fetch(place.emulator.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(201);
    place.emulator.requests.length = 0;
  };
  const stopped = async (rule: string, ...flags: string[]) => {
    const { code, stdout, stderr } = await applySaved(...flags);
    expect([code, stdout + stderr]).toEqual([5, expect.stringContaining(`[${rule}]`)]);
    expect(writes()).toEqual([]);
  };
  const idIn = (list: string, at = 0) => String(place.emulator.objects(list).at(at)?.['id']);
  const BACKEND = 'failover_backends: { app: { backends: [bkdhr_1] } }\n';

  test('somebody took the hostport that a step claims', async () => {
    await saved('', 'tls_edges: { e: { hostports: [taken.test:443] } }\n');
    await foreign('/edges/tls', { hostports: ['taken.test:443'] });
    await stopped('foreign-object');
  });

  test('somebody began to use the backend that a step deletes', async () => {
    await saved(BACKEND, '');
    await foreign('/edges/tls', { backend: { backend_id: idIn('backends') } });
    await stopped('still-referenced');
  });

  test('somebody began to serve the address that a step deletes', async () => {
    await saved('tls_edges: { e: {} }\n', 'tls_edges: { e: { description: new } }\n');
    place.write('version: 1\nstack: later\ntls_edges: { e: { description: new } }\n');
    await run('plan', '--out', 'p.json');
    await foreign('/edges/tls', { hostports: [String(place.emulator.objects('reserved_addrs')[0]?.['addr'])] });
    await stopped('still-referenced');
  });

  test('somebody put an object inside one that a step deletes', async () => {
    await saved('https_edges: { e: {} }\n', '');
    await foreign(`/edges/https/${idIn('https_edges')}/routes`, { match_type: 'exact_path', match: '/theirs' });
    await stopped('foreign-object');
  });

  test('a route inside an edge that a step deletes was protected meanwhile', async () => {
    await saved('https_edges: { e: { routes: { r: { match_type: exact_path, match: / } } } }\n', '');
    const routes = place.emulator.objects('https_edges').flatMap((one) => one['routes'] as JsonObject[]);
    const own = routes.find((route) => route['match'] === '/');
    const metadata = String(own?.['metadata']).replace(/\}\}$/, ',"protect":true}}');
    place.emulator.mutate('routes', String(own?.['id']), { metadata });
    // What goes with a step is a part of its precondition.
    const { code, stderr } = await applySaved();
    expect([code, stderr.replace(/\s+/g, ' ')]).toEqual([6, expect.stringMatching(/routes\.\S+\.metadata/)]);
  });

  test('the stack owns less, so that the plan is over the budget; consent to it goes on', async () => {
    const many = (count: number) =>
      `ssh_credentials: {${Array.from({ length: count }, (_, at) => ` s${at}: { public_key: key${at} }`).join()} }\n`;
    await saved(many(37), many(29));
    const kept = place.emulator
      .objects('ssh_credentials')
      .filter((one) => /^key(?:1?\d)$/.test(String(one['public_key'])));
    for (const { id } of kept) place.emulator.remove('ssh_credentials', String(id));
    await stopped('delete-budget');
    await stopped('delete-budget', '--allow-deletes', '7');
    expect((await applySaved('--allow-deletes', '8')).code).toBe(0);
  });

  test('a refusal about something else does not stop it, and is told', async () => {
    const edges = (description: string) =>
      `tls_edges: { e: { description: ${description} } }\nhttps_edges: { s: { hostports: [taken.test:443] } }\n`;
    await saved(edges('old'), edges('new'));
    place.emulator.mutate('https_edges', idIn('https_edges'), { hostports: [] });
    await foreign('/edges/tls', { hostports: ['taken.test:443'] });
    const { code, stderr } = await applySaved();
    expect([code, stderr]).toEqual([0, expect.stringContaining('https_edges.s')]);
    expect(writes()).toHaveLength(1);
  });

  test('consent that was given to `plan --out` counts for what it was given for', async () => {
    const ingress = (domain: string) => `agent_ingresses: { a: { domain: ${domain} } }\n`;
    await saved(ingress('one.test'), ingress('two.test'), '--allow-loss', 'agent_ingresses.a');
    expect((await applySaved()).code).toBe(0);
    const other = 'agent_ingresses: { a: { domain: three.test }, b: { domain: four.test } }\n';
    place.write(`version: 1\nstack: later\n${other}${KEEP}`);
    await run('plan', '--out', 'p.json', '--allow-loss', 'agent_ingresses.b');
    place.emulator.requests.length = 0;
    await stopped('irreplaceable');
  });
});

test('a plan of targets is compared with a plan of the same targets', async () => {
  place.env['EDGEFORM_CAPABILITIES'] = '-module-delete';
  const head = 'version: 1\nstack: later\nreserved_addrs: { k1: {} }\n';
  const edge = (module: string) => `tls_edges: { e: { ${module} } }\n`;
  const using = 'backend: { backend_id: "${failover_backends.app.id}" }';
  writeFileSync(
    join(place.cwd, 'edgeform.yaml'),
    `${head}failover_backends: { app: { backends: [bkdhr_1] } }\n${edge(using)}`,
  );
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  place.write(head + edge('description: new'));
  await run('plan', '--out', 'p.json', '--target', 'tls_edges.e');
  place.emulator.requests.length = 0;
  expect((await applySaved()).code).toBe(0);
  expect(writes()).toHaveLength(1);
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  expect(place.emulator.objects('backends')).toEqual([]);
});

test('show prints the same text as plan, without network or credentials', async () => {
  const planned = await run('plan');
  place.env = {};
  const shown = await run('show', 'p.json');
  expect([shown.code, shown.stdout]).toEqual([0, planned.stdout]);
  expect((await run('show', 'p.json', '--format', 'json')).stdout).toBe(
    readFileSync(join(place.cwd, 'p.json'), 'utf8'),
  );
});

test('a plan that cannot be written is exit 74, and leaves the old file as it is', async () => {
  const before = readFileSync(join(place.cwd, 'p.json'), 'utf8');
  if (process.getuid?.() === 0) return; // Root may write everywhere.
  chmodSync(place.cwd, 0o500);
  expect((await run('plan', '--out', 'p.json')).code).toBe(74);
  expect(readFileSync(join(place.cwd, 'p.json'), 'utf8')).toBe(before);
});
