// Policies from the command line: who evaluates them, with which exit code, and what is written (nothing).

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { policyHelp } from '../../src/commands/options/policy-help.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { VARIABLES } from '../../src/policy/visible.ts';
import { usePlace } from '../support/place.ts';

const MANIFEST = `version: 1
stack: shop
tls_edges:
  a: { hostports: [a.test:443] }
`;
const policy = (expression: string, more = '') => `version: 1
policies:
  - { name: own-ports, on: object, kinds: [tls_edge], expression: '${expression}', message: "no: \${object.hostports[0]}"${more} }
`;
const GOOD = policy('object.hostports.all(h, h.endsWith(".test:443"))');
const BAD = policy('object.hostports.all(h, h.endsWith(".example:443"))');
const WRONG = policy('object.hostport == ""');
const FAILS = policy('object.backend.backend_id == ""');

const place = usePlace({
  'edgeform.yaml': MANIFEST,
  'bad.yaml': BAD,
  'good.yaml': GOOD,
  'wrong.yaml': WRONG,
  'fails.yaml': FAILS,
  'warn.yaml': policy('false', ', severity: warning'),
});
const { run, writes } = place;
beforeEach(() => {
  place.emulator.requests.length = 0;
});
const said = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => `${stdout}${stderr}`;

test('a reference to a secret is shown beside a violation, and nothing is held back', async () => {
  const route = (match: string) => `match_type: path_prefix, match: ${match}`;
  place.write(
    `version: 1
stack: shop
variables: { hook: { sensitive: true } }
https_edges:
  e:
    routes:
      zeta: { ${route('x')}, webhook_verification: { provider: github, secret: "\${var.hook}" } }
      api: { ${route('/api')} }
`,
    'hook.yaml',
  );
  const rule = 'name: m, on: object, kinds: [https_edge_route], expression: \'object.match == "x"\', message: other';
  place.write(`version: 1\npolicies: [{ ${rule} }]\n`, 'match.yaml');
  const { code, stdout, stderr } = await run('validate', '-f', 'hook.yaml', '--policy', 'match.yaml');
  expect([code, `${stdout}${stderr}`.includes('secret: "${var.hook}" } }')]).toEqual([4, true]);
  expect(`${stdout}${stderr}`).not.toContain('held back');
});

describe('exit codes, and no write after a violation', () => {
  test.each<[string, string, number, string]>([
    ['validate', 'good', 0, 'valid'],
    ['validate', 'bad', 4, 'policy/own-ports'],
    ['validate', 'wrong', 4, 'did you mean "hostports"'],
    ['validate', 'fails', 4, 'policy-failed'],
    ['validate', 'warn', 0, 'policy/own-ports'],
    ['plan', 'good', 0, '1 to create'],
    ['plan', 'bad', 5, 'policy/own-ports'],
    ['plan', 'wrong', 4, 'bad-policy'],
    ['plan', 'fails', 4, 'policy-failed'],
    ['apply --auto-approve', 'bad', 5, 'policy/own-ports'],
    ['apply --auto-approve --allow-deletes all', 'bad', 5, 'policy/own-ports'],
    ['apply --auto-approve', 'fails', 4, 'policy-failed'],
    ['drift', 'bad', 0, 'policy/own-ports'],
    ['drift', 'warn', 0, 'policy/own-ports'],
  ])('%s with %s ends with %d', async (command, name, code, words) => {
    const ran = await run(...command.split(' '), '--policy', `${name}.yaml`);
    expect(said(ran)).toContain(words);
    expect(ran.code).toBe(code);
    expect(writes()).toEqual([]);
  });
});

test('the environment adds policies to those of the command line', async () => {
  place.env['EDGEFORM_POLICY'] = 'bad.yaml';
  place.write(GOOD.replace('own-ports', 'other'), 'other.yaml');
  expect((await run('validate', '--policy', 'other.yaml')).code).toBe(4);
  expect((await run('output', '--json')).code).toBe(0);
  place.env['EDGEFORM_POLICY'] = join(place.cwd, 'other.yaml');
  expect((await run('validate', '--policy', 'other.yaml')).code).toBe(0);
});

test.each([
  ...['json', 'text', 'markdown', 'html', 'sarif', 'github', 'gitlab'].map((format) => ['plan', format]),
  ...['sarif', 'junit', 'codequality'].map((format) => ['validate', format]),
  ['apply', 'json'],
])('%s --format %s has the rule and the places', async (command = '', format = '') => {
  const { stdout } = await run(command, '--policy', 'bad.yaml', '--format', format);
  expect(stdout).toContain('policy/own-ports');
  expect(stdout).toContain('edgeform.yaml');
  expect(stdout).toContain('bad.yaml');
});

describe('a saved plan', () => {
  const save = (...more: string[]) => run('plan', '--out', 'p.json', ...more);
  const applySaved = (...more: string[]) => run('apply', 'p.json', '--auto-approve', ...more);
  const saved = () => JSON.parse(readFileSync(join(place.cwd, 'p.json'), 'utf8')) as JsonObject;

  test('keeps the digest, and its result is shown without the policies', async () => {
    await save('--policy', 'bad.yaml');
    expect(saved()['made_with']).toEqual({ policies: expect.stringMatching(/^sha256:/) as string });
    const { code, stdout } = await run('show', 'p.json');
    expect([code, stdout]).toEqual([5, expect.stringContaining('policy/own-ports') as string]);
    expect((await applySaved('--policy', 'bad.yaml')).code).toBe(5);
    expect(writes()).toEqual([]);
  });

  test.each<[string[], string[]]>([
    [['--policy', 'good.yaml'], []],
    [[], ['--policy', 'good.yaml']],
    [
      ['--policy', 'good.yaml'],
      ['--policy', 'warn.yaml'],
    ],
  ])('made with %j and applied with %j is stale', async (made, given) => {
    await save(...made);
    expect((await applySaved(...given)).code).toBe(6);
    expect(writes()).toEqual([]);
  });

  test('is applied with the same policies', async () => {
    await save('--policy', 'good.yaml');
    expect((await applySaved('--policy', 'good.yaml')).code).toBe(0);
    expect(writes()).toHaveLength(1);
  });
});

describe('a fleet', () => {
  beforeEach(() => {
    place.write(
      'version: 1\nstacks: [{ name: shop, path: edgeform.yaml }]\npolicies: [bad.yaml]\n',
      'edgeform.fleet.yaml',
    );
  });
  test.each<[string, number]>([
    ['fleet validate', 4],
    ['fleet plan', 5],
    ['fleet apply --auto-approve', 5],
  ])('%s judges each stack by the policies of its file', async (command, code) => {
    const ran = await run(...command.split(' '));
    expect(said(ran)).toContain('own-ports');
    expect(ran.code).toBe(code);
    expect(writes()).toEqual([]);
  });
});

describe('policy check and policy test', () => {
  const test1 = (expected: string) =>
    `version: 1\ntests:\n  - { name: one, manifest: { tls_edges: { a: { hostports: [a.test:1] } } }, expect: [${expected}] }\n`;
  test.each<[string, string, number]>([
    ['check', 'good.yaml', 0],
    ['check', 'wrong.yaml', 4],
    ['check', 'nothing.yaml', 4],
  ])('%s %s ends with %d', async (command, file, code) => {
    expect((await run('policy', command, file)).code).toBe(code);
  });

  test.each<[string, number]>([
    ['{ policy: own-ports, address: tls_edges.a }', 0],
    ['', 1],
    ['{ policy: own-ports }', 1],
    ['{ policies: own-ports }', 4],
  ])('an example that expects [%s] ends with %d', async (expected, code) => {
    mkdirSync(join(place.cwd, 'p'));
    place.write(GOOD, 'p/rules.yaml');
    place.write(test1(expected), 'p/rules.test.yaml');
    expect((await run('policy', 'test', 'p')).code).toBe(code);
    expect((await run('policy', 'check', 'p')).code).toBe(0);
  });
});

test('explain policy lists what expressions can see', async () => {
  expect(Object.keys(VARIABLES.step)).toEqual(['object', 'before', 'step', 'plan', 'stack']);
  expect(policyHelp(80).join('\n')).toContain('owner');
  expect(policyHelp(80).join('\n')).toContain('step.changes[].cause');
  expect(await run('explain', 'policy')).toMatchObject({ code: 0, stdout: expect.stringContaining('on: plan') });
});
