// Checks references: the address exists, has the value, is of an accepted kind, and no circle is formed.

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
import type { Located } from './resources.ts';

/** Every problem with references between resources. */
export function checkReferences(resources: readonly Located[], places: Places): Diagnostic[] {
  const known = new Set(resources.map((one) => one.resource.address));
  const problems = resources.flatMap((one) => checkResource(one, known, places));
  return problems.length > 0 ? problems : checkCircles(resources, places);
}

/** Problems of one free value, such as an output. */
export function checkFree(
  value: Value,
  path: readonly string[],
  known: ReadonlySet<string>,
  places: Places,
): Diagnostic[] {
  return referencesIn(value).flatMap((reference) => checkTarget(reference, path, known, places));
}

function checkResource({ resource, path, kind }: Located, known: ReadonlySet<string>, places: Places): Diagnostic[] {
  const found: Diagnostic[] = [];
  eachLeaf(resource.spec, (leaf, inner) => {
    const at = [...path, ...inner];
    const target = refTargetAt(kind.fields, inner);
    if (leaf instanceof Expression) {
      for (const reference of leaf.references()) found.push(...checkTarget(reference, at, known, places));
      const only = leaf.parts.length === 1 ? leaf.references()[0] : undefined;
      if (target !== undefined && only !== undefined) found.push(...checkKind(only, target, at, places));
      if (target !== undefined && leaf.parts.length > 1) found.push(notOneId(at, places));
    } else if (target !== undefined) found.push(...checkLiteral(leaf, target, at, places));
  });
  return found;
}

function checkTarget(
  { address, attr }: Reference,
  path: readonly string[],
  known: ReadonlySet<string>,
  places: Places,
): Diagnostic[] {
  const kind = parseAddress(address)?.kind;
  if (!known.has(address) || kind === undefined) {
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

function referencesIn(value: Value): Reference[] {
  if (value instanceof Expression) return value.references();
  if (isList(value)) return value.flatMap(referencesIn);
  return isValueObject(value) ? Object.values(value).flatMap(referencesIn) : [];
}

function checkCircles(resources: readonly Located[], places: Places): Diagnostic[] {
  const links = new Map(
    resources.map(({ resource }) => [
      resource.address,
      [...new Set(referencesIn(resource.spec).map((r) => r.address))],
    ]),
  );
  const state = new Map<string, 'open' | 'done'>();
  const located = new Map(resources.map((one) => [one.resource.address, one]));
  for (const start of links.keys()) {
    const circle = findCircle(start, links, state);
    if (circle === undefined) continue;
    const ranges = circle.flatMap((address) => located.get(address)?.resource.range ?? []);
    const first = located.get(circle[0] ?? '');
    return [
      {
        ...places.error('reference-cycle', first?.path ?? [], {
          message: `references form a circle: ${[...circle, circle[0] ?? ''].join(' → ')}`,
          fix: 'remove one of the links',
        }),
        related: ranges
          .slice(1)
          .map((range, index) => ({ message: `${circle[index + 1] ?? ''} is part of the circle`, range })),
      },
    ];
  }
  return [];
}

/** Depth first without recursion; gives the addresses of the first circle. */
function findCircle(
  start: string,
  links: ReadonlyMap<string, readonly string[]>,
  state: Map<string, 'open' | 'done'>,
): string[] | undefined {
  const path: { readonly address: string; next: number }[] = state.has(start) ? [] : [{ address: start, next: 0 }];
  state.set(start, state.get(start) ?? 'open');
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const next = links.get(top.address)?.[top.next];
    top.next += 1;
    if (next === undefined) {
      state.set(top.address, 'done');
      path.pop();
    } else if (state.get(next) === 'open')
      return path.map((one) => one.address).slice(path.findIndex((one) => one.address === next));
    else if (!state.has(next)) {
      state.set(next, 'open');
      path.push({ address: next, next: 0 });
    }
  }
  return undefined;
}
