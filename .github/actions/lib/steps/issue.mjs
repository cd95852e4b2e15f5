// One issue as long as there is drift: opened, kept up to date, and closed. Where it is not known whether there is, it stays as it is.

import { readFileSync } from 'node:fs';
import { withMarker } from '../marker.mjs';
import { isFleet } from '../program.mjs';
import { putIssue } from '../sticky.mjs';

export async function issue(forge) {
  const { about, words } = forge;
  const code = forge.given('code');
  if (code !== '0' && code !== '2') return;
  const title = `Drift of ${isFleet(forge) ? 'fleet' : 'stack'} ${about.stack}`;
  const farewell = `The drift is gone, as ${words.link} shows. Closed.`;
  await putIssue(forge, about, { title, farewell, ...(code === '2' && { body: bodyOf(forge) }) });
}

/** The program writes no more than an issue may hold. */
function bodyOf(forge) {
  return withMarker(readFileSync(forge.given('found'), 'utf8'), 'drift', { ...forge.about, result: 'drifted' });
}
