// What --changed-since selects, in checkouts of git.

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changedSince } from '../../src/fleet/changed.ts';
import { loadEntry, readFleet } from '../../src/fleet/load-entry.ts';
import { gitIn } from '../../src/platform/git.ts';
import { folder } from '../support/cli.ts';

const FLEET = 'edgeform.fleet.yaml';
const stackOf = (name: string, text = '') => `version: 1\nstack: ${name}\n${text}`;

const START = {
  [FLEET]: `version: 1
policies: [rules]
stacks:
  - { name: network, path: network }
  - { name: shop, path: shop/*.yaml, var_files: [vars/shop.yaml] }
  - { name: late, path: late.yaml, overlays: [over/late.yaml] }
  - { each: teams/* }
`,
  'rules/a.yaml': 'x: 1\n',
  'network/a.yaml': stackOf('network'),
  'network/b.yaml': 'version: 1\n',
  'network/x/y.txt': 'x',
  'shop/a.yaml': stackOf('shop', 'variables: { v: { default: x } }\noutputs: { o: "${file:note.txt}" }\n'),
  'shop/note.txt': 'note',
  'vars/shop.yaml': 'v: 1\n',
  'late.yaml': stackOf('late'),
  'over/late.yaml': 'stack: late\nadd: { variables: { x: {} } }\n',
  'teams/red/m.yaml': stackOf('red'),
  'README.md': 'readme',
};

function put(root: string, files: Readonly<Record<string, string | undefined>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    if (text === undefined) rmSync(join(root, name), { recursive: true });
    else writeFileSync(join(root, name), text);
  }
}

const own = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  PATH: process.env['PATH'],
  HOME: '/nowhere',
};

function checkout(files: Readonly<Record<string, string>>): string {
  const root = folder({});
  put(root, files);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, env: own, stdio: 'pipe' });
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'start');
  return root;
}

const LINKS = [{ from: 'shop', to: 'late' }];

async function changed(cwd: string, { rev = 'HEAD', git = gitIn(own) }: { rev?: string; git?: Git } = {}) {
  const { value: fleet, diagnostics } = readFleet(FLEET, { cwd, env: {} });
  if (fleet === undefined) throw new Error(JSON.stringify(diagnostics));
  const options = { cwd, env: {}, variables: new Map() };
  const loaded = await Promise.all(fleet.entries.map((entry) => loadEntry(entry, fleet, options)));
  return changedSince(rev, { cwd, git, shared: [FLEET, ...fleet.policies], loaded, links: LINKS });
}

type Git = ReturnType<typeof gitIn>;
const ALL = ['late', 'network', 'red', 'shop'];

describe('an entry is changed by', () => {
  test.each<{ name: string; edit: Readonly<Record<string, string | undefined>>; found: readonly string[] }>([
    { name: 'nothing', edit: {}, found: [] },
    { name: 'no file of another kind', edit: { 'README.md': 'x', 'network/x.txt': 'x' }, found: [] },
    { name: 'a manifest file', edit: { 'network/a.yaml': stackOf('network', '# new\n') }, found: ['network'] },
    { name: 'a new manifest file', edit: { 'network/c.yaml': 'version: 1\n' }, found: ['network'] },
    { name: 'a manifest file less', edit: { 'network/b.yaml': undefined }, found: ['network'] },
    {
      name: 'a manifest file of a pattern less',
      edit: { 'shop/a.yaml': undefined, 'shop/b.yaml': stackOf('shop') },
      found: ['late', 'shop'],
    },
    {
      name: 'a file of variables, and so is what imports from it',
      edit: { 'vars/shop.yaml': 'v: 2\n' },
      found: ['late', 'shop'],
    },
    { name: 'a file that is filled in', edit: { 'shop/note.txt': 'other' }, found: ['late', 'shop'] },
    { name: 'an overlay', edit: { 'over/late.yaml': 'stack: late\nadd: { variables: { y: {} } }\n' }, found: ['late'] },
    { name: 'an overlay less', edit: { 'over/late.yaml': undefined }, found: ['late'] },
    { name: 'a new match', edit: { 'teams/blue/m.yaml': stackOf('blue') }, found: ['blue'] },
    { name: 'any file less below its path', edit: { 'network/x/y.txt': undefined }, found: ['network'] },
    { name: 'anything in the fleet file', edit: { [FLEET]: `${START[FLEET]}# more\n` }, found: ALL },
    { name: 'a file of policies', edit: { 'rules/a.yaml': 'x: 2\n' }, found: ALL },
  ])('$name', async ({ edit, found }) => {
    const root = checkout(START);
    put(root, edit);
    const { value, diagnostics } = await changed(root);
    expect([...(value ?? [])].sort(), JSON.stringify(diagnostics)).toEqual(found);
  });
});

test('a fleet below the top of a checkout, reached through a link, with a linked file', async () => {
  const below = Object.fromEntries(Object.entries(START).map(([name, text]) => [`in/${name}`, text]));
  const root = checkout({ ...below, 'above.yaml': 'version: 1\n' });
  symlinkSync('../above.yaml', join(root, 'in/shared.yaml'));
  put(root, { 'in/late.yaml': stackOf('late', '# new\n') });
  const link = join(folder({}), 'link');
  symlinkSync(join(root, 'in'), link);
  expect([...((await changed(link)).value ?? [])]).toEqual(['late']);
  symlinkSync('../note.txt', join(root, 'in/network/z.yaml'));
  put(root, { 'in/note.txt': 'version: 1\n' });
  expect([...((await changed(link)).value ?? [])].sort()).toEqual(['late', 'network']);
});

test('a folder of policies that is a link', async () => {
  const { 'rules/a.yaml': rule, ...rest } = START;
  const root = checkout({ ...rest, 'common/a.yaml': rule, '.gitignore': 'rules\n' });
  symlinkSync('common', join(root, 'rules'));
  expect([...((await changed(root)).value ?? [])]).toEqual([]);
  put(root, { 'common/a.yaml': 'x: 2\n' });
  expect([...((await changed(root)).value ?? [])].sort()).toEqual(ALL);
});

describe('is an input error', () => {
  const says = async (result: ReturnType<typeof changed>) =>
    (await result).diagnostics.map(({ code, message, fix }) => [code, message, fix !== undefined]);

  test.each(['none', '-h', '--output=x', 'HEAD:README.md', '', 'HEAD\0', 'a..b'])(
    'an unknown revision %j',
    async (rev) => {
      const message = `--changed-since: git does not know the revision ${JSON.stringify(rev)}`;
      expect(await says(changed(checkout(START), { rev }))).toEqual([['invalid-setting', message, true]]);
    },
  );

  test('no checkout', async () => {
    const root = folder({});
    put(root, START);
    const git: Git = (cwd, args) => gitIn({ ...own, GIT_CEILING_DIRECTORIES: dirname(root) })(cwd, args);
    const [[code, message] = []] = await says(changed(root, { git }));
    expect([code, message]).toEqual([
      'invalid-setting',
      expect.stringMatching(/^--changed-since: this is not a checkout of git \(.*\)$/),
    ]);
  });

  test('no git', async () => {
    const git = gitIn({ PATH: '/nowhere' });
    expect(await says(changed(checkout(START), { git }))).toEqual([
      ['invalid-setting', '--changed-since: git could not be run', true],
    ]);
  });

  test('a comparison that fails', async () => {
    const git: Git = async (cwd, args) =>
      args[0] === 'diff' ? { code: 128, stdout: '', stderr: 'fatal: broken\nmore' } : gitIn(own)(cwd, args);
    expect(await says(changed(checkout(START), { git }))).toEqual([
      ['invalid-setting', '--changed-since: git could not compare with "HEAD" (fatal: broken)', true],
    ]);
  });
});

test('git gets no variable that holds a credential', async () => {
  const env = { ...own, EDGEFORM_API_KEY: 'k', PARTNER_KEY: 'k', GIT_TOKEN: 'k', GIT_ASKPASS: 'k' };
  const shell = await gitIn(env)(folder({}), ['-c', 'alias.env=!env', 'env']);
  expect(shell.stdout).toContain('PATH=');
  expect(shell.stdout).not.toMatch(/EDGEFORM|PARTNER|TOKEN|ASKPASS/);
});
