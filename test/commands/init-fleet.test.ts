// init beside a fleet file that is there: a pipeline alone, which passes what the variables of all entries need.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { folder } from '../support/cli.ts';
import { run as runHere } from '../support/host.ts';

const run = (cwd: string, ...args: string[]) => runHere(args, { cwd, env: {} });
const read = (cwd: string, name: string) => readFileSync(join(cwd, name), 'utf8');

const SHOP = `version: 1
stack: "shop-\${var.env}"
variables: { env: {}, secret: { sensitive: true }, region: {}, size: { default: s } }
`;
const PARTNER = `version: 1
stack: partner
variables: { token: { sensitive: true }, size: { default: s } }
api_keys: { ci: {} }
`;
const FLEET = `version: 1
stacks:
  - { name: shop-prod, path: shop.yaml, variables: { env: prod }, var_files: [v.yaml], variables_env: { secret: EDGEFORM_VAR_shop_prod_secret } }
  - { name: shop-dev, path: shop.yaml, variables: { env: dev }, variables_env: { secret: EDGEFORM_VAR_shop_dev_secret, size: EDGEFORM_VAR_dev_size }, wave: 2 }
  - { name: partner, path: partner.yaml, base_url_env: PARTNER_BASE_URL, api_key_env: PARTNER_API_KEY }
`;
const FILES = {
  'edgeform.fleet.yaml': FLEET,
  'shop.yaml': SHOP,
  'partner.yaml': PARTNER,
  'v.yaml': 'region: eu\n',
  '.gitignore': '',
};
const GITHUB = '.github/workflows/edgeform.yml';
const PASSED = {
  EDGEFORM_VAR_shop_prod_secret: '${{ secrets.EDGEFORM_VAR_shop_prod_secret }}',
  EDGEFORM_VAR_shop_dev_secret: '${{ secrets.EDGEFORM_VAR_shop_dev_secret }}',
  EDGEFORM_VAR_token: '${{ secrets.EDGEFORM_VAR_token }}',
  EDGEFORM_VAR_region: '${{ vars.EDGEFORM_VAR_region }}',
  EDGEFORM_VAR_dev_size: '${{ vars.EDGEFORM_VAR_dev_size }}',
};

interface Jobs {
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly env?: object; readonly with?: Record<string, unknown> }[] }>
  >;
}

test.each([
  [[], ['plan', 'apply', 'drift']],
  [['--waves'], ['plan', 'apply-1', 'apply-2', 'apply-3', 'drift']],
])('for GitHub and Gitea %j, each job that needs them has the values of all entries', async (more, names) => {
  const cwd = folder(FILES);
  const { code, stdout } = await run(cwd, 'init', '--ci', 'github', '--fleet', '--stack', 'everything', ...more);
  expect([code, stdout]).toEqual([0, expect.stringContaining(`Wrote 1 file: ${GITHUB}`)]);
  for (const [name, text] of Object.entries(FILES)) expect(read(cwd, name)).toBe(text);
  const text = read(cwd, GITHUB);
  const { jobs } = parse(text) as Jobs;
  expect(Object.keys(jobs)).toEqual(['validate', ...names]);
  for (const name of names) {
    const step = jobs[name]?.steps[1];
    expect(step?.env, name).toEqual(PASSED);
    expect(step?.with).toMatchObject({ stack: 'everything', fleet: 'edgeform.fleet.yaml' });
  }
  expect(jobs['validate']?.steps[1]?.env).toBeUndefined();
  expect(jobs[names[1] ?? '']?.steps[1]?.with).toMatchObject({ arguments: expect.stringContaining('--token-dir') });
  expect(text).toContain('the secret EDGEFORM_VAR_shop_dev_secret');
});

test('for GitLab, the file names them, because every job has all of them', async () => {
  const cwd = folder(FILES);
  expect((await run(cwd, 'init', '--ci', 'gitlab', '--fleet', '--waves', '--stack', 'everything')).code).toBe(0);
  const text = read(cwd, '.gitlab-ci.yml');
  expect(text).toContain('The stacks of the fleet file need these CI/CD variables: ');
  for (const name of Object.keys(PASSED)) expect(text).toContain(name);
  expect(text).toContain('EDGEFORM_VAR_shop_dev_secret (masked, hidden)');
  expect(readdirSync(cwd).sort()).toEqual(['.gitlab-ci.yml', ...Object.keys(FILES)].sort());
});

test('nothing that is there is overwritten, and the fix is a pipeline for it', async () => {
  const cwd = folder(FILES);
  const without = await run(cwd, 'init', '--ci', 'github', '--fleet');
  expect([without.code, without.stderr]).toEqual([4, expect.stringContaining('"edgeform.fleet.yaml" already exists')]);
  expect(without.stderr.replaceAll(/\s+/g, ' ')).toContain('with --fleet and --stack NAME');
  mkdirSync(join(cwd, '.github/workflows'), { recursive: true });
  writeFileSync(join(cwd, GITHUB), 'mine');
  expect((await run(cwd, 'init', '--ci', 'github', '--fleet', '--stack', 'everything')).code).toBe(4);
  expect(read(cwd, GITHUB)).toBe('mine');
});

test('with a mistake in the fleet file, its entries are not known and nothing is written', async () => {
  const cwd = folder({ ...FILES, 'edgeform.fleet.yaml': FLEET.replace('wave: 2', 'wave: second') });
  const { code, stderr } = await run(cwd, 'init', '--ci', 'github', '--fleet', '--stack', 'everything');
  expect([code, stderr]).toEqual([4, expect.stringContaining('edgeform.fleet.yaml:4')]);
  expect(readdirSync(cwd)).not.toContain('.github');
});
