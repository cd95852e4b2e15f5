// One issue as long as there is drift: opened, kept up to date, and closed.

import { readFileSync } from 'node:fs';
import { createGithub, main, runLink, subject } from './github.mjs';
import { withMarker } from './marker.mjs';
import { putIssue } from './sticky.mjs';

const { CODE, FOUND } = process.env;
const MAX_BODY = 65_000;

await main(async () => {
  const about = subject();
  const title = `Drift of stack ${about.stack}`;
  const farewell = `No drift is left, as ${runLink()} saw. Closed.`;
  await putIssue(createGithub(), about, { title, farewell, ...(CODE === '2' && { body: bodyOf(about) }) });
});

function bodyOf(about) {
  const text = readFileSync(FOUND, 'utf8');
  const marked = (body) => withMarker(body, 'drift', { ...about, result: 'drifted' });
  const whole = marked(text);
  if (Buffer.byteLength(whole) <= MAX_BODY) return whole;
  return marked(`There is more than an issue can hold: see the summary of ${runLink()}.`);
}
