// drift: compares live state with the manifest and says who changed it. Its client cannot write.

import { withLostOutput, type RunOutcome } from '../core/run-outcome.ts';
import { detectDrift } from '../reconcile/plan.ts';
import { renderDriftAs } from '../render/formats.ts';
import type { DriftView } from '../render/view/documents.ts';
import { MANIFEST, OPTIONS, SERVICE, reading, reportOf } from './options/options.ts';
import { renderOptionsOf } from './shell/invocation.ts';
import { prepare } from './shell/load.ts';
import { sayProblems } from './shell/problems.ts';
import type { Call, CommandSpec } from './shell/command.ts';

/** `pending` when something drifted, `done` when nothing did; fails when that is uncertain. */
async function drift({ invocation, listeners }: Call): Promise<RunOutcome> {
  const { settings, stdout, note } = invocation;
  const { run } = await prepare(invocation, () => undefined);
  const { stack, resources } = run.manifest;
  const subject = { stack, service: run.connection.baseUrl.href };
  note({ type: 'loaded' }, subject);
  const view: DriftView = { ...(await detectDrift(run)), diagnostics: [], resources: () => resources };
  note({ type: 'compared', view }, subject);
  const outcome: RunOutcome = view.drift.drifted ? 'pending' : 'done';
  const lost = listeners.end(outcome);
  sayProblems(lost, invocation);
  const told = { ...view, diagnostics: lost };
  stdout.write(`${renderDriftAs(settings.format, told, renderOptionsOf(invocation, stdout))}\n`);
  return withLostOutput({ outcome, lost: [] }, lost).outcome;
}

export const commands: readonly CommandSpec[] = [
  {
    position: 40,
    words: 'drift',
    text: 'compare live state with the manifest and show who changed what',
    flags: {
      own: [OPTIONS.targets, OPTIONS.policy, reading(OPTIONS.journal), reading(OPTIONS.tokenDir)],
      manifest: MANIFEST,
      output: reportOf('drift'),
      service: SERVICE,
      hidden: [OPTIONS.settleMs],
    },
    help: { examples: ['drift', 'drift --format markdown'], exits: ['pending'] },
    run: drift,
  },
];
