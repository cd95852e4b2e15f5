// Gitea and its runner, built from the registry of Go modules, and the toolkit of GitHub's actions: what the part "gitea" runs.

import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../tools.mjs';

export const GITEA = '1.26.0';
export const RUNNER = '1.0.8';
/** As in `upload-artifact` and `download-artifact` 4 and in `cache` 4, which are thin around them. */
const TOOLKIT = ['@actions/artifact@2.3.2', '@actions/cache@4.0.3'];

const PROGRAMS = {
  gitea: {
    module: 'code.gitea.io/gitea',
    version: GITEA,
    args: ['-tags', 'sqlite sqlite_unlock_notify', '-ldflags', `-s -w -X main.Version=${GITEA}`],
  },
  'gitea-runner': {
    module: 'gitea.com/gitea/runner',
    version: RUNNER,
    args: ['-ldflags', `-s -w -X gitea.com/gitea/runner/internal/pkg/ver.version=${RUNNER}`],
  },
};

/** A module of our own that needs the program, because `go install` takes none that replaces modules. */
function build(folder, name) {
  const path = join(folder, name);
  const { module, version, args } = PROGRAMS[name];
  const work = join(folder, `build-${name}`);
  const env = { ...process.env, GOFLAGS: '-mod=mod -buildvcs=false' };
  const go = (...words) => run('go', words, { cwd: work, env });
  mkdirSync(work, { recursive: true });
  const { Dir: source } = JSON.parse(go('mod', 'download', '-json', `${module}@v${version}`));
  const theirs = readFileSync(join(source, 'go.mod'), 'utf8').split('\n');
  const kept = theirs.filter((line) => /^(?:go|replace) /.test(line)).map((line) => line.split(' //')[0]);
  const own = ['module edgeform.example/pipelines', ...kept, `require ${module} v${version}`];
  writeFileSync(join(work, 'go.mod'), `${own.join('\n')}\n`);
  go('build', ...args, '-o', path, module);
  rmSync(work, { recursive: true });
  return source;
}

/** The folder with `gitea`, `gitea-runner`, the files that Gitea reads, and the toolkit; built once for these versions. */
export function giteaTools(cache) {
  const folder = join(cache, `gitea-${GITEA}-${RUNNER}`);
  const done = join(folder, 'done');
  if (existsSync(done)) return folder;
  mkdirSync(folder, { recursive: true });
  build(folder, 'gitea-runner');
  const files = join(folder, 'static');
  rmSync(files, { force: true });
  symlinkSync(build(folder, 'gitea'), files);
  run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', ...TOOLKIT]);
  writeFileSync(done, '');
  return folder;
}
