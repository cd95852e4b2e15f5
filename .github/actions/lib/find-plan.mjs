// Finds the plan that was reviewed: that of the last commit of the pull request whose merge is applied. When there is none, says why.

import { artifactName, createGithub, main, setOutput, subject } from './github.mjs';
import { readMarker } from './marker.mjs';
import { orNothing } from './rest.mjs';
import { ourComments } from './sticky.mjs';

const { GITHUB_SHA, GITHUB_REF_NAME, GITHUB_REPOSITORY, GITHUB_RUN_NUMBER } = process.env;
const about = subject();
let github;

await main(async () => {
  github = createGithub();
  const found = await find();
  for (const name of ['fingerprint', 'run', 'artifact', 'why']) setOutput(name, found[name] ?? '');
});

async function find() {
  const newer = await newerRun();
  if (newer !== undefined)
    return {
      why: `run ${newer.run_number} of this workflow is newer, and only the newest state of ${GITHUB_REF_NAME} is applied`,
    };
  const pull = await mergedPull();
  if (pull === undefined) return { why: `commit ${GITHUB_SHA.slice(0, 12)} belongs to no merged pull request` };
  const { number, head } = pull;
  setOutput('number', number);
  const name = `pull request #${number}`;
  if (head.repo?.full_name !== GITHUB_REPOSITORY)
    return { why: `${name} came from a fork, so no plan was made for it` };
  const comment = (await ourComments(github, number, 'plan', about)).at(-1);
  if (comment === undefined) return { why: `${name} has no comment with a plan of stack ${about.stack}` };
  const { fingerprint, result } = readMarker(comment.body).facts;
  if (result === 'refused') return { why: `the last plan of ${name} is refused by a safety rule` };
  if (fingerprint === undefined || result === 'error') return { why: `the last plan of ${name} failed` };
  const artifact = await artifactOf(head.sha, comment.body);
  if (artifact === undefined)
    return { why: `no saved plan of commit ${head.sha.slice(0, 12)}, the last one of ${name}, exists any more` };
  return { fingerprint, run: artifact.workflow_run.id, artifact: artifact.name };
}

/** A later run for a push to this branch that has begun. One that waits has its turn after this one. */
async function newerRun() {
  const runs = await github.pushes(GITHUB_REF_NAME);
  const isLater = ({ run_number: number, status }) =>
    number > Number(GITHUB_RUN_NUMBER) && ['in_progress', 'completed'].includes(status);
  for (const run of runs.filter(isLater)) if (run.conclusion !== 'cancelled' || (await hasBegun(run))) return run;
  return undefined;
}

/** False for a run that was cancelled when a newer one took its place in the queue. */
async function hasBegun({ id }) {
  const { jobs } = await github.request('GET', `actions/runs/${id}/jobs?filter=all&per_page=100`);
  return jobs.some(({ steps = [] }) => steps.length > 0);
}

async function mergedPull() {
  const pulls = await github.pulls(GITHUB_SHA);
  const merged = pulls.filter(({ merged_at: at, base }) => (at ?? null) !== null && base.ref === GITHUB_REF_NAME);
  return (
    merged.find(({ merge_commit_sha: sha }) => sha === GITHUB_SHA) ?? (merged.length === 1 ? merged[0] : undefined)
  );
}

/** The one of the comment, or else the newest, that this workflow made of this commit; anybody can store artifacts of any name. */
async function artifactOf(head, comment) {
  const said = comment
    .match(/\/actions\/runs\/\d+\)/g)
    ?.at(-1)
    ?.match(/\d+/)?.[0];
  const isSaid = ({ workflow_run: run }) => String(run.id) === said;
  const name = artifactName(about, head);
  const all = await github.list(`actions/artifacts?name=${name}&per_page=100`, (page) => page.artifacts);
  const own = all.filter(
    ({ name: one, expired, workflow_run: run }) => one === name && !expired && github.isOwn(run, head),
  );
  for (const artifact of own.sort((a, b) => isSaid(b) - isSaid(a) || b.id - a.id)) {
    const run = await runOf(artifact);
    if (run !== undefined && (await github.isPlanning(run))) return artifact;
  }
  return undefined;
}

function runOf({ workflow_run: { id } }) {
  return orNothing(() => github.request('GET', `actions/runs/${id}`));
}
