// import terraform: the state of Terraform as a manifest. Reads a file, and never the service.

import { isStackName } from '../../catalog/address.ts';
import { requireValue, usageError } from '../../core/failure.ts';
import type { RunOutcome } from '../../core/run-outcome.ts';
import { MAX_FILE_BYTES } from '../../manifest/text/preflight.ts';
import { importState, type Imported } from '../../migrate/import.ts';
import { MAX_STATE_BYTES, readState } from '../../migrate/state.ts';
import { documentJson, rows } from '../../render/view/documents.ts';
import { exportTarget, writtenText } from '../files/export-files.ts';
import { DEFAULT_STACK, OPTIONS, formatsOf } from '../options/options.ts';
import { readInput } from '../options/read-input.ts';
import type { Call, CommandSpec } from '../shell/command.ts';
import { sayProblems } from '../shell/problems.ts';
import { group } from './group.ts';

/** Writes the manifest to standard output or to new files; what it lacks is said in its comments and on stderr. */
async function importTerraform({ invocation, args: [path = ''] }: Call): Promise<RunOutcome> {
  const { stdout, settings } = invocation;
  const stack = settings.importedStack ?? DEFAULT_STACK;
  if (!isStackName(stack))
    throw usageError(`"${stack}" is not a valid stack name`, 'use lower-case letters, digits and hyphens');
  const write = exportTarget(invocation);
  const text = await readInput({ option: 'the state', path, maxBytes: MAX_STATE_BYTES }, invocation);
  const state = requireValue(readState(text));
  const made = importState(state, { stack, maxBytes: MAX_FILE_BYTES });
  const paths = write(made.files);
  if (settings.format === 'json') stdout.write(documentOf(made, stack));
  else {
    sayProblems(made.warnings, invocation);
    stdout.write(writtenText(made, paths, 'Imported'));
  }
  return 'done';
}

function documentOf({ taken, variables, files, notImported, warnings }: Imported, stack: string): string {
  const found = { resources: taken, variables, files, left_out: notImported, diagnostics: rows(warnings) };
  return `${documentJson({ format: 'edgeform-import/1', stack, ...found })}\n`;
}

export const commands: readonly CommandSpec[] = [
  {
    position: 92,
    words: 'import terraform <file>',
    text: 'write a manifest from `terraform show -json`, with adoptions; reads no service',
    above: group,
    isDocument: true,
    flags: { own: [OPTIONS.importedStack, OPTIONS.exportTo], output: formatsOf(['text', 'json']) },
    help: { examples: ['import terraform state.json --stack shop --out edgeform.yaml'], exits: ['invalid'] },
    run: importTerraform,
  },
];
