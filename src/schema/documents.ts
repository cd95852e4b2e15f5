// JSON Schemas of the documents that commands print with `--format json`, by name; the plan's is beside them.

import type { JsonObject } from '../core/json.ts';
import { action, change, planSchema, refusals } from './plan-schema.ts';
import { any, count, documentSchema, flag, list, oneOf, record, text, textOrNull } from './shapes.ts';

const place: JsonObject = { type: ['integer', 'null'], minimum: 1 };
const exitCode: JsonObject = { type: 'integer', minimum: 0, maximum: 255, description: 'Exit code of the command.' };

const diagnostics = list(
  record(
    {
      code: text,
      severity: oneOf('error', 'warning'),
      message: text,
      file: textOrNull,
      line: place,
      column: place,
      address: textOrNull,
      expected: textOrNull,
      got: textOrNull,
      fix: textOrNull,
      related: {
        ...list(record({ message: text, file: text, line: place, column: place })),
        description: 'Other places that belong to the problem, such as the first of two duplicates.',
      },
    },
    ['related'],
  ),
);

const stepStatuses = ['done', 'failed', 'blocked', 'not_attempted', 'unknown'];

const pending = list(record({ address: text, action, reason: text }));

const finding = record(
  {
    fingerprint: { ...text, description: 'The same finding has the same fingerprint until its values change.' },
    type: oneOf('changed', 'missing', 'duplicate', 'unmanaged'),
    address: textOrNull,
    kind: text,
    live_id: textOrNull,
    cause: oneOf('config', 'drift', 'both', 'unknown', null),
    changes: list(change),
    evidence: { ...text, description: 'What is known of an object that is missing, or the ids of duplicates.' },
    consequences: { ...pending, description: 'What apply would do to other objects only because of this finding.' },
  },
  ['evidence', 'consequences'],
);

interface Row {
  /** What prints it. */
  readonly by: string;
  readonly fields: JsonObject;
}

const ROWS: Readonly<Record<string, Row>> = {
  diagnostics: {
    by: '`validate`',
    fields: { ok: { ...flag, description: 'False when there is an error.' }, diagnostics },
  },
  report: {
    by: '`apply` and `destroy`',
    fields: {
      result: oneOf('done', 'partial', 'refused', 'unknown', 'interrupted', 'error'),
      exit_code: exitCode,
      stack: text,
      totals: record(Object.fromEntries(stepStatuses.map((status) => [status, count]))),
      steps: list(
        record({
          id: text,
          address: text,
          action,
          status: oneOf(...stepStatuses),
          live_id: textOrNull,
          error: textOrNull,
        }),
      ),
      complete: { ...flag, description: 'False when only targets were planned.' },
      converged: {
        ...flag,
        description:
          'True when a plan that was made afterwards is empty; also of what a saved plan does not touch. A run of targets makes it of those.',
      },
      outputs: { type: 'object', additionalProperties: any },
      diagnostics,
    },
  },
  drift: {
    by: '`drift`',
    fields: {
      stack: text,
      service: text,
      drifted: flag,
      coverage: { type: 'number', minimum: 0, maximum: 1, description: 'Objects of any stack divided by all objects.' },
      findings: list(finding),
      pending,
      ignored: list(
        record({ fingerprint: text, address: textOrNull, live_id: textOrNull, reason: text, expires: text }),
      ),
      refusals: { ...refusals, description: 'Policy violations; apply changes nothing until they are resolved.' },
      diagnostics,
    },
  },
  error: {
    by: 'every command that fails before it has a document of its own',
    fields: { exit_code: exitCode, diagnostics },
  },
  export: {
    by: '`export`',
    fields: {
      stack: text,
      resources: count,
      variables: { ...count, description: 'Variables that need a value.' },
      files: list(record({ path: text, text })),
      left_out: list(record({ kind: text, id: text, why: text })),
      diagnostics,
    },
  },
  output: { by: '`output`: name, or address and attribute → value, null while it is not known', fields: {} },
  sessions: {
    by: '`sessions list`',
    fields: { sessions: list({ type: 'object', properties: { id: text }, required: ['id'] }) },
  },
  revoke: {
    by: '`sessions revoke`',
    fields: {
      result: oneOf('done', 'partial', 'unknown', 'interrupted', 'error'),
      exit_code: exitCode,
      sessions: list(
        record({ id: text, status: oneOf('done', 'gone', 'failed', 'unknown', 'not_attempted'), error: textOrNull }),
      ),
    },
  },
  init: {
    by: '`init`',
    fields: { stack: text, files: list(text), next: { ...list(text), description: 'What to do next.' } },
  },
};

function schemaOf(name: string, { by, fields }: Row): JsonObject {
  const face = {
    title: `edgeform ${name}`,
    description: `Printed by ${by}. New fields may be added within a format version; none changes its meaning.`,
  };
  return documentSchema(name, face, record({ format: { const: `edgeform-${name}/1` }, ...fields }));
}

/** Name → schema of every document, the plan's among them. */
export const documentSchemas: ReadonlyMap<string, JsonObject> = new Map([
  ['plan', planSchema],
  ...Object.entries(ROWS).map(([name, row]) => [name, schemaOf(name, row)] as const),
]);
