// Places in what a forge reads: from the root of its checkout; in everything else, from the working directory.

import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../support/cli.ts';
import { run } from '../support/host.ts';

const WRONG = 'version: 1\nstack: shop\nnope: 1\n';
const checkout = (files: Readonly<Record<string, string>>) => {
  const root = folder(files);
  return { root, shop: join(root, 'shop') };
};

const FORGES = ['GITHUB_WORKSPACE', 'CI_PROJECT_DIR'];

test.each(
  FORGES.flatMap((name) =>
    ['github', 'gitlab', 'sarif', 'junit', 'codequality', 'markdown'].map((format) => [name, format] as const),
  ),
)('with %s, %s names the file from the root of the checkout', async (name, format) => {
  const { root, shop } = checkout({ 'shop/edgeform.yaml': WRONG });
  const at = { cwd: shop, env: { [name]: root } };
  const { stdout, stderr } = await run(['validate', '--format', format], at);
  expect(`${stdout}${stderr}`).toContain('shop/edgeform.yaml');
  const apart = await run(['validate', '--format', format], { cwd: shop });
  expect(`${apart.stdout}${apart.stderr}`).not.toContain('shop/edgeform.yaml');
});

test('what a program or a person reads keeps the working directory', async () => {
  const { root, shop } = checkout({ 'shop/edgeform.yaml': WRONG });
  for (const format of ['text', 'json']) {
    const { both } = await run(['validate', '--format', format], { cwd: shop, env: { GITHUB_WORKSPACE: root } });
    expect(both).toContain('edgeform.yaml');
    expect(both).not.toContain('shop/edgeform.yaml');
  }
});

test('a comment names the file from the root, too', async () => {
  const { root, shop } = checkout({ 'shop/edgeform.yaml': WRONG });
  const env = { GITHUB_WORKSPACE: root };
  await run(['plan', '--comment-file', 'comment.md', '--summary-file', 'summary.md'], { cwd: shop, env });
  for (const name of ['comment.md', 'summary.md'])
    expect(readFileSync(join(shop, name), 'utf8')).toContain('shop/edgeform.yaml:3:1');
});

test('a file outside of the checkout, standard input, and a folder outside keep their names', async () => {
  const { root, shop } = checkout({ 'shop/edgeform.yaml': WRONG, 'apart.yaml': WRONG });
  const env = { GITHUB_WORKSPACE: shop };
  const other = await run(['validate', '--format', 'codequality', '-f', '../apart.yaml'], { cwd: shop, env });
  expect(other.stdout).toContain('"path": "../apart.yaml"');
  const piped = await run(['validate', '--format', 'github', '-f', '-'], { cwd: shop, env, stdin: WRONG });
  expect(piped.both).toContain('file=<stdin>');
  const above = await run(['validate', '--format', 'github', '-f', 'shop/edgeform.yaml'], { cwd: root, env });
  expect(above.both).toContain('file=shop/edgeform.yaml');
});

test('the checkout may be named through a link, and the file by its whole path', async () => {
  const { root, shop } = checkout({ 'shop/edgeform.yaml': WRONG });
  const link = join(folder({}), 'deep/link');
  mkdirSync(dirname(link));
  symlinkSync(root, link);
  const env = { GITHUB_WORKSPACE: link };
  const { both } = await run(['validate', '--format', 'github'], { cwd: shop, env });
  expect(both).toContain('file=shop/edgeform.yaml,line=3');
  const whole = await run(['validate', '--format', 'github', '-f', join(shop, 'edgeform.yaml')], { cwd: shop, env });
  expect(whole.both).toContain('file=shop/edgeform.yaml,line=3');
});

test('a fleet names the files of its stacks from the root, too', async () => {
  const { root } = checkout({
    'infra/edgeform.fleet.yaml': 'version: 1\nstacks: [{ name: shop, path: shop.yaml }]\n',
    'infra/shop.yaml': WRONG,
  });
  const at = { cwd: join(root, 'infra'), env: { CI_PROJECT_DIR: root } };
  expect((await run(['fleet', 'validate', '--format', 'codequality'], at)).stdout).toContain('"infra/shop.yaml"');
});

test('SARIF has the version of the program', async () => {
  const { shop } = checkout({ 'shop/edgeform.yaml': WRONG });
  const { stdout } = await run(['validate', '--format', 'sarif'], { cwd: shop });
  const { runs } = JSON.parse(stdout) as { runs: { tool: { driver: object } }[] };
  expect(runs[0]?.tool.driver).toMatchObject({ name: 'edgeform', version: expect.any(String) as string });
});
