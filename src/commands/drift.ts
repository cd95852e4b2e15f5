// drift: compares live state with the manifest and says who changed it. Its client cannot write.

import { withLostOutput, type RunOutcome } from '../core/run-outcome.ts';
import { acceptFindings } from '../drift/accept.ts';
import { detectDrift } from '../reconcile/plan.ts';
import { renderDriftAs } from '../render/formats.ts';
import { driftMetrics } from '../render/metrics/metrics.ts';
import type { DriftView } from '../render/view/documents.ts';
import { readIgnores } from './options/ignore-file.ts';
import { renderOptionsOf } from './shell/invocation.ts';
import { prepare } from './shell/load.ts';
import { sayProblems } from './shell/problems.ts';
import type { Call, CommandSpec } from './shell/command.ts';
import { FLAGS, formatsOf } from './options/flags.ts';

/** `pending` when something drifted, `done` when nothing did; fails when that is uncertain. */
async function drift({ invocation, summary, metrics }: Call): Promise<RunOutcome> {
  const { settings, stdout } = invocation;
  const { run, own: ignores } = await prepare(invocation, () => readIgnores(invocation));
  metrics.tell(run.manifest.stack);
  const found = acceptFindings(await detectDrift(run), ignores);
  const view: DriftView = { ...found, resources: () => run.manifest.resources };
  metrics.tell(run.manifest.stack, driftMetrics(view));
  summary.add((style, limit) => renderDriftAs('markdown', view, style, limit));
  const outcome: RunOutcome = view.drift.drifted ? 'pending' : 'done';
  const { lost, ...ended } = metrics.end(withLostOutput({ outcome, lost: [] }, await summary.end()));
  sayProblems(lost, invocation);
  const told = { ...view, diagnostics: [...view.diagnostics, ...lost] };
  stdout.write(`${renderDriftAs(settings.format, told, renderOptionsOf(invocation, stdout))}\n`);
  return ended.outcome;
}

export const commands: readonly CommandSpec[] = [
  {
    position: 40,
    words: 'drift',
    text: 'compare live state with the manifest and show who changed what',
    flags: {
      own: [
        { flags: '--ignore <file>', text: 'known findings to ignore, each with a reason and an expiry date' },
        FLAGS.target,
        FLAGS.journalRead,
        FLAGS.tokensRead,
      ],
      manifest: FLAGS.manifest,
      output: [...formatsOf('drift'), FLAGS.detail, FLAGS.summary, FLAGS.metrics],
      service: FLAGS.service,
      hidden: [FLAGS.settle],
    },
    help: { examples: ['drift', 'drift --ignore known.yaml --format markdown'], exits: ['pending'] },
    run: drift,
  },
];
