// Tells the pull request how its apply ended: when it failed, or when the comment of an earlier failure is there.

import { readFileSync } from 'node:fs';
import { notInstalled } from './edgeform.mjs';
import { createGithub, main, runLink, subject } from './github.mjs';
import { withMarker } from './marker.mjs';
import { ourComments, putComment } from './sticky.mjs';

const { COMMENT, CODE, NUMBER, OUTCOME, INSTALLED, VERSION } = process.env;
const about = subject();

const EARLIER = '**Nothing was applied, because an earlier step of the job failed.** Run it again.';
const NO_PROGRAM = `**Nothing was applied.** ${notInstalled(VERSION)}`;
const KILLED =
  '**The result of the apply is unknown, because its step was killed.** The journal records what it had started, and is kept. Run the job again: it goes on with the same plan.';

await main(async () => {
  const github = createGithub();
  if (CODE === '0' && (await ourComments(github, NUMBER, 'report', about)).length === 0) return;
  await putComment(github, NUMBER, 'report', about, COMMENT === '' ? noEnd() : readFileSync(COMMENT, 'utf8'));
});

function noEnd() {
  const text = OUTCOME !== 'skipped' ? KILLED : INSTALLED === 'failure' ? NO_PROGRAM : EARLIER;
  return withMarker(`${text}\n\n---\nSee ${runLink()}.\n`, 'report', { ...about, result: 'error' });
}
