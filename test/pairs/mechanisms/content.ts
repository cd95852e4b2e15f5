// What values are made from: references, variables, secrets and imports.

import { DESCRIPTION, METADATA } from '../../../src/catalog/fields/common.ts';
import type { Field } from '../../../src/catalog/field.ts';
import { kindsUsing } from '../../../src/catalog/users.ts';
import { isList, isObject, type Json } from '../../../src/core/json.ts';
import { whyNeverSecret } from '../../../src/catalog/secrecy/secrecy.ts';
import type { Block, Declared } from '../../support/document.ts';
import { documentValues, objectsOf, setField } from '../../support/document.ts';
import type { FieldPath } from '../../support/samples.ts';
import { fieldPaths } from '../../support/samples.ts';
import type { Draft } from '../draft.ts';
import type { Mechanism } from '../mechanism.ts';
import { SIDE } from '../world.ts';

const refersTo = (field: Field, kind: string): boolean =>
  field.type === 'list'
    ? refersTo(field.items, kind)
    : field.type === 'string' && field.ref?.kinds.includes(kind) === true;

const reference: Mechanism = {
  name: 'reference',
  stage: 'document',
  wish: (kind) => kindsUsing(kind).length > 0,
  add: (draft) => {
    const target = draft.pick();
    if (target === undefined) return false;
    const users = objectsOf(draft.main.after).filter(({ address }) => address !== target.address);
    for (const user of users) {
      const path = fieldPaths(user.kind.fields).find(({ field, chain }) => {
        return refersTo(field, target.kind.name) && chain.every(({ write = 'always' }) => write === 'always');
      });
      if (path !== undefined && setTo(user, path, `\${${target.address}.id}`)) return true;
    }
    const user = users.find(({ kind }) => DESCRIPTION in kind.fields);
    if (user !== undefined && !mentions(target, user)) user.block[DESCRIPTION] = `beside \${${target.address}.id}`;
    const outputs = isObject(draft.main.after['outputs']) ? draft.main.after['outputs'] : {};
    draft.main.after['outputs'] = { ...outputs, [draft.newName('o')]: `\${${target.address}.id}` };
    return true;
  },
};

function mentions({ block }: Declared, { address }: Declared): boolean {
  return JSON.stringify(block).includes(`\${${address}.`);
}

/** Sets a field that refers, with whatever it needs beside it. */
function setTo({ kind, block }: Declared, path: FieldPath, text: string): boolean {
  const ref = () => text;
  return setField(kind, block, path, 0, {
    ref,
    secret: () => '${var.secret0}',
    mention: () => '',
    unique: () => undefined,
  });
}

/** A text of a block that may stand in a variable. */
interface PlainText {
  readonly text: string;
  readonly field: Field;
  readonly set: (text: string) => void;
}

function plainTexts(declared: Declared): PlainText[] {
  return fieldPaths(declared.kind.fields).flatMap(({ path, field }) => {
    const key = path.at(-1)!;
    const holder = path.slice(0, -1).reduce<Block | undefined>((at, name) => {
      const inner = at?.[name];
      return inner !== undefined && isObject(inner) ? inner : undefined;
    }, declared.block);
    const value = holder?.[key];
    if (holder === undefined || key === METADATA || field.sensitive) return [];
    if (isList(value ?? null) && field.type === 'list') {
      const list = value as Json[];
      return list.flatMap((text, index) => plainText(text, field.items, (other) => (list[index] = other)));
    }
    return plainText(value, field, (other) => (holder[key] = other));
  });
}

function plainText(text: Json | undefined, field: Field, set: (text: string) => void): PlainText[] {
  return typeof text === 'string' && !text.includes('$') ? [{ text, field, set }] : [];
}

function declare(doc: Block, name: string, about: Block): void {
  doc['variables'] = { ...(doc['variables'] as Block), [name]: about };
}

const variable: Mechanism = {
  name: 'variable',
  stage: 'document',
  add: (draft) => {
    const chosen = draft.pick((one) => plainTexts(one).length > 0) ?? described(draft);
    const text = chosen && draft.one(plainTexts(chosen));
    if (text === undefined) return false;
    if (draft.seldom(4)) nameTheStack(draft);
    const name = draft.newName('v');
    draft.variables.set(name, text.text);
    text.set(`\${var.${name}}`);
    for (const doc of [draft.main.before, draft.main.after])
      declare(doc, name, draft.seldom(2) ? {} : { default: text.text });
    return true;
  },
};

/** The name of the stack holds a variable. */
function nameTheStack(draft: Draft): void {
  const name = draft.newName('n');
  draft.variables.set(name, 'op');
  for (const doc of [draft.main.before, draft.main.after]) {
    declare(doc, name, {});
    doc['stack'] = `sh\${var.${name}}`;
  }
}

/** An object with a text of its own. */
function described(draft: Draft): Declared | undefined {
  const chosen = draft.pick(({ kind }) => DESCRIPTION in kind.fields);
  if (chosen !== undefined) chosen.block[DESCRIPTION] = 'some text';
  return chosen;
}

const sensitiveVariable: Mechanism = {
  name: 'sensitive variable',
  stage: 'document',
  add: (draft) => {
    const fits = ({ field }: { readonly field: Field }) =>
      whyNeverSecret(field) === undefined && field.type === 'string' && field.pattern === undefined;
    const chosen = draft.pick((one) => plainTexts(one).some(fits)) ?? described(draft);
    const text = chosen && draft.one(plainTexts(chosen).filter(fits));
    if (text === undefined) return false;
    text.set('${var.hidden}');
    for (const { before, after } of draft.stacks.slice(0, 1))
      for (const doc of [before, after]) declare(doc, 'hidden', { sensitive: true });
    return true;
  },
};

const imported: Mechanism = {
  name: 'import',
  stage: 'document',
  add: (draft) => {
    const target = draft.one(objectsOf(draft.side.before));
    const user = draft.pick(({ kind }) => DESCRIPTION in kind.fields);
    if (target === undefined || user === undefined) return false;
    const name = draft.newName('i');
    const documents = draft.seldom(2) ? [draft.main.after] : [draft.main.before, draft.main.after];
    for (const doc of documents) {
      const own = objectsOf(doc).find(
        ({ address }) => address === (doc === draft.main.after ? user.address : draft.origin(user.address)?.address),
      );
      if (own === undefined) continue;
      doc['imports'] = { ...(doc['imports'] as Block | undefined), [name]: { stack: SIDE, address: target.address } };
      const field = fieldPaths(own.kind.fields).find((path) => refersTo(path.field, target.kind.name));
      if (field === undefined || !setTo(own, field, `\${imports.${name}.id}`))
        own.block[DESCRIPTION] = `with \${imports.${name}.id}`;
    }
    draft.promise('imported', { stack: SIDE, address: target.address });
    return true;
  },
};

const SECRET_IN_MODULE = ({ field, chain }: FieldPath) =>
  field.sensitive === true && chain.some(({ module }) => module === true);

const hiddenSecret: Mechanism = {
  name: 'hidden module secret',
  stage: 'document',
  wish: ({ fields }) => fieldPaths(fields).some(SECRET_IN_MODULE),
  add: (draft) => {
    const chosen = draft.need(({ fields }) => fieldPaths(fields).some(SECRET_IN_MODULE));
    const origin = chosen && draft.origin(chosen.address);
    const former = origin && draft.inBefore(origin);
    if (chosen === undefined || former === undefined) return false;
    const path = draft.one(fieldPaths(chosen.kind.fields).filter(SECRET_IN_MODULE))!;
    const variant = draft.chance(3);
    for (const [doc, own] of [
      [draft.main.before, former],
      [draft.main.after, chosen],
    ] as const)
      if (!setField(own.kind, own.block, path, variant, documentValues(doc, own))) return false;
    draft.service = { ...draft.service, mask: draft.one(['', '***', '********'])! };
    return true;
  },
};

export const CONTENT: readonly Mechanism[] = [reference, variable, sensitiveVariable, imported, hiddenSecret];
