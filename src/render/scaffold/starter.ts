// The text of a first manifest, valid as it is, with blocks from the catalogue for newcomers to uncomment; and the message
// about it.

import type { Kind } from '../../catalog/kind.ts';
import { escapeControls } from '../../core/text/escape-controls.ts';
import { plural } from '../../core/text/text.ts';
import type { Format } from '../formats.ts';
import { documentJson } from '../view/documents.ts';

const SCHEMA = 'edgeform/schemas/manifest.schema.json';

/** Files that must not be committed: journals, and files with tokens. */
export const IGNORED = ['.edgeform/', '*.token'] as const;

/** A manifest of the stack without resources; it stays valid when lines that begin with one `#` are uncommented. */
export function starterManifest(stack: string, kinds: readonly Kind[], packages = './node_modules'): string {
  const blocks = kinds.flatMap(({ manifestKey, title, doc, starter }) =>
    starter === undefined
      ? []
      : ['', `## ${title}: ${doc}`, `# ${manifestKey}:`, ...starter.block.map((line) => `#   ${line}`)],
  );
  const outputs = kinds.flatMap(({ starter }) => (starter?.outputs ?? []).map((line) => `#   ${line}`));
  return [
    `# yaml-language-server: $schema=${packages}/${SCHEMA}`,
    'version: 1',
    `stack: "${stack}"`,
    '',
    '## Remove the "# " in front of what you need. `edgeform explain KIND` explains each field,',
    '## `edgeform validate` checks the file, and `edgeform plan` shows what would change.',
    ...blocks,
    ...(outputs.length === 0 ? [] : ['', '## Shown after apply, and by `edgeform output`.', '# outputs:', ...outputs]),
    '',
  ].join('\n');
}

/** A fleet file with this stack alone. */
export function starterFleet(stack: string, packages: string): string {
  return [
    `# yaml-language-server: $schema=${packages}/edgeform/schemas/fleet.schema.json`,
    'version: 1',
    'stacks:',
    `  - { name: "${stack}", path: edgeform.yaml }`,
    '  # - { each: teams/* }   # one entry for each folder, with its name',
    '',
  ].join('\n');
}

/** Which files were written, and what to do next. */
interface Written {
  readonly stack: string;
  readonly files: readonly string[];
  readonly next: readonly string[];
}

export function renderStarterAs(format: Format, { stack, files, next }: Written): string {
  if (format === 'json') return documentJson({ format: 'edgeform-init/1', stack, files, next });
  return [
    `Wrote ${plural(files.length, 'file')}: ${files.map(escapeControls).join(', ')}`,
    '',
    'Next:',
    ...next.map((step, index) => `  ${index + 1}. ${escapeControls(step)}`),
  ].join('\n');
}
