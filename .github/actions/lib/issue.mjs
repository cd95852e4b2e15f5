// One issue as long as there is drift: opened, kept up to date, and closed.

import { readFileSync } from 'node:fs';
import { isFleet } from './edgeform.mjs';
import { createGithub, main, runLink, subject } from './github.mjs';
import { withMarker } from './marker.mjs';
import { putIssue } from './sticky.mjs';

const { CODE, FOUND } = process.env;
const MAX_BODY = 65_000;

await main(async () => {
  const about = subject();
  const title = `Drift of ${isFleet ? 'fleet' : 'stack'} ${about.stack}`;
  const farewell = `The drift is gone, as ${runLink()} shows. Closed.`;
  await putIssue(createGithub(), about, { title, farewell, ...(CODE === '2' && { body: bodyOf(about) }) });
});

function bodyOf(about) {
  const text = readFileSync(FOUND, 'utf8');
  const marked = (body) => withMarker(body, 'drift', { ...about, result: 'drifted' });
  const whole = marked(text);
  if (Buffer.byteLength(whole) <= MAX_BODY) return whole;
  return marked(`It is too long for an issue: see the summary of ${runLink()}.`);
}
