// JSON Schema of the plan format (design of `edgeform-plan/1`): one format for saved plans and `--format json`.

import type { JsonObject } from '../core/json.ts';
import { any, count, documentSchema, flag, list, oneOf, record, text, textOrNull } from './shapes.ts';

export const action = oneOf('create', 'update', 'replace', 'delete', 'adopt', 'release');

/** One field difference. */
export const change = record(
  {
    path: text,
    before: any,
    after: any,
    effect: oneOf('update', 'replace-module', 'remove-module', 'replace-resource'),
    cause: oneOf('config', 'drift', 'both', 'unknown'),
    sensitive: flag,
    note: text,
  },
  ['note'],
);

const request = record({ method: oneOf('POST', 'PATCH', 'DELETE'), path: text, body: { type: 'object' } }, ['body']);

const step = record(
  {
    id: text,
    action,
    phase: oneOf('create', 'delete', 'detach'),
    address: text,
    kind: text,
    live_id: textOrNull,
    reason: text,
    source: textOrNull,
    loss: text,
    deleted_outside: record({ live_id: textOrNull, evidence: text }),
    depends_on: list(text),
    precondition: textOrNull,
    seen: { type: 'object', additionalProperties: text },
    changes: list(change),
    requests: list(request),
  },
  ['phase', 'loss', 'deleted_outside', 'seen'],
);

const summaryNames = ['create', 'update', 'replace', 'delete', 'adopt', 'release', 'unchanged', 'blocked', 'drifted'];

const madeWith = record(
  { allow_deletes: { anyOf: [count, { const: 'all' }] }, allow_replace: list(text), targets: list(text) },
  ['allow_deletes', 'allow_replace', 'targets'],
);

const face = {
  title: 'edgeform plan',
  description: 'New fields may be added within a format version; none changes its meaning.',
};

export const refusals = list(record({ rule: text, message: text, addresses: list(text), flag: textOrNull }));

export const planSchema: JsonObject = documentSchema(
  'plan',
  face,
  record(
    {
      format: { const: 'edgeform-plan/1' },
      stack: text,
      service: text,
      complete: flag,
      fingerprint: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
      manifest_digest: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
      made_with: madeWith,
      summary: record(Object.fromEntries(summaryNames.map((name) => [name, count]))),
      steps: list(step),
      blocked: list(record({ address: text, path: text, reason: text, changes: list(change) }, ['changes'])),
      refusals,
      unmanaged: list(record({ kind: text, id: text, owner: textOrNull })),
      outputs: { type: 'object' },
      diagnostics: list(
        record({ code: text, severity: oneOf('error', 'warning'), message: text, address: textOrNull }),
      ),
    },
    ['made_with'],
  ),
);
