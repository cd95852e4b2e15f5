// The parts of the schema of plans: steps with their changes, losses and requests, and what stops a plan.

import type { JsonObject } from '../core/json.ts';
import { count, flag, list, oneOf, record, text, textOrNull } from './shapes.ts';

export const action = oneOf('create', 'update', 'replace', 'delete', 'adopt', 'release');

export const change = record(
  {
    path: text,
    before: {},
    after: {},
    effect: oneOf('update', 'replace-module', 'remove-module', 'replace-resource'),
    cause: oneOf('config', 'drift', 'both', 'unknown', 'not-taken'),
    sensitive: flag,
    items: {
      ...record({ removed: list(count), added: list(count) }),
      description:
        'Of lists with a sensitive item: places in `before` of the items that go, and in `after` of those that come.',
    },
    note: text,
  },
  ['items', 'note'],
);

const request = record({ method: oneOf('POST', 'PATCH', 'DELETE'), path: text, body: { type: 'object' } }, ['body']);

export const reason = record(
  {
    code: oneOf(
      'not-in-service',
      'parent-replaced',
      'deleted-outside',
      'differs',
      'metadata',
      'protection',
      'adopted',
      'moved',
      'renamed',
      'not-recorded',
      'create-only',
      'never-stored',
      'unclear-storage',
      'replaced',
      'not-in-manifest',
      'duplicate',
      'foreign-child',
      'destroyed',
      'released',
      'detached',
      'revoked',
      'blocked',
    ),
    text: { ...text, description: 'The same in words.' },
    fields: { ...list(text), description: 'The fields that it is about.' },
    addresses: { ...list(text), description: 'Other addresses that it is about, such as the one before a rename.' },
    stack: { ...text, description: 'The stack that the object comes from.' },
  },
  ['fields', 'addresses', 'stack'],
);

const loss = record({
  code: oneOf('irreplaceable', 'object', 'never-stored', 'redundant'),
  cost: { ...text, description: 'What is lost, in words.' },
  live_id: { ...text, description: 'The object that is deleted.' },
  children: { ...list(text), description: 'Addresses of the children that are deleted with it.' },
});

const phase = oneOf('create', 'delete', 'detach');

export const step = record(
  {
    id: text,
    origin: {
      ...oneOf('this-change', 'already-pending'),
      description:
        'Of a plan with `base`: whether the manifest of the revision would not have this step, or have it, too.',
    },
    action,
    phase,
    address: text,
    kind: text,
    live_id: textOrNull,
    reason,
    source: textOrNull,
    loss,
    deletes: {
      ...list(record({ address: text, kind: text, live_id: text, values: { type: 'object' } })),
      description: 'Every object that the step deletes, its own first, with the values that go; secrets are masked.',
    },
    allowed_by: { ...list(text), description: 'The flags of this run without which a rule would refuse the step.' },
    foreign_child: {
      const: true,
      description: 'Set for the deletion of what the stack never owned: a child of an exclusive object.',
    },
    deleted_outside: record({ live_id: textOrNull, evidence: text }),
    from_stack: { ...text, description: 'The stack that `moved` brings the object from.' },
    applied_from: {
      ...text,
      description: 'The commit that the object was last written from, as its marker claims; its first 12 characters.',
    },
    depends_on: list(text),
    last: { const: true, description: 'Starts when every other step has ended, whatever became of it.' },
    imports: { ...list(text), description: 'Imports whose values its requests carry.' },
    precondition: textOrNull,
    seen: { type: 'object', additionalProperties: text },
    changes: list(change),
    requests: list(request),
  },
  [
    'origin',
    'phase',
    'loss',
    'deletes',
    'foreign_child',
    'allowed_by',
    'deleted_outside',
    'from_stack',
    'applied_from',
    'last',
    'imports',
    'seen',
  ],
);

const former = record({ action, phase, address: text, kind: text, live_id: textOrNull }, ['phase']);

export const planBase: JsonObject = {
  ...record({
    rev: { ...text, description: 'The revision as it was given.' },
    commit: text,
    status: {
      ...oneOf('compared', 'no-manifest', 'unreadable'),
      description:
        'With `no-manifest`, everything is this change. With `unreadable`, no step has an origin, and a warning says why.',
    },
    manifest_digest: textOrNull,
    no_longer_planned: {
      ...list(former),
      description: 'What the manifest of the revision would do, and that of the plan does not.',
    },
  }),
  description: 'What the plan was compared with; nothing that is applied depends on it.',
};

export const fleetBase: JsonObject = {
  ...record({ rev: text, commit: text, gone_stacks: list(text) }),
  description: 'Of `fleet plan --base`: the revision, and the entries that only it has; what their stacks own stays.',
};

/** What of a saved plan an earlier run has carried out. */
export const alreadyDone: JsonObject = {
  ...list(record({ id: text, address: text, action })),
  description: 'Steps of a saved plan that were carried out before; `steps` are those that were left.',
};

export const summaryNames = [
  'create',
  'update',
  'replace',
  'delete',
  'adopt',
  'release',
  'unchanged',
  'blocked',
  'drifted',
];

const consent = {
  allow_deletes: { anyOf: [count, { const: 'all' }] },
  allow_loss: list(text),
  allow_takeover: list(text),
  refuses_openings: flag,
  allow_opening: list(text),
  recreate: flag,
  targets: list(text),
};
export const madeWith = record({ ...consent, policies: text }, [...Object.keys(consent), 'policies']);

/** Where a policy of the user was violated, and where that policy is: `file:line:column`. */
const places = { source: textOrNull, policy: text };
const entry = { ...text, description: 'Entry of the manifest that would allow it, where there is one.' };
const fix = { ...text, description: 'What to do about it, where there is a way.' };
const source = record({ stack: text, address: text });
const moved = record({ stack: text, from: { anyOf: [text, source] }, to: text });
const refusal = { rule: text, message: text, fix, addresses: list(text), flag: textOrNull, entry, moved, ...places };
export const refusals = list(record(refusal, ['fix', 'entry', 'moved', 'source', 'policy']));
const optional = {
  path: { ...text, description: 'Path of the value inside the resource.' },
  live_id: { ...text, description: 'The live object that it is about.' },
  expected: text,
  got: text,
  fix,
  ...places,
};
const planned = { code: text, severity: oneOf('error', 'warning'), message: text, address: textOrNull, ...optional };
export const planDiagnostics = list(record(planned, Object.keys(optional)));

/** What a plan, or a change outside, does to who gets in. */
export const exposures: JsonObject = {
  ...list(
    record({
      effect: oneOf('opens', 'closes', 'changes'),
      path: text,
      before: {
        description: 'The value before; null for nothing. For routes: what answers a selector, and its guards.',
      },
      after: {},
      address: text,
    }),
  ),
  description:
    'What is done to who gets in: more can (`opens`), fewer can (`closes`), or others, and it cannot be told whether they are more (`changes`).',
};

const stays = { path: { ...text, description: 'Empty for the whole object.' }, fix, changes: list(change) };
export const blocked = list(
  record(
    { ...planned, address: text, ...stays },
    [...Object.keys(optional), 'changes'].filter((name) => name !== 'path'),
  ),
);
