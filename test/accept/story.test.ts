// drift --accept as people use it: a patch that git takes, or the files themselves; and what no patch can say.

import { spawnSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Plan } from '../../src/plan/plan.ts';
import { run as runIn } from '../support/host.ts';
import { usePlace } from '../support/place.ts';

const MANIFEST = `version: 1
stack: shop

failover_backends:
  app: { backends: [bkdhr_1] } # one for all

tls_edges:
  # the database
  db:
    description: 'first'   # said by the team
    hostports:
      - db.example.com:443   # old
      - sql.example.com:443
    backend: { backend_id: "\${failover_backends.app.id}" }

https_edges:
  site:
    hostports: [shop.example.com:443]
    routes:
      # everything
      all:
        match_type: path_prefix
        match: /
        description: mine
`;

const place = usePlace({ 'edgeform.yaml': MANIFEST });
const { run } = place;
const read = (name = 'edgeform.yaml') => readFileSync(join(place.cwd, name), 'utf8');
const idOf = (list: string) => String(place.emulator.objects(list)[0]?.['id']);

async function applied(text = MANIFEST, name = 'edgeform.yaml', ...args: string[]): Promise<void> {
  place.write(text, name);
  const { code, stderr } = await run('apply', '--auto-approve', ...args);
  expect(code, stderr).toBe(0);
  place.emulator.requests.length = 0;
}

async function post(path: string, body: object): Promise<void> {
  const { status } = await fetch(`${place.emulator.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${place.emulator.apiKey}`,
      'service-version': '2',
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  expect(status).toBe(201);
  place.emulator.requests.length = 0;
}

/** Somebody changes fields of the target of the one destination. */
function changeTarget(name: 'datadog' | 's3', change: object, others: object = {}): void {
  const [destination] = place.emulator.objects('event_destinations');
  const target = destination?.['target'] as Readonly<Record<string, object>> | undefined;
  const changed = { target: { [name]: { ...target?.[name], ...change } }, ...others };
  place.emulator.mutate('event_destinations', idOf('event_destinations'), changed);
}

/** What a plan would change besides markers. */
async function changes(...args: string[]): Promise<unknown[]> {
  const { stdout, stderr } = await run('plan', '--format', 'json', ...args);
  expect(stdout, stderr).not.toBe('');
  const plan = JSON.parse(stdout) as Plan;
  expect(plan.blocked).toEqual([]);
  return plan.steps.flatMap(({ action, address, changes: own }): unknown[] =>
    action === 'update' || action === 'adopt' ? [...own] : [`${action} ${address}`],
  );
}

async function document(...args: string[]) {
  const { code, stdout, stderr } = await run('drift', '--format', 'json', ...args);
  expect(stdout, stderr).not.toBe('');
  return { code, json: JSON.parse(stdout) as { left_out: object[]; accepted: object[]; files: { patch: string }[] } };
}

afterEach(() => {
  expect(place.writes()).toEqual([]);
});

describe('values', () => {
  const drift = async () => {
    await applied();
    place.emulator.mutate('tls_edges', idOf('tls_edges'), {
      description: "it's ${new}",
      hostports: ['new.example.com:443', 'sql.example.com:443'],
    });
  };
  const ACCEPTED = MANIFEST.replace("'first' ", () => "'it''s $${new}' ").replace(
    / {6}- db.*\n(.*\n)/,
    '$1      - new.example.com:443\n',
  );

  test('a patch that git apply takes', async () => {
    await drift();
    const { code, stdout, stderr } = await run('drift', '--accept', 'all');
    expect([code, stderr]).toEqual([0, '2 changes accepted, for 1 file.\n']);
    expect(stdout).toMatchInlineSnapshot(`
      "--- a/edgeform.yaml
      +++ b/edgeform.yaml
      @@ -7,10 +7,10 @@
       tls_edges:
         # the database
         db:
      -    description: 'first'   # said by the team
      +    description: 'it''s $\${new}'   # said by the team
           hostports:
      -      - db.example.com:443   # old
             - sql.example.com:443
      +      - new.example.com:443
           backend: { backend_id: "\${failover_backends.app.id}" }
       
       https_edges:
      "
    `);
    expect(read()).toBe(MANIFEST);
    const git = (...args: string[]) => spawnSync('git', args, { cwd: place.cwd, input: stdout, encoding: 'utf8' });
    git('init', '-q');
    expect(git('apply', '-')).toMatchObject({ status: 0, stderr: '' });
    expect(read()).toBe(ACCEPTED);
    expect(await changes()).toEqual([]);
  });

  test('written', async () => {
    await drift();
    const { code, stdout, stderr } = await run('drift', '--accept', 'all', '--write');
    expect([code, stdout, stderr]).toEqual([0, 'edgeform.yaml\n', '2 changes accepted, written to 1 file.\n']);
    expect(read()).toBe(ACCEPTED);
    expect(await changes()).toEqual([]);
    expect((await run('drift', '--accept', 'all')).code).toBe(0);
  });

  test('one path, one address, one fingerprint', async () => {
    await drift();
    const { json: drifted } = (await document()) as unknown as { json: { findings: { fingerprint: string }[] } };
    const onlyText = MANIFEST.replace("'first' ", () => "'it''s $${new}' ");
    for (const [words, wanted] of [
      [['tls_edges.db.description'], onlyText],
      [['tls_edges.db'], ACCEPTED],
      [[drifted.findings[0]?.fingerprint ?? ''], ACCEPTED],
      [['tls_edges.db.description', 'tls_edges.db.hostports'], ACCEPTED],
    ] as const) {
      place.write(MANIFEST);
      expect((await run('drift', '--write', ...words.flatMap((word) => ['--accept', word]))).code).toBe(0);
      expect(read()).toBe(wanted);
    }
  });

  test('byte order mark, Windows line breaks and no last line break', async () => {
    const dos = `\ufeff${MANIFEST.replaceAll('\n', '\r\n').trimEnd()}`;
    await applied(dos);
    place.emulator.mutate('tls_edges', idOf('tls_edges'), { description: 'two' });
    const patch = (await run('drift', '--accept', 'all')).stdout;
    expect((await run('drift', '--accept', 'all', '--write')).code).toBe(0);
    const wanted = dos.replace("'first'", "'two'");
    expect(read()).toBe(wanted);
    place.write(dos);
    const git = (...args: string[]) => spawnSync('git', args, { cwd: place.cwd, input: patch, encoding: 'utf8' });
    git('init', '-q');
    expect(git('apply', '-')).toMatchObject({ status: 0, stderr: '' });
    expect(read()).toBe(wanted);
  });

  test('an optional field comes and goes', async () => {
    await applied();
    place.emulator.mutate('routes', idOf('routes'), { description: '', compression: { enabled: true } });
    expect((await run('drift', '--accept', 'all', '--write')).code).toBe(0);
    expect(read()).toBe(MANIFEST.replace('        description: mine\n', '        compression: {}\n'));
    expect(await changes()).toEqual([]);
  });

  test('a JSON file and a YAML file', async () => {
    const json = JSON.stringify({ reserved_addrs: { a: { description: 'x' } } }, null, 2);
    place.write(json, 'more.json');
    await applied(MANIFEST, 'edgeform.yaml', '-f', 'edgeform.yaml', '-f', 'more.json');
    place.emulator.mutate('reserved_addrs', idOf('reserved_addrs'), { description: 'say "é"' });
    place.emulator.mutate('tls_edges', idOf('tls_edges'), { description: 'two' });
    const { stdout } = await run('drift', '--accept', 'all', '--write', '-f', 'edgeform.yaml', '-f', 'more.json');
    expect(stdout).toBe('edgeform.yaml\nmore.json\n');
    expect(read('more.json')).toBe(json.replace('"x"', '"say \\"é\\""'));
    expect(read()).toBe(MANIFEST.replace("'first'", "'two'"));
  });
});

describe('objects', () => {
  test('a deleted object goes, with what is inside its block', async () => {
    await applied();
    place.emulator.remove('routes', idOf('routes'));
    place.emulator.remove('tls_edges', idOf('tls_edges'));
    const { code, stdout } = await run('drift', '--accept', 'all', '--write');
    expect([code, stdout]).toEqual([0, 'edgeform.yaml\n']);
    expect(read()).toMatchInlineSnapshot(`
      "version: 1
      stack: shop

      failover_backends:
        app: { backends: [bkdhr_1] } # one for all

      tls_edges: {}
        # the database

      https_edges:
        site:
          hostports: [shop.example.com:443]
          routes: {}
            # everything
      "
    `);
    expect(await changes()).toEqual([]);
  });

  test('one whose comment would become part of a text stays', async () => {
    const text = `version: 1
stack: shop
reserved_addrs:
  zero: { description: 'a' }
  one:
    description: |
      text
  two:
      # deeper than the text
    description: b
`;
    await applied(text);
    const ids = new Map(
      place.emulator.objects('reserved_addrs').map(({ id, description }) => [description, String(id)]),
    );
    place.emulator.mutate('reserved_addrs', ids.get('a') ?? '', { description: 'new' });
    place.emulator.remove('reserved_addrs', ids.get('b') ?? '');
    const { code, stderr } = await run('drift', '--accept', 'all', '--write');
    expect([code, stderr]).toEqual([2, expect.stringContaining('two stands in a form that cannot be edited')]);
    expect(read()).toBe(text.replace("'a'", "'new'"));
  });

  test('one that something refers to stays', async () => {
    await applied();
    place.emulator.remove('backends', idOf('backends'));
    const { code, json } = await document('--accept', 'all');
    expect([code, json.accepted]).toEqual([2, []]);
    expect(json.left_out).toMatchObject([{ address: 'failover_backends.app', path: null, reason: 'referenced' }]);
  });

  test('unless that goes, too', async () => {
    await applied();
    place.emulator.remove('tls_edges', idOf('tls_edges'));
    place.emulator.remove('backends', idOf('backends'));
    expect((await run('drift', '--accept', 'all', '--write')).code).toBe(0);
    expect(await changes()).toEqual([]);
  });

  test('a foreign child becomes a block that adopts it', async () => {
    await applied();
    await post(`/edges/https/${idOf('https_edges')}/routes`, {
      match_type: 'exact_path',
      match: '/admin',
      description: 'by hand ${x}',
    });
    const { code, stdout } = await run('drift', '--accept', 'all');
    expect(code).toBe(0);
    expect(stdout.replaceAll(/edghtsrt_\w+/g, 'ID')).toMatchInlineSnapshot(`
      "--- a/edgeform.yaml
      +++ b/edgeform.yaml
      @@ -22,3 +22,8 @@
               match_type: path_prefix
               match: /
               description: mine
      +      admin:
      +        description: "by hand $\${x}"
      +        match_type: exact_path
      +        match: /admin
      +        lifecycle: { adopt: ID }
      "
    `);
    expect((await run('drift', '--accept', 'all', '--write')).code).toBe(0);
    expect(await changes()).toEqual([]);
  });
});

test('a foreign child with a secret needs a variable, and the fix says so', async () => {
  await applied();
  await post(`/edges/https/${idOf('https_edges')}/routes`, {
    match_type: 'exact_path',
    match: '/admin',
    webhook_verification: { provider: 'github', secret: 'correct-horse-battery' },
  });
  expect(await document('--accept', 'all')).toMatchObject({
    code: 2,
    json: { left_out: [{ reason: 'adopted-secret', fix: expect.stringContaining('with a sensitive variable') }] },
  });
});

describe('what is left out', () => {
  test('a reference, a variable, a preset and a file', async () => {
    const manifest = `version: 1
stack: shop
variables: { text: { default: one } }
presets:
  usual: { description: usual }
failover_backends:
  app: { backends: [bkdhr_1], description: "\${var.text}" }
tls_edges:
  a: { preset: usual, backend: { backend_id: "\${failover_backends.app.id}" } }
  c: { description: "\${file:text.txt}" }
`;
    place.write('from a file\n', 'text.txt');
    await applied(manifest);
    for (const { id } of place.emulator.objects('tls_edges'))
      place.emulator.mutate('tls_edges', String(id), { description: 'other' });
    place.emulator.mutate('backends', idOf('backends'), { description: 'other' });
    const [first] = place.emulator
      .objects('tls_edges')
      .filter((edge) => edge['backend'] !== null && edge['backend'] !== undefined);
    place.emulator.mutate('tls_edges', String(first?.['id']), { backend: { enabled: true, backend_id: 'bkdhr_9' } });
    const { code, json } = await document('--accept', 'all', '--write');
    expect([code, json.accepted, json.files]).toEqual([2, [], []]);
    expect(
      json.left_out.map((one) =>
        Object.values(one as Record<string, string>)
          .slice(1, 4)
          .concat((one as Record<string, string>)['source'] ?? ''),
      ),
    ).toMatchInlineSnapshot(`
      [
        [
          "failover_backends.app",
          "description",
          "variable",
          "edgeform.yaml:7:44",
        ],
        [
          "tls_edges.a",
          "backend.backend_id",
          "reference",
          "edgeform.yaml:9:46",
        ],
        [
          "tls_edges.c",
          "description",
          "file",
          "edgeform.yaml:10:21",
        ],
        [
          "tls_edges.a",
          "description",
          "preset",
          "edgeform.yaml:5:25",
        ],
      ]
    `);
    const { stderr } = await run('drift', '--accept', 'tls_edges.a.description');
    expect(stderr).toMatchInlineSnapshot(`
      "warning: description of tls_edges.a stands in a preset, which other blocks may use  [not-accepted]
        --> edgeform.yaml:5:25
         = fix: change the preset by hand, or give the block a value of its own

      1 warning
      0 changes accepted, for 0 files; 1 left out.
      "
    `);
    expect(read()).toBe(manifest);
  });

  test.each([
    ['a text that no manifest can hold', MANIFEST, { description: 'a\u0007b' }, 'inexpressible', 'description'],
    [
      'an anchor',
      MANIFEST.replace("'first'", "&text 'first'").replace('description: mine', 'description: *text'),
      { description: 'two' },
      'shared',
      'description',
    ],
    [
      'what lies over a preset and was removed',
      `version: 1\nstack: shop\npresets: { p: { description: one } }\ntls_edges: { db: { preset: p, description: two } }\n`,
      { description: '' },
      'preset',
      'description',
    ],
  ])('%s', async (_, manifest, live, reason, path) => {
    await applied(manifest);
    place.emulator.mutate('tls_edges', idOf('tls_edges'), live);
    const { code, json } = await document('--accept', 'all', '--write');
    expect([code, json.accepted, json.left_out]).toMatchObject([2, [], [{ address: 'tls_edges.db', path, reason }]]);
    expect(read()).toBe(manifest);
  });

  test('a secret, and what is beside it is accepted', async () => {
    const manifest = `version: 1
stack: shop
variables: { key: { sensitive: true } }
https_edges:
  site:
    routes:
      all:
        match_type: path_prefix
        match: /
        oauth: { maximum_duration: 10, provider: { github: { client_id: abc, client_secret: "\${var.key}" } } }
`;
    place.env['EDGEFORM_VAR_key'] = 'hush-hush-hush';
    await applied(manifest);
    const [route] = place.emulator.objects('routes');
    const oauth = {
      ...(route?.['oauth'] as object),
      maximum_duration: 20,
      provider: { github: { client_id: 'abc', client_secret: 'another-secret' } },
    };
    place.emulator.mutate('routes', String(route?.['id']), { oauth });
    const { code, stdout, both } = await run('drift', '--accept', 'all', '--write');
    expect([code, stdout]).toEqual([2, 'edgeform.yaml\n']);
    expect(both).toContain('client_secret of https_edges.site.routes.all is or holds a secret');
    expect(both).not.toContain('another-secret');
    expect(read()).toBe(manifest.replace('maximum_duration: 10', 'maximum_duration: 20'));
  });

  test('what is beside a secret that the service does not show', async () => {
    const manifest = `version: 1
stack: shop
variables: { key: { sensitive: true } }
event_destinations:
  logs:
    description: mine
    format: json
    target:
      datadog: { api_key: "\${var.key}", ddtags: first, service: web }
`;
    place.env['EDGEFORM_VAR_key'] = 'hush-hush-hush';
    await applied(manifest);
    changeTarget('datadog', { ddtags: 'second' }, { description: 'theirs' });
    const { code, stdout, both } = await run('drift', '--accept', 'all', '--write');
    expect([code, stdout]).toEqual([2, 'edgeform.yaml\n']);
    expect(both.replaceAll(/\s+/g, ' ')).toContain(
      'target.datadog.ddtags of event_destinations.logs is beside a secret',
    );
    const accepted = manifest.replace('mine', 'theirs');
    expect(read()).toBe(accepted);
    // As the message says: written by hand, it is applied with the secret of the manifest.
    place.write(accepted.replace('first', 'second'));
    expect(await changes()).toMatchObject([{ path: 'target.datadog.api_key', sensitive: true }]);
    await applied(accepted.replace('first', 'second'));
    expect(await changes()).toEqual([]);
  });

  const ownBucket = `version: 1
stack: shop
event_destinations:
  logs:
    target: { s3: { bucket_arn: "arn:aws:s3:::logs", object_prefix: a } }
`;
  test('what is beside the keys that somebody put there: both stay drift', async () => {
    await applied(ownBucket);
    const creds = { aws_access_key_id: 'AKIAIOSFODNN7EXAMPLE', aws_secret_access_key: 'their-key' };
    changeTarget('s3', { object_prefix: 'b', auth: { creds } });
    const { code, json } = await document('--accept', 'all', '--write');
    expect([code, json.accepted]).toEqual([2, []]);
    expect(json.left_out).toMatchObject([
      { path: 'target.s3.auth', reason: 'secret' },
      { path: 'target.s3.object_prefix', reason: 'hidden-secret' },
    ]);
    expect((await run('drift')).code).toBe(2);
  });

  test('what is beside a hidden secret under ignore_changes: it stays drift', async () => {
    const manifest = `version: 1
stack: shop
variables: { key: { sensitive: true } }
event_destinations:
  logs:
    target: { datadog: { api_key: "\${var.key}", ddtags: first } }
    lifecycle: { ignore_changes: [target.datadog.api_key] }
`;
    place.env['EDGEFORM_VAR_key'] = 'hush-hush-hush';
    await applied(manifest);
    changeTarget('datadog', { ddtags: 'second' });
    const { json } = await document('--accept', 'event_destinations.logs.target.datadog.ddtags');
    expect(json).toMatchObject({ accepted: [], left_out: [{ reason: 'hidden-secret' }] });
  });

  test('a preset is named before a hidden secret', async () => {
    place.env['EDGEFORM_VAR_key'] = 'hush-hush-hush';
    await applied(
      `version: 1\nstack: shop\npresets: { p: { target: { s3: { object_prefix: a } } } }\nevent_destinations: { logs: { preset: p, target: { s3: { bucket_arn: "arn:aws:s3:::logs", auth: { creds: { aws_access_key_id: AKIAIOSFODNN7EXAMPLE, aws_secret_access_key: "\${var.key}" } } } } } }\nvariables: { key: { sensitive: true } }\n`,
    );
    changeTarget('s3', { object_prefix: 'b' });
    expect((await document('--accept', 'all')).json.left_out).toMatchObject([{ reason: 'preset' }]);
  });

  test('what was changed in the manifest, too, by nobody knows whom', async () => {
    const manifest = MANIFEST.replace(
      'description: mine',
      'description: mine\n        request_headers: { add: { a: "1", b: "1" } }',
    );
    await applied(manifest);
    place.write(manifest.replace('a: "1"', 'a: "2"'));
    place.emulator.mutate('routes', idOf('routes'), { request_headers: { add: { a: '1', b: '2' }, remove: [] } });
    const { code, json } = await document('--accept', 'all');
    expect([code, json.accepted]).toEqual([2, []]);
    expect(json.left_out).toMatchObject([{ path: 'request_headers.add', reason: 'both-causes' }]);
    const named = await document('--accept', 'https_edges.site.routes.all.request_headers');
    expect(named.json).toMatchObject({ accepted: [{}], left_out: [] });
  });

  test('what is in a missing object that stays', async () => {
    const manifest = `${MANIFEST}outputs: { site: "\${https_edges.site.id}" }\n`;
    await applied(manifest);
    place.emulator.remove('routes', idOf('routes'));
    place.emulator.remove('https_edges', idOf('https_edges'));
    const { code, json } = await document('--accept', 'all', '--write');
    expect([code, json.accepted]).toEqual([2, []]);
    expect(json.left_out).toMatchObject([
      { address: 'https_edges.site', reason: 'referenced' },
      { address: 'https_edges.site.routes.all', reason: 'parent' },
    ]);
    expect(read()).toBe(manifest);
  });

  test('known findings are no part of all', async () => {
    await applied();
    place.emulator.mutate('tls_edges', idOf('tls_edges'), { description: 'two' });
    const { json } = (await document()) as unknown as { json: { findings: { fingerprint: string }[] } };
    place.write(`${json.findings[0]?.fingerprint ?? ''}\n`, 'known.txt');
    expect((await run('drift', '--known', 'known.txt', '--accept', 'all')).stdout).toBe('');
    expect((await run('drift', '--known', 'known.txt', '--accept', 'tls_edges.db')).stdout).not.toBe('');
  });

  describe('what nobody knows to have been changed outside', () => {
    const two = (...names: string[]) =>
      `version: 1\nstack: shop\nfailover_backends:\n${names.map((name) => `  ${name}: { backends: [bkdhr_1] }\n`).join('')}`;
    const forget = () => {
      rmSync(join(place.cwd, '.edgeform'), { recursive: true });
    };
    const left = async (...args: string[]) => {
      const { code, json } = await document('--accept', ...args);
      return [code, json.accepted.length, json.left_out.map((one) => (one as { reason: string }).reason)];
    };

    test('a block that may be new, where the journal is lost', async () => {
      await applied(two('a'));
      forget();
      place.write(two('a', 'b'));
      expect(await left('all')).toEqual([2, 0, ['unknown-cause']]);
      // Who names it knows.
      expect(await left('failover_backends.b')).toEqual([0, 1, []]);
    });

    test('a name that was changed, where the journal is lost', async () => {
      await applied(two('a'));
      forget();
      place.write(two('renamed'));
      expect(await left('all')).toEqual([2, 0, ['unknown-cause']]);
    });

    test('values of an object that is not adopted yet', async () => {
      await applied(two('other'));
      await post('/backends/failover', { backends: ['bkdhr_old'], description: 'theirs' });
      const id = String(place.emulator.objects('backends').find((one) => one['description'] === 'theirs')?.['id']);
      const block = `  a: { backends: [bkdhr_new], description: mine, lifecycle: { adopt: ${id} } }\n`;
      place.write(`${two('other')}${block}`);
      const [code, accepted] = await left('all');
      expect([code, accepted]).toEqual([2, 0]);
      place.write(`${two('other')}${block.replace(id, `${id.slice(0, -4)}zzzz`)}`);
      expect(await left('all')).toEqual([2, 0, ['doubtful']]);
      // An error is doubted by nobody who names the address.
      expect(await left('failover_backends.a')).toEqual([2, 0, ['doubtful']]);
    });

    test('everything, where the key may be that of another account', async () => {
      await applied(two('a', 'b'));
      for (const { id } of place.emulator.objects('backends')) place.emulator.remove('backends', String(id));
      expect(await left('all')).toEqual([2, 0, ['doubtful', 'doubtful']]);
    });
  });

  describe('what would make the manifest invalid, and nothing else', () => {
    const left = async () => {
      const { code, json } = await document('--accept', 'all', '--write');
      const reasons = json.left_out.map((one) => {
        const { address, path, reason } = one as Record<string, unknown>;
        return `${String(address)} ${String(path)} ${String(reason)}`;
      });
      return { code, json, reasons, accepted: json.accepted.length };
    };
    const hosts = (list: string, id: unknown, ...names: string[]) => {
      place.emulator.mutate(list, String(id), { hostports: names.map((name) => `${name}.example.com:443`) });
    };

    test('a hostport that a variable still has for another edge', async () => {
      const manifest = `version: 1
stack: shop
variables: { h: { default: b.example.com } }
failover_backends:
  app: { backends: [bkdhr_1] }
tls_edges:
  a: { hostports: [a.example.com:443], description: mine }
  b: { hostports: ["\${var.h}:443"] }
`;
      await applied(manifest);
      const idWith = (host: string) =>
        place.emulator.objects('tls_edges').find((one) => JSON.stringify(one['hostports']).includes(host))?.['id'];
      const [a, b] = [idWith('a.example'), idWith('b.example')];
      hosts('tls_edges', b, 'c');
      hosts('tls_edges', a, 'b');
      place.emulator.mutate('tls_edges', String(a), { description: 'theirs' });
      place.emulator.mutate('backends', idOf('backends'), { description: 'unrelated' });
      const { code, json, reasons, accepted } = await left();
      expect([code, accepted, reasons]).toEqual([
        2,
        2,
        ['tls_edges.b hostports variable', 'tls_edges.a hostports invalid'],
      ]);
      expect(json.left_out[1]).toMatchObject({
        message:
          'hostports of tls_edges.a would make the manifest invalid: b.example.com:443 is claimed by tls_edges.a and tls_edges.b',
      });
      expect(read()).toBe(
        manifest
          .replace('description: mine', 'description: theirs')
          .replace('backends: [bkdhr_1]', 'backends: [bkdhr_1], description: unrelated'),
      );
    });

    test('hostports that go round three edges, of which one cannot be written', async () => {
      const manifest = `version: 1
stack: shop
variables: { h: { default: c.example.com } }
tls_edges:
  a: { hostports: [a.example.com:443] }
  b: { hostports: [b.example.com:443] }
  c: { hostports: ["\${var.h}:443"] }
  d: { hostports: [d.example.com:443] }
`;
      await applied(manifest);
      const byHost = new Map(
        place.emulator.objects('tls_edges').map((one) => [String((one['hostports'] as string[])[0])[0], one['id']]),
      );
      hosts('tls_edges', byHost.get('c'), 'new');
      hosts('tls_edges', byHost.get('b'), 'c');
      hosts('tls_edges', byHost.get('a'), 'b');
      hosts('tls_edges', byHost.get('d'), 'other');
      expect((await left()).reasons.sort()).toEqual([
        'tls_edges.a hostports invalid',
        'tls_edges.b hostports invalid',
        'tls_edges.c hostports variable',
      ]);
      expect(read()).toBe(manifest.replace('d.example.com', 'other.example.com'));
    });

    test('one of two routes with the same match that were added by hand', async () => {
      await applied();
      const path = `/edges/https/${idOf('https_edges')}/routes`;
      for (const match of ['/admin', '/later']) await post(path, { match_type: 'exact_path', match });
      const later = place.emulator.objects('routes').find(({ match }) => match === '/later');
      place.emulator.mutate('routes', String(later?.['id']), { match: '/admin' });
      place.emulator.mutate('tls_edges', idOf('tls_edges'), { description: 'by hand' });
      const { json, reasons, accepted } = await left();
      expect([accepted, reasons]).toEqual([
        2,
        [expect.stringMatching(/^https_edges\.site\.routes\.\S+ null invalid$/)],
      ]);
      expect(json.left_out[0]).toMatchObject({ message: expect.stringContaining('/admin') });
      expect(read().match(/\/admin/g)).toHaveLength(1);
      expect(read()).toContain('by hand');
    });
  });

  test('what stands in a file with a secret in clear, and in a symbolic link', async () => {
    const text = MANIFEST.replace(
      '        description: mine\n',
      '        description: mine\n        webhook_verification: { provider: github, secret: correct-horse-battery }\n',
    );
    await applied(text);
    place.emulator.mutate('tls_edges', idOf('tls_edges'), { description: 'by hand' });
    expect(await document('--accept', 'all')).toMatchObject({
      code: 2,
      json: { accepted: [], files: [], left_out: [{ reason: 'literal-secret', source: 'edgeform.yaml:10:18' }] },
    });
    expect(await run('drift', '--accept', 'all', '--write')).toMatchObject({ code: 2 });

    await applied();
    place.emulator.mutate('tls_edges', idOf('tls_edges'), { description: 'by hand' });
    renameSync(join(place.cwd, 'edgeform.yaml'), join(place.cwd, 'real.yaml'));
    symlinkSync('real.yaml', join(place.cwd, 'edgeform.yaml'));
    expect(await document('--accept', 'all')).toMatchObject({ code: 2, json: { left_out: [{ reason: 'link' }] } });
    expect(await run('drift', '--accept', 'all', '--write')).toMatchObject({ code: 2 });
    unlinkSync(join(place.cwd, 'edgeform.yaml'));
  });

  test('what was read from a pipe', async () => {
    await applied();
    place.emulator.mutate('tls_edges', idOf('tls_edges'), { description: 'two' });
    const { code, stdout, stderr } = await runIn(['drift', '--accept', 'all', '-f', '-'], {
      ...place,
      stdin: MANIFEST,
    });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatchInlineSnapshot(`
      "warning: description of tls_edges.db was read from a pipe  [not-accepted]
        --> <stdin>:10:18
         = fix: name the file with -f

      1 warning
      0 changes accepted, for 0 files; 1 left out.
      "
    `);
  });
});

describe('wrong usage', () => {
  test.each([
    [['--accept', 'tls_edges.dv'], 'did you mean "tls_edges.db"?'],
    [['--accept', 'tls_edges.db.descripton'], 'did you mean "tls_edges.db.description"?'],
    [['--accept', `sha256:${'0'.repeat(64)}`], 'a fingerprint changes with the values of its finding'],
    [['--write'], 'say what is accepted'],
    [['--accept', 'all', '--format', 'markdown'], 'use text or json'],
  ])('%s', async (args, hint) => {
    await applied();
    place.emulator.mutate('tls_edges', idOf('tls_edges'), { description: 'two' });
    const { code, both } = await run('drift', ...args);
    expect(code).toBe(64);
    expect(both.replaceAll(/\s+/g, ' ')).toContain(hint);
  });

  test('what has not drifted is nothing to accept', async () => {
    await applied();
    const { code, stdout, stderr } = await run('drift', '--accept', 'tls_edges.db.description');
    expect([code, stdout, stderr]).toEqual([0, '', 'Nothing of this drifted.\n']);
  });
});
