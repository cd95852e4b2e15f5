// Who can get in: a reviewer sees in one line what a plan opens, closes or changes, and drift says it of what was done outside.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { usePlace } from '../support/place.ts';

const OAUTH = 'oauth: { provider: { github: { teams: [acme/ops] } } }';
const ADMIN = `admin: { match_type: path_prefix, match: /admin, ${OAUTH} }`;
const ALL = 'all: { match_type: path_prefix, match: / }';

const manifest = (routes: readonly string[], hostports = '[shop.example.com:443]') => `version: 1
stack: shop
https_edges:
  site:
    hostports: ${hostports}
    routes:
${routes.map((route) => `      ${route}\n`).join('')}`;

const place = usePlace({ 'edgeform.yaml': manifest([ADMIN, ALL]) });
const { run, write } = place;

async function applied(): Promise<void> {
  expect((await run('apply', '--auto-approve')).code).toBe(0);
}

async function exposuresOf(...args: string[]): Promise<readonly JsonObject[]> {
  const { stdout, stderr } = await run('plan', '--format', 'json', ...args);
  expect(stdout, stderr).not.toBe('');
  return (JSON.parse(stdout) as { readonly exposures: readonly JsonObject[] }).exposures;
}

/** `opens https_edges.site.routes.admin oauth`. */
const short = (exposures: readonly JsonObject[]) =>
  exposures.map(({ effect, address, path }) => `${String(effect)} ${String(address)} ${String(path)}`);

const SITE = 'https_edges.site';

test.each<readonly [string, string, readonly string[]]>([
  ['a sign-in goes', manifest([ADMIN.replace(`, ${OAUTH}`, ''), ALL]), [`opens ${SITE}.routes.admin oauth`]],
  [
    'a sign-in is switched off',
    manifest([ADMIN.replace('oauth: {', 'oauth: { enabled: false,'), ALL]),
    [`opens ${SITE}.routes.admin oauth.enabled`],
  ],
  [
    'a team more, and one less',
    manifest([ADMIN.replace('acme/ops', 'acme/dev'), ALL]),
    [
      `opens ${SITE}.routes.admin oauth.provider.github.teams`,
      `closes ${SITE}.routes.admin oauth.provider.github.teams`,
    ],
  ],
  [
    'no team is left',
    manifest([ADMIN.replace('[acme/ops]', '[]'), ALL]),
    [`opens ${SITE}.routes.admin oauth.provider.github.teams`],
  ],
  ['a route goes that stood before an open one', manifest([ALL]), [`opens ${SITE}.routes.admin match`]],
  [
    'a route that lets in less comes before one',
    manifest([ADMIN, ALL, `deep: { match_type: exact_path, match: /x, ${OAUTH} }`]),
    [`closes ${SITE}.routes.deep match`],
  ],
  [
    'a route that lets in more comes before one',
    manifest([ADMIN, ALL, 'deep: { match_type: exact_path, match: /admin/health }']),
    [`opens ${SITE}.routes.deep match`],
  ],
  [
    'a narrower selector uncovers what is behind it',
    manifest([ADMIN.replace('match: /admin', 'match: /admin/only'), ALL]),
    [`opens ${SITE}.routes.admin match`],
  ],
  [
    'another route that lets in the same stands before one',
    manifest([ADMIN, ALL, 'deep: { match_type: exact_path, match: /x }']),
    [],
  ],
  ['a route in front of nothing', manifest([ADMIN]), [`closes ${SITE}.routes.all match`]],
  [
    'a hostport more',
    manifest([ADMIN, ALL], '[shop.example.com:443, www.example.com:443]'),
    [`opens ${SITE} hostports`],
  ],
  ['no hostport', manifest([ADMIN, ALL], '[]'), [`closes ${SITE} hostports`]],
  [
    'a guard more',
    manifest([ADMIN, ALL.replace(' }', ', ip_restriction: { ip_policy_ids: [ipp_1] } }')]),
    [`closes ${SITE}.routes.all ip_restriction`],
  ],
  ['another description', manifest([ADMIN, ALL.replace(' }', ', description: x }')]), []],
])('%s', async (_, then, expected) => {
  await applied();
  expect(await exposuresOf()).toEqual([]);
  write(then);
  expect(short(await exposuresOf('--allow-deletes', 'all'))).toEqual(expected);
});

test('a new edge opens its hostports, and a deleted one closes them; its routes answer for nobody else', async () => {
  expect(short(await exposuresOf())).toEqual([`opens ${SITE} hostports`]);
  await applied();
  write('version: 1\nstack: shop\nreserved_addrs: { r: {} }\n');
  expect(short(await exposuresOf('--allow-deletes', 'all'))).toEqual([`closes ${SITE} hostports`]);
});

describe('every format for people', () => {
  test.each(['text', 'markdown', 'html'])('%s has one line for each, above the steps', async (format) => {
    await applied();
    write(manifest([ADMIN.replace(`, ${OAUTH}`, ''), ALL.replace(' }', ', description: x }')]));
    const { stdout } = await run('plan', '--format', format);
    const plain = stdout.replaceAll(/<[^>]*>|`/g, '').replaceAll(/\s+/g, ' ');
    expect(plain.replaceAll('*', '')).toContain(`opens ${SITE}.routes.admin oauth: removed`);
    expect(plain.indexOf('Who can get in')).toBeLessThan(plain.indexOf('description'));
    expect(plain).not.toContain('Nothing is deleted or replaced.');
  });

  test('says which route answers, with its guards', async () => {
    await applied();
    write(manifest([ALL]));
    const { stdout } = await run('plan', '--allow-deletes', 'all');
    const plain = stdout.replaceAll(/\s+/g, ' ');
    expect(plain).toContain(`/admin answered by ${SITE}.routes.admin (oauth) → /admin answered by ${SITE}.routes.all`);
  });
});

test('SARIF has what opens as a warning at its block', async () => {
  await applied();
  write(manifest([ADMIN.replace(`, ${OAUTH}`, ''), ALL]));
  const { stdout } = await run('plan', '--format', 'sarif');
  expect(JSON.parse(stdout)).toMatchObject({
    runs: [
      {
        results: [
          {
            ruleId: 'opens',
            level: 'warning',
            message: { text: expect.stringContaining(`opens ${SITE}.routes.admin oauth: removed`) },
            locations: [{ physicalLocation: { artifactLocation: { uri: 'edgeform.yaml' }, region: { startLine: 7 } } }],
          },
        ],
      },
    ],
  });
});

test('a secret of a guard is changed, and shown nowhere', async () => {
  const hook = (secret: string) =>
    `${manifest([`hook: { match_type: exact_path, match: /hook, webhook_verification: { provider: github, secret: "\${var.s}" } }`])}variables: { s: { sensitive: true } }\n# ${secret.length}\n`;
  write(hook('a'));
  place.env['EDGEFORM_VAR_s'] = 'the-first-secret';
  await applied();
  place.env['EDGEFORM_VAR_s'] = 'another-secret';
  const { stdout } = await run('plan', '--format', 'json');
  const { exposures } = JSON.parse(stdout) as { readonly exposures: readonly JsonObject[] };
  expect(exposures).toEqual([
    {
      effect: 'changes',
      address: `${SITE}.routes.hook`,
      path: 'webhook_verification.secret',
      before: { sensitive: true },
      after: { sensitive: true },
    },
  ]);
  expect(stdout).not.toMatch(/the-first-secret|another-secret/);
});

test('a saved plan has them, and what is left of it those of what is left', async () => {
  await applied();
  write(manifest([ADMIN.replace(`, ${OAUTH}`, ''), ALL]));
  expect((await run('plan', '--out', 'p.json')).code).toBe(0);
  const { stdout } = await run('show', 'p.json');
  expect(stdout).toContain('opens');
  expect((await run('apply', 'p.json', '--auto-approve')).code).toBe(0);
  const again = await run('apply', 'p.json', '--auto-approve');
  expect([again.code, again.stdout]).toEqual([0, expect.not.stringContaining('opens')]);
});

describe('drift says what was done outside', () => {
  const findings = async () => {
    const { stdout } = await run('drift', '--format', 'json');
    const { findings: found } = JSON.parse(stdout) as { readonly findings: readonly JsonObject[] };
    return found.flatMap(({ exposures = [] }) => short(exposures as readonly JsonObject[]));
  };
  const routes = () => place.emulator.objects('https_edges')[0]?.['routes'] as unknown as readonly JsonObject[];
  const idOf = (match: string) => String(routes().find((one) => one['match'] === match)?.['id']);

  test('a sign-in that was switched off', async () => {
    await applied();
    const route = routes().find((one) => one['match'] === '/admin');
    place.emulator.mutate('routes', idOf('/admin'), { oauth: { ...(route?.['oauth'] as JsonObject), enabled: false } });
    expect(await findings()).toEqual([`opens ${SITE}.routes.admin oauth.enabled`]);
    const { stdout } = await run('drift');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`opens ${SITE}.routes.admin oauth.enabled`);
  });

  test('a route that was deleted', async () => {
    await applied();
    place.emulator.remove('routes', idOf('/admin'));
    expect(await findings()).toEqual([`opens ${SITE}.routes.admin match`]);
  });

  test('a route that was added in front of others', async () => {
    await applied();
    const [site] = place.emulator.objects('https_edges');
    const { url, apiKey } = place.emulator;
    const made = await fetch(`${url}/edges/https/${String(site?.['id'])}/routes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'service-version': '2' },
      body: JSON.stringify({ match_type: 'exact_path', match: '/admin/backdoor' }),
    });
    expect(made.status).toBe(201);
    const { stdout } = await run('drift', '--format', 'json');
    const { findings: found } = JSON.parse(stdout) as { readonly findings: readonly JsonObject[] };
    expect(found.flatMap(({ exposures = [] }) => exposures as readonly JsonObject[])).toMatchObject([
      { effect: 'opens', path: 'match', before: { answered_by: `${SITE}.routes.admin`, guards: ['oauth'] } },
    ]);
  });
});

describe('the policy `openings`', () => {
  const OPEN = manifest([ADMIN.replace(`, ${OAUTH}`, ''), ALL]);
  const ROUTE = `${SITE}.routes.admin`;

  test('is off unless it is asked for', async () => {
    await applied();
    write(OPEN);
    expect((await run('plan')).code).toBe(0);
    await applied();
  });

  test('refuses what opens, names the flag, and lets it through with consent', async () => {
    await applied();
    write(OPEN);
    place.emulator.requests.length = 0;
    const refused = await run('apply', '--auto-approve', '--policy', 'openings');
    expect([refused.code, refused.stdout.replaceAll(/\s+/g, ' ')]).toEqual([
      5,
      expect.stringContaining(`${ROUTE} would let more in: oauth [opening]`),
    ]);
    expect(refused.stdout).toContain(`--allow-opening ${ROUTE}`);
    expect(place.writes()).toEqual([]);
    const allowed = await run('plan', '--policy', 'openings', '--allow-opening', ROUTE, '--format', 'json');
    expect(JSON.parse(allowed.stdout)).toMatchObject({
      refusals: [],
      steps: [{ allowed_by: [`--allow-opening ${ROUTE}`] }],
      made_with: { refuses_openings: true, allow_opening: [ROUTE] },
    });
    expect((await run('apply', '--auto-approve', '--policy', 'openings', '--allow-opening', SITE)).code).toBe(0);
  });

  test('holds for the plan that was made with it, whatever the run that applies it says', async () => {
    await applied();
    write(OPEN);
    expect((await run('plan', '--policy', 'openings', '--out', 'p.json')).code).toBe(5);
    expect((await run('apply', 'p.json', '--auto-approve')).code).toBe(5);
    expect((await run('apply', 'p.json', '--auto-approve', '--allow-opening', ROUTE)).code).toBe(0);
  });

  test('is asked for by the environment and by a fleet file, too', async () => {
    place.env['EDGEFORM_POLICY'] = 'openings';
    expect((await run('plan')).code).toBe(5);
    delete place.env['EDGEFORM_POLICY'];
    write('version: 1\npolicies: [openings]\nstacks: [{ name: a, path: edgeform.yaml }]\n', 'fleet.yaml');
    const refused = await run('fleet', 'plan', '--fleet', 'fleet.yaml');
    expect([refused.code, refused.stdout]).toEqual([5, expect.stringContaining(`--allow-opening a:${SITE}`)]);
    expect((await run('fleet', 'plan', '--fleet', 'fleet.yaml', '--allow-opening', `a:${SITE}`)).code).toBe(0);
    expect((await run('fleet', 'plan', '--fleet', 'fleet.yaml', '--allow-opening', `b:${SITE}`)).code).toBe(64);
  });

  test('an address that is none is wrong usage', async () => {
    expect((await run('plan', '--allow-opening', 'nonsense')).code).toBe(64);
  });
});

test('a policy in CEL sees what a step opens', async () => {
  await applied();
  write(manifest([ADMIN.replace(`, ${OAUTH}`, ''), ALL]));
  write(
    `version: 1
policies:
  - name: closed
    on: step
    expression: '!step.opens && step.exposures.all(e, e.effect != "opens")'
    message: opens \${step.address}
`,
    'closed.yaml',
  );
  const { code, stdout } = await run('plan', '--policy', 'closed.yaml');
  expect([code, stdout]).toEqual([5, expect.stringContaining(`opens ${SITE}.routes.admin`)]);
});
