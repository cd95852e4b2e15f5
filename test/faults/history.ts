// What must hold of everything that was done in a world, write by write, read from the service's log.

import type { Stored } from '../../src/emulator/state/store.ts';
import { METADATA } from '../../src/catalog/fields/common.ts';
import { kindByIdPrefix, kindByName } from '../../src/catalog/lookup.ts';
import { idsIn } from '../../src/resource/references.ts';
import { textsIn, uniqueFields } from '../support/document.ts';
import type { Ran } from './machine.ts';
import { addressIn, marksIn, metadataOf, ownAddress, ownMark } from './read-markers.ts';
import type { Violation } from './oracles.ts';
import type { Entry } from './service.ts';

/** A write that was carried out. */
export function isDone(entry: Entry): boolean {
  return entry.method !== 'GET' && entry.status >= 200 && entry.status < 300;
}

/**
 * After every write: nothing names what is gone, and no unique value is held twice. On shared stacks the service may have to
 * refuse a deletion, because the other run refers to the object by now.
 */
export function checkPrefixes(log: readonly Entry[], isShared: boolean): Violation[] {
  const found: Violation[] = [];
  for (const entry of log) {
    if (entry.method === 'DELETE' && entry.status === 400 && !entry.isLate && !isShared)
      found.push({ oracle: 'dangling', text: `${entry.path} was deleted while others referred to it` });
    if (!isDone(entry)) continue;
    const ids = new Set(entry.objects.map((one) => one.id));
    const holders = new Map<string, string>();
    for (const stored of entry.objects) {
      const kind = kindByName(stored.kind);
      const lost = idsIn(kind.fields, stored.spec).find((id) => kindByIdPrefix(id) !== undefined && !ids.has(id));
      if (lost !== undefined)
        found.push({ oracle: 'dangling', text: `after ${entry.method} ${entry.path} ${stored.id} names ${lost}` });
      for (const [name, field] of uniqueFields(kind)) {
        const scope = field.unique === 'parent' ? `${stored.parentId ?? ''} ` : '';
        for (const value of textsIn(stored.spec[name])) {
          const key = `${scope}${name} ${value.toLowerCase()}`;
          if (holders.has(key)) found.push({ oracle: 'unique', text: `${key} is held twice after ${entry.path}` });
          holders.set(key, stored.id);
        }
      }
    }
  }
  return found;
}

/** At no time are there two objects of one address, but for a new one that says which one it replaces. */
export function checkMoments(
  log: readonly Entry[],
  before: readonly Stored[],
  foreign: ReadonlySet<string>,
): Violation[] {
  const found: Violation[] = [];
  let known = count(before, foreign);
  for (const entry of log) {
    if (!isDone(entry)) continue;
    const now = count(entry.objects, foreign);
    for (const [address, number] of now)
      if (number > 1 && number > (known.get(address) ?? 0))
        found.push({
          oracle: 'duplicate',
          text: `${address} is there ${number} times after ${entry.method} ${entry.path}`,
        });
    known = now;
  }
  return found;
}

function count(objects: readonly Stored[], foreign: ReadonlySet<string>): Map<string, number> {
  const counts = new Map<string, number>();
  const own = objects.filter((stored) => !foreign.has(stored.id));
  const replaced = new Set(own.map((stored) => ownMark(stored)?.replaces));
  for (const stored of own) {
    const address = ownAddress(stored);
    if (address !== undefined && !replaced.has(stored.id)) counts.set(address, (counts.get(address) ?? 0) + 1);
  }
  return counts;
}

export function postsByAddress(log: readonly Entry[]): Map<string, number> {
  const posts = new Map<string, number>();
  for (const entry of log) {
    if (entry.method !== 'POST' || !isDone(entry)) continue;
    const address = addressIn(entry.body?.[METADATA]) ?? '?';
    posts.set(address, (posts.get(address) ?? 0) + 1);
  }
  return posts;
}

/** Creations that were carried out more often than a run without faults needs them, or than what they made was deleted. */
export function checkPosts(clean: ReadonlyMap<string, number>, log: readonly Entry[]): Violation[] {
  return [...postsByAddress(log)].flatMap(([address, number]): Violation[] => {
    const isOnce = address.startsWith('api_keys.');
    const deleted = log.filter((one) => one.method === 'DELETE' && isDone(one) && one.address === address).length;
    const allowed = (clean.get(address) ?? 0) + (isOnce ? deleted : 0);
    return number > allowed ? [{ oracle: 'posts', text: `${address} was created ${number} times` }] : [];
  });
}

/** Whether the request was for an object as a whole, and it went. */
export function isDeletion(entry: Entry): boolean {
  return entry.method === 'DELETE' && isDone(entry) && (entry.path.split('?', 1)[0] ?? '').endsWith(`/${entry.id}`);
}

/** Only what the plan that a run showed names is deleted, or what the run itself created. */
export function checkDeletions(runs: readonly Ran[], log: readonly Entry[]): Violation[] {
  return log.filter(isDeletion).flatMap((entry): Violation[] => {
    const ran = runs.find(({ number }) => number === entry.run);
    const isOwn = log.some(
      (one) => one.run === entry.run && one.method === 'POST' && isDone(one) && one.id === entry.id,
    );
    if (ran === undefined || isOwn || plannedDeletions(ran).has(entry.path)) return [];
    const text = `run ${entry.run} deleted ${entry.path} (${entry.address ?? 'no address'}), which its plan does not name`;
    return [{ oracle: 'unplanned', text }];
  });
}

/** Paths that the plan on standard error, with all its requests, deletes. */
function plannedDeletions({ stderr }: Ran): Set<string> {
  return new Set([...stderr.matchAll(/^ {4}> DELETE (\S+)$/gm)].map(([, path]) => path ?? ''));
}

/** What is protected when a deletion comes stays. */
export function checkProtected(log: readonly Entry[], before: readonly Stored[]): Violation[] {
  let objects = before;
  const found: Violation[] = [];
  for (const entry of log) {
    const gone = objects.find(({ id }) => isDeletion(entry) && id === entry.id);
    if (gone !== undefined && marksIn(metadataOf(gone)).marks.some((mark) => mark.isProtected))
      found.push({ oracle: 'protected', text: `run ${entry.run} deleted ${gone.id}, which is protected` });
    objects = entry.objects;
  }
  return found;
}
