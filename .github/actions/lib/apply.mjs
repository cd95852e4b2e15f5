// Carries out the plan that was reviewed. Without one, only sees whether there is something to do.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adviceFor, documents, edgeform, givenOptions, isFleet, ofFleet, ofWave, resultOf } from './edgeform.mjs';
import { hasPlans, journalsAt, plansIn, sealOf, stacksOfWave } from './fleet.mjs';
import { addSummary, annotate, main, newFolder, runLink, setOutput, subject } from './github.mjs';
import { withMarker, withoutMarker } from './marker.mjs';

const { FOLDER, PLAN_FOLDER, FINGERPRINT, WHY, STACK, WAVE = '' } = process.env;
const JOURNAL = join('.edgeform', '*', `${isFleet ? '*' : STACK}.*.jsonl`);

await main(async () => {
  newFolder(FOLDER);
  const before = journal();
  const { code, advice, text, whole = text } = await (WHY === '' ? applyPlan() : seeWhatIsLeft()).catch(failed);
  if (whole !== '') addSummary(whole);
  const comment = join(FOLDER, 'comment.md');
  writeFileSync(comment, commentOf(code, advice, text));
  setOutput('code', code);
  // One that was refused is another run's, and is not kept under this name.
  setOutput('journal', journal() === before ? 'unchanged' : 'changed');
  setOutput('comment', comment);
});

function journal() {
  return journalsAt(JOURNAL)
    .map((path) => readFileSync(path, 'latin1'))
    .join('\0');
}

async function applyPlan() {
  const [summary, report] = ['summary.md', 'report.md'].map((name) => join(FOLDER, name));
  const plan = isFleet ? plansIn(PLAN_FOLDER) : join(PLAN_FOLDER, 'plan.json');
  const found = isFleet ? sealOf(PLAN_FOLDER) : fingerprintOf(plan);
  if (found !== FINGERPRINT) {
    const text = 'The saved plan is not the one in the comment, so nothing was changed.';
    annotate('error', text);
    return {
      code: 1,
      text,
      advice: 'Open a new pull request (an empty commit is enough), read its plan, and merge it.',
    };
  }
  if (isFleet && !hasPlans(PLAN_FOLDER)) {
    annotate('notice', 'Nothing was applied: no stack had changes in the plan that was reviewed.');
    return { code: 0, text: '', advice: '' };
  }
  const none = await nothingInWave();
  if (none !== undefined) return none;
  const code = await edgeform([
    'apply',
    plan,
    '--auto-approve',
    '--format',
    'github',
    ...documents(summary, report),
    ...ofWave(WAVE),
    ...givenOptions('apply'),
  ]);
  return { code, advice: adviceFor(code), text: textOf(report), whole: textOf(summary) };
}

/** How the job of a wave ends that has nothing to do, because no stack is in it or none of them changes; undefined if one does. */
async function nothingInWave() {
  if (ofWave(WAVE).length === 0) return undefined;
  const list = await listFleet();
  if (list.code !== 0) return { code: list.code, text: '', advice: adviceFor(list.code) };
  if (hasPlans(PLAN_FOLDER, list.stacks)) return undefined;
  annotate('notice', `Nothing was applied: no stack of wave ${WAVE} had changes in the plan that was reviewed.`);
  return { code: 0, text: '', advice: '' };
}

/** The stacks of the wave as the fleet file has them now; it is the one that was merged. */
async function listFleet() {
  const path = join(FOLDER, 'fleet.json');
  const code = await edgeform(['list', '--format', 'github-matrix', ...ofFleet], { stdout: path });
  return { code, ...(code === 0 && { stacks: stacksOfWave(textOf(path), WAVE) }) };
}

function textOf(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** The program checks that it is true of what the file holds. */
function fingerprintOf(plan) {
  try {
    return JSON.parse(readFileSync(plan, 'utf8')).fingerprint;
  } catch {
    return undefined;
  }
}

async function seeWhatIsLeft() {
  // The program takes a wave without stacks for a mistake.
  const list = ofWave(WAVE).length === 0 ? undefined : await listFleet();
  const code =
    list?.stacks?.size === 0
      ? 0
      : await edgeform(['plan', '--detailed-exitcode', '--format', 'github', ...ofWave(WAVE), ...givenOptions('plan')]);
  if (code === 0) {
    annotate('notice', `Nothing was applied: ${WHY}, and the service matches the manifest.`);
    return { code, text: '', advice: '' };
  }
  const text =
    code === 2
      ? `Nothing was applied: ${WHY}, and nobody has reviewed the pending changes.`
      : `Nothing was applied: ${WHY}.`;
  annotate('error', text);
  return {
    code: code === 2 ? 1 : code,
    text,
    advice: 'Open a pull request (an empty commit is enough), read its plan, and merge it.',
  };
}

/** What kept the program from running, as a block of code. */
function failed({ message }) {
  annotate('error', message);
  return { code: 1, text: `The step failed:\n\n${message.replaceAll(/^/gm, '    ')}`, advice: adviceFor(1) };
}

function commentOf(code, advice, text) {
  const facts = { ...subject(), result: resultOf(code), fingerprint: FINGERPRINT };
  const head = code === 0 ? '**Applied.**' : `**Not applied as planned: exit code ${code}.** ${advice}`;
  return withMarker(
    `${head}\n\n${code === 0 ? '' : `${withoutMarker(text)}\n\n`}---\nSee ${runLink()}.\n`,
    'report',
    facts,
  );
}
