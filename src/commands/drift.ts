// drift: live state against the manifest, attributed. Its client has no way to write.

import { createReadClient } from '../service/client.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { findDrift, isDrift } from '../drift/drift.ts';
import type { Plan } from '../plan/plan.ts';
import { planInput, prepare, readLive } from './run/context.ts';
import type { ExitCode } from './shell/exit.ts';
import { EXIT } from './shell/exit.ts';
import { CommandFailure } from './shell/failure.ts';
import type { Host } from './shell/host.ts';
import type { Ignore } from './options/ignore.ts';
import { readIgnores, sortFindings } from './options/ignore.ts';
import { notedInJournal } from './run/journal.ts';
import { sayLost } from './shell/lost.ts';
import type { RawOptions } from './options/options.ts';
import { formatOf, styleOf } from './options/options.ts';
import { clientPorts } from './run/stop.ts';
import type { Summary } from './shell/summary.ts';
import type { DriftView } from '../render/view/documents.ts';
import { renderDriftAs } from '../render/formats.ts';

/** Exit code 2 when something drifted, 0 when nothing did, 1 when that cannot be said. */
export async function drift(raw: RawOptions, outer: Host, summary: Summary): Promise<ExitCode> {
  const prepared = await prepare(raw, outer, (host) => (raw.ignore === undefined ? [] : readIgnores(raw.ignore, host)));
  const { host, manifest, settings, own: ignores } = prepared;
  const client = createReadClient(settings, clientPorts(raw, host));
  const owner = { stack: manifest.stack, service: settings.baseUrl.href };
  const { pins, stored, view: journal } = notedInJournal(raw, host, owner);
  const snapshot = await readLive({ client, manifest, soFar: 'nothing can be said about drift', pins, journal }, host);
  const request = { manifest, snapshot, service: settings.baseUrl.href, destroy: false, stored, journal };
  const { drift: found, plan } = findDrift(planInput(request, raw, host));
  const problems = doubts(plan);
  if (problems.length > 0) throw new CommandFailure(EXIT.error, problems);
  const { findings, ignored, unused } = sortFindings(found.findings, ignores);
  const view: DriftView = {
    drift: { ...found, findings, drifted: findings.some(isDrift) },
    ignored,
    diagnostics: [...aboutMarkers(plan), ...unused.map(unusedWarning)],
  };
  const style = styleOf(raw, host, host.stdout);
  summary.add((limit) => renderDriftAs('markdown', view, style, limit));
  const lost = await summary.end();
  sayLost(lost, raw, host);
  const told = { ...view, diagnostics: [...view.diagnostics, ...lost] };
  host.stdout.write(`${renderDriftAs(formatOf(raw), told, style)}\n`);
  return view.drift.drifted ? EXIT.pending : EXIT.done;
}

/** Findings that rest on a list which cannot be trusted would be false alarms. */
function doubts(plan: Plan): Diagnostic[] {
  const lists = plan.refusals.filter((refusal) => refusal.rule === 'empty-list');
  return lists.map(({ rule, message }) => ({ code: rule, severity: 'error', message }));
}

/** Why objects that only look like ours are among the unmanaged ones, and whose nobody can say. */
function aboutMarkers({ diagnostics }: Plan): Diagnostic[] {
  const found = diagnostics.filter(({ code, severity }) => severity === 'warning' && MARKER_CODES.includes(code));
  return found.map(({ code, severity, message }) => ({ code, severity, message }));
}

const MARKER_CODES: readonly string[] = ['misplaced-marker', 'broken-marker'];

function unusedWarning(ignore: Ignore): Diagnostic {
  const what = ignore.fingerprint ?? [ignore.address, ignore.path].filter((part) => part !== undefined).join(' ');
  return {
    code: 'ignore-unused',
    severity: 'warning',
    message: `nothing of this run is ignored by the entry for ${what} (${ignore.reason})`,
  };
}
