// The actions that the workflow uses of others, as repositories of that Gitea. Those for artifacts and caches call GitHub's own toolkit, as the
// real ones do, so that the real APIs of Gitea and its runner answer.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Gitea } from './gitea-server.ts';

interface Source {
  readonly inputs: readonly string[];
  /** Runs with `input(NAME)` and `toolkit(NAME)`. */
  readonly script: string;
}

/**
 * GitHub's toolkit refuses every server that has not GitHub's name. The actions that Gitea's manual names in their place do not ask, and so do these.
 */
const UNCHECKED = "process.env.GITHUB_SERVER_URL = 'https://github.com';";

const SOURCES: Readonly<Record<string, Source>> = {
  'setup-node': { inputs: ['node-version', 'package-manager-cache'], script: 'console.log(process.version);' },
  checkout: {
    inputs: ['persist-credentials', 'token', 'fetch-depth'],
    script: `
const { execFileSync } = require('node:child_process');
const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_SHA, GITHUB_REF, GITHUB_WORKSPACE: cwd } = process.env;
const basic = Buffer.from('x-access-token:' + input('token')).toString('base64');
const git = (...args) => execFileSync('git', args, { cwd, stdio: 'inherit' });
git('init', '--quiet');
git('remote', 'add', 'origin', GITHUB_SERVER_URL.replace(/\\/$/, '') + '/' + GITHUB_REPOSITORY);
const name = 'http.' + GITHUB_SERVER_URL.replace(/\\/$/, '') + '/.extraheader';
git('config', name, 'AUTHORIZATION: basic ' + basic);
git('fetch', '--quiet', '--no-tags', '--depth=' + (input('fetch-depth') || 1), 'origin', '+' + GITHUB_SHA + ':refs/remotes/' + GITHUB_REF.replace(/^refs\\//, ''));
git('checkout', '--quiet', '--detach', GITHUB_SHA);
if (input('persist-credentials') === 'false') git('config', '--unset-all', name);`,
  },
  'cache/restore': {
    inputs: ['path', 'key', 'restore-keys'],
    script: `
const cache = toolkit('@actions/cache');
const lines = (name) => input(name).split('\\n').filter((line) => line !== '');
console.log('restored', await cache.restoreCache(lines('path'), input('key'), lines('restore-keys')));`,
  },
  'cache/save': {
    inputs: ['path', 'key'],
    script: `
const cache = toolkit('@actions/cache');
console.log('saved', await cache.saveCache(input('path').split('\\n'), input('key')).catch((error) => error.message));`,
  },
  'gitea-upload-artifact': {
    inputs: ['name', 'path', 'retention-days', 'if-no-files-found', 'overwrite'],
    script: `${UNCHECKED}
const { default: client } = toolkit('@actions/artifact');
const { readdirSync, statSync } = require('node:fs');
const { dirname, join } = require('node:path');
const path = input('path');
const isFolder = statSync(path).isDirectory();
const files = isFolder ? readdirSync(path, { recursive: true }).map((name) => join(path, name)).filter((name) => statSync(name).isFile()) : [path];
if (input('overwrite') === 'true') await client.deleteArtifact(input('name')).catch((error) => console.log('overwrite:', error.message));
const options = Number(input('retention-days')) > 0 ? { retentionDays: Number(input('retention-days')) } : {};
console.log('stored', await client.uploadArtifact(input('name'), files, isFolder ? path : dirname(path), options));`,
  },
  'gitea-download-artifact': {
    inputs: ['name', 'pattern', 'merge-multiple', 'path', 'run-id', 'github-token'],
    script: `${UNCHECKED}
const { default: client } = toolkit('@actions/artifact');
const [repositoryOwner, repositoryName] = process.env.GITHUB_REPOSITORY.split('/');
const other = { token: input('github-token'), workflowRunId: Number(input('run-id')), repositoryOwner, repositoryName };
const from = input('github-token') === '' ? {} : { findBy: other };
const { artifacts } = await client.listArtifacts({ latest: true, ...from });
const wanted = artifacts.filter(({ name }) => name === (input('name') || input('pattern')));
if (wanted.length === 0 && input('name') !== '') throw new Error('no artifact ' + input('name'));
for (const { id, digest } of wanted)
  console.log('loaded', await client.downloadArtifact(id, { ...from, path: input('path'), expectedHash: digest }));`,
  },
};

function scriptOf({ script }: Source, tools: string): string {
  return `const { createRequire } = require('node:module');
const toolkit = createRequire(${JSON.stringify(join(tools, 'main.js'))});
const input = (name) => process.env['INPUT_' + name.replaceAll(' ', '_').toUpperCase()] ?? '';
(async () => {${script}
})().catch((error) => {
  console.log('::error::' + error.stack);
  process.exitCode = 1;
});
`;
}

function actionOf(name: string, { inputs }: Source): object {
  const usual = (input: string) => (input === 'token' ? '${{ github.token }}' : '');
  return {
    name,
    inputs: Object.fromEntries(inputs.map((input) => [input, { default: usual(input) }])),
    runs: { using: 'node20', main: 'index.js' },
  };
}

const USES = 'uses: ';

/** The repositories of others that the files below a folder use, with their pins. */
function usedIn(folder: string): ReadonlyMap<string, ReadonlySet<string>> {
  const pins = new Map<string, Set<string>>();
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yml')))
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      const at = line.indexOf(USES);
      const [path = '', pin = ''] = at < 0 ? [] : line.slice(at + USES.length).split(/[@ ]/);
      if (at < 0 || path.startsWith('.')) continue;
      const repository = path.split('/').slice(0, 2).join('/');
      pins.set(repository, (pins.get(repository) ?? new Set()).add(pin));
    }
  return pins;
}

/**
 * Makes a repository for each that files below a folder use. The pin is the name of a tag there, because nobody can make that commit.
 */
export async function publishActions(gitea: Gitea, folder: string, tools: string): Promise<void> {
  const used = usedIn(folder);
  for (const owner of new Set([...used.keys()].map((one) => one.split('/')[0])))
    await gitea.api('POST', 'orgs', { username: owner });
  for (const [repository, pins] of used) {
    const [owner = '', name = ''] = repository.split('/');
    await gitea.api('POST', `orgs/${owner}/repos`, { name, default_branch: 'main' });
    const path = mkdtempSync(join(tmpdir(), 'action-'));
    const sources = Object.entries(SOURCES).filter(([own]) => `${own}/`.startsWith(`${name}/`));
    if (sources.length === 0) throw new Error(`no stand-in for ${repository}`);
    for (const [own, source] of sources) {
      const at = join(path, own.slice(name.length));
      mkdirSync(at, { recursive: true });
      writeFileSync(join(at, 'action.yml'), JSON.stringify(actionOf(own, source)));
      writeFileSync(join(at, 'index.js'), scriptOf(source, tools));
    }
    const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    const git = (...args: string[]) => execFileSync('git', [...author, ...args], { cwd: path, stdio: 'pipe' });
    git('init', '--quiet', '--initial-branch', 'main');
    git('add', '--all');
    git('commit', '--quiet', '-m', name);
    const tags = [...pins].map((pin) => `HEAD:refs/tags/${pin}`);
    git('push', '--quiet', gitea.remote(repository), 'HEAD:refs/heads/main', ...tags);
  }
}
