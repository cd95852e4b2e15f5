// What a block says of its object's life.

import { METADATA } from '../../../src/catalog/fields/common.ts';
import { childKinds } from '../../../src/catalog/lookup.ts';
import type { Declared } from '../../support/document.ts';
import { choosePath, documentValues, isSet, objectsOf, setField } from '../../support/document.ts';
import { withoutReferences } from '../../support/relocate.ts';
import type { FieldPath } from '../../support/samples.ts';
import { fieldPaths } from '../../support/samples.ts';
import type { Draft } from '../draft.ts';
import type { Mechanism } from '../mechanism.ts';

const exclusive: Mechanism = {
  name: '`exclusive`',
  stage: 'document',
  wish: (kind) => childKinds(kind).length > 0,
  add: (draft) => {
    const chosen = draft.need((kind) => childKinds(kind).length > 0);
    const origin = chosen && draft.origin(chosen.address);
    if (chosen === undefined || origin === undefined) return false;
    draft.lifecycle(chosen.block, { exclusive: true });
    draft.deed('child', origin);
    draft.promise('exclusive', origin);
    return true;
  },
};

const hasSecret = ({ field }: Pick<FieldPath, 'field'>): boolean =>
  field.sensitive === true ||
  (field.type === 'object' && Object.values(field.fields).some((inner) => hasSecret({ field: inner }))) ||
  (field.type === 'list' && hasSecret({ field: field.items }));

/** Paths of a block that may be left alone. */
function ignorable({ kind, block }: Declared): FieldPath[] {
  return fieldPaths(kind.fields).filter(
    (one) =>
      isSet(block, one.path) &&
      one.path[0] !== METADATA &&
      !hasSecret(one) &&
      one.chain.every(({ write = 'always' }) => write === 'always'),
  );
}

const ignoreChanges: Mechanism = {
  name: '`ignore_changes`',
  stage: 'document',
  // What is sent as a whole is where one value is easily forgotten.
  wish: ({ fields }) => Object.values(fields).some(({ module }) => module === true),
  add: (draft) => {
    const chosen = draft.pickKept((one) => ignorable(one).length > 0);
    const origin = chosen && draft.origin(chosen.address);
    const former = origin && draft.inBefore(origin);
    if (chosen === undefined || origin === undefined || former === undefined) return false;
    const path = draft.seldom(3) ? undefined : inModule(draft, chosen, former);
    const ignored = path ?? draft.one(ignorable(chosen))!;
    draft.lifecycle(chosen.block, { ignore_changes: [ignored.path.join('.')] });
    if (draft.seldom(2)) draft.lifecycle(former.block, { ignore_changes: [ignored.path.join('.')] });
    if (path === undefined && !draft.seldom(3)) {
      const values = documentValues(draft.main.after, chosen);
      setField(chosen.kind, chosen.block, ignored, 1 + draft.chance(3), values);
    }
    const number = numberOf(chosen, ignored);
    if (number !== undefined && !draft.seldom(4)) draft.deed('change', origin, { path: number });
    draft.promise('untouched', { ...origin, path: ignored.path });
    return true;
  },
};

/** Two values of a module, one of which is left alone; the other is changed, so that the module is sent. */
function inModule(draft: Draft, chosen: Declared, former: Declared): FieldPath | undefined {
  const { kind } = chosen;
  const inside = fieldPaths(kind.fields).filter(
    (one) => one.path.length === 2 && one.chain[0]?.module === true && one.field.type !== 'object' && !hasSecret(one),
  );
  const ignored = draft.one(inside);
  const beside = draft.one(inside.filter((one) => one.path[0] === ignored?.path[0] && one !== ignored));
  if (ignored === undefined || beside === undefined) return undefined;
  const values = documentValues(draft.main.after, chosen);
  const variant = draft.chance(3);
  const isSet = [former, chosen].every(({ block }) =>
    [ignored, beside].every((path) => setField(kind, block, path, variant, values)),
  );
  return isSet && setField(kind, chosen.block, beside, variant + 1, values) ? ignored : undefined;
}

/** The number that chooses a path. */
function numberOf({ kind }: Declared, { path }: FieldPath): number | undefined {
  const wanted = path.join('.');
  for (let number = 0; number < 600; number += 1) if (choosePath(kind, number).path.join('.') === wanted) return number;
  return undefined;
}

const preventDestroy: Mechanism = {
  name: '`prevent_destroy`',
  stage: 'document',
  add: (draft) => {
    const chosen = draft.pickKept();
    const origin = chosen && draft.origin(chosen.address);
    const former = origin && draft.inBefore(origin);
    if (chosen === undefined || origin === undefined || former === undefined) return false;
    draft.lifecycle(former.block, { prevent_destroy: true });
    if (draft.seldom(3)) removeBlock(draft, chosen);
    else draft.lifecycle(chosen.block, { prevent_destroy: true });
    draft.promise('lives', origin);
    return true;
  },
};

/** True for a block that says which of several objects is its own: with it, nothing says that. */
export function isPinned(block: Declared['block']): boolean {
  const { lifecycle } = block;
  return typeof lifecycle === 'object' && lifecycle !== null && 'id' in lifecycle;
}

/** Takes a block out of the manifest after, without a word. */
export function removeBlock(draft: Draft, { section, name, address, block }: Declared): void {
  if (objectsOf(draft.main.after).length < 2 || isPinned(block)) return;
  delete section[name];
  withoutReferences(draft.main.after, address);
  draft.condemn(address);
  draft.follow(address, undefined);
}

export const LIFECYCLE: readonly Mechanism[] = [exclusive, ignoreChanges, preventDestroy];
