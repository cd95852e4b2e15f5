// Manifests as plain documents that can be changed by field, made valid by the catalogue's tables alone.
// Knows nothing of the planner or the service.

import type { JsonObject } from '../../src/core/json.ts';
import type { Json } from '../../src/core/json.ts';
import { isList, isObject } from '../../src/core/json.ts';
import { formatAddress } from '../../src/catalog/address.ts';
import { DESCRIPTION, METADATA } from '../../src/catalog/fields/common.ts';
import type { Field, Fields, StringField } from '../../src/catalog/field.ts';
import type { Kind } from '../../src/catalog/kind.ts';
import { brokenRules } from '../../src/catalog/kind.ts';
import { childKinds, topLevelKinds } from '../../src/catalog/lookup.ts';
import type { FieldPath } from './samples.ts';
import { fieldPaths, sample } from './samples.ts';

export type Block = { [key: string]: Json };

/** One object of a document. */
export interface Declared {
  readonly kind: Kind;
  readonly name: string;
  readonly address: string;
  readonly parent: Declared | undefined;
  /** The section that holds the block. */
  readonly section: Block;
  readonly block: Block;
}

/** Values that depend on what else exists: ids of other objects, secrets, and unique texts. */
export interface Values {
  readonly ref: (field: StringField, variant: number) => Json | undefined;
  readonly secret: (variant: number) => Json;
  /** A text that names another object. */
  readonly mention: () => string;
  readonly unique: (field: Field, name: string, variant: number) => Json | undefined;
}

export const SECRETS = 3;

/** Every object, parents before their children. */
export function objectsOf(doc: Block): Declared[] {
  return topLevelKinds.flatMap((kind) => declaredIn(kind, doc[kind.manifestKey], undefined));
}

function declaredIn(kind: Kind, section: Json | undefined, parent: Declared | undefined): Declared[] {
  if (!isObject(section)) return [];
  return Object.entries(section).flatMap(([name, block]) => {
    const address = formatAddress(kind, name, parent?.address);
    const declared: Declared = { kind, name, address, parent, section, block: block as Block };
    return [
      declared,
      ...childKinds(kind).flatMap((child) => declaredIn(child, declared.block[child.manifestKey], declared)),
    ];
  });
}

/** The section of a kind, made when it is missing. */
export function sectionOf(holder: Block, kind: Kind): Block {
  const known = holder[kind.manifestKey];
  const section = isObject(known) ? known : {};
  holder[kind.manifestKey] = section;
  return section;
}

/** Unique fields of a kind. */
export function uniqueFields(kind: Kind): [string, Field][] {
  return Object.entries(kind.fields).filter(([, field]) => field.unique !== undefined);
}

export function textsIn(value: Json | undefined): string[] {
  return (isList(value) ? value : [value]).filter((item) => typeof item === 'string');
}

/** Unique texts that are taken, in the scope that the field has for the object. */
export function taken(doc: Block, declared: Pick<Declared, 'parent'>, name: string, field: Field): Set<string> {
  const rivals = objectsOf(doc).filter(
    (other) =>
      other.kind.fields[name]?.unique === field.unique &&
      (field.unique === 'service' || other.parent?.address === declared.parent?.address),
  );
  return new Set(rivals.flatMap((other) => textsIn(other.block[name]).map((text) => text.toLowerCase())));
}

/** Unique texts from a small pool; with capitals in some of them. */
export function poolText(field: Field, index: number): string {
  const one = field.type === 'list' ? field.items : field;
  return String(sample(one, 0, `${index % 3 === 2 ? 'U' : 'u'}${index}`));
}

/** What a document's own values are made from. */
export function documentValues(doc: Block, declared: Declared): Values {
  return {
    secret: (variant) => `\${var.secret${variant % SECRETS}}`,
    mention: () => {
      const other = objectsOf(doc).find((one) => one.kind !== declared.kind && !mentions(one.block, declared.address));
      return other === undefined ? 'nothing else' : `beside \${${other.address}.id}`;
    },
    ref: (field, variant) => {
      const prefix = field.ref?.prefixes.find((one) => !topLevelKinds.some((kind) => kind.idPrefix === one));
      const fits = objectsOf(doc).filter(
        (other) =>
          field.ref?.kinds.includes(other.kind.name) && (other.kind !== declared.kind || other.name < declared.name),
      );
      const chosen = [
        ...fits.map((other) => `\${${other.address}.id}`),
        ...(prefix === undefined ? [] : [`${prefix}0`, `${prefix}1`]),
      ];
      return chosen[variant % Math.max(1, chosen.length)];
    },
    unique: (field, name, variant) => {
      const used = taken(doc, declared, name, field);
      const free = Array.from({ length: 12 }, (_, step) => poolText(field, (variant + step) % 12)).filter(
        (text) => !used.has(text.toLowerCase()),
      );
      const assigned = assignedTexts(doc, field).filter((text) => !used.has(text.toLowerCase()));
      const pick = variant >= 8 && assigned.length > 0 ? assigned[variant % assigned.length] : free[0];
      if (pick === undefined || field.type !== 'list') return pick;
      const second = free.find((text) => text !== pick);
      return variant % 4 === 3 && second !== undefined ? [pick, second] : [pick];
    },
  };
}

/** References to texts that the service assigns and that fit the field: the address of a reserved address. */
function assignedTexts(doc: Block, field: Field): string[] {
  const item = field.type === 'list' ? field.items : field;
  const pattern = item.type === 'string' ? item.pattern?.regex : undefined;
  if (pattern === undefined) return [];
  const fits = new RegExp(pattern, 'u');
  return objectsOf(doc).flatMap(({ kind, address }) =>
    Object.entries(kind.fields).flatMap(([name, one]) =>
      one.type === 'string' && one.write === 'never' && String(one.emulate).includes('{port}') && fits.test('host:1')
        ? [`\${${address}.${name}}`]
        : [],
    ),
  );
}

function mentions(block: Block, address: string): boolean {
  return JSON.stringify(block).includes(`\${${address}.`);
}

const METADATA_TEXTS = ['plain note', '{"team":"a","n":1}', 'two\nlines', '{}', '[1]'];
const DOLLAR_TEXT = 'costs $${5}';

/** One value of a field; undefined when nothing fits. */
export function makeValue(field: Field, name: string, variant: number, values: Values): Json | undefined {
  if (field.unique !== undefined) return values.unique(field, name, variant);
  if (name === METADATA) return variant === 11 ? DOLLAR_TEXT : METADATA_TEXTS[variant % METADATA_TEXTS.length];
  switch (field.type) {
    case 'string':
      if (field.ref) return values.ref(field, variant);
      if (name === DESCRIPTION && variant > 8) return values.mention();
      return field.sensitive ? values.secret(variant) : sample(field, variant % 3, 'v');
    case 'list':
      return makeList(field.items, name, variant, values);
    case 'map':
      return [{ 'x-sample': 'value 0' }, { 'X-Sample': 'value 1', other: 'b' }, {}][variant % 3];
    case 'object':
      return makeObject(field.fields, field.exactlyOne === true, variant, values);
    case 'boolean':
      return variant % 2 === 1;
    default:
      return sample(field, variant % 3, 'v');
  }
}

function makeList(items: Field, name: string, variant: number, values: Values): Json {
  const count = [1, 2, 0, 2][variant % 4] ?? 1;
  const made = Array.from({ length: count }, (_, index) => makeValue(items, name, variant + index, values));
  const texts = new Set<string>();
  return made.flatMap((item) => {
    const text = JSON.stringify(item);
    if (item === undefined || texts.has(text)) return [];
    texts.add(text);
    return [item];
  });
}

function makeObject(fields: Fields, isChoice: boolean, variant: number, values: Values): Json | undefined {
  const names = Object.keys(fields).filter((key) => fields[key]?.write !== 'never');
  const wanted = isChoice ? [names[variant % names.length] ?? ''] : names.filter((key) => fields[key]?.required);
  const made: Block = {};
  for (const key of wanted) {
    const field = fields[key];
    const value = field && makeValue(field, key, variant, values);
    if (value === undefined) return undefined;
    made[key] = value;
  }
  return made;
}

/** The smallest block of a kind. */
export function makeBlock(kind: Kind, variant: number, values: Values): Block | undefined {
  return makeObject(kind.fields, false, variant, values) as Block | undefined;
}

const pathsByKind = new Map<string, readonly FieldPath[][]>();

/** A field of the kind: every top-level field is as likely as any other. */
export function choosePath(kind: Kind, number: number): FieldPath {
  let groups = pathsByKind.get(kind.name);
  if (groups === undefined) {
    const all = fieldPaths(kind.fields);
    groups = [...new Set(all.map(({ path }) => path[0]))].map((top) => all.filter(({ path }) => path[0] === top));
    pathsByKind.set(kind.name, groups);
  }
  const group = groups[number % groups.length]!;
  return group[Math.floor(number / groups.length) % group.length]!;
}

function isValid(kind: Kind, block: Block): boolean {
  return brokenRules(kind, block).length === 0;
}

/** Sets the field, with whatever else its rules ask for: its siblings, or the absence of another module. */
export function setField(kind: Kind, block: Block, target: FieldPath, variant: number, values: Values): boolean {
  const [top = ''] = target.path;
  const others = Object.keys(block).filter((name) => name !== top && kind.fields[name]?.module);
  for (const fill of ['alone', 'siblings', 'whole'] as const) {
    const draft = structuredClone(block);
    if (!put(draft, target, variant, { values, fill })) continue;
    for (const drop of [undefined, ...others]) {
      const { [drop ?? '']: _, ...rest } = draft;
      if (!isValid(kind, rest)) continue;
      for (const key of Object.keys(block)) delete block[key];
      Object.assign(block, rest);
      return true;
    }
  }
  return false;
}

interface How {
  readonly values: Values;
  readonly fill: 'alone' | 'siblings' | 'whole';
}

function put(block: Block, { path, chain }: FieldPath, variant: number, { values, fill }: How): boolean {
  let object = block;
  for (const [depth, name] of path.entries()) {
    const field = chain[depth]!;
    const holder = chain[depth - 1];
    const isLast = depth === path.length - 1;
    const known = object[name];
    if (holder?.type === 'object' && holder.exactlyOne) for (const key of Object.keys(object)) delete object[key];
    else if (isLast && fill === 'siblings' && holder?.type === 'object') fillIn(object, holder.fields, variant, values);
    const made = isLast || !isObject(known) ? makeValue(field, name, variant, values) : known;
    if (made === undefined) return false;
    object[name] = made;
    if (isLast && fill === 'whole' && field.type === 'object') fillIn(made as Block, field.fields, variant, values);
    if (!isLast) object = made as Block;
  }
  return true;
}

function fillIn(object: Block, fields: Fields, variant: number, values: Values): void {
  for (const [name, field] of Object.entries(fields)) {
    if (field.write === 'never' || object[name] !== undefined) continue;
    const value = makeValue(field, name, variant, values);
    if (value !== undefined) object[name] = value;
  }
}

/** True when the block has a value at the path. */
export function isSet(block: JsonObject, path: readonly string[]): boolean {
  let at: Json | undefined = block;
  for (const key of path) at = isObject(at) ? at[key] : undefined;
  return at !== undefined;
}

/** Removes the field when the kind's rules allow it. */
export function removeField(kind: Kind, block: Block, { path, field, chain }: FieldPath): boolean {
  if (field.required || chain.at(-2)?.required) return false;
  const draft = structuredClone(block);
  let holder = draft;
  for (const key of path.slice(0, -1)) {
    const inner = holder[key];
    if (!isObject(inner)) return false;
    holder = inner;
  }
  const last = path.at(-1) ?? '';
  if (holder[last] === undefined) return false;
  delete holder[last];
  if (chain.slice(0, -1).some((one) => one.type === 'object' && one.exactlyOne) || !isValid(kind, draft)) return false;
  for (const key of Object.keys(block)) delete block[key];
  Object.assign(block, draft);
  return true;
}
