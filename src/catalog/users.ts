// Which kinds may use objects of a kind: refer to their ids, or serve a value that the service assigned to them.

import { perObject } from '../core/lazy.ts';
import type { Field } from './field.ts';
import type { Kind } from './kind.ts';
import { childKinds, managedKinds, rootOf } from './lookup.ts';
import { fieldEntries, itemField } from './walk.ts';

/**
 * The top-level kinds whose lists show everything that may use an object of the kind, or what is deleted with it (§4). None for
 * a kind that no other can refer to.
 */
export const kindsUsing = perObject((kind: Kind): readonly Kind[] => {
  const going = [kind, ...childKinds(kind)];
  const names = new Set(going.map(({ name }) => name));
  const served = going.flatMap(({ fields }) =>
    fieldEntries(fields).flatMap(([, field]) => (field.serves ? field : [])),
  );
  const forms = new Set(served.map(formOf));
  const mayUse = (field: Field) => mayRefer(field, names) || mayServe(field, forms);
  const users = managedKinds.filter(({ fields }) => fieldEntries(fields).some(([, field]) => mayUse(field)));
  return [...new Set(users.map(rootOf))];
});

function mayRefer(field: Field, names: ReadonlySet<string>): boolean {
  if (field.type === 'string') return field.ref?.kinds.some((name) => names.has(name)) === true;
  if (field.type === 'list' || field.type === 'map') return mayRefer(field.items, names);
  return field.type === 'object' && fieldEntries(field.fields).some(([, inner]) => mayRefer(inner, names));
}

/** True for a value that is unique in the service, and that has the form of one that another object serves. */
function mayServe(field: Field, forms: ReadonlySet<string | undefined>): boolean {
  if (field.unique !== 'service' || forms.size === 0) return false;
  const form = formOf(itemField(field) ?? field);
  return form === undefined || forms.has(undefined) || forms.has(form);
}

/** Undefined for a field that may hold any text. */
function formOf(field: Field): string | undefined {
  return field.type === 'string' ? field.form : undefined;
}
