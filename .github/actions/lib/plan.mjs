// Makes the plan and keeps it in a file; the text of the comment is written beside it, also when there is no plan.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents, edgeform, givenOptions, isFleet, notInstalled, REFUSED, WHEN_REFUSED } from './edgeform.mjs';
import { plansIn, removalsOf, sealPlans } from './fleet.mjs';
import { addSummary, artifactName, main, newFolder, readEvent, runLink, setOutput, subject } from './github.mjs';
import { readMarker, withMarker, withoutMarker } from './marker.mjs';

const { FOLDER, GITHUB_SHA, BASE = '', INSTALLED, VERSION } = process.env;
/** Says what of the plan the pull request causes. */
const compared = BASE === '' ? [] : ['--base', BASE];
const about = subject();

await main(async () => {
  const head = readEvent().pull_request?.head.sha ?? GITHUB_SHA;
  // What was checked out is the merge that GitHub made for this run; people know the commit that they pushed.
  process.env.EDGEFORM_COMMIT = head;
  newFolder(FOLDER);
  const [summary, comment] = ['summary.md', 'comment.md'].map((name) => join(FOLDER, name));
  const { code, saved, facts } = await plan(documents(summary, comment));
  const marked = (text) => {
    if (saved === undefined && facts === undefined) return failure(code, text);
    return facts === undefined ? text : withMarker(text, 'plan', facts);
  };
  const text = marked(textOf(comment));
  writeFileSync(comment, `${text.trimEnd()}\n\n${footer(text, head)}\n`);
  addSummary(marked(textOf(summary)));
  setOutput('code', code);
  setOutput('plan', saved !== undefined && (code === 0 || code === 2) ? saved.path : '');
  setOutput('comment', comment);
  setOutput('artifact', artifactName(about, head));
  setOutput('fingerprint', saved?.fingerprint ?? '');
  setOutput('changes', saved?.changes ?? '');
  for (const name of ['deletes', 'replaces', 'losses']) setOutput(name, saved?.removals[name] ?? '');
});

/** Without the program, all that is left to do is to say so; the step that failed has its annotation. */
async function plan(written) {
  if (INSTALLED === 'failure') return { code: 1 };
  return (isFleet ? planFleet : planStack)(written);
}

/** What the program says: the summary is whole, the comment as long as one may be. */
function textOf(path) {
  if (existsSync(path)) return readFileSync(path, 'utf8');
  return INSTALLED === 'failure' ? notInstalled(VERSION) : 'The log of the run says why.';
}

async function planStack(written) {
  const path = join(FOLDER, 'plan.json');
  const code = await edgeform([
    'plan',
    '--out',
    path,
    '--format',
    'github',
    ...written,
    ...compared,
    ...givenOptions('plan'),
  ]);
  if (!existsSync(path)) return { code };
  const plan = JSON.parse(readFileSync(path, 'utf8'));
  const { fingerprint, steps } = plan;
  return { code, saved: { path, fingerprint, changes: steps.length, removals: removalsOf([plan]) } };
}

/** One comment with the table of all stacks; a fleet of which one has no plan, or a refused one, is not applied. */
async function planFleet(written) {
  const path = join(FOLDER, 'saved');
  mkdirSync(path);
  const code = await edgeform([
    'plan',
    '--out',
    plansIn(path),
    '--format',
    'github',
    ...written,
    ...compared,
    ...givenOptions('plan'),
  ]);
  if (code === REFUSED) return { code, facts: { ...about, result: 'refused' } };
  if (code !== 0 && code !== 2) return { code };
  const { fingerprint, changes, removals } = sealPlans(path);
  const result = changes > 0 ? 'pending' : 'clean';
  return { code, saved: { path, fingerprint, changes, removals }, facts: { ...about, result, fingerprint } };
}

function failure(code, said) {
  const head = `**The plan failed with exit code ${code}; there is nothing to apply.**`;
  return withMarker(`${head}\n\n${withoutMarker(said)}`, 'plan', { ...about, result: 'error' });
}

function footer(text, head) {
  const { result } = readMarker(text)?.facts ?? {};
  const nothing = result === 'refused' ? `Merging applies nothing. ${WHEN_REFUSED}` : 'Merging applies nothing.';
  const then = ['pending', 'clean'].includes(result)
    ? 'Merging applies exactly this plan, or nothing if the service or the manifest has changed by then.'
    : nothing;
  const line = text.includes('\n---\n') ? '' : '---\n';
  return `${line}Plan of commit ${head.slice(0, 12)}, made by ${runLink()}. ${then}`;
}
