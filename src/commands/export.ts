// export: live state as a manifest. Its client cannot write, and it never overwrites a file.

import type { RunOutcome } from '../core/run-outcome.ts';
import { exportManifest, exportWarnings } from '../export/export.ts';
import { checkStack } from '../export/select.ts';
import { MAX_FILE_BYTES } from '../manifest/text/preflight.ts';
import { readAll } from '../reconcile/read.ts';
import { clientPorts } from '../reconcile/run.ts';
import { createReadClient } from '../service/client.ts';
import { exportTarget, renderExportAs } from './files/export-files.ts';
import { connectionOf } from './options/connection.ts';
import { exportScope } from './options/export-options.ts';
import { OPTIONS, SERVICE, formatsOf } from './options/options.ts';
import type { Call, CommandSpec } from './shell/command.ts';
import { bareRun } from './shell/invocation.ts';
import { sayProblems } from './shell/problems.ts';

/** Writes the manifest to standard output or to new files; warnings go to stderr. */
async function exportLive({ invocation }: Call): Promise<RunOutcome> {
  const { stdout, settings } = invocation;
  const scope = exportScope(settings);
  const write = exportTarget(invocation);
  const run = bareRun(invocation, await connectionOf(invocation));
  const client = createReadClient(run.connection, clientPorts(run));
  const snapshot = await readAll({ client, soFar: 'nothing was exported' }, run);
  if (scope.of === 'stack') checkStack(scope.stack, snapshot);
  const made = exportManifest(snapshot, scope);
  const warnings = exportWarnings(made, scope, MAX_FILE_BYTES);
  const paths = write(made.files);
  if (settings.format !== 'json') sayProblems(warnings, invocation);
  stdout.write(renderExportAs(settings.format, made, { stack: scope.stack, warnings, paths, verb: 'Exported' }));
  return 'done';
}

export const commands: readonly CommandSpec[] = [
  {
    position: 90,
    words: 'export',
    text: 'write live state as a manifest; never writes to the service',
    isDocument: true,
    flags: {
      own: [OPTIONS.exportedStack, OPTIONS.unmanaged, OPTIONS.all, OPTIONS.exportName, OPTIONS.exportTo],
      output: formatsOf(['text', 'json']),
      service: SERVICE,
    },
    help: { examples: ['export --unmanaged --out found.yaml', 'export --stack shop --out shop.yaml'] },
    run: exportLive,
  },
];
