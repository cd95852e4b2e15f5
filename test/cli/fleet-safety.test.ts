// What a fleet must never do: use a credential that nobody allowed, show a secret, or lose a step when it is stopped.

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { edgeform } from '../support/cli.ts';
import { run as runAs } from '../support/host.ts';
import { usePlace } from '../support/place.ts';

const stackOf = (name: string, description = 'x') => `version: 1
stack: ${name}
tls_edges:
  web: { hostports: ["${name}.example.com:443"], description: "${description}" }
`;
const FLEET = `version: 1
stacks:
  - { name: a, path: a.yaml }
  - { name: b, path: b.yaml }
  - { name: c, path: c.yaml }
`;

const place = usePlace({
  'edgeform.fleet.yaml': FLEET,
  'a.yaml': stackOf('a'),
  'b.yaml': stackOf('b'),
  'c.yaml': stackOf('c'),
});
const { run, write, writes } = place;
const said = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) =>
  `${stdout}${stderr}`.replace(/\s+/g, ' ');

test('after the first stack that was not done, --fail-fast starts no other', async () => {
  await place.restart({ faults: [{ match: { method: 'POST', nth: 1 }, action: 'status', status: 422 }] });
  const { code, stdout } = await run(
    ...['fleet', 'apply', '--auto-approve', '--fail-fast', '--concurrency', '1', '--format', 'json'],
  );
  const { stacks } = JSON.parse(stdout) as { readonly stacks: readonly { readonly result: string }[] };
  expect([code, stacks.map(({ result }) => result)]).toEqual([1, ['error', 'not_attempted', 'not_attempted']]);
  expect(writes()).toHaveLength(1);
});

test('a file names only credentials that the environment allows; each service gets its own', async () => {
  const partner = await startEmulator();
  try {
    write(
      FLEET.replace('c.yaml', 'c.yaml, base_url_env: PARTNER_URL, api_key_env: PARTNER_KEY'),
      'edgeform.fleet.yaml',
    );
    place.env = { ...place.env, PARTNER_URL: partner.url, PARTNER_KEY: partner.apiKey };
    const refused = await run('fleet', 'apply', '--auto-approve');
    expect([refused.code, said(refused)]).toEqual([4, expect.stringContaining('EDGEFORM_FLEET_CREDENTIALS')]);
    expect([...partner.requests, ...place.emulator.requests]).toEqual([]);
    place.env = { ...place.env, EDGEFORM_FLEET_CREDENTIALS: 'PARTNER_URL, PARTNER_KEY' };
    expect((await run('fleet', 'apply', '--auto-approve')).code).toBe(0);
    expect([place.emulator.objects('tls_edges').length, partner.objects('tls_edges').length]).toEqual([2, 1]);
    // Its value is known as a secret, wherever it appears.
    write(stackOf('a', partner.apiKey), 'a.yaml');
    const shown = await runAs(['fleet', 'plan'], { ...place, mayHoldBack: true });
    expect(said(shown)).not.toContain(partner.apiKey);
    const { PARTNER_KEY: _, ...env } = place.env;
    place.env = env;
    const missing = await run('fleet', 'plan');
    expect([missing.code, said(missing)]).toEqual([4, expect.stringContaining('set PARTNER_KEY')]);
    // A stack that is left out needs no credentials.
    write(stackOf('a'), 'a.yaml');
    expect((await run('fleet', 'plan', '--only', 'a', '--detailed-exitcode')).code).toBe(0);
  } finally {
    await partner.close();
  }
});

describe('a stack that is left out', () => {
  const NETWORK = 'version: 1\nstack: network\nreserved_addrs: { db: { description: x } }\n';
  const importer = (from: string) =>
    `version: 1\nstack: shop\nvariables: { env: {}, secret: { sensitive: true } }\nimports: { db: ${from} }\n` +
    'tls_edges: { web: { description: "${imports.db.id} ${var.secret}" } }\n';
  const id = () => String(place.emulator.objects('reserved_addrs')[0]?.['id']);

  test.each([
    ['the stack', () => '{ stack: "${var.env}work", address: reserved_addrs.db }'],
    ['the id', () => '{ kind: reserved_addr, id: "${var.env}" }'],
  ])('must have the values that say what it imports: %s', async (_, from) => {
    write(
      'version: 1\nstacks: [{ name: network, path: a.yaml }, { name: shop, path: b.yaml }]\n',
      'edgeform.fleet.yaml',
    );
    write(NETWORK, 'a.yaml');
    write(importer(from()), 'b.yaml');
    const first = from().includes('kind') ? 'ra_2abc' : 'net';
    expect((await run('fleet', 'apply', '--auto-approve', '--only', 'network', '--var', `env=${first}`)).code).toBe(0);
    write(NETWORK.replace('{ db: { description: x } }', '{}'), 'a.yaml');
    const lacking = await run('fleet', 'apply', '--auto-approve', '--only', 'network', '--allow-deletes', 'all');
    expect([lacking.code, said(lacking)]).toEqual([
      4,
      expect.stringMatching(
        /variable env has no value; shop is left out.*b\.yaml:4:\d+.*variables_env: .*in the entry shop/,
      ),
    ]);
    expect(said(lacking)).not.toContain('secret has no value');
    expect(place.emulator.objects('reserved_addrs')).toHaveLength(1);
    // With the value the importer is known, and the object stays for it; nothing else of the stack is needed.
    const value = from().includes('kind') ? id() : 'net';
    const known = await run('fleet', 'plan', '--only', 'network', '--var', `env=${value}`);
    expect(said(known)).toMatch(/shop imports it|the manifest of network has no reserved_addrs.db/);
  });

  describe('whose service is not known', () => {
    const FLEET_OF_TWO = `version: 1
stacks:
  - { name: network, path: a.yaml }
  - { name: shop, path: b.yaml, base_url_env: PARTNER_URL, api_key_env: PARTNER_KEY }
`;
    const without = NETWORK.replace('{ db: { description: x } }', '{}');
    const importing = (from: string) =>
      `version: 1\nstack: shop\nimports: { db: ${from} }\ntls_edges: { web: { description: "\${imports.db.id}" } }\n`;
    const destroys = ['fleet', 'destroy', '--only', 'network', '--auto-approve'];
    const deletes = ['fleet', 'apply', '--only', 'network', '--auto-approve', '--allow-deletes', 'all'];

    beforeEach(async () => {
      write(FLEET_OF_TWO, 'edgeform.fleet.yaml');
      write(NETWORK, 'a.yaml');
      write(stackOf('shop'), 'b.yaml');
      place.env = { ...place.env, EDGEFORM_FLEET_CREDENTIALS: 'PARTNER_URL,PARTNER_KEY' };
      expect((await run('fleet', 'apply', '--only', 'network', '--auto-approve')).code).toBe(0);
      place.emulator.requests.length = 0;
    });

    test.each([
      ['imports from', () => importing('{ stack: network, address: reserved_addrs.db }')],
      [
        'takes objects from',
        () =>
          `${stackOf('shop')}reserved_addrs: { db: {} }\nmoved: [{ from: { stack: network, address: reserved_addrs.db }, to: reserved_addrs.db }]\n`,
      ],
    ])('stops the run if its text says that it %s one of the run', async (verb, text) => {
      write(text(), 'b.yaml');
      write(without, 'a.yaml');
      for (const args of [deletes, destroys]) {
        const stopped = await run(...args);
        const why = `shop is left out, and it is not known whether it ${verb} network at the same service`;
        expect([stopped.code, said(stopped)]).toEqual([4, expect.stringContaining(why)]);
        expect(said(stopped)).toContain('set PARTNER_KEY');
      }
      expect(place.emulator.requests).toEqual([]);
      // With its settings it is known to be elsewhere.
      place.env = { ...place.env, PARTNER_URL: 'https://partner.test', PARTNER_KEY: 'another-key-0123456789' };
      expect((await run(...destroys)).code).toBe(0);
    });

    test('keeps what it imports by its id', async () => {
      write(importing(`{ kind: reserved_addr, id: ${id()} }`), 'b.yaml');
      write(without, 'a.yaml');
      for (const args of [deletes, destroys]) {
        const refused = await run(...args);
        expect([refused.code, said(refused)]).toEqual([5, expect.stringContaining('shop imports it')]);
      }
      expect(writes()).toEqual([]);
    });

    test('is not called a stack that no entry names', async () => {
      place.env = { ...place.env, PARTNER_URL: place.emulator.url, PARTNER_KEY: place.emulator.apiKey };
      expect((await run('fleet', 'apply', '--auto-approve')).code).toBe(0);
      const { PARTNER_KEY: _, ...env } = place.env;
      place.env = env;
      const drift = await run('fleet', 'drift', '--only', 'network', '--format', 'json');
      expect([drift.code, JSON.parse(drift.stdout)]).toEqual([0, expect.objectContaining({ unnamed_stacks: [] })]);
    });
  });

  test('must have the values in its name', async () => {
    write(stackOf('b').replace('stack: b', 'variables: { env: {} }\nstack: "b-${var.env}"'), 'b.yaml');
    const { code, stderr, stdout } = await run('fleet', 'plan', '--only', 'a');
    expect([code, said({ stdout, stderr })]).toEqual([4, expect.stringContaining('variable env has no value')]);
    expect((await run('fleet', 'plan', '--only', 'a', '--var', 'env=x')).code).toBe(0);
    // What needs no service needs no values.
    expect((await run('fleet', 'validate', '--only', 'a')).code).toBe(0);
  });
});

test.each(['ak_1:hush-hush', 'hush://hush.hush/hush', 'HUSH:1', 'hush@hush-hush', 'hush-hush-hush'])(
  'a key in the place of an address is shown nowhere: %s',
  async (key) => {
    write(FLEET.replace('c.yaml', 'c.yaml, base_url_env: PARTNER_KEY'), 'edgeform.fleet.yaml');
    place.env = { ...place.env, PARTNER_KEY: key, EDGEFORM_FLEET_CREDENTIALS: 'PARTNER_KEY' };
    const commands = ['list', 'validate', 'graph', 'plan', 'apply', 'drift', 'destroy'];
    for (const args of [...commands.map((one) => [one]), ['plan', '--format', 'json'], ['list', '--format', 'json']])
      expect(said(await run('fleet', ...args)), args.join(' ')).not.toMatch(/hush|ak_1/i);
    const { code, stderr } = await run('fleet', 'plan');
    expect([code, stderr]).toEqual([4, expect.stringContaining('PARTNER_KEY')]);
  },
);

test('one id in a manifest that entries share is claimed by all of them, which stops before any request', async () => {
  const site = `version: 1\nstack: "site-\${var.r}"\nvariables: { r: {} }
tls_edges: { web: { hostports: ["\${var.r}.example.com:443"], lifecycle: { adopt: edgtls_1 } } }\n`;
  write(site, 'site.yaml');
  const entry = (name: string) => `  - { name: ${name}, path: site.yaml, variables: { r: ${name} } }\n`;
  write(`version: 1\nstacks:\n${entry('eu')}${entry('us')}`, 'edgeform.fleet.yaml');
  for (const args of [['validate'], ['plan'], ['plan', '--only', 'eu'], ['apply', '--auto-approve']]) {
    const ran = await run('fleet', ...args);
    expect([ran.code, said(ran)], args.join(' ')).toEqual([
      4,
      expect.stringContaining('edgtls_1 is the object of tls_edges.web of eu and of tls_edges.web of us'),
    ]);
  }
  expect(place.emulator.requests).toEqual([]);
  // As the fix says.
  write(site.replace('edgtls_1', '').replace(', lifecycle: { adopt:  }', ''), 'site.yaml');
  write('tls_edges: { web: { lifecycle: { adopt: edgtls_1 } } }\n', 'adopt.yaml');
  write(
    `version: 1\nstacks:\n${entry('eu').replace('site.yaml,', 'site.yaml, overlays: [adopt.yaml],')}${entry('us')}`,
    'edgeform.fleet.yaml',
  );
  expect(await run('fleet', 'validate')).toMatchObject({ code: 0 });
});

test('stacks of one name at one service would share a journal, also with two keys', async () => {
  write(FLEET.replace('c.yaml', 'a.yaml, base_url_env: PARTNER_URL, api_key_env: PARTNER_KEY'), 'edgeform.fleet.yaml');
  place.env = {
    ...place.env,
    EDGEFORM_FLEET_CREDENTIALS: 'PARTNER_URL,PARTNER_KEY',
    PARTNER_URL: place.emulator.url,
    PARTNER_KEY: 'another-key-0123456789',
  };
  const refused = await run('fleet', 'plan');
  expect([refused.code, said(refused)]).toEqual([4, expect.stringContaining('a and c have the same stack, a, and so')]);
  expect(place.emulator.requests).toEqual([]);
});

test('no secret of one stack is in a document of another', async () => {
  const secret = 'a-very-secret-word';
  write(`${stackOf('a', '${var.word}')}variables: { word: { sensitive: true } }\n`, 'a.yaml');
  place.env = { ...place.env, EDGEFORM_VAR_word: secret };
  const outputs = [
    await run('fleet', 'plan', '--out', 'plans', '--format', 'json'),
    await run('fleet', 'apply', '--auto-approve', '--format', 'json', '--events', 'e.jsonl', '--summary-file', 's.md'),
    await run('fleet', 'drift', '--format', 'markdown'),
  ];
  expect(outputs.map(({ code }) => code)).toEqual([0, 0, 0]);
  const files = ['e.jsonl', 's.md', ...['plans', '.edgeform'].flatMap((name) => below(name))];
  const texts = [...outputs.map(said), ...files.map((name) => readFileSync(join(place.cwd, name), 'utf8'))];
  for (const text of texts) expect(text).not.toContain(secret);
});

const below = (name: string) =>
  readdirSync(join(place.cwd, name), { withFileTypes: true, recursive: true }).flatMap((one) =>
    one.isFile() ? [relative(place.cwd, join(one.parentPath, one.name))] : [],
  );

test.each(['SIGKILL', 'SIGINT'] as const)(
  '%s in the middle: the next run does the rest, and nothing twice',
  async (signal) => {
    await place.restart({ latencyMs: 40 });
    const { cwd, env } = place;
    let isStopped = false;
    const stopped = await edgeform(['fleet', 'apply', '--auto-approve', '--concurrency', '1'], {
      cwd,
      env,
      onStderr: (text, kill) => {
        if (!isStopped && text.includes(' done after ')) kill(signal);
        isStopped ||= text.includes(' done after ');
      },
    });
    expect(stopped.code).toBe(signal === 'SIGINT' ? 130 : null);
    expect(place.emulator.objects('tls_edges').length).toBeLessThan(3);
    const again = await edgeform(['fleet', 'apply', '--auto-approve'], { cwd, env });
    expect([again.code, again.stderr]).toEqual([0, expect.any(String)]);
    expect(place.emulator.objects('tls_edges')).toHaveLength(3);
    expect((await run('fleet', 'plan', '--detailed-exitcode')).code).toBe(0);
  },
);
