// One issue as long as there is drift: opened, kept up to date, and closed.

import { readFileSync } from 'node:fs';
import { isFleet } from './edgeform.mjs';
import { createGithub, main, runLink, subject } from './github.mjs';
import { withMarker } from './marker.mjs';
import { putIssue } from './sticky.mjs';

const { CODE, FOUND } = process.env;

await main(async () => {
  const about = subject();
  const title = `Drift of ${isFleet ? 'fleet' : 'stack'} ${about.stack}`;
  const farewell = `The drift is gone, as ${runLink()} shows. Closed.`;
  await putIssue(createGithub(), about, { title, farewell, ...(CODE === '2' && { body: bodyOf(about) }) });
});

/** The program writes no more than an issue may hold. */
function bodyOf(about) {
  return withMarker(readFileSync(FOUND, 'utf8'), 'drift', { ...about, result: 'drifted' });
}
