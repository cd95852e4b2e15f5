// policy check and policy test: compile policies, and run the examples beside them. No network, no manifest of a stack.

import type { RunOutcome } from '../core/run-outcome.ts';
import { plural } from '../core/text/text.ts';
import { quotedFiles } from '../manifest/text/quoted-file.ts';
import { isLog, renderDiagnosticsAs } from '../render/formats.ts';
import { readPolicyFiles } from './files/policies.ts';
import { formatsOf } from './options/options.ts';
import type { Call, CommandSpec } from './shell/command.ts';
import { renderOptionsOf } from './shell/invocation.ts';

/** Whatever is wrong with a file ends the command with exit code 4, an example that is not as expected with 1. */
async function check({ invocation: run, args }: Call, withExamples: boolean): Promise<RunOutcome> {
  const { format } = run.settings;
  const { policies, examples } = await readPolicyFiles(args, run, withExamples);
  const { runExamples } = await import('../policy/examples.ts');
  const { count, diagnostics } = runExamples(withExamples ? examples : [], policies);
  const sources = new Map([...policies.sources, ...quotedFiles(examples)]);
  const isGood = diagnostics.length === 0;
  const sink = isLog(format) && !isGood ? run.stderr : run.stdout;
  const good = withExamples ? `${plural(count, 'example')} as expected.` : `Policies compiled: ${policies.count}.`;
  const problems = { diagnostics, sources };
  const text = isLog(format) && isGood ? good : renderDiagnosticsAs(format, problems, renderOptionsOf(run, sink));
  sink.write(`${text}\n`);
  if (isGood) return 'done';
  return diagnostics.some(({ code }) => code !== 'policy-test-failed') ? 'invalid' : 'error';
}

const COMMON = {
  above: { name: 'policy', text: 'check and test policies' },
  flags: { own: [], output: formatsOf('problems') },
};

export const commands: readonly CommandSpec[] = [
  {
    ...COMMON,
    position: 121,
    words: 'policy check <paths...>',
    text: 'compile policies, and report what is wrong with them; no network',
    help: { examples: ['policy check policies'], exits: ['invalid'] },
    run: (call) => check(call, false),
  },
  {
    ...COMMON,
    position: 122,
    words: 'policy test <dir>',
    text: 'run the examples (*.test.yaml) of a directory with its policies; no network',
    help: { examples: ['policy test policies'], exits: ['error', 'invalid'] },
    run: (call) => check(call, true),
  },
];
