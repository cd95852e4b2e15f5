// Finds what the plan of a pull request is compared with. Knows no secret.

import { optionsToCompare, parentsOfHead } from './base.mjs';
import { lines } from './edgeform.mjs';
import { annotate, main, readEvent, setOutput } from './github.mjs';

await main(() => {
  const { pull_request: pull } = readEvent();
  const say = (text) => annotate('notice', text);
  const [, commit = ''] = optionsToCompare(baseOf(pull), lines(process.env.ARGUMENTS), say);
  setOutput('commit', commit);
});

/** What GitHub merged the pull request into for this run; its base where something else is checked out. */
function baseOf(pull) {
  if (pull === undefined) return '';
  const [first, second, ...more] = parentsOfHead();
  return second === pull.head.sha && more.length === 0 ? first : (pull.base?.sha ?? '');
}
