// import terraform: the state of Terraform as a manifest. Reads a file, and never the service.

import { Failure, requireValue } from '../core/failure.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { importState, nothingToImport } from '../migrate/import.ts';
import { readState } from '../migrate/state.ts';
import { requireStackName } from './options/stack-name.ts';
import { DEFAULT_STACK, OPTIONS, formatsOf } from './options/options.ts';
import { readInput } from './options/read-input.ts';
import type { Call, CommandSpec } from './shell/command.ts';
import { printManifest } from './shell/problems.ts';

/** Larger files are rejected before they are parsed. */
const MAX_STATE_BYTES = 64 * 1024 * 1024;

const INCOMPLETE = {
  code: 'not-exported',
  severity: 'warning',
  message: 'the state has more than the manifest',
  fix: 'see the comments at the end of the manifest',
} as const;

/** Prints the manifest; what it lacks is said in its comments and on standard error. */
async function importTerraform({ invocation, args: [path = ''] }: Call): Promise<RunOutcome> {
  const { settings } = invocation;
  const stack = requireStackName(settings.importedStack ?? DEFAULT_STACK);
  const text = await readInput({ option: 'the state', path, maxBytes: MAX_STATE_BYTES }, invocation);
  const { exported, taken, leftOut } = importState(requireValue(readState(text)), stack);
  if (taken.length === 0) throw new Failure('invalid', [nothingToImport(leftOut)]);
  const warnings = leftOut.length === 0 ? [] : [INCOMPLETE];
  const { files, variables } = exported;
  const document = { format: 'edgeform-import/1', stack, resources: taken, variables, files, left_out: leftOut };
  return printManifest(document, { diagnostics: warnings }, invocation);
}

export const commands: readonly CommandSpec[] = [
  {
    position: 92,
    words: 'import terraform <file>',
    text: 'write a manifest from `terraform show -json`, with adoptions; reads no service',
    above: { name: 'import', text: 'write a manifest from the state of another tool' },
    isDocument: true,
    flags: { own: [OPTIONS.importedStack, OPTIONS.manifestOut], output: formatsOf(['text', 'json']) },
    help: { examples: ['import terraform state.json --stack shop > edgeform.yaml'], exits: ['invalid'] },
    run: importTerraform,
  },
];
