// policy check and policy test: compile policies, and run the examples beside them. No network, no manifest of a stack.

import type { RunOutcome } from '../../core/run-outcome.ts';
import { plural } from '../../core/text/text.ts';
import { isLog, renderDiagnosticsAs } from '../../render/formats.ts';
import type { Found } from '../../render/view/problems.ts';
import { compileFiles, isTest, textsIn } from '../files/policies.ts';
import { formatsOf } from '../options/options.ts';
import type { Call, CommandSpec } from '../shell/command.ts';
import { renderOptionsOf, type Invocation } from '../shell/invocation.ts';
import { group } from './group.ts';

/** Compiles every file; whatever is wrong ends the command with exit code 4. */
async function check({ invocation, args }: Call): Promise<RunOutcome> {
  const { count, sources } = await compileFiles(textsIn(args, invocation, (name) => !isTest(name)));
  return report({ diagnostics: [], sources }, `${count} policies compiled.`, invocation);
}

/** Runs every example of a directory with the policies that are there; exit code 1 if one is not as expected. */
async function test({ invocation, args }: Call): Promise<RunOutcome> {
  const policies = await compileFiles(textsIn(args, invocation, (name) => !isTest(name)));
  const files = textsIn(args, invocation, isTest);
  const { runExamples } = await import('../../policy/examples.ts');
  const { count, diagnostics } = runExamples(files, policies);
  const sources = new Map([...policies.sources, ...files.map(({ name, text }) => [name, text] as const)]);
  return report({ diagnostics, sources }, `${plural(count, 'example')} as expected.`, invocation);
}

function report(found: Required<Found>, good: string, run: Invocation): RunOutcome {
  const { format } = run.settings;
  const isGood = found.diagnostics.length === 0;
  const sink = isLog(format) && !isGood ? run.stderr : run.stdout;
  const text = isLog(format) && isGood ? good : renderDiagnosticsAs(format, found, renderOptionsOf(run, sink));
  sink.write(`${text}\n`);
  if (isGood) return 'done';
  return found.diagnostics.some(({ code }) => code !== 'policy-test-failed') ? 'invalid' : 'error';
}

const flags = { own: [], output: formatsOf('problems') };

export const commands: readonly CommandSpec[] = [
  {
    position: 121,
    words: 'policy check <paths...>',
    text: 'compile policies, and report what is wrong with them; no network',
    above: group,
    flags,
    help: { examples: ['policy check policies'] },
    run: check,
  },
  {
    position: 122,
    words: 'policy test <dir>',
    text: 'run the examples (*.test.yaml) of a directory with its policies; no network',
    above: group,
    flags,
    help: { examples: ['policy test policies'] },
    run: test,
  },
];
