// stacks: the stacks that own objects of a service, and with --orphans those that nothing here names. Its client cannot write.

import { resolve } from 'node:path';
import { kindByName } from '../catalog/lookup.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { usageError } from '../core/failure.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { outsideFleet } from '../fleet/outside.ts';
import { stacksAt } from '../fleet/stacks-at.ts';
import { DEFAULT_FLEET_FILE } from '../fleet/load-entry.ts';
import { journalOf } from '../journal/place.ts';
import { isTaken } from '../platform/paths.ts';
import { readRecords } from '../reconcile/history.ts';
import { readAll } from '../reconcile/read.ts';
import { clientPorts } from '../reconcile/run.ts';
import { renderStacksAs, type StackRow } from '../render/stacks.ts';
import type { LiveResource, Snapshot } from '../resource/snapshot.ts';
import { createReadClient } from '../service/client.ts';
import { connectionOf, serviceOf } from './options/connection.ts';
import { MANIFEST, OPTIONS, SERVICE, formatsOf } from './options/options.ts';
import { bareRun, type Invocation } from './shell/invocation.ts';
import { load } from './shell/load.ts';
import type { Call, CommandSpec } from './shell/command.ts';
import { sayProblems } from './shell/problems.ts';
import { loadFleet, requireFleet } from './stacks/load-fleet.ts';

/** Prints the stacks as a table, or the document. */
async function listStacks({ invocation }: Call): Promise<RunOutcome> {
  const { stdout, stderr, settings } = invocation;
  const connection = await connectionOf(invocation);
  const named = await namedStacks(invocation, connection.baseUrl);
  const run = bareRun(invocation, connection);
  const client = createReadClient(connection, clientPorts(run));
  const snapshot = await readAll({ client, soFar: 'nothing was changed' }, run);
  const service = connection.baseUrl.href;
  const known = stacksAt(snapshot, named).map((one) => {
    const journal = resolve(invocation.cwd, journalOf(connection.baseUrl, one.stack));
    return { one, history: readRecords(journal, { stack: one.stack, service }, run.platform) };
  });
  const stacks = known.map(({ one, history }): StackRow => ({ ...one, last_run: history.records.at(-1) }));
  const damaged = known.flatMap(({ history }) => history.diagnostics);
  const diagnostics = [...doubtsAbout(snapshot, named, service), ...damaged];
  if (settings.format !== 'json') sayProblems(diagnostics, invocation);
  if (stacks.length === 0 && settings.format !== 'json') {
    stderr.write(
      settings.orphans ? `Every stack at ${service} is named here.\n` : `No stack owns objects at ${service}.\n`,
    );
    return 'done';
  }
  stdout.write(`${renderStacksAs(settings.format, { service, stacks, diagnostics })}\n`);
  return 'done';
}

/** The stacks that the fleet file or the manifest names at the service; none without `--orphans`. */
async function namedStacks(invocation: Invocation, service: URL): Promise<ReadonlySet<string>> {
  const { settings, cwd } = invocation;
  const { fleet, file, overlay, orphans } = settings;
  const isManifest = file.length + overlay.length > 0;
  if (fleet !== undefined && isManifest)
    throw usageError('--fleet and -f exclude each other here', 'name what lists the stacks with one of them');
  if (!orphans) {
    if (fleet === undefined && !isManifest) return new Set();
    throw usageError('-f and --fleet need --orphans', 'add --orphans, or leave them out to see every stack');
  }
  if (fleet === undefined && (isManifest || !isTaken(resolve(cwd, DEFAULT_FLEET_FILE))))
    return new Set([(await load(invocation, { mayLackValues: true, mustBeNamed: true })).stack]);
  return fleetStacks(invocation, service);
}

/** Those of entries whose service is not known count, too: each may be at this one. */
async function fleetStacks(invocation: Invocation, service: URL): Promise<ReadonlySet<string>> {
  const { selected, others } = requireFleet(await loadFleet(invocation, { mayLackValues: true, mustBeNamed: true }));
  return new Set(
    [...selected, ...others].flatMap(({ entry, manifest }) => {
      const place = serviceOf(invocation, entry)?.href ?? service.href;
      return manifest === undefined || place !== service.href ? [] : [manifest.stack];
    }),
  );
}

/** What is not counted: objects whose marker cannot be read, and kinds that were not listed. */
function doubtsAbout(snapshot: Snapshot, named: ReadonlySet<string>, service: string): Diagnostic[] {
  const { hidden } = outsideFleet([{ service, snapshot, stacks: named }]);
  const byId = new Map(snapshot.resources.map((live) => [live.id, live]));
  return [
    ...hidden.map(({ live_id: id, kind }) => hiddenObject(kind, id, byId.get(id))),
    ...snapshot.unread.map(({ kind, reason }): Diagnostic => {
      const message = `${kindByName(kind).title}: not counted (${reason})`;
      return {
        code: 'not-counted',
        severity: 'warning',
        message,
        fix: 'switch the capability on, if the service has it',
      };
    }),
  ];
}

function hiddenObject(kind: string, id: string, live: LiveResource | undefined): Diagnostic {
  const what = live?.markerProblem?.what ?? 'cannot be read';
  const message = `${kind} ${id} is not counted: its ownership marker ${what}`;
  return { code: 'broken-marker', severity: 'warning', message, fix: 'see what `export --all` names' };
}

export const commands: readonly CommandSpec[] = [
  {
    position: 113,
    words: 'stacks',
    text: 'list the stacks that own objects of the service; never writes',
    isDocument: true,
    flags: {
      own: [OPTIONS.orphans, OPTIONS.fleet],
      manifest: MANIFEST,
      output: formatsOf(['text', 'json']),
      service: SERVICE,
    },
    help: { examples: ['stacks', 'stacks --orphans', 'stacks --orphans --fleet edgeform.fleet.yaml --format json'] },
    run: listStacks,
  },
];
