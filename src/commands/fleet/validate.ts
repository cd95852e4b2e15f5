// fleet validate: checks every stack, and what stacks have together. No network, no credentials.

import { hasErrors } from '../../core/diagnostic.ts';
import type { RunOutcome } from '../../core/run-outcome.ts';
import { formatsOf, OPTIONS, STACKS } from '../options/options.ts';
import type { Call, CommandSpec } from '../shell/command.ts';
import { withViolations } from '../files/policies.ts';
import { checkedIn, endFleet } from '../stacks/end-fleet.ts';
import { loadFleet, requireFleet } from '../stacks/load-fleet.ts';
import { group } from './group.ts';

/** Prints the problems of each selected stack; those of several stacks together end the command with exit code 4. */
async function validate(call: Call): Promise<RunOutcome> {
  const { invocation } = call;
  const fleet = await loadFleet(invocation, { mayLackValues: !invocation.settings.requireVars });
  if (hasErrors(fleet.together) || fleet.wrong !== undefined) requireFleet(fleet);
  const taken = fleet.selected.filter(fleet.isInShard);
  const judged = taken.map((one) => ({ ...one, ...withViolations(one, fleet.policies) }));
  return endFleet({ command: 'validate', stacks: checkedIn(judged, invocation) }, call);
}

export const commands: readonly CommandSpec[] = [
  {
    position: 133,
    words: 'fleet validate',
    text: 'check every stack of a fleet; no network, no credentials',
    above: group,
    flags: {
      own: [OPTIONS.policy, OPTIONS.requireVars],
      manifest: STACKS,
      output: [...formatsOf('problems'), OPTIONS.summaryFile],
    },
    help: { examples: ['fleet validate', 'fleet validate --format json'] },
    run: validate,
  },
];
