// Puts the plan into the comment on the pull request.

import { readFileSync } from 'node:fs';
import { annotate, createGithub, main, readEvent, subject } from './github.mjs';
import { putComment } from './sticky.mjs';

await main(async () => {
  const { pull_request: pull } = readEvent();
  if (pull === undefined) return;
  const github = createGithub();
  const { head } = await github.request('GET', `pulls/${pull.number}`);
  // The comment of a newer commit stays.
  if (head.sha !== pull.head.sha)
    annotate('notice', 'a newer commit was pushed; the comment shows the plan of that commit');
  else await putComment(github, pull.number, 'plan', subject(), readFileSync(process.env.COMMENT, 'utf8'));
});
