// What is different for a fleet: its saved plans are a folder, with a list whose digest is the fingerprint of all. Knows no forge.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isFleet } from './program.mjs';

const END = '.plan.json';
/** What a run leaves for the next one, and for people: `*` in the path of it. */
const KEPT = ['journal', 'history'];

/** Where the plans of the stacks are, and the list of them. */
export const plansIn = (folder) => join(folder, 'plans');
const listIn = (folder) => join(folder, 'plans.json');

/** Keeps the plans that change something, and lists them; a stack without changes is not applied, whatever it needs by then. */
export function sealPlans(folder) {
  const [plans, steps] = [new Map(), new Map()];
  const all = savedPlans(folder);
  let changes = 0;
  for (const [name, plan] of all) {
    changes += plan.steps.length;
    if (plan.steps.length > 0) {
      plans.set(name, plan.fingerprint);
      steps.set(name, stepsOf(plan));
    } else rmSync(join(plansIn(folder), `${name}${END}`));
  }
  const text = textOf(plans);
  writeFileSync(listIn(folder), text);
  return {
    fingerprint: digestOf(text),
    steps: digestOf(textOf(steps)),
    changes,
    removals: removalsOf([...all.values()]),
    openings: openingsOf([...all.values()]),
  };
}

/** Removes what lies beside the plans of the list, and is none of them. */
export function dropUnlisted(folder) {
  const list = listed(folder);
  for (const file of filesIn(plansIn(folder)))
    if (!Object.hasOwn(list, basename(file, END)))
      rmSync(join(plansIn(folder), file), { recursive: true, force: true });
}

/** The fingerprints of the list, by the names of the stacks; none where it cannot be read. */
function listed(folder) {
  try {
    return Object(JSON.parse(readFileSync(listIn(folder), 'utf8')));
  } catch {
    return {};
  }
}

/** The fingerprint of the plans that are there; undefined unless they are exactly those of the list. */
export function sealOf(folder) {
  try {
    const text = readFileSync(listIn(folder), 'utf8');
    const plans = new Map([...savedPlans(folder)].map(([name, plan]) => [name, plan.fingerprint]));
    return text === textOf(plans) ? digestOf(text) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * One digest of what applying a plan does, and of what decides whether it may: the same as long as the plan fits, whatever else there is by then. Who
 * caused a step, and where it stands in files, is for people.
 */
export function stepsOf({ stack, service, manifest_digest: manifest, made_with: options, imports, steps }) {
  const done = steps.map(({ source: _source, origin: _origin, applied_from: _from, ...step }) => step);
  return digestOf(JSON.stringify({ stack, service, manifest, options, imports, steps: done }));
}

/** What saved plans take away: the numbers of `removals` in the JSON of a fleet. */
export function removalsOf(plans) {
  const sum = (count) => plans.reduce((total, plan) => total + count(plan), 0);
  const lost = ({ steps }) => steps.filter(({ loss }) => loss?.code === 'irreplaceable').map(({ address }) => address);
  return {
    deletes: sum(({ summary }) => summary.delete),
    replaces: sum(({ summary }) => summary.replace),
    losses: sum((plan) => new Set(lost(plan)).size),
  };
}

/** How many effects of saved plans let more in than before. */
export function openingsOf(plans) {
  return plans.reduce((sum, { exposures }) => sum + exposures.filter(({ effect }) => effect === 'opens').length, 0);
}

/** True if there is anything to apply, of all stacks or of those with these names. */
export function hasPlans(folder, names) {
  return [...savedPlans(folder).keys()].some((name) => names?.has(name) ?? true);
}

/** The names of the stacks of a wave, and those of the waves after it, in the list that `fleet list --format github-matrix` writes. */
export function stacksOfWave(list, wave) {
  const named = (isMeant) =>
    new Set(JSON.parse(list).include.flatMap(({ name, wave: of = 1 }) => (isMeant(of, Number(wave)) ? [name] : [])));
  return { stacks: named((of, own) => of === own), later: named((of, own) => of > own) };
}

function savedPlans(folder) {
  const files = filesIn(plansIn(folder)).sort();
  const read = (file) => JSON.parse(readFileSync(join(plansIn(folder), file), 'utf8'));
  return new Map(files.map((file) => [basename(file, END), read(file)]));
}

function filesIn(folder) {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function textOf(plans) {
  return `${JSON.stringify(Object.fromEntries(plans), null, 1)}\n`;
}

function digestOf(text) {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** The journals and histories of a job's stack, or of all stacks of its fleet. */
export function journalsOf(forge) {
  const stack = isFleet(forge) ? '*' : forge.inputs.stack;
  return journalsAt(join('.edgeform', '*', `${stack}.*.jsonl`));
}

/** The journals and histories that `STACK.*.jsonl` names: of one stack, or with `*` as its name of all, for every service. */
export function journalsAt(path) {
  const all = dirname(dirname(path));
  const services = existsSync(all) ? readdirSync(all, { withFileTypes: true }).filter((one) => one.isDirectory()) : [];
  const stack = basename(path, '.*.jsonl');
  const isMeant = (file) =>
    KEPT.some((kept) => (stack === '*' ? file.endsWith(`.${kept}.jsonl`) : file === `${stack}.${kept}.jsonl`));
  return services
    .flatMap(({ name }) => {
      const files = readdirSync(join(all, name)).filter(isMeant);
      return files.map((file) => join(all, name, file));
    })
    .sort();
}
