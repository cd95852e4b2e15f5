// Makes the plan and keeps it in a file; the text of the comment is written beside it, also when there is no plan.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { givenOptions, edgeform } from './edgeform.mjs';
import { addSummary, artifactName, main, newFolder, readEvent, runLink, setOutput, short, subject } from './github.mjs';
import { readMarker, withMarker, withoutMarker } from './marker.mjs';

const { FOLDER, GITHUB_SHA } = process.env;
const about = subject();

await main(async () => {
  const head = readEvent().pull_request?.head.sha ?? GITHUB_SHA;
  // What was checked out is the merge that GitHub made for this run; people know the commit that they pushed.
  process.env.EDGEFORM_COMMIT = head;
  newFolder(FOLDER);
  const [plan, problems, comment] = ['plan.json', 'problems.md', 'comment.md'].map((name) => join(FOLDER, name));
  const code = await edgeform([
    'plan',
    '--out',
    plan,
    '--format',
    'github',
    '--summary-file',
    problems,
    ...givenOptions('plan'),
  ]);
  const isPlan = existsSync(plan);
  if (isPlan) await edgeform(['show', plan, '--format', 'markdown'], { stdout: comment });
  const said = existsSync(problems) ? withoutMarker(readFileSync(problems, 'utf8')) : 'The log of the run says why.';
  const text = isPlan ? readFileSync(comment, 'utf8') : failure(code, short(said));
  writeFileSync(comment, `${text.trimEnd()}\n\n${footer(text, head)}\n`);
  addSummary(isPlan ? text : failure(code, said));
  const saved = isPlan ? JSON.parse(readFileSync(plan, 'utf8')) : undefined;
  if (saved !== undefined && saved.stack !== about.stack)
    throw new Error(
      `the manifest is for stack ${JSON.stringify(saved.stack)}, but the action was given ${about.stack}`,
    );
  setOutput('code', code);
  setOutput('plan', isPlan && (code === 0 || code === 2) ? plan : '');
  setOutput('comment', comment);
  setOutput('artifact', artifactName(about, head));
  setOutput('fingerprint', saved?.fingerprint ?? '');
  setOutput('changes', saved === undefined ? '' : saved.steps.length);
});

function failure(code, said) {
  const head = `**The plan failed with exit code ${code}; there is nothing to apply.**`;
  return withMarker(`${head}\n\n${said}`, 'plan', { ...about, result: 'error' });
}

function footer(text, head) {
  const { result } = readMarker(text)?.facts ?? {};
  const then = ['pending', 'clean'].includes(result)
    ? 'Merging applies exactly this plan, or nothing if the service or the manifest has changed by then.'
    : 'Merging applies nothing.';
  const line = text.includes('\n---\n') ? '' : '---\n';
  return `${line}Plan of commit ${head.slice(0, 12)}, made by ${runLink()}. ${then}`;
}
