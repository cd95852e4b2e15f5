// Puts the plan into the comment on the change under review.

import { readFileSync } from 'node:fs';
import { putComment } from '../sticky.mjs';

export async function comment(forge) {
  const change = forge.change();
  if (change === undefined) return;
  // The comment of a newer commit stays.
  if ((await forge.headOf(change.number)) !== change.head)
    forge.say('notice', 'a newer commit was pushed; the comment shows the plan of that commit');
  else await putComment(forge, change.number, 'plan', forge.about, readFileSync(forge.given('comment'), 'utf8'));
}
