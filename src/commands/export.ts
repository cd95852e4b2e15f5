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
import { DEFAULT_STACK, exportScope } from './options/export-options.ts';
import { FLAGS } from './options/flags.ts';
import type { Call, CommandSpec } from './shell/command.ts';
import { bareRun } from './shell/invocation.ts';
import { sayProblems } from './shell/problems.ts';

type ExportFlags = Parameters<typeof exportScope>[0] & Parameters<typeof exportTarget>[0];

/** Writes the manifest to standard output or to new files; warnings go to stderr. */
async function exportLive({ invocation, flags }: Call<ExportFlags>): Promise<RunOutcome> {
  const { stdout, settings } = invocation;
  const scope = exportScope(flags);
  const write = exportTarget(flags, invocation);
  const run = bareRun(invocation, await connectionOf(invocation));
  const client = createReadClient(run.connection, clientPorts(run));
  const snapshot = await readAll({ client, soFar: 'nothing was exported' }, run);
  if (scope.of === 'stack') checkStack(scope.stack, snapshot);
  const made = exportManifest(snapshot, { ...scope, split: flags.split === true });
  const warnings = exportWarnings(made, scope, MAX_FILE_BYTES);
  const paths = write(made.files);
  if (settings.format !== 'json') sayProblems(warnings, invocation);
  stdout.write(renderExportAs(settings.format, made, { stack: scope.stack, warnings, paths }));
  return 'done';
}

export const commands: readonly CommandSpec<ExportFlags>[] = [
  {
    position: 90,
    words: 'export',
    text: 'write live state as a manifest; never writes to the service',
    isDocument: true,
    flags: {
      own: [
        { flags: '--stack <name>', text: 'objects that this stack owns' },
        { flags: '--unmanaged', text: 'objects that no stack owns, with lines to adopt them' },
        { flags: '--all', text: 'objects that no stack owns, and a list of all others' },
        { flags: '--name <stack>', text: `stack of the new manifest (default: ${DEFAULT_STACK})` },
        { flags: '--out <path>', text: 'new file, or directory, to write to (default: standard output)' },
        { flags: '--split', text: 'one file for each kind; --out names a directory' },
      ],
      output: FLAGS.textOrJson,
      service: FLAGS.service,
    },
    help: { examples: ['export --unmanaged --out found.yaml', 'export --stack shop --split --out shop/'] },
    run: exportLive,
  },
];
