// Carries out the plan that was found. Without one, only sees whether there is something to do. The text of the comment is written also when
// that fails.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { adviceFor, resultOf } from '../advice.mjs';
import { clear, textOf } from '../files.mjs';
import { withMarker, withoutMarker } from '../marker.mjs';
import { missedOf, sayMissed } from '../missed.mjs';
import { dropUnlisted, hasPlans, journalsOf, plansIn, sealOf, stacksOfWave } from '../plans.mjs';
import { documents, isFleet, ofFleet, ofWave, optionsOf, programOf } from '../program.mjs';

/** How a step ends that had nothing to do. */
const IDLE = { code: 0, text: '', advice: '', isMatching: true };
/** The exit code of a plan that no longer fits: one without steps, where something is pending. */
const OUT_OF_DATE = 6;

export async function apply(forge) {
  const { files } = forge;
  clear(files.summary, files.note, files.list);
  const before = journal(forge);
  const end = await carryOut(forge).catch((error) => failed(forge, error));
  const missed = await missedBy(forge, end).catch((error) => failed(forge, error).text);
  const { code, text, whole = text } = end;
  for (const said of [whole, missed]) if (said !== '') forge.summarise(said);
  writeFileSync(files.note, commentOf(forge, { ...end, text: `${text}\n\n${missed}`.trim() }));
  forge.put({
    code,
    missed: missed === '' ? '' : forge.given('missed'),
    // One that was refused is another run's, and is not kept under this name.
    journal: journal(forge) === before ? 'unchanged' : 'changed',
    comment: files.note,
  });
}

function journal(forge) {
  return journalsOf(forge)
    .map((path) => readFileSync(path, 'latin1'))
    .join('\0');
}

/** Applies the plan that was found, if it changes anything. Whatever else is pending was reviewed by nobody. */
async function carryOut(forge) {
  if (forge.isIdleFork()) return idle(forge, 'Nothing was applied: this is a fork, and it names no service.');
  const why = forge.given('why');
  if (why === '' && !isTold(forge))
    return refused(forge, 1, `The saved plan is not the one ${forge.words.told}, so nothing was changed.`);
  const { code, stacks, later } = ofWave(forge).length === 0 ? { code: 0 } : await listFleet(forge);
  if (code !== 0) return { code, text: '', advice: adviceFor(code, forge.words) };
  if (why !== '') return seeWhatIsLeft(forge, { why, stacks, whenPending: 1 });
  if (changesNothing(forge, stacks)) {
    // What was reviewed for a later wave does not wait for what nobody reviewed.
    const whenPending = later !== undefined && hasPlans(forge.files.plans, later) ? 0 : OUT_OF_DATE;
    return seeWhatIsLeft(forge, { why: whyNothing(forge), stacks, whenPending });
  }
  return applyPlan(forge);
}

/**
 * **A job takes from an earlier one only what that one told of**: a plan by its fingerprint, accepted drift by its commit. What else lies in its
 * place is refused, or removed where files of the commit may lie there: where the plan of the pipeline is applied, and not one that was found.
 */
function isTold(forge) {
  if (isFleet(forge) && !forge.findsPlans) dropUnlisted(forge.files.plans);
  const told = forge.given('fingerprint');
  return told !== '' && fingerprintOf(forge) === told;
}

async function applyPlan(forge) {
  const { files, words } = forge;
  const plan = isFleet(forge) ? plansIn(files.plans) : files.plan;
  const edgeform = programOf(forge);
  const given = [plan, ...ofWave(forge), ...optionsOf(forge, 'apply')];
  const code = await edgeform(['apply', '--auto-approve', '--format', forge.format, ...documents(forge), ...given]);
  return { code, advice: adviceFor(code, words), text: textOf(files.note, words), whole: writtenAt(files.summary) };
}

/** Whether the plan has nothing for the stacks of the wave, or for any. What is no plan is left to the program. */
function changesNothing(forge, stacks) {
  const { plan, plans } = forge.files;
  return isFleet(forge) ? !hasPlans(plans, stacks) : savedPlan(plan)?.steps?.length === 0;
}

function whyNothing(forge) {
  const { inputs, words } = forge;
  if (!isFleet(forge)) return `${words.plan} has no changes`;
  return `no stack${inputs.wave === '' ? '' : ` of wave ${inputs.wave}`} had changes in ${words.plan}`;
}

/** What to say of merges before this one that were never applied; nothing where all of it is applied by now. */
async function missedBy(forge, { code, isMatching = false }) {
  const numbers = missedOf(forge);
  if (numbers.length === 0 || isMatching || (code === 0 && (await changesLeft(forge)) === 0)) return '';
  const text = sayMissed(forge, numbers);
  forge.say('warning', text);
  return text;
}

function idle(forge, text) {
  forge.say('notice', text);
  return IDLE;
}

/** Fails, with the way to a review; with code 0 it is a warning. */
function refused(forge, code, text) {
  const advice = forge.words.review;
  forge.say(code === 0 ? 'warning' : 'error', `${text} ${advice}`);
  return { code, text, advice };
}

function writtenAt(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** The stacks of the wave, and of those after it, as the fleet file has them now; it is the one that was merged. */
async function listFleet(forge) {
  const { list } = forge.files;
  const edgeform = programOf(forge);
  const code = await edgeform(['list', '--format', 'github-matrix', ...ofFleet(forge)], { stdout: list });
  return { code, ...(code === 0 && stacksOfWave(writtenAt(list), forge.inputs.wave)) };
}

/** Of the saved plans. The program checks that it is true of what the file of a stack holds. */
function fingerprintOf(forge) {
  const { plan, plans } = forge.files;
  return isFleet(forge) ? sealOf(plans) : savedPlan(plan)?.fingerprint;
}

/** What is saved for one stack; undefined where that is no document. */
function savedPlan(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Without anything to apply: a success where nothing is pending, and else `whenPending`, with what that is in the log and the summary. */
async function seeWhatIsLeft(forge, { why, stacks, whenPending }) {
  const code = await changesLeft(forge, stacks);
  if (code === 0) return idle(forge, `Nothing was applied: ${why}, and the service matches the manifest.`);
  if (code !== 2) return refused(forge, code, `Nothing was applied: ${why}.`);
  const end = refused(forge, whenPending, `Nothing was applied: ${why}, and nobody has reviewed the pending changes.`);
  const { note, summary } = forge.files;
  const withPending = (path) => `${end.text}\n\n${withoutMarker(writtenAt(path))}`;
  return { ...end, text: withPending(note), whole: withPending(summary) };
}

/** The exit code of a plan, 2 where it has changes. */
async function changesLeft(forge, stacks) {
  // The program takes a wave without stacks for a mistake.
  if (stacks?.size === 0) return 0;
  const edgeform = programOf(forge);
  const given = [...ofWave(forge), ...optionsOf(forge, 'plan')];
  return edgeform(['plan', '--detailed-exitcode', '--format', forge.format, ...documents(forge), ...given]);
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
