// fleet validate: checks every stack, and what stacks have together. No network, no credentials.

import { hasErrors } from '../../core/diagnostic.ts';
import type { RunOutcome } from '../../core/run-outcome.ts';
import { formatsOf, OPTIONS, STACKS } from '../options/options.ts';
import type { Call, CommandSpec } from '../shell/command.ts';
import { endFleet } from '../stacks/end-fleet.ts';
import { loadFleet, requireFleet } from '../stacks/load-fleet.ts';
import { serviceOf } from '../stacks/select.ts';
import { group } from './group.ts';

/** Prints the problems of each selected stack; those of several stacks together end the command with exit code 4. */
async function validate(call: Call): Promise<RunOutcome> {
  const { invocation } = call;
  const fleet = await loadFleet(invocation, { mayLackValues: !invocation.settings.requireVars });
  if (hasErrors(fleet.together) || fleet.wrong !== undefined) requireFleet(fleet);
  const { policies } = fleet;
  const stacks = fleet.selected.map(({ entry, manifest, outline, diagnostics: own, sources: texts }) => {
    const judged = manifest === undefined ? [] : (policies?.judgeManifest(manifest) ?? []);
    const diagnostics = [...own, ...judged];
    const sources = new Map([...texts, ...(policies?.sources ?? [])]);
    const outcome: RunOutcome = hasErrors(diagnostics) ? 'invalid' : 'done';
    const service = serviceOf(entry, invocation);
    return { name: entry.name, stack: outline?.stack, service, outcome, is: 'checked', diagnostics, sources } as const;
  });
  return endFleet({ command: 'validate', stacks }, call);
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
