// output: values of live objects that only the service knows. Its client cannot write.

import { EXAMPLES } from '../catalog/examples.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { readOutputs } from '../reconcile/outputs.ts';
import { FORMAT_KEY, renderOutputsAs } from '../render/outputs.ts';
import { MANIFEST, OPTIONS, SERVICE, formatsOf, reading } from './options/options.ts';
import type { Call, CommandSpec } from './shell/command.ts';
import { prepareReading } from './shell/prepare.ts';
import { sayProblems } from './shell/problems.ts';

/** Prints outputs, or the values of one address; fails when a value requested by name is unknown. */
async function output({ invocation, args: [name] }: Call): Promise<RunOutcome> {
  const { stdout, stderr, settings } = invocation;
  const run = await prepareReading(invocation);
  const { values, bare, diagnostics } = await readOutputs(run, name);
  sayProblems(diagnostics, invocation);
  const format = settings.json ? 'json' : settings.format;
  if (format === 'json' && values.some((one) => one.name === FORMAT_KEY))
    stderr.write(`warning: the output "${FORMAT_KEY}" is not in the document, which has its own "${FORMAT_KEY}"\n`);
  if (format !== 'json' && values.length === 0) stderr.write('The manifest has no outputs.\n');
  else stdout.write(`${renderOutputsAs(format, values, stdout.isTty, bare)}\n`);
  return 'done';
}

export const commands: readonly CommandSpec[] = [
  {
    position: 110,
    words: 'output [name]',
    text: 'print outputs and computed values (ADDRESS[.ATTR]); never writes',
    isDocument: true,
    flags: {
      own: [OPTIONS.json, reading(OPTIONS.journal)],
      manifest: MANIFEST,
      output: formatsOf(['text', 'json']),
      service: SERVICE,
      hidden: [OPTIONS.settleMs],
    },
    help: { examples: ['output', `output ${EXAMPLES.reference.slice(2, -1)}`, 'output --json'] },
    run: output,
  },
];
