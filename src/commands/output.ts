// output: values that only the service knows, of the stack's live objects. Its client has no way to write.

import { EXAMPLES } from '../catalog/examples.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { readOutputs } from '../reconcile/outputs.ts';
import { FORMAT_KEY, outputJson, outputText } from '../render/outputs.ts';
import { FLAGS } from './options/flags.ts';
import type { CommandSpec } from './shell/command.ts';
import type { Invocation } from './shell/invocation.ts';
import { prepare } from './shell/load.ts';
import { sayProblems } from './shell/problems.ts';

interface OutputFlags {
  readonly json?: boolean;
}

/** Prints outputs, or the values of one address; fails when what was asked for by name is not known. */
async function output(name: string | undefined, { json }: OutputFlags, invocation: Invocation): Promise<RunOutcome> {
  const { stdout, stderr, settings } = invocation;
  const { run } = await prepare(invocation, () => undefined);
  const { values, bare, diagnostics } = await readOutputs(run, name);
  sayProblems(diagnostics, invocation);
  if (json === true || settings.format === 'json') {
    if (values.some((one) => one.name === FORMAT_KEY))
      stderr.write(`warning: the output "${FORMAT_KEY}" is not in the document, which has its own "${FORMAT_KEY}"\n`);
    stdout.write(`${outputJson(values)}\n`);
  } else if (values.length === 0) stderr.write('The manifest has no outputs.\n');
  else stdout.write(`${outputText(values, stdout.isTty, bare)}\n`);
  return 'done';
}

export const commands: readonly CommandSpec<OutputFlags>[] = [
  {
    position: 110,
    words: 'output [name]',
    text: 'print outputs and computed values (ADDRESS[.ATTR]); never writes',
    isDocument: true,
    flags: {
      own: [{ flags: '--json', text: 'the same as --format json' }, FLAGS.journalRead],
      manifest: FLAGS.manifest,
      output: FLAGS.textOrJson,
      service: FLAGS.service,
      hidden: [FLAGS.settle],
    },
    help: { examples: ['output', `output ${EXAMPLES.reference.slice(2, -1)}`, 'output --json'] },
    run: ({ invocation, args: [name], flags }) => output(name, flags, invocation),
  },
];
