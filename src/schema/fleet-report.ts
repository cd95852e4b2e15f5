// The JSON Schema of what the commands of `fleet` print with `--format json`.

import type { JsonObject } from '../core/json.ts';
import { STACK_RESULTS } from '../core/run-outcome.ts';
import { fleetBase } from './plan-document.ts';
import { count, list, oneOf, record, text, textOrNull } from './shapes.ts';

const waveNumber: JsonObject = { type: 'integer', minimum: 1 };

const removals: JsonObject = {
  deletes: { ...count, description: 'Objects to delete.' },
  replaces: { ...count, description: 'Objects to replace.' },
  losses: { ...count, description: 'Addresses of which something is lost that cannot be had again.' },
};

interface Parts {
  /** Schemas of the documents of single stacks, by name. */
  readonly inside: JsonObject;
  readonly diagnostics: JsonObject;
  readonly exitCode: JsonObject;
}

/** Inside are the documents of single stacks, unchanged. The schema of fleet files is named fleet. */
export function fleetReport({ inside, diagnostics, exitCode }: Parts) {
  return {
    format: 'fleet',
    by: 'the commands of `fleet`',
    fields: {
      command: oneOf('list', 'validate', 'plan', 'apply', 'drift', 'destroy'),
      stacks: list(
        record(
          {
            name: { ...text, description: 'The name in the fleet.' },
            stack: { ...textOrNull, description: 'Null when the manifest is wrong.' },
            service: textOrNull,
            wave: { ...waveNumber, description: 'Its wave; 1 in a fleet without waves.' },
            exit_code: exitCode,
            result: oneOf(...STACK_RESULTS),
            blocked_by: { ...text, description: 'The name of the stack that it waits for.' },
            after_wave: {
              ...waveNumber,
              description: 'The wave that did not end well, so that this one did not begin.',
            },
            ...inside,
          },
          ['blocked_by', 'after_wave', ...Object.keys(inside)],
        ),
      ),
      base: fleetBase,
      unnamed_stacks: {
        ...list(record({ service: text, stack: text, objects: { type: 'object', additionalProperties: count } })),
        description:
          'Of `fleet drift`: stacks that own objects and that no entry of the fleet names, with numbers by kind.',
      },
      hidden_objects: {
        ...list(record({ service: text, kind: text, live_id: text, stacks: list(text) })),
        description: 'Of `fleet drift`: objects whose owner a marker that cannot be read hides.',
      },
      diagnostics,
      waves: {
        ...list(record({ wave: waveNumber, stacks: count, ...removals })),
        description: 'The waves in their order, each with the number of its stacks, and what their plans take away.',
      },
      removals: { ...record(removals), description: 'What the plans of all stacks take away.' },
      totals: {
        ...record(Object.fromEntries(['stacks', ...STACK_RESULTS].map((name) => [name, count]))),
        description: 'The number of stacks, and how many have each result.',
      },
      exit_code: exitCode,
    },
    optional: ['base', 'unnamed_stacks', 'hidden_objects', 'diagnostics'],
  };
}
