// The destination of an export: standard output, a new file, or new files in a directory; and the message about it. Never
// overwrites a file.

import { join, resolve } from 'node:path';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { Failure, usageError } from '../../core/failure.ts';
import { plural } from '../../core/text/text.ts';
import type { Exported } from '../../export/export.ts';
import { withFileError } from '../../platform/file-error.ts';
import { isTaken, pathTypeAt } from '../../platform/paths.ts';
import { failOnFileError } from '../../platform/problem.ts';
import type { Format } from '../../render/formats.ts';
import { documentJson, rows } from '../../render/view/documents.ts';
import type { Invocation } from '../shell/invocation.ts';

/** Returns the function that writes an export and returns its paths; fails early if the file exists. */
export function exportTarget({
  cwd,
  platform,
  settings: { exportTo: out, split },
}: Invocation): (files: Exported['files']) => string[] {
  if (out === undefined) {
    if (split) throw usageError('--split needs a directory for its files', 'name a directory with --out');
    return () => [];
  }
  const path = resolve(cwd, out);
  const isDirectory =
    split ||
    /[/\\]$/.test(out) ||
    failOnFileError(() => withFileError(path, 'written', () => pathTypeAt(path))) === 'folder';
  if (!isDirectory && isThere(path)) throw taken(path);
  return (files) => {
    if (isDirectory) failOnFileError(() => platform.textFiles.prepareDirectory(path));
    const targets = files.map((file) => ({ path: isDirectory ? join(path, file.path) : path, text: file.text }));
    const there = targets.find((target) => isThere(target.path));
    if (there !== undefined) throw taken(there.path);
    for (const target of targets) failOnFileError(() => platform.textFiles.createPrivate(target.path, target.text));
    return targets.map((target) => target.path);
  };
}

function isThere(path: string): boolean {
  return failOnFileError(() => withFileError(path, 'written', () => isTaken(path)));
}

function taken(path: string): Failure {
  const message = `${JSON.stringify(path)} already exists, and an export never overwrites a file`;
  return Failure.of('output', 'output-failed', message, 'choose another path, or move the file');
}

interface Told {
  readonly stack: string;
  readonly warnings: readonly Diagnostic[];
  readonly paths: readonly string[];
  readonly verb: 'Exported' | 'Imported';
}

/** The manifest, or where it was written; or the document. */
export function renderExportAs(format: Format, made: Exported, { stack, warnings, paths, verb }: Told): string {
  const { files, resources, variables, leftOut } = made;
  const left_out = leftOut.map(({ live, why }) => ({ kind: live.kind, id: live.id, why }));
  const counted = { resources, variables: variables.length, files, left_out, diagnostics: rows(warnings) };
  if (format === 'json') return `${documentJson({ format: 'edgeform-export/1', stack, ...counted })}\n`;
  if (paths.length === 0) return files.map(({ text }) => text).join('');
  const secrets = variables.length === 0 ? '' : `, ${plural(variables.length, 'variable')} without a value`;
  return `${verb} ${plural(resources, 'resource')}${secrets}:\n${paths.map((path) => `  ${path}\n`).join('')}`;
}
