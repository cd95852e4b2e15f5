// Finds the plan that is to be applied, in the newest state of the branch only. Where the plan of a review is found again, it is that of the
// last commit of the change whose merge this is; when there is none, says why.

import { clear } from '../files.mjs';
import { findMissed } from '../missed.mjs';
import { planName } from '../names.mjs';
import { reviewOf } from '../reviewed.mjs';

export async function find(forge) {
  if (forge.isIdleFork()) return;
  const newer = await forge.newer();
  if (!forge.findsPlans) {
    // A job that is run again must not bring back what a later commit took away.
    if (newer !== undefined) throw new Error(newer);
    return;
  }
  // It is put there after this step; a job may have found one before for another stack.
  clear(forge.files.plans);
  const {
    fingerprint = '',
    run = '',
    artifact = '',
    why = '',
  } = newer === undefined ? await findPlan(forge) : { why: newer };
  const missed = newer === undefined ? await findMissed(forge) : [];
  forge.put({ fingerprint, run, artifact, why, missed: missed.join(' ') });
}

async function findPlan(forge) {
  const { words, commit } = forge;
  const [change] = await forge.merged();
  if (change === undefined) return { why: `commit ${commit.slice(0, 12)} belongs to no merged ${words.request}` };
  const { number, head, isForeign } = change;
  // Known also when what follows fails.
  forge.put({ number });
  const name = `${words.request} #${number}`;
  if (isForeign) return { why: `${name} came from a fork, so no plan was made for it` };
  const { why, fingerprint, body } = await reviewOf(forge, number);
  if (why !== undefined) return { why };
  const artifact = await artifactOf(forge, head, body);
  if (artifact === undefined)
    return { why: `no saved plan of commit ${head.slice(0, 12)}, the last one of ${name}, exists any more` };
  return { fingerprint, run: artifact.run, artifact: artifact.name };
}

/** The one of the comment, or else the newest, that this workflow made of this commit; anybody can store artifacts of any name. */
async function artifactOf(forge, head, comment) {
  const said = comment
    .match(/\/actions\/runs\/\d+\)/g)
    ?.at(-1)
    ?.match(/\d+/)?.[0];
  const isSaid = ({ run }) => String(run) === said;
  const own = await forge.artifacts(planName(forge.about, head), head);
  for (const artifact of own.sort((a, b) => isSaid(b) - isSaid(a) || b.id - a.id))
    if (await forge.isPlanning(artifact.run)) return artifact;
  return undefined;
}
