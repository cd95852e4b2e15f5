// drift: compares live state with the manifest and says who changed it. Its client cannot write.

import { Collector } from '../core/failure.ts';
import { withLostOutput, type RunOutcome } from '../core/run-outcome.ts';
import { unusedKnown, withKnown } from '../drift/known.ts';
import { detectMatchedDrift } from '../reconcile/plan.ts';
import { renderDriftAs } from '../render/formats.ts';
import type { DriftView } from '../render/view/documents.ts';
import { MANIFEST, OPTIONS, SERVICE, reading, reportOf } from './options/options.ts';
import { acceptFindings, acceptsDrift } from './files/accepted-drift.ts';
import { readKnown } from './files/known-findings.ts';
import { renderOptionsOf } from './shell/invocation.ts';
import { preparePlanning } from './shell/prepare.ts';
import { sayProblems } from './shell/problems.ts';
import type { Call, CommandSpec } from './shell/command.ts';

/** `pending` when something drifted, or cannot be accepted; `done` when nothing did; fails when that is uncertain. */
async function drift({ invocation, listeners }: Call): Promise<RunOutcome> {
  const { settings, stdout, note } = invocation;
  const collector = new Collector();
  const known = (await collector.take(() => readKnown(invocation))) ?? new Set<string>();
  const isAccepting = collector.try(() => acceptsDrift(settings)) === true;
  const { run, loaded } = await preparePlanning(invocation, collector);
  const { stack, resources } = run.manifest;
  const subject = { stack, service: run.connection.baseUrl.href };
  note({ type: 'loaded' }, subject);
  const { pairs, ...found } = await detectMatchedDrift(run);
  const drifted = withKnown(found.drift, known);
  const view: DriftView = { ...found, drift: drifted, diagnostics: [], resources: () => resources };
  note({ type: 'compared', view }, subject);
  if (isAccepting) {
    const accepting = { found: { ...found, drift: drifted, pairs }, manifest: run.manifest, loaded, problems: [] };
    const outcome = acceptFindings(accepting, invocation);
    return withLostOutput({ outcome, lost: [] }, listeners.end(outcome)).outcome;
  }
  const outcome: RunOutcome = drifted.drifted ? 'pending' : 'done';
  const lost = listeners.end(outcome);
  sayProblems(lost, invocation);
  // A part of the manifest has a part of the findings.
  const unused = settings.targets.length > 0 ? [] : unusedKnown(known, [found.drift]);
  const shown = { ...view, diagnostics: [...lost, ...unused] };
  stdout.write(`${renderDriftAs(settings.format, shown, renderOptionsOf(invocation, stdout))}\n`);
  return withLostOutput({ outcome, lost: [] }, lost).outcome;
}

export const commands: readonly CommandSpec[] = [
  {
    position: 40,
    words: 'drift',
    text: 'compare live state with the manifest and show who changed what',
    flags: {
      own: [
        OPTIONS.stack,
        OPTIONS.targets,
        OPTIONS.policy,
        OPTIONS.known,
        OPTIONS.accept,
        OPTIONS.write,
        reading(OPTIONS.journal),
        reading(OPTIONS.tokenDir),
      ],
      manifest: MANIFEST,
      output: reportOf('drift'),
      service: SERVICE,
      hidden: [OPTIONS.settleMs],
    },
    help: {
      examples: ['drift', 'drift --format markdown', 'drift --accept all | git apply', 'drift --accept all --write'],
      exits: ['pending', 'refused'],
    },
    run: drift,
  },
];
