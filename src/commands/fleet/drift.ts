// fleet drift: compares the live state of every stack with its manifest. Its clients do not write.

import type { RunOutcome } from '../../core/run-outcome.ts';
import type { Drift } from '../../drift/drift.ts';
import { unusedKnown, withKnown } from '../../drift/known.ts';
import type { FleetRun, StackResult } from '../../fleet/fleet.ts';
import { compareFleet, type ComparedStack } from '../../fleet/drift.ts';
import { acceptsDrift } from '../files/accepted-drift.ts';
import { readKnown } from '../files/known-findings.ts';
import { OPTIONS, reading, reportOf, SERVICE, STACKS } from '../options/options.ts';
import type { Call, CommandSpec } from '../shell/command.ts';
import type { Invocation } from '../shell/invocation.ts';
import { sayProblems } from '../shell/problems.ts';
import { acceptFleet, checkAccepted } from '../stacks/accept-fleet.ts';
import { endFleet, outcomesOf } from '../stacks/end-fleet.ts';
import { prepareFleet } from '../stacks/prepare-fleet.ts';
import { group } from './group.ts';

/** `pending` when a stack drifted. */
async function drift(call: Call): Promise<RunOutcome> {
  const { invocation } = call;
  const { run, own, entries } = await prepareFleet(invocation, async () => {
    const isAccepting = acceptsDrift(invocation.settings);
    return { known: await readKnown(invocation), isAccepting };
  });
  const { known, isAccepting } = own;
  if (isAccepting) checkAccepted(invocation, run.stacks);
  const { stacks, outside } = await compareFleet(run);
  const results = stacks.map((one) => (one.is === 'drift' ? withKnownFindings(one, known) : one));
  const diagnostics = isWhole(run, invocation, results) ? unusedKnown(known, results.flatMap(driftsOf)) : [];
  if (isAccepting) return acceptFleet({ run, results, entries, outside, diagnostics }, call);
  sayProblems(diagnostics, invocation);
  return endFleet({ command: 'drift', stacks: outcomesOf(results, invocation, run), outside, diagnostics }, call);
}

type DriftOf = Extract<ComparedStack, { is: 'drift' }>;

function withKnownFindings(result: DriftOf, known: ReadonlySet<string>): DriftOf {
  return { ...result, drift: { ...result.drift, drift: withKnown(result.drift.drift, known) } };
}

function driftsOf(result: StackResult): Drift[] {
  return result.is === 'drift' ? [result.drift.drift] : [];
}

/** True when every stack of the fleet was compared as a whole: only then is a fingerprint that none has unused. */
function isWhole(
  { others = [], shard }: FleetRun,
  { settings }: Pick<Invocation, 'settings'>,
  results: readonly StackResult[],
): boolean {
  const isSelected = others.length > 0 || shard !== undefined || settings.targets.length > 0;
  return !isSelected && results.every(({ is }) => is === 'drift');
}

export const commands: readonly CommandSpec[] = [
  {
    position: 136,
    words: 'fleet drift',
    text: 'compare live state with every stack and show who changed what',
    above: group,
    flags: {
      own: [
        OPTIONS.targets,
        OPTIONS.policy,
        OPTIONS.known,
        OPTIONS.accept,
        OPTIONS.write,
        OPTIONS.rate,
        reading(OPTIONS.tokenDir),
      ],
      manifest: STACKS,
      output: reportOf('drift'),
      service: SERVICE,
      hidden: [OPTIONS.settleMs],
    },
    help: {
      examples: [
        'fleet drift',
        'fleet drift --accept all | git apply',
        'fleet drift --shard auto --metrics-file drift.prom',
      ],
      exits: ['pending', 'refused'],
    },
    run: drift,
  },
];
