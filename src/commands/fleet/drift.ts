// fleet drift: compares the live state of every stack with its manifest. Its clients do not write.

import type { Diagnostic } from '../../core/diagnostic.ts';
import type { RunOutcome } from '../../core/run-outcome.ts';
import { acceptFindings, type IgnoreRule } from '../../drift/accept.ts';
import type { FleetRun, StackResult } from '../../fleet/fleet.ts';
import { driftFleet } from '../../fleet/plan.ts';
import type { DriftView } from '../../render/view/documents.ts';
import { readIgnores } from '../options/ignore-file.ts';
import { formatsOf, OPTIONS, reading, SERVICE, STACKS } from '../options/options.ts';
import type { Call, CommandSpec } from '../shell/command.ts';
import { sayProblems } from '../shell/problems.ts';
import { endFleet, outcomesOf } from '../stacks/end-fleet.ts';
import { prepareFleet } from '../stacks/prepare-fleet.ts';
import { group } from './group.ts';

/** `pending` when a stack drifted. Entries of the ignore file are for every stack. */
async function drift(call: Call): Promise<RunOutcome> {
  const { invocation } = call;
  const { run, own: ignores } = await prepareFleet(invocation, { read: () => readIgnores(invocation) });
  const results = await driftFleet(run);
  const { drifts, unused } = accept(results, ignores, run);
  sayProblems(unused, invocation);
  return endFleet({ command: 'drift', stacks: outcomesOf(results, invocation, drifts) }, call);
}

const UNUSED = 'ignore-unused';

/** Only an entry that no stack uses is unused. */
function accept(results: readonly StackResult[], ignores: readonly IgnoreRule[], { stacks }: FleetRun) {
  const resources = new Map(stacks.map(({ name, run }) => [name, run.manifest.resources]));
  const unused: (readonly Diagnostic[])[] = [];
  const drifts = new Map<string, DriftView>();
  for (const one of results) {
    if (one.is !== 'drift') continue;
    const accepted = acceptFindings(one.drift, ignores);
    unused.push(accepted.diagnostics.filter(({ code }) => code === UNUSED));
    const diagnostics = accepted.diagnostics.filter(({ code }) => code !== UNUSED);
    drifts.set(one.name, { ...accepted, diagnostics, resources: () => resources.get(one.name) ?? [] });
  }
  const [first = [], ...others] = unused;
  const isUnused = ({ message }: Diagnostic) => others.every((list) => list.some((one) => one.message === message));
  return { drifts, unused: first.filter(isUnused) };
}

export const commands: readonly CommandSpec[] = [
  {
    position: 136,
    words: 'fleet drift',
    text: 'compare live state with every stack and show who changed what',
    above: group,
    again: 'fleet drift',
    flags: {
      own: [OPTIONS.ignore, OPTIONS.targets, OPTIONS.rate, reading(OPTIONS.tokenDir)],
      manifest: STACKS,
      output: [...formatsOf('drift'), OPTIONS.detail, OPTIONS.summaryFile, OPTIONS.metricsFile],
      service: SERVICE,
      hidden: [OPTIONS.settleMs],
    },
    help: { examples: ['fleet drift', 'fleet drift --shard auto --metrics-file drift.prom'], exits: ['pending'] },
    run: drift,
  },
];
