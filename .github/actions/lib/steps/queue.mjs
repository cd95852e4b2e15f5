// In a merge queue, compares the plan of what would be merged with the one that was reviewed: that one is applied after the merge, or nothing.

import { commitOf, reviewOf } from '../reviewed.mjs';

export async function queue(forge) {
  const number = forge.queued();
  if (number === undefined)
    return forge.say('warning', 'It is not known which change is queued, so its plan is compared with none.');
  if (forge.given('changes') === '0') return tell(forge, 'Nothing is pending in what would be merged.');
  const name = `${forge.words.request} #${number}`;
  const { why, fingerprint, steps } = await reviewOfHead(forge, number);
  if (why !== undefined)
    throw new Error(`The plan of what would be merged was reviewed by nobody: ${why}. ${wayOut(forge)}`);
  if (steps !== forge.given('steps')) throw new Error(anotherPlan(forge, name, fingerprint));
  return tell(forge, `Already reviewed: merging ${name} applies the plan of its comment, ${fingerprint}.`);
}

/** What was reviewed of the newest commit: the plan of an older one is not applied after the merge. */
async function reviewOfHead(forge, number) {
  const review = await reviewOf(forge, number);
  if (review.why !== undefined) return review;
  const [head, planned] = [await forge.headOf(number), commitOf(review.body)];
  if (planned !== undefined && head.startsWith(planned)) return review;
  return { why: `the plan in its comment is of commit ${planned}, and the newest is ${head.slice(0, 12)}` };
}

function anotherPlan(forge, name, reviewed) {
  const plans = `${reviewed} was reviewed in ${name}, and ${forge.given('fingerprint')} would be merged`;
  return `The plan of what would be merged is not the one that was reviewed: ${plans}. ${wayOut(forge)} ${SEVERAL}`;
}

const SEVERAL =
  'A queue that builds or merges several at once has the changes of all of them in one plan, and never passes here: let it take one at a time.';

function wayOut({ words }) {
  return `Take the ${words.request} out of the queue, update its branch, read the new plan, and queue it again.`;
}

function tell(forge, text) {
  forge.say('notice', text);
  forge.summarise(text);
}
