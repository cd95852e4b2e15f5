// Checks references: the address exists, has the value, and is of an accepted kind.

import type { Diagnostic } from '../base/diagnostic.ts';
import { isList } from '../base/json.ts';
import { Secret } from '../base/secret.ts';
import { closest } from '../base/closest.ts';
import type { Reference, Value } from '../base/value.ts';
import { eachLeaf, Expression, isValueObject } from '../base/value.ts';
import { parseAddress } from '../catalog/address.ts';
import { attributesOf } from '../catalog/attributes.ts';
import { ID } from '../catalog/common.ts';
import type { Field, Fields, RefTarget } from '../catalog/field.ts';
import { idForm, isId, prefixesOf } from '../catalog/id.ts';
import { findKind } from '../catalog/lookup.ts';
import type { Places } from './places.ts';
import type { Facts, Located } from './resources.ts';
import type { Unread } from './unread.ts';

/** Every problem with references between resources, and in outputs. */
export function checkReferences({ resources, outputs, places, unread }: Facts): Diagnostic[] {
  const known = new Set(resources.map((one) => one.resource.address));
  const scope = { known, places, unread };
  return [
    ...resources.flatMap((one) => checkResource(one, scope)),
    ...[...outputs].flatMap(([name, value]) =>
      referencesIn(value).flatMap((reference) => checkTarget(reference, ['outputs', name], scope)),
    ),
  ];
}

interface Scope {
  readonly known: ReadonlySet<string>;
  readonly places: Places;
  readonly unread: Unread;
}

function checkResource({ resource, path, kind }: Located, scope: Scope): Diagnostic[] {
  const { places } = scope;
  const found: Diagnostic[] = [];
  eachLeaf(resource.spec, (leaf, inner) => {
    const at = [...path, ...inner];
    const target = refTargetAt(kind.fields, inner);
    if (!(leaf instanceof Expression)) {
      if (target !== undefined) found.push(...checkLiteral(leaf, target, at, places));
      return;
    }
    const problems = leaf.references().flatMap((reference) => checkTarget(reference, at, scope));
    found.push(...problems);
    // What does not exist is of no kind.
    if (problems.length > 0 || target === undefined) return;
    const only = leaf.parts.length === 1 ? leaf.references()[0] : undefined;
    if (only !== undefined) found.push(...checkKind(only, target, at, places));
    else if (leaf.references().length > 0) found.push(notOneId(at, places));
  });
  return found;
}

function checkTarget({ address, attr }: Reference, path: readonly string[], scope: Scope): Diagnostic[] {
  const { known, places, unread } = scope;
  const kind = parseAddress(address)?.kind;
  if (kind === undefined || (!known.has(address) && !unread.mayHave(address.split('.')))) {
    const near = closest(address, known);
    const fix = near === undefined ? 'add the resource, or give a literal id' : `did you mean "${near}"?`;
    return [places.error('unknown-reference', path, { message: `no resource has the address ${address}`, fix })];
  }
  const attributes = attributesOf(kind.fields);
  if (attributes.includes(attr)) return [];
  const near = closest(attr, attributes);
  return [
    places.error('unknown-reference', path, {
      message: `${address} has no value "${attr}" that can be referred to`,
      expected: `one of ${attributes.join(', ')}`,
      ...(near !== undefined && { fix: `did you mean "${near}"?` }),
    }),
  ];
}

function checkKind(
  { address, attr }: Reference,
  target: RefTarget,
  path: readonly string[],
  places: Places,
): Diagnostic[] {
  const kind = parseAddress(address)?.kind;
  if (kind === undefined || (attr === ID && target.kinds.includes(kind.name))) return [];
  const accepted = target.kinds
    .flatMap((name) => findKind(name)?.manifestKey ?? [])
    .map((key) => `\${${key}.NAME.${ID}}`);
  return [
    places.error('wrong-reference', path, {
      message: `this field does not take ${address}.${attr}`,
      expected: [...accepted, ...target.prefixes.map((prefix) => `an id that starts with ${prefix}`)].join(', or '),
    }),
  ];
}

/** An id is one whole value: text around a reference makes something else of it. */
function notOneId(path: readonly string[], places: Places): Diagnostic {
  const fix = 'give the reference alone, without text around it';
  return places.error('wrong-reference', path, { message: 'a reference with text around it is no id', fix });
}

function checkLiteral(leaf: Value, target: RefTarget, path: readonly string[], places: Places): Diagnostic[] {
  const id = leaf instanceof Secret ? leaf.reveal() : leaf;
  const prefixes = prefixesOf(target);
  if (typeof id !== 'string' || prefixes.some((prefix) => isId(prefix, id))) return [];
  const got = leaf instanceof Secret ? 'the sensitive value' : JSON.stringify(id);
  return [
    places.error('wrong-reference', path, {
      message: `${got} is not an id that this field takes`,
      expected: idForm(distinctPrefixes(prefixes).join(' or ')),
      fix: 'give the literal id, or a reference ${kind.name.id}',
    }),
  ];
}

/** Without those that a shorter one covers. */
function distinctPrefixes(prefixes: readonly string[]): string[] {
  return [...new Set(prefixes)].filter(
    (prefix) => !prefixes.some((other) => other !== prefix && prefix.startsWith(other)),
  );
}

/** What the field at a path may refer to. */
function refTargetAt(fields: Fields, path: readonly string[]): RefTarget | undefined {
  let field: Field | undefined;
  let inside: Fields = fields;
  for (const segment of path) {
    if (field?.type === 'list') field = field.items;
    else field = Object.hasOwn(inside, segment) ? inside[segment] : undefined;
    inside = field?.type === 'object' ? field.fields : {};
  }
  return field?.type === 'string' ? field.ref : undefined;
}

/** The references inside a value, in order. */
export function referencesIn(value: Value): Reference[] {
  if (value instanceof Expression) return value.references();
  if (isList(value)) return value.flatMap(referencesIn);
  return isValueObject(value) ? Object.values(value).flatMap(referencesIn) : [];
}
