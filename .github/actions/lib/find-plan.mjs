// Finds the plan that was reviewed: that of the last commit of the pull request whose merge is applied. When there is none, says why.

import { artifactName, createGithub, main, setOutput, subject } from './github.mjs';
import { readMarker } from './marker.mjs';
import { ourComments } from './sticky.mjs';

const { GITHUB_SHA, GITHUB_REF_NAME, GITHUB_REPOSITORY, GITHUB_WORKFLOW_REF } = process.env;
const about = subject();
const github = createGithub();

await main(async () => {
  const found = await find();
  for (const name of ['number', 'fingerprint', 'run', 'artifact', 'why']) setOutput(name, found[name] ?? '');
});

async function find() {
  const pull = await mergedPull();
  if (pull === undefined) return { why: `commit ${GITHUB_SHA.slice(0, 12)} is of no merged pull request` };
  const { number, head } = pull;
  const name = `pull request #${number}`;
  if (head.repo?.full_name !== GITHUB_REPOSITORY)
    return { number, why: `${name} came from a fork, so no plan was made for it` };
  const comment = (await ourComments(github, number, 'plan', about)).at(-1);
  if (comment === undefined) return { number, why: `${name} has no comment with a plan of stack ${about.stack}` };
  const { fingerprint, result } = readMarker(comment.body).facts;
  if (fingerprint === undefined || result === 'error') return { number, why: `the last plan of ${name} failed` };
  const artifact = await artifactOf(head.sha);
  if (artifact === undefined)
    return { number, why: `no saved plan of commit ${head.sha.slice(0, 12)}, the last one of ${name}, is left` };
  return { number, fingerprint, run: artifact.workflow_run.id, artifact: artifact.name };
}

async function mergedPull() {
  const pulls = await github.list(`commits/${GITHUB_SHA}/pulls?per_page=100`);
  const merged = pulls.filter(({ merged_at: at, base }) => at !== null && base.ref === GITHUB_REF_NAME);
  return (
    merged.find(({ merge_commit_sha: sha }) => sha === GITHUB_SHA) ?? (merged.length === 1 ? merged[0] : undefined)
  );
}

/** The newest that this workflow made of this commit; anybody who opens a pull request can store artifacts of any name. */
async function artifactOf(head) {
  const name = artifactName(about, head);
  const all = await github.list(`actions/artifacts?name=${name}&per_page=100`, (page) => page.artifacts);
  const own = all.filter(({ name: one, expired, workflow_run: run }) => one === name && !expired && isOwn(run, head));
  for (const artifact of own.sort((a, b) => b.id - a.id)) {
    const run = await github.request('GET', `actions/runs/${artifact.workflow_run.id}`);
    if (run.event === 'pull_request' && run.path.split('@')[0] === workflowPath()) return artifact;
  }
  return undefined;
}

function isOwn(run, head) {
  return run !== undefined && run.head_sha === head && run.head_repository_id === run.repository_id;
}

/** The file of this workflow, without the repository before and the branch behind it. */
function workflowPath() {
  return GITHUB_WORKFLOW_REF.slice(GITHUB_REPOSITORY.length + 1).split('@')[0];
}
