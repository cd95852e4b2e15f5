// export: live state as a manifest. Its client has no way to write, and no file is ever overwritten.

import { isStackName } from '../catalog/address.ts';
import { usageError } from '../core/failure.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { exportManifest } from '../export/export.ts';
import { checkStack, type Scope } from '../export/select.ts';
import { exportWarnings } from '../export/warnings.ts';
import { MAX_FILE_BYTES } from '../manifest/text/preflight.ts';
import { readAll } from '../reconcile/read.ts';
import { clientPorts } from '../reconcile/run.ts';
import { createReadClient } from '../service/client.ts';
import { exportJson, exportTarget, exportText } from './files/export-files.ts';
import { connectionOf } from './options/connection.ts';
import { FLAGS } from './options/flags.ts';
import type { CommandSpec } from './shell/command.ts';
import { bareRun, refuseWrongUsage, type Invocation } from './shell/invocation.ts';
import { sayProblems } from './shell/problems.ts';

type ExportFlags = Readonly<
  Partial<Record<'out' | 'stack' | 'name', string> & Record<'unmanaged' | 'all' | 'split', boolean>>
>;

const DEFAULT_STACK = 'imported';

/** Writes the manifest to standard output or to new files; warnings go to stderr. */
async function exportLive(flags: ExportFlags, invocation: Invocation): Promise<RunOutcome> {
  refuseWrongUsage(invocation);
  const { stdout, settings } = invocation;
  const scope = scopeOf(flags);
  const write = exportTarget(flags, invocation);
  const run = bareRun(invocation, await connectionOf(invocation));
  const client = createReadClient(run.connection, clientPorts(run));
  const snapshot = await readAll({ client, soFar: 'nothing was exported' }, run);
  if (scope.of === 'stack') checkStack(scope.stack, snapshot);
  const made = exportManifest(snapshot, { ...scope, split: flags.split === true });
  const warnings = exportWarnings(made, scope, MAX_FILE_BYTES);
  const paths = write(made.files);
  if (settings.format === 'json') stdout.write(`${exportJson(made, scope.stack, warnings)}\n`);
  else {
    sayProblems(warnings, invocation);
    stdout.write(exportText(made, paths));
  }
  return 'done';
}

function scopeOf(raw: ExportFlags): Scope {
  const { stack, unmanaged, all, name } = raw;
  const given = [stack !== undefined, unmanaged === true, all === true].filter(Boolean).length;
  if (given > 1) throw usageError('--stack, --unmanaged and --all exclude each other', 'keep one of them');
  if (given === 0)
    throw usageError('no objects were selected for export', 'add one of --stack NAME, --unmanaged and --all');
  if (stack !== undefined && name !== undefined)
    throw usageError('--name can only be used with objects that no stack owns', 'remove it');
  const chosen = stack ?? name ?? DEFAULT_STACK;
  if (!isStackName(chosen))
    throw usageError(`"${chosen}" is not a valid stack name`, 'use lower-case letters, digits and hyphens');
  return { of: stack !== undefined ? 'stack' : all === true ? 'all' : 'unmanaged', stack: chosen };
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
    run: ({ invocation, flags }) => exportLive(flags, invocation),
  },
];
