// eval: the value of one expression, as if it were an output of the manifest. Asks the service only for what the manifest does
// not say.

import { Failure } from '../core/failure.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import type { Json } from '../core/json.ts';
import { SECRET_MASK } from '../core/secrets/known.ts';
import { holdsSecret, referencesIn } from '../core/value.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { readOutputs } from '../reconcile/outputs.ts';
import { renderOutputsAs } from '../render/outputs.ts';
import { displayOutput } from '../resource/placeholder.ts';
import { connectionOf } from './options/connection.ts';
import { MANIFEST, OPTIONS, SERVICE, formatsOf, reading } from './options/options.ts';
import type { Call, CommandSpec } from './shell/command.ts';
import type { Invocation } from './shell/invocation.ts';
import { loadExpression, runOf } from './shell/load.ts';

/** Prints the value; secrets are masked. An expression may be written without its `${` and `}`. */
async function evaluate({ invocation, args: [given = ''] }: Call): Promise<RunOutcome> {
  const { settings, stdout } = invocation;
  const text = given.includes('${') ? given : `\${${given}}`;
  const { manifest, value } = await loadExpression(invocation, text);
  const isKnown = holdsSecret(value) || referencesIn(value).length === 0;
  const declared = holdsSecret(value) ? SECRET_MASK : value;
  const asked = { ...manifest, outputs: new Map([['the expression', declared]]) };
  const shown = isKnown ? displayOutput(declared) : await liveValue(asked, invocation);
  stdout.write(`${renderOutputsAs(settings.format, [{ name: given, value: shown }], stdout.isTty, true)}\n`);
  return 'done';
}

/** The only output of the manifest, as the service knows it. */
async function liveValue(manifest: Manifest, invocation: Invocation): Promise<Json> {
  const connection = await connectionOf(invocation).catch((error: unknown) => {
    const words = ['only the service knows the value of the expression', 'give the connection, too'] as const;
    const unknown = Failure.of('invalid', 'value-unknown', ...words);
    throw error instanceof Failure ? new Failure('invalid', [...unknown.diagnostics, ...error.diagnostics]) : error;
  });
  const { values, diagnostics } = await readOutputs(runOf(invocation, manifest, connection));
  if (values[0]?.unknown !== undefined) throw new Failure('error', diagnostics);
  return values[0]?.value ?? null;
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
