// Carries out the plan that was found. Without one, only sees whether there is something to do. The text of the comment is written also when
// that fails.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adviceFor, resultOf } from '../advice.mjs';
import { clear, textOf } from '../files.mjs';
import { withMarker, withoutMarker } from '../marker.mjs';
import { hasPlans, journalsAt, plansIn, sealOf, stacksOfWave } from '../plans.mjs';
import { documents, isFleet, ofFleet, ofWave, optionsOf, programOf } from '../program.mjs';

/** How a step ends that had nothing to do. */
const IDLE = { code: 0, text: '', advice: '' };

export async function apply(forge) {
  const { files } = forge;
  clear(files.summary, files.note, files.list);
  const before = journal(forge);
  const work = forge.given('why') === '' ? applyPlan : seeWhatIsLeft;
  const end = await work(forge).catch((error) => failed(forge, error));
  const { code, text, whole = text } = end;
  if (whole !== '') forge.summarise(whole);
  writeFileSync(files.note, commentOf(forge, end));
  forge.put({
    code,
    // One that was refused is another run's, and is not kept under this name.
    journal: journal(forge) === before ? 'unchanged' : 'changed',
    comment: files.note,
  });
}

function journal(forge) {
  const name = isFleet(forge) ? '*' : forge.inputs.stack;
  const paths = journalsAt(join('.edgeform', '*', `${name}.*.jsonl`));
  return paths.map((path) => readFileSync(path, 'latin1')).join('\0');
}

async function applyPlan(forge) {
  const { files, words } = forge;
  const isOfReview = fingerprintOf(forge) === forge.given('fingerprint');
  if (forge.findsPlans && !isOfReview)
    return refused(forge, 1, 'The saved plan is not the one in the comment, so nothing was changed.', 'a new');
  if (isFleet(forge) && !hasPlans(files.plans)) return idle(forge, words.nothing(''));
  const none = await nothingInWave(forge);
  if (none !== undefined) return none;
  const plan = isFleet(forge) ? plansIn(files.plans) : files.plan;
  const edgeform = programOf(forge);
  const given = [plan, ...ofWave(forge), ...optionsOf(forge, 'apply')];
  const code = await edgeform(['apply', '--auto-approve', '--format', forge.format, ...documents(forge), ...given]);
  return { code, advice: adviceFor(code, words), text: textOf(files.note, words), whole: writtenAt(files.summary) };
}

function idle(forge, text) {
  forge.say('notice', text);
  return IDLE;
}

function refused(forge, code, text, which = 'a') {
  forge.say('error', text);
  const advice = `Open ${which} ${forge.words.request} (an empty commit is enough), read its plan, and merge it.`;
  return { code, text, advice };
}

function writtenAt(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** How the job of a wave ends that has nothing to do, because no stack is in it or none of them changes; undefined if one does. */
async function nothingInWave(forge) {
  if (ofWave(forge).length === 0) return undefined;
  const { code, stacks } = await listFleet(forge);
  if (code !== 0) return { code, text: '', advice: adviceFor(code, forge.words) };
  if (hasPlans(forge.files.plans, stacks)) return undefined;
  return idle(forge, forge.words.nothing(` of wave ${forge.inputs.wave}`));
}

/** The stacks of the wave as the fleet file has them now; it is the one that was merged. */
async function listFleet(forge) {
  const { list } = forge.files;
  const edgeform = programOf(forge);
  const code = await edgeform(['list', '--format', 'github-matrix', ...ofFleet(forge)], { stdout: list });
  return { code, ...(code === 0 && { stacks: stacksOfWave(writtenAt(list), forge.inputs.wave) }) };
}

/** Of the saved plans. The program checks that it is true of what the file of a stack holds. */
function fingerprintOf(forge) {
  const { plan, plans } = forge.files;
  if (isFleet(forge)) return sealOf(plans);
  try {
    return JSON.parse(readFileSync(plan, 'utf8')).fingerprint;
  } catch {
    return undefined;
  }
}

async function seeWhatIsLeft(forge) {
  const why = forge.given('why');
  const code = await changesLeft(forge);
  if (code === 0) return idle(forge, `Nothing was applied: ${why}, and the service matches the manifest.`);
  if (code !== 2) return refused(forge, code, `Nothing was applied: ${why}.`);
  return refused(forge, 1, `Nothing was applied: ${why}, and nobody has reviewed the pending changes.`);
}

/** The exit code of a plan, 2 where it has changes. */
async function changesLeft(forge) {
  // The program takes a wave without stacks for a mistake.
  const list = ofWave(forge).length === 0 ? undefined : await listFleet(forge);
  if (list?.stacks?.size === 0) return 0;
  const edgeform = programOf(forge);
  const given = [...ofWave(forge), ...optionsOf(forge, 'plan')];
  return edgeform(['plan', '--detailed-exitcode', '--format', forge.format, ...given]);
}

/** What kept the program from running, as a block of code. */
function failed(forge, { message }) {
  forge.say('error', message);
  const text = `The step failed:\n\n${message.replaceAll(/^/gm, '    ')}`;
  return { code: 1, text, advice: adviceFor(1, forge.words) };
}

function commentOf(forge, { code, advice, text }) {
  const { about, findsPlans, words } = forge;
  const facts = { ...about, result: resultOf(code), ...(findsPlans && { fingerprint: forge.given('fingerprint') }) };
  const head =
    code === 0 ? '**Applied.**' : `**Not applied as planned: exit code ${code}.** ${advice}\n\n${withoutMarker(text)}`;
  return withMarker(`${head}\n\n---\nSee ${words.link}.\n`, 'report', facts);
}
