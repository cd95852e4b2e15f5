// Makes the plan and keeps it; the text of the comment is written beside it, also when there is no plan.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { notInstalled, REFUSED } from '../advice.mjs';
import { clear, textOf } from '../files.mjs';
import { readMarker, withFact, withMarker, withoutMarker } from '../marker.mjs';
import { planName } from '../names.mjs';
import { openingsOf, plansIn, removalsOf, sealPlans, stepsOf } from '../plans.mjs';
import { documents, isFleet, optionsOf, programOf } from '../program.mjs';

/** Results of a plan that may be applied after the merge. */
const MERGEABLE = ['pending', 'clean'];

export async function plan(forge) {
  const { files, about } = forge;
  const head = forge.head();
  clear(files.summary, files.note, files.plan, files.plans, ...files.told);
  const { code, saved, facts } = await makePlan(forge);
  const marked = (path) => {
    const text = textOfPlan(saidAt(path, forge), { code, facts, about });
    // A queue compares it.
    return saved === undefined ? text : withFact(text, 'steps', saved.steps);
  };
  const text = marked(files.note);
  writeFileSync(files.note, `${text.trimEnd()}\n\n${footer(text, forge)}`);
  forge.summarise(marked(files.summary));
  if (saved !== undefined) forge.tellPlan(saved);
  forge.put({
    code,
    plan: saved !== undefined && (code === 0 || code === 2) ? saved.path : '',
    comment: files.note,
    artifact: planName(about, head),
    fingerprint: saved?.fingerprint ?? '',
    steps: saved?.steps ?? '',
    changes: saved?.changes ?? '',
    deletes: saved?.removals.deletes ?? '',
    replaces: saved?.removals.replaces ?? '',
    losses: saved?.removals.losses ?? '',
    exposures: saved?.openings ?? '',
  });
}

/** Without the program, or without what it needs, all that is left to do is to say so; the step that failed has its annotation. */
async function makePlan(forge) {
  if (forge.given('installed') === 'failure' || forge.given('unable') !== '') return { code: 1 };
  const path = isFleet(forge) ? plansIn(forge.files.plans) : forge.files.plan;
  if (isFleet(forge)) mkdirSync(forge.files.plans);
  const base = forge.given('base');
  const edgeform = programOf(forge);
  // Says what of the plan the change causes.
  const compared = base === '' ? [] : ['--base', base];
  const given = [...compared, ...optionsOf(forge, 'plan')];
  // What was checked out may be a merge that was made for this run; people know the commit that they pushed.
  const env = { EDGEFORM_COMMIT: forge.head() };
  const code = await edgeform(['plan', '--out', path, '--format', forge.format, ...documents(forge), ...given], {
    env,
  });
  return { code, ...(isFleet(forge) ? planOfFleet(forge, code) : planOfStack(path)) };
}

function planOfStack(path) {
  if (!existsSync(path)) return {};
  const made = JSON.parse(readFileSync(path, 'utf8'));
  const { fingerprint, steps, summary } = made;
  const removals = removalsOf([made]);
  const openings = openingsOf([made]);
  return { saved: { path, fingerprint, steps: stepsOf(made), changes: steps.length, removals, openings, summary } };
}

/** One comment with the table of all stacks; a fleet of which one has no plan, or a refused one, is not applied. */
function planOfFleet({ files: { plans: path }, about }, code) {
  if (code === REFUSED) return { facts: { ...about, result: 'refused' } };
  if (code !== 0 && code !== 2) return {};
  const { fingerprint, steps, changes, removals, openings } = sealPlans(path);
  const facts = { ...about, result: changes > 0 ? 'pending' : 'clean', fingerprint };
  return { saved: { path, fingerprint, steps, changes, removals, openings }, facts };
}

/** What the program says: the summary is whole, the comment as long as one may be. */
function saidAt(path, forge) {
  const isMissing = forge.given('installed') === 'failure' && !existsSync(path);
  if (isMissing) return notInstalled(forge.given('version'));
  return forge.given('unable') || textOf(path, forge.words);
}

/** The text with the marker of a plan: the program's own for a stack, ours for a fleet, and one of a failure where there is none. */
function textOfPlan(said, { code, facts, about }) {
  const text = facts === undefined ? said : withMarker(said, 'plan', facts);
  if (readMarker(text)?.is === 'plan') return text;
  const head = `**The plan failed with exit code ${code}; there is nothing to apply.**`;
  return withMarker(`${head}\n\n${withoutMarker(text)}`, 'plan', { ...about, result: 'error' });
}

function footer(text, forge) {
  const line = text.includes('\n---\n') ? '' : '---\n';
  const end = endOf(forge, readMarker(text).facts.result);
  return `${line}Plan of commit ${forge.head().slice(0, 12)}, made by ${forge.words.link}.${end}`;
}

/** What merging does with a plan of this result. */
function endOf(forge, result) {
  const { words } = forge;
  const { branch, applied } = forge.target();
  const isElsewhere = branch !== undefined && branch !== applied;
  return isElsewhere && MERGEABLE.includes(result) ? words.elsewhere(branch, applied) : words.end(result);
}
