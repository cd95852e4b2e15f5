// The drift verb through the built binary: exit codes, findings, fingerprints, and no write at all.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Drift } from '../../src/drift/drift.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import type { Exchange } from '../../src/service/http/exchange.ts';
import { run as runIn } from '../support/host.ts';
import { usePlace } from '../support/place.ts';
import { network, networkClock } from '../support/quick-network.ts';

const MANIFEST = `version: 1
stack: shop
failover_backends:
  app: { backends: [bkdhr_1] }
tls_edges:
  a: { description: first, backend: { backend_id: "\${failover_backends.app.id}" } }
`;

const place = usePlace({ 'edgeform.yaml': MANIFEST });

beforeEach(async () => {
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  place.emulator.requests.length = 0;
});
afterEach(() => {
  expect(place.writes()).toEqual([]);
});

const { run } = place;
const post = async (path: string, body: object) => {
  const headers = {
    authorization: `Bearer ${place.emulator.apiKey}`,
    'service-version': '2',
    'content-type': 'application/json',
  };
  expect(
    (await fetch(`${place.emulator.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status,
  ).toBe(201);
};
const { write: manifest } = place;
const idOf = (list: string) => String(place.emulator.objects(list)[0]?.['id']);
const found = async (...args: string[]) => {
  const { code, stdout, stderr } = await run('drift', '--format', 'json', ...args);
  if (stdout === '') throw new Error(stderr);
  return { code, drift: JSON.parse(stdout) as Drift };
};

test('what somebody attached and no operation detaches is drift', async () => {
  const other = `${MANIFEST}reserved_addrs: { db: {} }\n`;
  manifest(other);
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  place.emulator.requests.length = 0;
  place.emulator.mutate('reserved_addrs', idOf('reserved_addrs'), { endpoint_configuration_id: 'ec_9' });
  const { code, drift } = await found();
  expect([code, drift.findings]).toMatchObject([
    2,
    [
      {
        type: 'changed',
        address: 'reserved_addrs.db',
        kind: 'reserved_addr',
        cause: 'drift',
        changes: [{ path: 'endpoint_configuration_id', before: 'ec_9', after: null }],
      },
    ],
  ]);
  expect((await run('drift')).stdout).not.toContain('as the manifest says');
  place.emulator.mutate('reserved_addrs', idOf('reserved_addrs'), { description: 'other' });
  const { stdout } = await run('drift');
  expect(stdout).toContain('each finding says what apply does');
  expect(stdout.match(/apply: (?:puts it back|cannot put it back)/g)?.sort()).toEqual([
    'apply: cannot put it back',
    'apply: puts it back',
  ]);
});

describe('a value that refers to an object which is yet to be created', () => {
  const reattach = (id: string | null) =>
    place.emulator.mutate('tls_edges', idOf('tls_edges'), { backend: id === null ? null : { backend_id: id } });
  const other = MANIFEST.replace('app.id', 'other.id').replace(
    'tls_edges',
    '  other: { backends: [bkdhr_2] }\ntls_edges',
  );

  test('is pending while the live one is as it was applied', async () => {
    manifest(other);
    const { code, drift } = await found();
    expect([code, drift.findings]).toEqual([0, []]);
    expect(drift.pending.map(({ address }) => address)).toEqual(['failover_backends.other', 'tls_edges.a']);
  });

  test.each(['bkdhr_2', null])('is changed by both when somebody has changed the live one to %s', async (id) => {
    manifest(other);
    reattach(id);
    const { code, drift } = await found();
    expect([code, drift.findings]).toMatchObject([2, [{ address: 'tls_edges.a', cause: 'both' }]]);
  });

  test('is a finding of its own beside that of the object that was deleted outside', async () => {
    reattach('bkdhr_2');
    place.emulator.remove('backends', idOf('backends'));
    const { code, drift } = await found();
    expect(code).toBe(2);
    const causes = drift.findings.map(({ type, address, cause }) => `${type} ${String(address)} ${String(cause)}`);
    expect(causes.sort()).toEqual(['changed tls_edges.a both', 'missing failover_backends.app drift']);
    const known = drift.findings.find(({ type }) => type === 'missing')?.fingerprint ?? '';
    manifest(known, 'known.txt');
    expect((await run('drift', '--known', 'known.txt')).code).toBe(2);
  });

  test('is no finding of its own when only that object was deleted outside', async () => {
    place.emulator.remove('backends', idOf('backends'));
    const { drift } = await found();
    expect(drift.findings).toMatchObject([{ type: 'missing', consequences: [{ address: 'tls_edges.a' }] }]);
  });
});

test('nothing drifted: exit 0, full coverage', async () => {
  const { code, drift } = await found();
  expect(code).toBe(0);
  expect(drift).toMatchObject({ format: 'edgeform-drift/1', drifted: false, coverage: 1, findings: [], pending: [] });
});

test('a change outside: exit 2, the field, both values, who, and the same fingerprint every time', async () => {
  place.emulator.mutate('tls_edges', idOf('tls_edges'), { description: 'other' });
  const { code, drift } = await found();
  expect(code).toBe(2);
  expect(drift.findings).toMatchObject([
    {
      type: 'changed',
      address: 'tls_edges.a',
      cause: 'drift',
      changes: [{ path: 'description', before: 'other', after: 'first' }],
    },
  ]);
  expect((await found()).drift.findings[0]?.fingerprint).toBe(drift.findings[0]?.fingerprint);
  place.emulator.mutate('tls_edges', idOf('tls_edges'), { description: 'yet another' });
  expect((await found()).drift.findings[0]?.fingerprint).not.toBe(drift.findings[0]?.fingerprint);
  const { stdout } = await run('drift');
  expect(stdout).toContain('1 changed outside');
  expect(stdout).toContain('yet another');
});

test('a change outside beside one of unknown cause: nothing shows that the manifest had a part in it', async () => {
  const routes = (seconds: number) =>
    manifest(`${MANIFEST}https_edges:
  a:
    hostports: [a.example.com:443]
    routes:
      r:
        match_type: path_prefix
        match: /
        description: mine
        oauth: { maximum_duration: ${seconds}, provider: { github: { client_id: abc, client_secret: a-secret-value } } }
`);
  routes(10);
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  place.emulator.requests.length = 0;
  const [route] = place.emulator.objects('routes');
  const oauth = { ...(route?.['oauth'] as object), maximum_duration: 20 };
  place.emulator.mutate('routes', String(route?.['id']), { description: 'outside', oauth });
  routes(30);
  const { drift } = await found();
  expect(drift.findings).toMatchObject([{ cause: 'drift', changes: [{ cause: 'drift' }, { cause: 'unknown' }] }]);
});

test('what this stack itself deleted is not said never to have been', async () => {
  const other = `${MANIFEST}reserved_addrs: { db: {}, kept: {} }\n`;
  for (const text of [other, other.replace('db: {}, ', '')]) {
    manifest(text);
    expect((await run('apply', '--auto-approve', '--allow-loss', 'reserved_addrs.db')).code).toBe(0);
  }
  place.emulator.requests.length = 0;
  manifest(other);
  const { code, stdout } = await run('drift');
  expect([code, stdout.match(/ever were|not created yet/)]).toEqual([0, null]);
  expect(stdout).toContain('create reserved_addrs.db: not in the service');
});

test('what has to be replaced names the object that is there', async () => {
  manifest(`${MANIFEST}reserved_addrs: { db: { region: eu } }\n`);
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  place.emulator.requests.length = 0;
  const id = idOf('reserved_addrs');
  place.emulator.mutate('reserved_addrs', id, { region: 'us' });
  const { drift } = await found();
  expect(drift.findings).toMatchObject([{ type: 'changed', address: 'reserved_addrs.db', live_id: id }]);
  const reports = await Promise.all(['junit', 'codequality', 'sarif'].map((one) => run('drift', '--format', one)));
  for (const { stdout } of reports) expect(stdout).toContain(`reserved_addrs.db (${id}) changed outside`);
});

test.each(['text', 'markdown', 'html', 'github'])(
  'another order of a list whose order counts is shown as %s',
  async (format) => {
    manifest(MANIFEST.replace('[bkdhr_1]', '[bkdhr_1, bkdhr_2]'));
    expect((await run('apply', '--auto-approve')).code).toBe(0);
    place.emulator.requests.length = 0;
    place.emulator.mutate('backends', idOf('backends'), { backends: ['bkdhr_2', 'bkdhr_1'] });
    const { code, stdout } = await run('drift', '--format', format);
    expect([code, (await found()).drift.findings]).toMatchObject([
      2,
      [
        {
          changes: [
            { path: 'backends', before: ['bkdhr_2', 'bkdhr_1'], after: ['bkdhr_1', 'bkdhr_2'], cause: 'drift' },
          ],
        },
      ],
    ]);
    expect(stdout).toMatch(/-\s+bkdhr_1\b[^]*bkdhr_2\b[^]*\+\s+bkdhr_1\b/);
  },
);

test('only the manifest changed: pending, exit 0', async () => {
  manifest(MANIFEST.replace('first', 'second'));
  const { code, drift } = await found();
  expect(code).toBe(0);
  expect(drift).toMatchObject({ findings: [], pending: [{ address: 'tls_edges.a', action: 'update' }] });
});

test('an object is gone, and a reference proves that it existed: missing, exit 2', async () => {
  const id = idOf('backends');
  place.emulator.remove('backends', id);
  // Another backend keeps the list from being empty, which would be a doubt about the answer.
  await post('/backends/failover', { backends: ['bkdhr_9'] });
  place.emulator.requests.length = 0;
  const { code, drift } = await found();
  expect(code).toBe(2);
  expect(drift.findings).toMatchObject([
    { type: 'missing', address: 'failover_backends.app', live_id: id, evidence: 'tls_edges.a still refers to it' },
    { type: 'unmanaged' },
  ]);
});

describe('what only follows from a finding', () => {
  /** Addresses that are pending, and those that follow from each finding. */
  const work = async () => {
    const { findings, pending } = (await found()).drift;
    const follows = findings.flatMap(({ address, consequences = [] }) =>
      consequences.map((one) => `${one.action} ${one.address} because of ${address ?? ''}`),
    );
    return { pending: pending.map(({ action, address }) => `${action} ${address}`), follows };
  };
  const apply = async (text: string) => {
    manifest(text);
    const { code, stderr } = await run('apply', '--auto-approve');
    expect([code, stderr]).toEqual([0, expect.anything()]);
    place.emulator.requests.length = 0;
  };

  test('the new id of what was deleted', async () => {
    place.emulator.remove('backends', idOf('backends'));
    const follows = ['update tls_edges.a because of failover_backends.app'];
    expect(await work()).toEqual({ pending: [], follows });
    const { stdout } = await run('drift');
    expect(stdout).toContain('    then: update tls_edges.a: 1 value differs\n');
    expect(stdout).not.toMatch(/pending|manifest changed/i);
  });

  test.each(['first', 'second'])('of a double, whichever of them the referrer has: the %s', async (which) => {
    const served = `${MANIFEST}reserved_addrs: { db: {} }\n`;
    await apply(served.replace('description: first', 'hostports: ["${reserved_addrs.db.addr}"], description: first'));
    for (const [list, path, rest] of [
      ['backends', 'backends/failover', { backends: ['bkdhr_1'] }],
      ['reserved_addrs', 'reserved_addrs', {}],
    ] as const) {
      const before = idOf(list);
      await post(`/${path}`, { ...rest, metadata: place.emulator.objects(list)[0]?.['metadata'] });
      const double = place.emulator.objects(list).find(({ id }) => id !== before);
      const value =
        list === 'backends'
          ? { backend: { backend_id: String(double?.['id']) } }
          : { hostports: [String(double?.['addr'])] };
      if (which === 'second') place.emulator.mutate('tls_edges', idOf('tls_edges'), value);
    }
    place.emulator.requests.length = 0;
    const { findings, pending } = (await found()).drift;
    expect(findings.map(({ type, address }) => [type, address])).toEqual([
      ['duplicate', 'failover_backends.app'],
      ['duplicate', 'reserved_addrs.db'],
      // Somebody made it refer to the double.
      ...(which === 'second' ? [['changed', 'tls_edges.a']] : []),
    ]);
    // Which of them stays is for a person to say, so nothing waits for it.
    expect(pending.map(({ address }) => address)).toEqual(which === 'second' ? [] : ['tls_edges.a']);
  });

  test('in a list, next to what stays', async () => {
    const two = '  two: { backends: [bkdhr_1, "${failover_backends.app.id}"] }\n';
    await apply(MANIFEST.replace('tls_edges:', `${two}tls_edges:`));
    const app = place.emulator
      .objects('backends')
      .find(({ backends }) => Array.isArray(backends) && backends.length === 1);
    place.emulator.remove('backends', String(app?.['id']));
    expect((await work()).follows.sort()).toEqual([
      'update failover_backends.two because of failover_backends.app',
      'update tls_edges.a because of failover_backends.app',
    ]);
  });

  test('the new value of what has to be replaced, because somebody changed it', async () => {
    const served = `${MANIFEST}  b: { hostports: ["\${reserved_addrs.db.addr}"] }\nreserved_addrs: { db: { region: eu } }\n`;
    await apply(served);
    place.emulator.mutate('reserved_addrs', idOf('reserved_addrs'), { region: 'us' });
    expect(await work()).toEqual({ pending: [], follows: ['update tls_edges.b because of reserved_addrs.db'] });
  });

  test('with what the manifest changed in the same step as well, but not what it asks for only now', async () => {
    place.emulator.remove('backends', idOf('backends'));
    const follows = ['update tls_edges.a because of failover_backends.app'];
    manifest(MANIFEST.replace('first', 'second'));
    expect(await work()).toEqual({ pending: [], follows });
    manifest(`${MANIFEST}  b: { backend: { backend_id: "\${failover_backends.app.id}" } }\n`);
    expect(await work()).toEqual({ pending: ['create tls_edges.b'], follows });
  });
});

/** What the journal knows is read by its id anyway. */
const NO_JOURNAL = ['--journal', 'none.jsonl'];

/** The network, in which the list of backends is empty. */
const forgetful: Exchange = async (asked) => {
  const answer = await network(asked);
  if (asked.url.pathname !== '/backends/failover') return answer;
  return { ...answer, bytes: Buffer.from('{"backends":[],"uri":"","next_page_uri":null}') };
};

test('a list that is empty although what something refers to is there: exit 1, and no false alarm', async () => {
  const ports = { clock: networkClock, exchange: forgetful };
  const { code, stdout, stderr } = await runIn(['drift', ...NO_JOURNAL], { ...place, ports });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('empty-list');
  const applied = await runIn(['apply', '--auto-approve', ...NO_JOURNAL], { ...place, ports });
  expect(applied.code).toBe(5);
});

test('the last object of a kind is gone, and what refers to it is told so by id: missing, exit 2', async () => {
  const id = idOf('backends');
  place.emulator.remove('backends', id);
  const { code, drift } = await found();
  expect(code).toBe(2);
  expect(drift.findings).toMatchObject([
    { type: 'missing', address: 'failover_backends.app', live_id: id, evidence: 'tls_edges.a still refers to it' },
  ]);
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  expect((await run('drift')).code).toBe(0);
  place.emulator.requests.length = 0;
});

test('an object that exists twice: exit 2, with both ids', async () => {
  const [edge] = place.emulator.objects('tls_edges');
  const other = await startEmulator({
    apiKey: place.emulator.apiKey,
    seed: {
      tls_edges: [edge ?? {}, { ...edge, id: `${String(edge?.['id'])}2` }],
      backends: place.emulator.objects('backends'),
    },
  });
  place.env['EDGEFORM_BASE_URL'] = other.url;
  const { code, drift } = await found();
  expect(code).toBe(2);
  expect(drift.findings).toMatchObject([
    { type: 'duplicate', address: 'tls_edges.a', evidence: expect.stringContaining(', ') },
  ]);
  await other.close();
});

test('unmanaged objects are told and counted, and are nobody’s drift', async () => {
  const other = await startEmulator({
    apiKey: place.emulator.apiKey,
    seed: {
      tls_edges: place.emulator.objects('tls_edges'),
      backends: place.emulator.objects('backends'),
      reserved_addrs: [{ region: 'eu' }, { region: 'us' }],
    },
  });
  place.env['EDGEFORM_BASE_URL'] = other.url;
  const { code, drift } = await found();
  expect(code).toBe(0);
  expect(drift.coverage).toBe(0.5);
  expect(drift.findings.map(({ type, kind }) => [type, kind])).toEqual([
    ['unmanaged', 'reserved_addr'],
    ['unmanaged', 'reserved_addr'],
  ]);
  await other.close();
});
