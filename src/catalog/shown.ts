// Which values every answer about an object has, by the traits of its fields (ADR-0045).

import { perObject } from '../core/lazy.ts';
import type { Field } from './field.ts';
import type { Kind } from './kind.ts';
import { childKinds } from './lookup.ts';
import { fieldEntries } from './walk.ts';

/** Names in answers of what an object of the kind cannot be without, though it may be null: some fields, and its lists of children. */
export const alwaysShown = perObject((kind: Kind): readonly string[] => [
  ...fieldEntries(kind.fields).flatMap(([name, field]) => (isEssential(field) ? [field.response?.name ?? name] : [])),
  ...childKinds(kind).flatMap(({ parent }) => parent?.listedAs ?? []),
]);

/** A value that a creation needs, that no other object may have, that nothing can change, that others serve, or that each update sends. */
function isEssential({ required, unique, serves, alwaysSend, write, default: usual, sensitive, read }: Field): boolean {
  if (sensitive === true || (read !== undefined && read !== 'echoed')) return false;
  const isFixed = write === 'create' && usual !== 'service';
  return [required, unique, serves, alwaysSend, isFixed].some((trait) => trait !== undefined && trait !== false);
}
