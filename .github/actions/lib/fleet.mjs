// What is different for a fleet: its saved plans are a folder, with a list whose digest is the fingerprint of all. Knows no forge.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const END = '.plan.json';
const JOURNAL = '.journal.jsonl';

/** Where the plans of the stacks are, and the list of them. */
export const plansIn = (folder) => join(folder, 'plans');
const listIn = (folder) => join(folder, 'plans.json');

/** Keeps the plans that change something, and lists them; a stack without changes is not applied, whatever it needs by then. */
export function sealPlans(folder) {
  const plans = new Map();
  let changes = 0;
  for (const [name, plan] of savedPlans(folder)) {
    changes += plan.steps.length;
    if (plan.steps.length > 0) plans.set(name, plan.fingerprint);
    else rmSync(join(plansIn(folder), `${name}${END}`));
  }
  const text = textOf(plans);
  writeFileSync(listIn(folder), text);
  return { fingerprint: digestOf(text), changes };
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

/** True if there is anything to apply. */
export function hasPlans(folder) {
  return savedPlans(folder).size > 0;
}

function savedPlans(folder) {
  const files = existsSync(plansIn(folder)) ? readdirSync(plansIn(folder)).sort() : [];
  const read = (file) => JSON.parse(readFileSync(join(plansIn(folder), file), 'utf8'));
  return new Map(files.map((file) => [basename(file, END), read(file)]));
}

function textOf(plans) {
  return `${JSON.stringify(Object.fromEntries(plans), null, 1)}\n`;
}

function digestOf(text) {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** The journals that a path names: of one stack, or with `*` as its name of all, in the folder of every service. */
export function journalsAt(path) {
  const all = dirname(dirname(path));
  const services = existsSync(all) ? readdirSync(all, { withFileTypes: true }).filter((one) => one.isDirectory()) : [];
  const isMeant = (file) => (basename(path) === `*${JOURNAL}` ? file.endsWith(JOURNAL) : file === basename(path));
  return services
    .flatMap(({ name }) => {
      const files = readdirSync(join(all, name)).filter(isMeant);
      return files.map((file) => join(all, name, file));
    })
    .sort();
}
