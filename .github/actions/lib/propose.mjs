// Keeps one pull request that writes accepted drift into the manifest. Runs in a job that has no key of the service, and trusts nothing
// that the other job stored: what is no manifest, or does not fit, is refused.

import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { readStored } from './accepted.mjs';
import { isFleet, lines } from './edgeform.mjs';
import { annotate, attempt, createGithub, main, runLink, subject } from './github.mjs';
import { proposalOf, putProposal } from './proposal.mjs';
import { withProposals } from './pull-requests.mjs';

const { FOLDER, MANIFEST, WORKING_DIRECTORY, EDGEFORM_CI_FLEET = '', OWN_TOKEN } = process.env;
const { GITHUB_REF = '', GITHUB_SHA, GITHUB_WORKSPACE } = process.env;

const NEEDED =
  'the job needs `permissions: { contents: write, pull-requests: write }`, and the repository the setting "Allow GitHub Actions to create and approve pull requests"';
const NO_WORKFLOW =
  '**No workflow runs for it yet**, because none starts for what the token of a job makes. Close it and open it again for its plan.';
const BRANCH = 'refs/heads/';
const REQUEST = 'pull request';

await main(async () => {
  const stored = join(FOLDER, 'accepted.json');
  if (!existsSync(stored)) {
    if (attempt() !== '1')
      throw new Error(
        `the job drift stored nothing in attempt ${attempt()} of this run, so the pull request stays as it is: run all jobs again, also those that did not fail`,
      );
    annotate('notice', 'It is not known whether there is drift, so the pull request stays as it is.');
    return;
  }
  if (!GITHUB_REF.startsWith(BRANCH)) throw new Error('use the event schedule, or another one of a branch');
  const about = subject();
  const say = (text) => annotate('notice', text);
  await putProposal(withProposals({ ...createGithub(NEEDED), say }), {
    about,
    base: { ref: GITHUB_REF.slice(BRANCH.length), sha: GITHUB_SHA },
    request: REQUEST,
    ...proposalOf(readStored(stored), {
      about,
      isFleet,
      request: REQUEST,
      run: runLink(),
      more: OWN_TOKEN === 'true' ? [] : [NO_WORKFLOW],
      root: GITHUB_WORKSPACE,
      // It may be named from the root of the disk, too.
      folder: relative(GITHUB_WORKSPACE, resolve(GITHUB_WORKSPACE, WORKING_DIRECTORY)) || '.',
      manifest: lines(MANIFEST),
      fleet: EDGEFORM_CI_FLEET,
    }),
  });
});
