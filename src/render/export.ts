// An export as it is printed: the manifest, what was written where, or a document of both.

import type { Diagnostic } from '../core/diagnostic.ts';
import { plural } from '../core/text/text.ts';
import { documentJson } from './json/json.ts';
import { rows } from './view/documents.ts';

interface Exported {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly resources: number;
  readonly variables: number;
  readonly leftOut: readonly { readonly live: { readonly kind: string; readonly id: string }; readonly why: string }[];
}

/** The manifest, or where it was written. */
export function exportText({ files, resources, variables }: Exported, paths: readonly string[]): string {
  if (paths.length === 0) return files.map(({ text }) => text).join('');
  const secrets = variables === 0 ? '' : `, ${plural(variables, 'variable')} without a value`;
  return `Exported ${plural(resources, 'resource')}${secrets}:\n${paths.map((path) => `  ${path}\n`).join('')}`;
}

/** The document. */
export function exportJson(
  { files, resources, variables, leftOut }: Exported,
  stack: string,
  warnings: readonly Diagnostic[],
): string {
  return documentJson({
    format: 'edgeform-export/1',
    stack,
    resources,
    variables,
    files,
    left_out: leftOut.map(({ live, why }) => ({ kind: live.kind, id: live.id, why })),
    diagnostics: rows(warnings),
  });
}
