// JSON Schemas of the documents that commands print with `--format json`, by name; that of plans also covers saved plans. Every
// field is required unless listed as optional, and other fields are allowed.

import { kinds } from '../catalog/kinds/index.ts';
import { mapObject, type JsonObject } from '../core/json.ts';
import { fleetReport } from './fleet-report.ts';
import { fleetSchema } from './fleet-schema.ts';
import { editorSchema, overlaySchema } from './editor-schema.ts';
import {
  action,
  alreadyDone,
  blocked,
  exposures,
  change,
  madeWith,
  planBase,
  planDiagnostics,
  reason,
  refusals,
  step,
  summaryNames,
} from './plan-document.ts';
import { diagnostics, exitCode, stepStatuses, stepTotals } from './document-parts.ts';
import { policySchema } from './policy-schema.ts';
import { acceptFields } from './accept-document.ts';
import { endedRun, historyFields, stacksFields } from './run-document.ts';
import { count, flag, list, oneOf, record, text, textOrNull } from './shapes.ts';

const written: JsonObject = { stack: text, files: list(record({ path: text, text })), diagnostics };

const stepResult = record(
  {
    ...{ id: text, address: text, action, status: oneOf(...stepStatuses), live_id: textOrNull, error: textOrNull },
    code: { ...text, description: 'What stopped it right before it was sent, as in the diagnostics.' },
  },
  ['code'],
);

const pending = list(record({ address: text, action, reason }));

const adoption: JsonObject = {
  anyOf: [record({ under: text, block: text, variables: list(text) }), { type: 'null' }],
  description:
    'The line of YAML that adopts it, the address under which it belongs, and the sensitive variables in it.',
};

const foreignChild = record({
  address: text,
  kind: text,
  live_id: text,
  parent: text,
  values: { type: 'object' },
  adopt: adoption,
});

const finding = record(
  {
    fingerprint: { ...text, description: 'The same finding has the same fingerprint until its values change.' },
    type: oneOf('changed', 'missing', 'duplicate', 'foreign-child', 'unmanaged'),
    address: textOrNull,
    kind: text,
    live_id: textOrNull,
    cause: oneOf('config', 'drift', 'both', 'unknown', 'not-taken', null),
    changes: list(change),
    exposures: { ...exposures, description: 'What the change did to who gets in.' },
    applied_from: {
      ...text,
      description: 'The commit that the object was last written from, as its marker claims; its first 12 characters.',
    },
    known: { const: true, description: 'Set for a finding of `--known`, which is not drift.' },
    parent: { ...text, description: 'Address of the object that a foreign child is in, or its id.' },
    parent_stack: {
      ...text,
      description: 'Of an unmanaged object inside one of another stack: that stack, whose drift says more.',
    },
    evidence: {
      ...text,
      description: 'What is known of an object that is missing, the ids of duplicates, or what a foreign child is.',
    },
    fix: { ...text, description: 'What a person can do about it.' },
    adopt: adoption,
    consequences: { ...pending, description: 'What apply would do to other objects only because of this finding.' },
  },
  ['exposures', 'applied_from', 'known', 'parent', 'parent_stack', 'evidence', 'fix', 'adopt', 'consequences'],
);

interface Row {
  /** Where the format has another name than the schema. */
  readonly format?: string;
  /** What prints it, if users need to know. */
  readonly by?: string;
  readonly fields: JsonObject;
  readonly optional?: readonly string[];
}

const ROWS: Readonly<Record<string, Row>> = {
  plan: {
    fields: {
      stack: text,
      service: text,
      complete: flag,
      fingerprint: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
      manifest_digest: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
      base: planBase,
      made_with: madeWith,
      summary: record(Object.fromEntries(summaryNames.map((name) => [name, count]))),
      imports: {
        ...list(
          record(
            { name: text, kind: text, stack: text, address: text, live_id: textOrNull, values: { type: 'object' } },
            ['stack', 'address'],
          ),
        ),
        description: 'Imported objects as the plan was made with them; null where they are known after apply.',
      },
      steps: list(step),
      already_done: alreadyDone,
      exposures,
      blocked,
      refusals,
      unmanaged: list(record({ kind: text, id: text, owner: textOrNull, parent_stack: text }, ['parent_stack'])),
      foreign_children: {
        ...list(foreignChild),
        description:
          'Children of objects of the stack that the manifest does not have and that are not the stack’s; apply leaves them.',
      },
      outputs: { type: 'object' },
      diagnostics: planDiagnostics,
    },
    optional: ['base', 'made_with', 'imports', 'foreign_children', 'already_done'],
  },
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
      run: endedRun,
      totals: stepTotals,
      steps: list(stepResult),
      already_done: alreadyDone,
      complete: { ...flag, description: 'False when only targets were planned.' },
      converged: {
        ...flag,
        description:
          'True when a plan made afterwards is empty, including what a saved plan does not touch. After a run with targets, that plan covers only them.',
      },
      outputs: { type: 'object' },
      diagnostics,
    },
    optional: ['already_done', 'run'],
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
      refusals: { ...refusals, description: 'Policy violations; apply changes nothing until they are resolved.' },
      diagnostics,
    },
  },
  accept: { by: '`drift --accept`', fields: acceptFields },
  error: {
    by: 'every command that fails before it has a document of its own',
    fields: { exit_code: exitCode, diagnostics },
  },
  export: {
    by: '`export`',
    fields: {
      ...written,
      resources: count,
      variables: { ...count, description: 'Variables that need a value.' },
      left_out: list(record({ kind: text, id: text, why: text })),
    },
  },
  import: {
    by: '`import terraform`',
    fields: {
      ...written,
      resources: list(record({ from: text, address: text, id: text })),
      variables: list(text),
      left_out: list(record({ from: text, why: text })),
    },
  },
  render: {
    by: '`render`',
    fields: { ...written, manifest: { type: 'object', description: 'The plain manifest; `files` has it as text.' } },
  },
  output: { by: '`output`, `eval`: name, address or expression → value, null while it is not known', fields: {} },
  history: { by: '`history`', fields: historyFields },
  stacks: { by: '`stacks`', fields: stacksFields },
  sessions: { by: '`sessions list`', fields: { sessions: list(record({ id: text })) } },
  revoke: {
    by: '`sessions revoke`',
    fields: {
      result: oneOf('done', 'partial', 'unknown', 'interrupted', 'error'),
      exit_code: exitCode,
      sessions: list(record({ id: text, status: oneOf(...stepStatuses), error: textOrNull })),
    },
  },
  init: {
    by: '`init`',
    fields: { stack: text, files: list(text), next: { ...list(text), description: 'What to do next.' } },
  },
};

/** A document with its format. */
function documentOf(name: string, { format = name, fields, optional }: Row): JsonObject {
  return record({ format: { const: `edgeform-${format}/1` }, ...fields }, optional);
}

/** The documents of single stacks that may be in that of a fleet. */
const INSIDE = ['plan', 'report', 'drift', 'accept', 'diagnostics'];

const FLEET: Row = fleetReport({
  inside: mapObject(ROWS, (row, name) => (INSIDE.includes(name) ? documentOf(name, row) : undefined)),
  diagnostics,
  exitCode,
});

function schemaOf(name: string, row: Row): JsonObject {
  const { by } = row;
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: `https://edgeform.dev/schemas/${name}.schema.json`,
    title: `edgeform ${name}`,
    description: `${by === undefined ? '' : `Printed by ${by}. `}New fields may be added within a format version; none changes its meaning.`,
    ...documentOf(name, row),
  };
}

/** Name → schema of every document, including manifests and fleet files; made when it is asked for. */
const SCHEMAS: ReadonlyMap<string, () => JsonObject> = new Map([
  ['manifest', () => editorSchema(kinds)],
  ['overlay', () => overlaySchema(kinds)],
  ['fleet', fleetSchema],
  ['policies', policySchema],
  ...Object.entries(ROWS).map(([name, row]) => [name, () => schemaOf(name, row)] as const),
  ['fleet-report', () => schemaOf('fleet-report', FLEET)],
]);

export const documentNames: readonly string[] = [...SCHEMAS.keys()];

export function documentSchema(name: string): JsonObject | undefined {
  return SCHEMAS.get(name)?.();
}
