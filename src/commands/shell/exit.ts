// What each exit code means, for `--help`; README shows the same table.

import type { RunOutcome } from '../../core/run-outcome.ts';
import { EXIT_CODES } from '../../core/run-outcome.ts';

const OUTCOMES: readonly (readonly [readonly RunOutcome[], string])[] = [
  [['done'], 'done'],
  [['error'], 'error'],
  [['pending'], 'changes pending (`plan --detailed-exitcode`), or drift (`drift`)'],
  [['partial'], 'partly applied; run apply again to continue'],
  [['invalid'], 'invalid input: manifest, variables, settings'],
  [['refused'], 'refused by a policy before the first write'],
  [['stale'], 'the saved plan is out of date; nothing was written'],
  [['unknown'], 'the outcome of a write is unknown; check it by hand'],
  [['usage'], 'wrong usage'],
  [['output'], 'output could not be written'],
  [['interrupted', 'terminated'], 'interrupted'],
];

export const MEANINGS: readonly { readonly codes: readonly number[]; readonly text: string }[] = OUTCOMES.map(
  ([outcomes, text]) => ({ codes: outcomes.map((one) => EXIT_CODES[one]), text }),
);
