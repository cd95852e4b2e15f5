// The destination of an export: standard output or a new file; and the message about it. Never overwrites a file.

import { resolve } from 'node:path';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { Failure } from '../../core/failure.ts';
import { plural } from '../../core/text/text.ts';
import type { Exported } from '../../export/export.ts';
import { withFileError } from '../../platform/file-error.ts';
import { isTaken } from '../../platform/paths.ts';
import { failOnFileError } from '../../platform/problem.ts';
import type { Format } from '../../render/formats.ts';
import { documentJson, rows } from '../../render/view/documents.ts';
import type { Invocation } from '../shell/invocation.ts';

/** Returns the function that writes an export and returns its paths; fails early if the file exists. */
export function exportTarget({
  cwd,
  platform,
  settings: { exportTo: out },
}: Invocation): (files: Exported['files']) => string[] {
  if (out === undefined) return () => [];
  const path = resolve(cwd, out);
  const check = () => {
    if (failOnFileError(() => withFileError(path, 'written', () => isTaken(path)))) throw taken(path);
  };
  check();
  return (files) => {
    check();
    failOnFileError(() => platform.textFiles.createPrivate(path, files.map(({ text }) => text).join('')));
    return [path];
  };
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
