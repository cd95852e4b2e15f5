// JSON Schema of the plan format (design of `edgeform-plan/1`): one format for saved plans and `--format json`.

import type { JsonObject } from '../base/json.ts';

const text: JsonObject = { type: 'string' };
const textOrNull: JsonObject = { type: ['string', 'null'] };
const count: JsonObject = { type: 'integer', minimum: 0 };
const any: JsonObject = {};

function list(items: JsonObject): JsonObject {
  return { type: 'array', items };
}

function record(properties: JsonObject, optional: readonly string[] = []): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties).filter((name) => !optional.includes(name)) };
}

const change = record(
  {
    path: text,
    before: any,
    after: any,
    effect: { enum: ['update', 'replace-module', 'remove-module', 'replace-resource'] },
    cause: { enum: ['config', 'drift', 'both', 'unknown'] },
    sensitive: { type: 'boolean' },
    note: text,
  },
  ['note'],
);

const request = record({ method: { enum: ['POST', 'PATCH', 'DELETE'] }, path: text, body: { type: 'object' } }, [
  'body',
]);

const step = record(
  {
    id: text,
    action: { enum: ['create', 'update', 'replace', 'delete', 'adopt', 'release'] },
    phase: { enum: ['create', 'delete', 'detach'] },
    address: text,
    kind: text,
    live_id: textOrNull,
    reason: text,
    source: textOrNull,
    loss: text,
    depends_on: list(text),
    precondition: textOrNull,
    seen: { type: 'object', additionalProperties: text },
    changes: list(change),
    requests: list(request),
  },
  ['phase', 'loss', 'seen'],
);

const summaryNames = ['create', 'update', 'replace', 'delete', 'adopt', 'release', 'unchanged', 'blocked', 'drifted'];

export const planSchema: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: 'https://edgeform.dev/schemas/plan.schema.json',
  title: 'edgeform plan',
  description: 'New fields may be added within a format version; none changes its meaning.',
  ...record({
    format: { const: 'edgeform-plan/1' },
    stack: text,
    service: text,
    complete: { type: 'boolean' },
    fingerprint: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
    manifest_digest: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
    summary: record(Object.fromEntries(summaryNames.map((name) => [name, count]))),
    steps: list(step),
    blocked: list(record({ address: text, path: text, reason: text })),
    refusals: list(record({ rule: text, message: text, addresses: list(text), flag: textOrNull })),
    unmanaged: list(record({ kind: text, id: text, owner: textOrNull })),
    outputs: { type: 'object' },
    diagnostics: list(
      record({ code: text, severity: { enum: ['error', 'warning'] }, message: text, address: textOrNull }),
    ),
  }),
};
