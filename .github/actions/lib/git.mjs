// The commit that a plan is compared with: it is in the checkout, or fetched into it. Knows no forge.

import { spawnSync } from 'node:child_process';
import { withoutTokens } from './run.mjs';

const COMMIT = /^[0-9a-f]{40,64}$/;
const PARENT = 'parent ';
const TIMEOUT_MS = 120_000;

/** Git sees nothing of what is for the program or the API of the forge. */
function git(...args) {
  const own = Object.entries(withoutTokens(process.env)).filter(([name]) => !name.startsWith('EDGEFORM_'));
  const env = { ...Object.fromEntries(own), GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
  const { status, stdout, stderr } = spawnSync('git', args, { env, encoding: 'utf8', timeout: TIMEOUT_MS });
  return { isDone: status === 0, said: (stdout ?? '').trim(), problem: (stderr ?? 'git could not be run').trim() };
}

function isThere(commit) {
  return git('cat-file', '-e', `${commit}^{commit}`).isDone;
}

/** The parents of what is checked out, also where a shallow clone lacks them. */
export function parentsOfHead() {
  const [head = ''] = git('cat-file', '-p', 'HEAD').said.split('\n\n');
  return head.split('\n').flatMap((line) => (line.startsWith(PARENT) ? line.slice(PARENT.length) : []));
}

/** The options that compare a plan with the commit, which a shallow clone may lack; none, and why, if it cannot be had. */
export function optionsToCompare(commit, given, say) {
  if (commit === '' || given.some((word) => word === '--base' || word.startsWith('--base='))) return [];
  const problem = COMMIT.test(commit) ? fetched(commit) : 'it is not the name of a commit';
  if (problem === undefined) return ['--base', commit];
  say(`The plan does not say what of it is new, because its base ${commit.slice(0, 12)} cannot be had: ${problem}`);
  return [];
}

/** What keeps the commit from being in the checkout, if anything does. */
function fetched(commit) {
  const checkout = git('rev-parse', '--is-shallow-repository');
  if (!checkout.isDone) return firstLine(checkout.problem);
  if (isThere(commit)) return undefined;
  // In a clone that is whole, it would cut the history off.
  const depth = checkout.said === 'true' ? ['--depth=1'] : [];
  const fetching = git('fetch', '--quiet', '--no-tags', '--no-recurse-submodules', ...depth, 'origin', commit);
  return fetching.isDone && isThere(commit) ? undefined : firstLine(fetching.problem);
}

function firstLine(text) {
  return text.split('\n')[0] || 'git does not say why';
}
