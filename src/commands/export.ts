// export: live state as a manifest. Its client has no way to write, and no file is ever overwritten.

import { join, resolve } from 'node:path';
import type { Diagnostic } from '../core/diagnostic.ts';
import { byteLength, plural } from '../core/text/text.ts';
import { createReadClient } from '../service/client.ts';
import { isStackName } from '../catalog/address.ts';
import type { Exported } from '../export/export.ts';
import { exportManifest } from '../export/export.ts';
import type { Scope } from '../export/select.ts';
import type { TextFiles } from '../platform/filtered-files.ts';
import type { OwnershipStatus } from '../resource/marker/ownership.ts';
import { scopeOfStack, ownershipIn } from '../resource/marker/ownership.ts';
import { withFileError } from '../platform/file-error.ts';
import { isTaken, pathTypeAt } from '../platform/paths.ts';
import type { Snapshot } from '../resource/snapshot.ts';
import { MAX_FILE_BYTES } from '../manifest/text/preflight.ts';
import { documentJson } from '../render/json/json.ts';
import { rows } from '../render/view/documents.ts';
import { readAll } from '../reconcile/read.ts';
import { clientPorts } from '../reconcile/run.ts';
import { connectionOf } from './options/connection.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { Failure, usageError } from '../core/failure.ts';
import { failOnFileError } from '../platform/problem.ts';
import type { Invocation } from './shell/invocation.ts';
import { bareRun, refuseWrongUsage } from './shell/invocation.ts';
import { sayProblems } from './shell/problems.ts';
import type { CommandSpec } from './shell/command.ts';
import { FLAGS } from './options/flags.ts';

interface ExportFlags {
  readonly out?: string;
  readonly stack?: string;
  readonly unmanaged?: boolean;
  readonly all?: boolean;
  readonly name?: string;
  readonly split?: boolean;
}

const DEFAULT_STACK = 'imported';

/** Writes the manifest to standard output or to new files; warnings go to stderr. */
async function exportLive(flags: ExportFlags, invocation: Invocation): Promise<RunOutcome> {
  refuseWrongUsage(invocation);
  const { stdout, settings, platform } = invocation;
  const scope = scopeOf(flags);
  const target = destinationOf(flags, invocation);
  const run = bareRun(invocation, await connectionOf(invocation));
  const client = createReadClient(run.connection, clientPorts(run));
  const snapshot = await readAll({ client, soFar: 'nothing was exported' }, run);
  if (scope.of === 'stack') checkStack(scope.stack, snapshot);
  const made = exportManifest(snapshot, { ...scope, split: flags.split === true });
  const warnings = warningsOf(made, scope);
  const paths = target === undefined ? [] : writeAll(target, made, platform.textFiles);
  if (settings.format === 'json') stdout.write(`${exportJson(made, scope, warnings)}\n`);
  else {
    sayProblems(warnings, invocation);
    stdout.write(paths.length === 0 ? made.files.map(({ text }) => text).join('') : exportSummary(made, paths));
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

interface Destination {
  readonly path: string;
  readonly isDirectory: boolean;
}

/** Where to write; refused before anything is read when a file is there already. */
function destinationOf({ out, split }: ExportFlags, { cwd }: Invocation): Destination | undefined {
  if (out === undefined) {
    if (split === true) throw usageError('--split needs a directory for its files', 'name a directory with --out');
    return undefined;
  }
  const path = resolve(cwd, out);
  const isDirectory = split === true || /[/\\]$/.test(out) || isDirectoryAt(path);
  if (!isDirectory && isThere(path)) throw taken(path);
  return { path, isDirectory };
}

function isDirectoryAt(path: string): boolean {
  return failOnFileError(() => withFileError(path, 'written', () => pathTypeAt(path))) === 'folder';
}

function isThere(path: string): boolean {
  return failOnFileError(() => withFileError(path, 'written', () => isTaken(path)));
}

function taken(path: string): Failure {
  const message = `${JSON.stringify(path)} already exists, and an export never overwrites a file`;
  const fix = 'choose another path, or move the file';
  return new Failure('output', [{ code: 'output-failed', severity: 'error', message, fix }]);
}

function writeAll({ path, isDirectory }: Destination, { files }: Exported, disk: TextFiles): string[] {
  failOnFileError(() => {
    if (isDirectory) disk.prepareDirectory(path);
  });
  const paths = files.map((file) => (isDirectory ? join(path, file.path) : path));
  const there = paths.find(isThere);
  if (there !== undefined) throw taken(there);
  files.forEach(({ text }, index) => {
    failOnFileError(() => disk.createPrivate(paths[index] ?? path, text));
  });
  return paths;
}

const STACK_STATUSES: readonly OwnershipStatus['is'][] = ['ours', 'misplaced', 'unclear'];

/** A name that owns nothing is more often a typo than a wish. */
function checkStack(stack: string, { resources }: Snapshot): void {
  const { of } = ownershipIn(scopeOfStack(stack), resources);
  if (resources.some((live) => STACK_STATUSES.includes(of(live).is))) return;
  const stacks = new Set(resources.flatMap(({ marker }) => (marker === undefined ? [] : [marker.stack])));
  const known = [...stacks].sort();
  const fix = known.length === 0 ? 'no object has an owner; use --unmanaged' : `stacks found: ${known.join(', ')}`;
  throw new Failure('invalid', [
    { code: 'nothing-to-export', severity: 'error', message: `stack ${stack} owns nothing`, fix },
  ]);
}

function warningsOf({ files, leftOut, alreadyOwned }: Exported, { stack }: Scope): Diagnostic[] {
  const warning = (code: Diagnostic['code'], message: string, fix: string): Diagnostic => {
    return { code, severity: 'warning', message, fix };
  };
  const omitted = `${plural(leftOut.length, 'object')} could not be exported`;
  const others = `stack ${stack} owns ${plural(alreadyOwned, 'object')} that are not in this export`;
  const together = 'use it together with the manifest of those objects; used alone, it would delete them';
  const large = files.filter((file) => byteLength(file.text) > MAX_FILE_BYTES);
  return [
    ...(leftOut.length > 0
      ? [warning('not-exported', omitted, 'the comments at the end of the manifest explain why')]
      : []),
    ...large.map(({ path }) => {
      const message = `${path} exceeds the size limit of a manifest file`;
      return warning('file-too-large', message, 'export with --split, or split the file by hand');
    }),
    ...(alreadyOwned > 0 ? [warning('stack-in-use', others, together)] : []),
  ];
}

function exportSummary({ resources, variables }: Exported, paths: readonly string[]): string {
  const secrets = variables === 0 ? '' : `, ${plural(variables, 'variable')} without a value`;
  return `Exported ${plural(resources, 'resource')}${secrets}:\n${paths.map((path) => `  ${path}\n`).join('')}`;
}

function exportJson({ files, resources, variables, leftOut }: Exported, scope: Scope, warnings: Diagnostic[]): string {
  return documentJson({
    format: 'edgeform-export/1',
    stack: scope.stack,
    resources,
    variables,
    files,
    left_out: leftOut.map(({ live, why }) => ({ kind: live.kind, id: live.id, why })),
    diagnostics: rows(warnings),
  });
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
