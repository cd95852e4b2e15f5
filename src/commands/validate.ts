// validate: checks the manifest against schemas and rules. No network, no credentials, and no values of variables unless asked.

import { plural } from '../core/text/text.ts';
import { isLog, renderDiagnosticsAs } from '../render/formats.ts';
import { judgeByPolicies } from './files/policies.ts';
import { tryLoad } from './shell/load.ts';
import { hasErrors } from '../core/diagnostic.ts';
import { worstOf, type RunOutcome } from '../core/run-outcome.ts';
import { renderOptionsOf } from './shell/invocation.ts';
import { sayProblems } from './shell/problems.ts';
import { MANIFEST, OPTIONS, formatsOf } from './options/options.ts';
import type { Call, CommandSpec } from './shell/command.ts';

/** Prints every problem; exit code 4 when there is an error. */
async function validate({ invocation: run, listeners }: Call): Promise<RunOutcome> {
  const { settings, stdout, stderr } = run;
  const loaded = await tryLoad(run, { mayLackValues: !settings.requireVars });
  const { manifest, failure } = loaded;
  // Before anything is written: the summary file may be one that must not be changed.
  if (failure?.outcome === 'usage') throw failure;
  const { diagnostics: found, sources } = await judgeByPolicies(loaded, run);
  const outcome: RunOutcome = failure?.outcome ?? (hasErrors(found) ? 'invalid' : 'done');
  const { format } = settings;
  run.note({ type: 'checked', found: { diagnostics: found } }, manifest && { stack: manifest.stack });
  const lost = listeners.end(outcome);
  const sink = isLog(format) ? stderr : stdout;
  const diagnostics = [...found, ...lost];
  const text = renderDiagnosticsAs(format, { diagnostics, sources }, renderOptionsOf(run, sink));
  if (text !== '') sink.write(`${text}\n`);
  if (!isLog(format)) sayProblems(lost, run);
  const written = lost.length === 0 ? 'done' : 'output';
  if (manifest === undefined || outcome !== 'done') return worstOf(outcome, written);
  const { stack, resources } = manifest;
  if (isLog(format))
    stdout.write(`The manifest of stack ${stack} is valid: ${plural(resources.length, 'resource')}.\n`);
  return written;
}

export const commands: readonly CommandSpec[] = [
  {
    position: 10,
    words: 'validate',
    text: 'check the manifest; no network, no credentials, no values of variables',
    flags: {
      own: [OPTIONS.policy, OPTIONS.requireVars],
      manifest: MANIFEST,
      output: [...formatsOf('problems'), OPTIONS.summaryFile],
    },
    help: { examples: ['validate', 'validate -f stack/ --format json'] },
    run: validate,
  },
];
