// The text of a first manifest, valid as it is, with blocks from the catalogue for newcomers to uncomment; and the message
// about it.

import type { Kind, Starter } from '../../catalog/kind.ts';
import { escapeControls } from '../../core/text/escape-controls.ts';
import { plural } from '../../core/text/text.ts';
import type { Format } from '../formats.ts';
import { documentJson } from '../view/documents.ts';

/** Files that must not be committed: journals, and files with tokens. */
export const IGNORED = ['.edgeform/', '*.token'] as const;

/** A manifest of the stack without resources; it stays valid when lines that begin with one `#` are uncommented. */
export function starterManifest(stack: string, kinds: readonly Kind[], schema: string): string {
  const starters = kinds.flatMap((kind) => (kind.starter === undefined ? [] : [{ ...kind, starter: kind.starter }]));
  const linesOf = (part: keyof Starter) => starters.flatMap(({ starter }) => starter[part] ?? []);
  return [
    `# yaml-language-server: $schema=${schema}`,
    'version: 1',
    `stack: "${stack}"`,
    '',
    '## Remove the "# " in front of what you need, and of what it refers to. `edgeform explain KIND` explains each field,',
    '## `edgeform validate` checks the file, and `edgeform plan` shows what would change.',
    ...commentedOut(
      'Values from outside: set EDGEFORM_VAR_NAME, or give --var or --var-file.',
      'variables',
      linesOf('variables'),
    ),
    ...commentedOut('Parts that blocks share: `preset: NAME` lays them under a block.', 'presets', linesOf('presets')),
    ...starters.flatMap(({ title, doc, manifestKey, starter }) =>
      commentedOut(`${title}: ${doc}`, manifestKey, starter.block),
    ),
    ...commentedOut('Shown after apply, and by `edgeform output`.', 'outputs', linesOf('outputs')),
    '',
  ].join('\n');
}

function commentedOut(about: string, key: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return ['', `## ${about}`, `# ${key}:`, ...lines.map((line) => `#   ${line}`)];
}

/** A fleet file with this stack alone. */
export function starterFleet(stack: string, schema: string): string {
  return [
    `# yaml-language-server: $schema=${schema}`,
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
