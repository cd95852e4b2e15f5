// The parts of documents about runs: who started them, their records, and the stacks that they left.

import type { JsonObject } from '../core/json.ts';
import { diagnostics, exitCode, stepTotals } from './document-parts.ts';
import { count, list, oneOf, record, text, textOrNull } from './shapes.ts';

/** Who started a run: claims of its environment. */
const startedBy = {
  actor: { ...textOrNull, description: 'Who started it, as its environment claims.' },
  commit: { ...textOrNull, description: 'The commit that it was started from, as its environment claims.' },
  link: { ...textOrNull, description: 'Where it can be looked up, as its environment claims.' },
};

export const endedRun: JsonObject = {
  ...record({
    id: text,
    began: text,
    ...startedBy,
    ended: text,
    plan: { ...text, description: 'Fingerprint of the plan.' },
  }),
  description: 'The run itself. One that wrote something is in the history of its stack.',
};

export const historyFields: JsonObject = {
  stack: text,
  service: text,
  address: { ...textOrNull, description: 'Null for the whole stack.' },
  runs: {
    ...list(
      record({
        v: { const: 1 },
        run: text,
        command: oneOf('apply', 'destroy'),
        stack: text,
        service: text,
        began: text,
        ended: text,
        ...startedBy,
        plan: { ...text, description: 'Fingerprint of the plan.' },
        totals: stepTotals,
        exit_code: exitCode,
        steps: list(record({ address: text, action: text, status: text })),
        steps_left_out: { ...count, description: 'How many more steps were begun than the record names.' },
      }),
    ),
    description: 'Runs that wrote, newest first, as the records of this working directory have them.',
  },
  objects: {
    ...list(record({ address: text, kind: text, live_id: text, commit: textOrNull })),
    description: 'Objects of the stack, with the commit that each marker names.',
  },
  diagnostics,
};

export const stacksFields: JsonObject = {
  service: text,
  stacks: list(
    record({
      stack: text,
      objects: { type: 'object', additionalProperties: count, description: 'Numbers of its objects by kind.' },
      commits: {
        ...list(record({ commit: text, objects: count })),
        description: 'Commits that its markers name, and how many do; most first.',
      },
      last_run: {
        anyOf: [
          record({ run: text, command: oneOf('apply', 'destroy'), ended: text, ...startedBy, exit_code: exitCode }),
          { type: 'null' },
        ],
        description: 'The last run that wrote, as the records of this working directory have it.',
      },
    }),
  ),
  diagnostics,
};
