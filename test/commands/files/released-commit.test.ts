// What `init` pins our actions to: the commit of the release, which the release itself writes into the package.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { releasedCommit } from '../../../src/commands/files/package-files.ts';
import { pipelineText } from '../../../src/render/scaffold/pipelines.ts';
import { folder } from '../../support/cli.ts';

const COMMIT = '0123456789'.repeat(4);
const of = (text: string) => releasedCommit(folder({ 'templates/COMMIT': text }));

test('a package of a release knows its commit, and no other package claims one', () => {
  expect([of(`${COMMIT}\n`), releasedCommit(folder({})), of('main\n'), of(`${COMMIT}0`), of('')]).toEqual([
    COMMIT,
    ...Array<undefined>(4).fill(undefined),
  ]);
});

test('our actions are named by it, with the version beside it, and by the tag without it', () => {
  const usesOf = (commit?: string) =>
    pipelineText('github', { version: '1.2.3', commit, stack: 'shop', proposesDrift: true })
      .split('\n')
      .flatMap((line) => /uses: edgeform\/edgeform\/\.github\/actions\/[\w-]+@(.*)/.exec(line)?.[1] ?? []);
  expect(new Set(usesOf(COMMIT))).toEqual(new Set([`${COMMIT} # v1.2.3`]));
  expect([new Set(usesOf()), usesOf().length]).toEqual([new Set(['v1.2.3']), 5]);
});

test('every job of the release that builds writes it before it builds', () => {
  const { jobs } = parse(readFileSync('.github/workflows/release.yml', 'utf8')) as {
    readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>;
  };
  const building = Object.entries(jobs).flatMap(([name, { steps }]) => {
    const runs = steps.map(({ run = '' }) => run);
    const builds = runs.findIndex((run) => /npm (?:ci|run build)|\.ci\/run/.test(run));
    return builds < 0 ? [] : [[name, runs.slice(0, builds).includes('echo "$GITHUB_SHA" > templates/COMMIT')]];
  });
  expect(building).toEqual([
    ['package', true],
    ['check', true],
    ['executable', true],
  ]);
});

test('no action that runs on Node 20 is used, which runners have no more', () => {
  // The oldest version of each that declares Node 24.
  const oldest: Readonly<Record<string, number>> = {
    checkout: 5,
    'setup-node': 5,
    'cache/restore': 5,
    'cache/save': 5,
    'upload-artifact': 6,
    'download-artifact': 7,
  };
  const texts = ['plan', 'apply', 'drift', 'drift-pull-request'].map((name) => `.github/actions/${name}/action.yml`);
  texts.push('.github/workflows/release.yml', '.github/workflows/test.yml', '.github/workflows/full.yml');
  const all = [
    ...texts.map((path) => readFileSync(path, 'utf8')),
    pipelineText('github', { version: '1.2.3', stack: 'shop' }),
  ];
  const used = [...all.join('\n').matchAll(/uses: actions\/([\w/-]+)@[0-9a-f]{40} # v(\d+)\./g)].filter(
    ([, name = '']) => name !== 'attest-build-provenance',
  );
  expect(used.length).toBeGreaterThan(25);
  expect(used.filter(([, name = '', major]) => !(Number(major) >= (oldest[name] ?? Infinity)))).toEqual([]);
});
