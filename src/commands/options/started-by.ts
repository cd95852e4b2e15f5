// Who starts a run, and from which commit: from our own variables, else those of GitHub or GitLab, else git. All of it is a claim of
// the environment, for records and markers; nothing is decided by it (ADR-0062), and it never fails.

import type { StartedBy } from '../../core/run-record.ts';
import { tryTo } from '../../core/try.ts';
import { throughLinks } from '../../platform/paths.ts';
import { checkoutAbove, gitIn, type Git } from '../../platform/git.ts';
import type { Host } from '../shell/host.ts';
import type { Settings } from './settings.ts';

/** In characters, of each claim. */
const LONGEST = 200;

type Env = Host['env'];

/** Asks git only for what the environment does not say: a program that is started costs time. */
export async function readStartedBy({
  env,
  cwd,
  settings,
}: {
  readonly env: Env;
  readonly cwd: string;
  readonly settings: Pick<Settings, 'commit'>;
}): Promise<StartedBy> {
  const git = gitIn(env);
  const [actor, commit] = await Promise.all([
    firstOf(env, ACTORS) ?? nameIn(git, cwd),
    settings.commit ?? (isInCheckout(cwd, env) ? commitIn(git, cwd) : undefined),
  ]);
  return { actor: claim(actor), commit: claim(commit), link: linkIn(env) };
}

/** False also where the folders above cannot be looked at: git could not, either. */
function isInCheckout(cwd: string, env: Env): boolean {
  return (env['GIT_DIR'] ?? '') !== '' || tryTo(() => checkoutAbove(throughLinks(cwd))) !== undefined;
}

/** Who started a run again counts before who started it first. */
const ACTORS = ['EDGEFORM_ACTOR', 'GITHUB_TRIGGERING_ACTOR', 'GITHUB_ACTOR', 'GITLAB_USER_LOGIN'];

function firstOf(env: Env, names: readonly string[]): string | undefined {
  return names.map((name) => env[name]?.trim() ?? '').find((value) => value !== '');
}

/** The beginning of a text that may be anything; null for none. */
function claim(text: string | undefined): string | null {
  const [...characters] = (text ?? '').trim().slice(0, 4 * LONGEST);
  return characters.length === 0 ? null : characters.slice(0, LONGEST).join('');
}

async function nameIn(git: Git, cwd: string): Promise<string | undefined> {
  const { code, stdout } = await git(cwd, ['config', '--get', 'user.name']);
  return code === 0 ? stdout : undefined;
}

/**
 * The commit of the checkout, unless something that it tracks was changed since, anywhere in it: then no commit has what is applied.
 * A manifest that git does not track yet is not noticed; a plan that was saved beside it is no reason to name no commit.
 */
async function commitIn(git: Git, cwd: string): Promise<string | undefined> {
  const head = await git(cwd, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  if (head.code !== 0) return undefined;
  const changed = await git(cwd, ['--no-optional-locks', 'status', '--porcelain', '--untracked-files=no', '--', ':/']);
  return changed.code === 0 && changed.stdout === '' ? head.stdout.trim() : undefined;
}

/** Where the pipeline shows the run. */
function linkIn(env: Env): string | null {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run, CI_JOB_URL: job } = env;
  const isGitHub = [server, repository, run].every((part) => (part ?? '') !== '');
  const link = isGitHub ? `${server ?? ''}/${repository ?? ''}/actions/runs/${run ?? ''}` : (job ?? '');
  const url = link.length > LONGEST ? undefined : tryTo(() => new URL(link));
  // Only where it is: a name, a password, a query or a fragment may be a credential.
  return url !== undefined && ['http:', 'https:'].includes(url.protocol) ? `${url.origin}${url.pathname}` : null;
}
