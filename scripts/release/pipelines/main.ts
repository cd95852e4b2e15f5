// `node scripts/run.mjs scripts/release/pipelines/main.ts github|gitlab|gitea INTERPRETER TARBALL`: one life of a change; one line about it.

import { lifeOnGitea } from './gitea.ts';
import { lifeOnGithub } from './github.ts';
import { lifeOnGitlab } from './gitlab.ts';

const LIVES: Readonly<Record<string, (interpreter: string, tarball: string) => Promise<string>>> = {
  github: lifeOnGithub,
  gitlab: lifeOnGitlab,
  gitea: lifeOnGitea,
};

const [forge = '', interpreter = '', tarball = ''] = process.argv.slice(2);
try {
  console.log(await LIVES[forge]?.(interpreter, tarball));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
