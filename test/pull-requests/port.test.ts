// The port between what pipelines do and the forges: steps know no forge, and each adapter has all that they ask for.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
// @ts-expect-error A script without types.
import { adviceFor as adviceByScript } from '../../.github/actions/lib/advice.mjs';
// @ts-expect-error A script without types.
import { gitea as giteaByScript } from '../../.github/actions/lib/forges/gitea.mjs';
// @ts-expect-error A script without types.
import { github as githubByScript } from '../../.github/actions/lib/forges/github.mjs';
// @ts-expect-error A script without types.
import { gitlab as gitlabByScript } from '../../.github/actions/lib/forges/gitlab.mjs';

interface Words {
  readonly request: string;
}
type Adapter = (env: object, step: string) => Readonly<Record<string, unknown>> & { readonly words: Words };

const LIB = '.github/actions/lib';
const ADAPTERS = { github: githubByScript, gitea: giteaByScript, gitlab: gitlabByScript } as Readonly<
  Record<string, Adapter>
>;
const adviceFor = adviceByScript as (code: number, words: Words) => string;
const forgeOf = (name: string) => (ADAPTERS[name] as Adapter)({}, 'plan');
const textAt = (path: string) => readFileSync(join(LIB, path), 'utf8');
const scriptsIn = (folder: string) =>
  readdirSync(join(LIB, folder))
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => join(folder, name));

/** Those that are started, and what starts others with the environment of the job. */
const OUTSIDE = ['step.mjs', 'job.mjs', 'seal.mjs', 'run.mjs', 'git.mjs'];

const inside = [...scriptsIn('.'), ...scriptsIn('steps')].filter((path) => !OUTSIDE.includes(path));

describe('what is decided once', () => {
  test('reads no environment, names no forge, and asks which one it is nowhere', () => {
    expect(inside.length).toBeGreaterThan(20);
    const named =
      /process\.env|\bGITHUB_|\bCI_[A-Z]|\b(?:GitHub|GitLab|Gitea)\b|pull request|merge request|merge_request/;
    expect(inside.filter((path) => named.test(textAt(path)))).toEqual([]);
  });

  test('imports no adapter', () => {
    expect(inside.filter((path) => /forges\/(?!rest)/.test(textAt(path)))).toEqual([]);
  });
});

describe('the adapters', () => {
  /** Every name that a step takes of a forge: `forge.name`, or `{ name } = forge`. */
  const asked = new Set(
    inside.flatMap((path) => {
      const text = textAt(path);
      const taken = [...text.matchAll(/\{([^{}]*)\} = forge;/g)].flatMap(([, names = '']) =>
        names.split(',').map((name) => name.split(':')[0]?.trim() ?? ''),
      );
      return [...taken, ...[...text.matchAll(/\bforge\.(\w+)/g)].map(([, name = '']) => name)];
    }),
  );
  /** What only a forge has where the plan of a review is found again, or where steps are those of actions. */
  const OF_ACTIONS = ['artifacts', 'cancelled', 'commit', 'isPlanning', 'requireSafeEvent'];
  /** What only a forge has where there may be no token, or where caches are out of reach. */
  const WITHOUT_TOKEN = ['keptBy', 'lastApply', 'needed', 'needsJournal'];

  test.each([
    ['github', WITHOUT_TOKEN],
    ['gitea', WITHOUT_TOKEN],
    ['gitlab', OF_ACTIONS],
  ])('%s has all that steps ask for', (name, without) => {
    expect(asked.size).toBeGreaterThan(30);
    const has = Object.keys(forgeOf(name));
    expect([...asked].filter((one) => !has.includes(one)).sort()).toEqual(without);
  });

  test('of GitHub and Gitea have the same names, and all speak with the same words', () => {
    expect(Object.keys(forgeOf('gitea')).sort()).toEqual(Object.keys(forgeOf('github')).sort());
    for (const part of ['words', 'files', 'inputs'])
      for (const name of ['gitea', 'gitlab'])
        expect(Object.keys(forgeOf(name)[part] as object), part).toEqual(
          Object.keys(forgeOf('github')[part] as object),
        );
  });

  test.each([
    ['github', 'pull request', 'merge request'],
    ['gitea', 'pull request', 'merge request'],
    ['gitlab', 'merge request', 'pull request'],
  ])('what %s advises is about a %s', (name, own, other) => {
    const { words } = forgeOf(name);
    const all = [1, 3, 4, 5, 6, 7, 130, 143].map((code) => adviceFor(code, words)).join(' ');
    expect(all).toContain(own);
    expect(`${all} ${JSON.stringify(words)}`).not.toContain(other);
  });
});
