// What an expression can see besides the fields of the catalogue.

import { mapObject } from '../core/json.ts';

/** A value that an expression can see; fields of the catalogue are such shapes, too. */
interface Shape {
  readonly type: 'string' | 'boolean' | 'number' | 'integer' | 'list' | 'map' | 'object';
  readonly doc: string;
  readonly sensitive?: true;
  /** The value `never` is for what only the service sets, which a policy does not see. */
  readonly write?: string;
  readonly items?: Shape;
  readonly fields?: Shapes;
  /** It may have other fields, too. */
  readonly open?: true;
  /** It has the fields of the kind that is judged. */
  readonly ofKind?: true;
  /** It has an address, and the fields of the kind that contains the one that is judged; other kinds do not have it. */
  readonly ofParent?: true;
}

export interface Shapes {
  readonly [name: string]: Shape;
}

const stack: Shape = { type: 'string', doc: 'The name of the stack.' };

function texts(docs: Readonly<Record<string, string>>): Shapes {
  return mapObject(docs, (doc) => ({ type: 'string', doc }) as const);
}

function block(doc: string, fields: Shapes): Shape {
  return { type: 'object', doc, fields };
}

const change = block('One field difference.', {
  ...texts({
    path: 'The field, with dots between names.',
    effect: 'update, replace-module, remove-module or replace-resource.',
    cause: 'config, drift, both or unknown.',
  }),
});

const exposure = block('One effect on who gets in.', {
  ...texts({
    effect: 'opens, closes, or changes where it cannot be told which.',
    path: 'The field, with dots between names.',
  }),
});

const step = block('The step.', {
  ...texts({
    action: 'create, update, replace, delete, adopt or release.',
    address: 'The address of the resource.',
    kind: 'The kind, as plans name it.',
    cause: 'Who caused its changes: config, drift, both or unknown; config if it has no changes.',
    loss: 'What is lost, in words; empty if nothing is.',
  }),
  changes: { type: 'list', doc: 'Its changes.', items: change },
  exposures: { type: 'list', doc: 'What it does to who gets in.', items: exposure },
  opens: { type: 'boolean', doc: 'Whether more can get in afterwards.' },
});

const COUNTS = ['create', 'update', 'replace', 'delete', 'adopt', 'release', 'unchanged', 'blocked', 'drifted'];
const counts = Object.fromEntries(COUNTS.map((name) => [name, { type: 'integer', doc: 'Number of these.' } as const]));

const plan = block('The plan.', {
  summary: block('Numbers of steps and resources.', counts),
  stack,
  service: { type: 'string', doc: 'The address of the service.' },
});

const object = ofKind(
  'The resource as the manifest has it, with defaults filled in; empty for a deletion. With on: live, the live object.',
);
const before = ofKind('The live object; empty for a creation.');

const address: Shape = {
  type: 'string',
  doc: 'The address of the resource; of a live object, the one in its marker, and empty without a marker.',
};
const parent: Shape = {
  type: 'object',
  doc: 'What the resource is in, with its `address` and fields: for a route, its edge. Only for such kinds.',
  ofParent: true,
};
const owner: Shape = { type: 'string', doc: 'The stack that owns the live object; empty if none does.' };

function ofKind(doc: string): Shape {
  return { type: 'object', doc, ofKind: true };
}

/** What a policy can be about, and the variables that it then has. */
export const VARIABLES = {
  object: { object, address, parent, stack },
  live: { object, address, parent, owner, stack },
  step: { object, before, step, plan, stack },
  plan: { plan, stack },
} as const;
export type Subject = keyof typeof VARIABLES;
