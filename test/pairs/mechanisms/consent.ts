// What a command line is about, and what it allows.

import { DESCRIPTION } from '../../../src/catalog/fields/common.ts';
import { documentValues, objectsOf, setField, type Block, type Declared } from '../../support/document.ts';
import { fieldPaths } from '../../support/samples.ts';
import type { Draft } from '../draft.ts';
import type { Mechanism } from '../mechanism.ts';
import { removeBlock } from './lifecycle.ts';

const target: Mechanism = {
  name: '`--target`',
  stage: 'command',
  add: (draft) => {
    const chosen = draft.pick();
    if (chosen === undefined) return false;
    draft.commands.targets = [chosen.address];
    change(draft, chosen);
    draft.promise('only', { addresses: reachedFrom(draft.main.after, chosen.address) });
    return true;
  },
};

/** There is something to do there. */
function change(draft: Draft, { kind, block }: Declared): void {
  if (!(DESCRIPTION in kind.fields) || draft.seldom(4)) return;
  block[DESCRIPTION] = `another text ${draft.chance(9)}`;
}

/** The address, what it refers to, and what these lie in. */
function reachedFrom(doc: Block, address: string): string[] {
  const all = objectsOf(doc);
  const reached = new Set([address]);
  for (const one of reached) {
    const declared = all.find((other) => other.address === one);
    if (declared === undefined) continue;
    if (declared.parent !== undefined) reached.add(declared.parent.address);
    const text = JSON.stringify(declared.block);
    for (const other of all) if (text.includes(`\${${other.address}.`)) reached.add(other.address);
    for (const other of all) if (other.address.startsWith(`${one}.`)) reached.add(other.address);
  }
  return [...reached];
}

const allowLoss: Mechanism = {
  name: '`--allow-loss`',
  stage: 'document',
  wish: ({ irreplaceable }) => irreplaceable !== undefined,
  add: (draft) => {
    const chosen = draft.need(({ irreplaceable }) => irreplaceable !== undefined);
    if (chosen === undefined) return false;
    draft.commands.losses.push(chosen.address);
    if (!replaced(draft, chosen.address)) removeBlock(draft, chosen);
    return true;
  },
};

/** Changes a field that only a new object can have otherwise. */
function replaced(draft: Draft, address: string): boolean {
  const chosen = draft.inAfter(address)!;
  const fixed = fieldPaths(chosen.kind.fields).filter(({ field }) => field.write === 'create');
  const path = draft.one(fixed);
  if (path === undefined || draft.seldom(3)) return false;
  const before = JSON.stringify(chosen.block);
  for (let variant = 0; variant < 4; variant += 1) {
    if (setField(chosen.kind, chosen.block, path, variant, documentValues(draft.main.after, chosen)))
      if (JSON.stringify(chosen.block) !== before) {
        draft.condemn(address);
        return true;
      }
  }
  return false;
}

const recreate: Mechanism = {
  name: '`--recreate`',
  stage: 'command',
  add: (draft) => {
    draft.deed('delete', {});
    draft.isJournalLost = false;
    draft.commands.isRecreated = !draft.seldom(5);
    return true;
  },
};

export const CONSENT: readonly Mechanism[] = [target, allowLoss, recreate];
