// A violated world with less in it: parts are left out as long as the same is still violated.

import { isObject } from '../../src/core/json.ts';
import { topLevelKinds } from '../../src/catalog/lookup.ts';
import type { Block } from '../support/document.ts';
import { objectsOf } from '../support/document.ts';
import { withoutReferences } from '../support/relocate.ts';
import { violationsIn } from './judge.ts';
import type { Violation } from './violation.ts';
import { play } from './play.ts';
import type { Action, FilesAction, World } from './world.ts';

interface Violated {
  readonly world: World;
  readonly violations: readonly Violation[];
}

const MOST_TRIES = 120;

export async function shrunk(first: Violated): Promise<Violated> {
  const oracle = first.violations[0]?.oracle;
  let best = first;
  let tries = 0;
  for (let isSmaller = true; isSmaller && tries < MOST_TRIES;) {
    isSmaller = false;
    for (const world of smaller(best.world)) {
      if ((tries += 1) > MOST_TRIES) break;
      const outcome = await play(world);
      const violations = outcome.isPrepared ? await violationsIn(outcome) : [];
      if (violations[0]?.oracle !== oracle) continue;
      best = { world, violations };
      isSmaller = true;
      break;
    }
  }
  return best;
}

/** The world with one part less, in every way, the largest parts first. */
function* smaller(world: World): Generator<World> {
  const { script } = world;
  for (const index of script.keys())
    if (isOptional(script[index]!)) yield { ...world, script: script.filter((_, at) => at !== index) };
  for (const address of addressesIn(script)) yield withFiles(world, (doc) => withoutObject(doc, address));
  for (const address of addressesIn(script))
    for (const field of fieldsIn(script, address)) yield withFiles(world, (doc) => withoutField(doc, address, field));
  for (const stranger of world.strangers)
    yield { ...world, strangers: world.strangers.filter((one) => one !== stranger) };
  for (const promised of world.promises) yield { ...world, promises: world.promises.filter((one) => one !== promised) };
}

/** What the others need stays: files, and the runs that carry things out. */
function isOptional(action: Action): boolean {
  return action.type === 'run' ? !['before', 'plan', 'act', 'other'].includes(action.role) : action.type !== 'files';
}

function documents(script: readonly Action[]): Block[] {
  return script.flatMap((one) =>
    one.type === 'files' ? Object.values(one.files).filter((file): file is Block => typeof file === 'object') : [],
  );
}

function addressesIn(script: readonly Action[]): Set<string> {
  return new Set(documents(script).flatMap((doc) => objectsOf(doc).map(({ address }) => address)));
}

function fieldsIn(script: readonly Action[], address: string): Set<string> {
  const blocks = documents(script).flatMap((doc) => objectsOf(doc).filter((one) => one.address === address));
  // What a block says of its life is what the promise is about.
  return new Set(blocks.flatMap(({ block }) => Object.keys(block).filter((key) => key !== 'lifecycle')));
}

function withFiles(world: World, change: (doc: Block) => void): World {
  const script = world.script.map((action): Action => {
    if (action.type !== 'files') return action;
    const files = Object.entries(action.files).map(([name, content]): [string, FilesAction['files'][string]] => {
      if (typeof content !== 'object') return [name, content];
      const doc = structuredClone(content);
      change(doc);
      return [name, doc];
    });
    return { ...action, files: Object.fromEntries(files) };
  });
  return { ...world, script };
}

function withoutObject(doc: Block, address: string): void {
  const found = objectsOf(doc).find((one) => one.address === address);
  if (found === undefined) return;
  delete found.section[found.name];
  withoutReferences(doc, address);
  for (const { manifestKey } of topLevelKinds) {
    const section = doc[manifestKey];
    if (section !== undefined && isObject(section) && Object.keys(section).length === 0) delete doc[manifestKey];
  }
}

function withoutField(doc: Block, address: string, field: string): void {
  const found = objectsOf(doc).find((one) => one.address === address);
  if (found !== undefined) delete found.block[field];
}
