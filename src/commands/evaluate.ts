// eval: the value of one expression, as if it were an output of the manifest. Asks the service only for what the manifest does
// not say.

import { Failure } from '../core/failure.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { holdsUnknown, referencesIn } from '../core/value.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { ManifestFiles } from '../manifest/read-files.ts';
import { readOutputs } from '../reconcile/outputs.ts';
import { renderOutputsAs } from '../render/outputs.ts';
import { displayOutput } from '../resource/placeholder.ts';
import { connectionOf } from './options/connection.ts';
import { MANIFEST, OPTIONS, SERVICE, formatsOf, reading } from './options/options.ts';
import type { Call, CommandSpec } from './shell/command.ts';
import type { Invocation } from './shell/invocation.ts';
import { load, runOf } from './shell/load.ts';

/** The file that the expression is read from, and its output. */
const FILE = '<expression>';
const OUTPUT = '_expression_';

/** The files of the manifest, and one with the expression, which reads files as the first one does. */
function withExpression(text: string): (found: ManifestFiles) => ManifestFiles {
  return ({ files, readFile, ...found }) => ({
    ...found,
    files: [...files, { name: FILE, text: `outputs: { ${OUTPUT}: ${JSON.stringify(text)} }\n` }],
    readFile: (path, from) => readFile(path, from === FILE ? (files[0]?.name ?? from) : from),
  });
}

/** Prints the value; secrets are masked. An expression may be written without its `${` and `}`. */
async function evaluate({ invocation, args: [given = ''] }: Call): Promise<RunOutcome> {
  const { settings, stdout } = invocation;
  const text = given.includes('${') ? given : `\${${given}}`;
  const manifest = await load(invocation, { mayLackValues: true, extend: withExpression(text) });
  const value = await valueOf(manifest, invocation);
  stdout.write(`${renderOutputsAs(settings.format, [{ name: given, value }], stdout.isTty, true)}\n`);
  return 'done';
}

async function valueOf(manifest: Manifest, invocation: Invocation) {
  const declared = manifest.outputs.get(OUTPUT) ?? null;
  if (referencesIn(declared).length === 0) {
    if (holdsUnknown(declared)) throw new Failure('invalid', manifest.lacks ?? []);
    return displayOutput(declared);
  }
  const connection = await connectionOf(invocation).catch((error: unknown) => {
    throw error instanceof Failure ? new Failure(error.outcome, [UNKNOWN, ...error.diagnostics]) : error;
  });
  const asked = { ...manifest, outputs: new Map([[OUTPUT, declared]]) };
  const { values, diagnostics } = await readOutputs(runOf(invocation, asked, connection));
  const [found] = values;
  if (found?.unknown !== undefined) throw new Failure('error', diagnostics);
  return found?.value ?? null;
}

const UNKNOWN = {
  code: 'value-unknown',
  severity: 'error',
  message: 'only the service knows the value of the expression',
  fix: 'give the connection, too',
} as const;

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
      hidden: [OPTIONS.settleMs],
    },
    help: { examples: ['eval var.env', "eval 'shop-${var.env}'"] },
    run: evaluate,
  },
];
