// What an expression can see besides the resources of the catalogue.

/** A value that an expression can see; fields of the catalogue are such shapes, too. */
export interface Shape {
  readonly type: 'string' | 'boolean' | 'number' | 'integer' | 'list' | 'map' | 'object';
  readonly doc: string;
  readonly sensitive?: true;
  /** The value `never` is for what only the service sets, which a policy does not see. */
  readonly write?: 'always' | 'create' | 'update' | 'never';
  readonly items?: Shape;
  readonly fields?: Shapes;
  /** It may have other fields, too. */
  readonly open?: true;
}

export interface Shapes {
  readonly [name: string]: Shape;
}

function text(doc: string): Shape {
  return { type: 'string', doc };
}

function count(doc: string): Shape {
  return { type: 'integer', doc };
}

const change: Shape = {
  type: 'object',
  doc: 'One field difference.',
  fields: {
    path: text('The field, with dots between names.'),
    effect: text('update, replace-module, remove-module or replace-resource.'),
    cause: text('config, drift, both or unknown.'),
  },
};

const step: Shape = {
  type: 'object',
  doc: 'The step.',
  fields: {
    action: text('create, update, replace, delete, adopt or release.'),
    address: text('The address of the resource.'),
    kind: text('The kind, as plans name it.'),
    cause: text('Who caused its changes: config, drift, both or unknown; config if it has no changes.'),
    changes: { type: 'list', doc: 'Its changes.', items: change },
    loss: text('What is lost, in words; empty if nothing is.'),
  },
};

const summary: Shape = {
  type: 'object',
  doc: 'How many steps and resources there are.',
  fields: {
    create: count('Resources to create.'),
    update: count('Resources to update.'),
    replace: count('Resources to replace.'),
    delete: count('Objects to delete.'),
    adopt: count('Objects to adopt.'),
    release: count('Objects to release.'),
    unchanged: count('Resources without a change.'),
    blocked: count('Changes that the service cannot make.'),
    drifted: count('Objects that were changed outside.'),
  },
};

const plan: Shape = {
  type: 'object',
  doc: 'The plan.',
  fields: { summary, stack: text('The name of the stack.'), service: text('The address of the service.') },
};

const stack = text('The name of the stack.');

export const SUBJECTS = ['object', 'step', 'plan'] as const;
/** What a policy is about. */
export type Subject = (typeof SUBJECTS)[number];

/** The variables of a policy about each, besides those of a kind. */
export const VARIABLES: Readonly<Record<Subject, Shapes>> = {
  object: { stack },
  step: { step, plan, stack },
  plan: { plan, stack },
};

/** The variables that hold the fields of a kind. */
export const OF_KIND: Readonly<Record<Subject, Readonly<Record<string, string>>>> = {
  object: { object: 'The resource as the manifest has it, with defaults filled in.' },
  step: {
    object: 'The resource as the manifest has it, with defaults filled in; empty when the manifest no longer has it.',
    before: 'The live object; empty for a creation.',
  },
  plan: {},
};
