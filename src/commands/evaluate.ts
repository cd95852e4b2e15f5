// eval: the value of one expression, as if it were an output of the manifest. Asks the service only for what the manifest does
// not say.

import { Failure } from '../core/failure.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { SECRET_MASK } from '../core/secrets/known.ts';
import { holdsSecret, holdsUnknown, referencesIn } from '../core/value.ts';
import { readOutputs } from '../reconcile/outputs.ts';
import { renderOutputsAs } from '../render/outputs.ts';
import { displayOutput } from '../resource/placeholder.ts';
import { connectionOf } from './options/connection.ts';
import { MANIFEST, OPTIONS, SERVICE, formatsOf, reading } from './options/options.ts';
import type { Call, CommandSpec } from './shell/command.ts';
import { load } from './shell/load.ts';
import { runOf } from './shell/prepare.ts';

/** The output that has the value, in a file of its own. */
const OUTPUT = '_expression_';

/** Prints the value; secrets are masked. An expression may be written without its `${` and `}`. */
async function evaluate({ invocation, args: [given = ''] }: Call): Promise<RunOutcome> {
  const { settings, stdout } = invocation;
  const text = JSON.stringify(given.includes('${') ? given : `\${${given}}`);
  const added = { name: '<expression>', text: `outputs: { ${OUTPUT}: ${text} }\n` };
  const manifest = await load(invocation, { mayLackValues: true, added });
  const declared = manifest.outputs.get(OUTPUT) ?? null;
  let value = holdsSecret(declared) ? SECRET_MASK : displayOutput(declared);
  if (value !== SECRET_MASK && referencesIn(declared).length > 0) {
    const run = runOf(invocation, manifest, await connectionOf(invocation));
    value = (await readOutputs(run, OUTPUT)).values[0]?.value ?? null;
  } else if (value !== SECRET_MASK && holdsUnknown(declared))
    throw new Failure('invalid', [...(manifest.lacksInOutputs?.get(OUTPUT)?.values() ?? [])]);
  stdout.write(`${renderOutputsAs(settings.format, [{ name: given, value }], stdout.isTty, true)}\n`);
  return 'done';
}

export const commands: readonly CommandSpec[] = [
  {
    position: 112,
    words: 'eval <expression>',
    text: 'print the value of an expression: variables, files, live objects; secrets are masked',
    isDocument: true,
    flags: {
      own: [reading(OPTIONS.journal)],
      manifest: MANIFEST,
      output: formatsOf(['text', 'json']),
      service: SERVICE,
    },
    help: { examples: ['eval var.env', "eval 'shop-${var.env}'"] },
    run: evaluate,
  },
];
