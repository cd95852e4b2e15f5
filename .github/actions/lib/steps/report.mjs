// Tells the merged change how its apply ended: when it failed, or when the comment of an earlier failure is there. Tells those before it that were
// never applied, too.

import { readFileSync } from 'node:fs';
import { notInstalled } from '../advice.mjs';
import { withMarker } from '../marker.mjs';
import { missedOf, noteOfMissed } from '../missed.mjs';
import { ourComments, putComment } from '../sticky.mjs';

const EARLIER = '**Nothing was applied, because an earlier step of the job failed.** Run it again.';
const KILLED =
  '**The result of the apply is unknown, because its step was killed.** The journal records what it had started, and is kept. Run the job again: it goes on with the same plan.';

export async function report(forge) {
  const { about } = forge;
  for (const number of await numbersOf(forge)) {
    // A success is news only after a failure.
    if (forge.given('code') === '0' && (await ourComments(forge, number, 'report', about)).length === 0) continue;
    const path = forge.given('comment');
    await putComment(forge, number, 'report', about, path === '' ? noEnd(forge) : readFileSync(path, 'utf8'));
  }
  for (const number of missedOf(forge)) await putComment(forge, number, 'report', about, noteOfMissed(forge));
}

/** The change whose plan was found, or else all whose merge this commit is. */
async function numbersOf(forge) {
  const known = forge.given('number');
  return known === '' ? (await forge.merged()).map(({ number }) => number) : [known];
}

/** Why there is no text of the apply. */
function noEnd(forge) {
  const missing = `**Nothing was applied.** ${notInstalled(forge.given('version'))}`;
  const skipped = forge.given('installed') === 'failure' ? missing : EARLIER;
  const text = forge.given('outcome') === 'skipped' ? skipped : KILLED;
  return withMarker(`${text}\n\n---\nSee ${forge.words.link}.\n`, 'report', { ...forge.about, result: 'error' });
}
