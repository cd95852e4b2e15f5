// export: live state as a manifest. Its client cannot write.

import { Failure } from '../core/failure.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { exportManifest, exportWarnings } from '../export/export.ts';
import { checkStack } from '../export/select.ts';
import { MAX_FILE_BYTES } from '../manifest/text/preflight.ts';
import { readAll } from '../reconcile/read.ts';
import { clientPorts } from '../reconcile/run.ts';
import { createReadClient } from '../service/client.ts';
import { connectionOf } from './options/connection.ts';
import { exportScope } from './options/export-options.ts';
import { OPTIONS, SERVICE, formatsOf } from './options/options.ts';
import type { Call, CommandSpec } from './shell/command.ts';
import { bareRun } from './shell/invocation.ts';
import { printManifest } from './shell/problems.ts';

/** Prints the manifest, with warnings on standard error, or the document. */
async function exportLive({ invocation }: Call): Promise<RunOutcome> {
  const scope = exportScope(invocation.settings);
  const run = bareRun(invocation, await connectionOf(invocation));
  const client = createReadClient(run.connection, clientPorts(run));
  const snapshot = await readAll({ client, soFar: 'nothing was exported' }, run);
  if (scope.of === 'stack') checkStack(scope.stack, snapshot);
  const made = exportManifest(snapshot, scope);
  if (made.unmatched.length > 0) throw new Failure('invalid', made.unmatched);
  const warnings = exportWarnings(made, scope, MAX_FILE_BYTES);
  const { files, resources, variables, leftOut } = made;
  const left_out = leftOut.map(({ live, why }) => ({ kind: live.kind, id: live.id, why }));
  const counts = { resources, variables: variables.length, files, left_out };
  return printManifest(
    { format: 'edgeform-export/1', stack: scope.stack, ...counts },
    { diagnostics: warnings },
    invocation,
  );
}

export const commands: readonly CommandSpec[] = [
  {
    position: 90,
    words: 'export',
    text: 'write live state as a manifest; never writes to the service',
    isDocument: true,
    flags: {
      own: [
        OPTIONS.exportedStack,
        OPTIONS.unmanaged,
        OPTIONS.all,
        OPTIONS.exportedKinds,
        OPTIONS.exportedNames,
        OPTIONS.manifestOut,
      ],
      output: formatsOf(['text', 'json']),
      service: SERVICE,
    },
    help: {
      examples: [
        'export --unmanaged > found.yaml',
        'export --stack shop --out shop.yaml',
        "export --all --name 'db-*'",
      ],
    },
    run: exportLive,
  },
];
