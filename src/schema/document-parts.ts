// Parts that the schemas of several documents have: problems, exit codes, and how steps ended.

import type { JsonObject } from '../core/json.ts';
import { count, list, oneOf, record, text, textOrNull } from './shapes.ts';

const place: JsonObject = { type: ['integer', 'null'], minimum: 1 };
export const exitCode: JsonObject = {
  type: 'integer',
  minimum: 0,
  maximum: 255,
  description: 'Exit code of the command.',
};

export const diagnostics = list(
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
        description: 'Other places related to the problem, such as the first of two duplicates.',
      },
    },
    ['related'],
  ),
);

export const stepStatuses = ['done', 'failed', 'blocked', 'not_attempted', 'unknown'];

/** The number of steps by status. */
export const stepTotals = record(Object.fromEntries(stepStatuses.map((status) => [status, count])));
