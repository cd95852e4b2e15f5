// plan: reads live state and prints what apply would do. Its client has no way to write. show: prints a saved plan.

import { worstOf, type RunOutcome } from '../core/run-outcome.ts';
import { withDiagnostics } from '../plan/build.ts';
import { hasPlanErrors, isPending } from '../plan/count-steps.ts';
import type { Plan } from '../plan/plan.ts';
import { makePlan } from '../reconcile/plan.ts';
import { problemsBesidePlan, renderPlanAs } from '../render/formats.ts';
import { readPlan, savePlan } from './files/plan-file.ts';
import type { SummaryFile } from './files/summary-file.ts';
import { FLAGS, formatsOf } from './options/flags.ts';
import type { CommandSpec } from './shell/command.ts';
import { refuseWrongUsage, renderOptionsOf, type Invocation } from './shell/invocation.ts';
import { prepare } from './shell/load.ts';
import { sayProblems } from './shell/problems.ts';

/** Prints the plan; with `--detailed-exitcode`, the outcome says whether something is pending. */
async function plan(invocation: Invocation, summary: SummaryFile): Promise<RunOutcome> {
  const { run } = await prepare(invocation, () => undefined);
  const made = await makePlan(run);
  const { lost: unsaved, say } = await savePlan(made, invocation);
  summary.add((style, limit) => renderPlanAs('markdown', made, style, limit));
  const lost = [...unsaved, ...(await summary.end())];
  sayProblems(lost, invocation);
  // Nothing is wrong with what it plans.
  const warnings = lost.map(({ code, message }) => ({ code, severity: 'warning', message }) as const);
  print(withDiagnostics(made, warnings), invocation);
  say();
  const ready = invocation.settings.detailedExitcode && isPending(made) ? 'pending' : 'done';
  return worstOf(hasPlanErrors(made) ? 'error' : ready, lost.length === 0 ? 'done' : 'output');
}

/** Prints a saved plan; nothing is asked of the service. */
async function showSavedPlan(planFile: string, run: Invocation): Promise<RunOutcome> {
  refuseWrongUsage(run);
  print(await readPlan(planFile, run), run);
  return 'done';
}

function print(made: Plan, run: Invocation): void {
  const { settings, stdout, stderr } = run;
  const problems = problemsBesidePlan(settings.format, made, renderOptionsOf(run, stderr));
  if (problems !== '') stderr.write(`${problems}\n`);
  stdout.write(`${renderPlanAs(settings.format, made, renderOptionsOf(run, stdout))}\n`);
}

export const commands: readonly CommandSpec[] = [
  {
    position: 20,
    words: 'plan',
    text: 'show what apply would do; never writes',
    flags: {
      own: [
        { flags: '--out <file>', text: 'save the plan as JSON' },
        { flags: '--detailed-exitcode', text: 'exit with 2 when changes are pending' },
        FLAGS.target,
        ...FLAGS.allow,
        FLAGS.journalRead,
        FLAGS.tokensRead,
      ],
      manifest: FLAGS.manifest,
      output: [...formatsOf('plan'), FLAGS.detail, FLAGS.summary],
      service: FLAGS.service,
      hidden: [FLAGS.settle],
    },
    help: {
      examples: ['plan', 'plan --out plan.json', 'plan --detailed-exitcode --format markdown > comment.md'],
      exits: ['pending'],
    },
    run: ({ invocation, summary }) => plan(invocation, summary),
  },
  {
    position: 50,
    words: 'show <planfile>',
    text: 'print a saved plan; no network',
    flags: { own: [], output: [...formatsOf('plan'), FLAGS.detail] },
    help: {
      examples: ['show plan.json --detail full', 'show plan.json --format html > plan.html'],
      exits: ['invalid'],
    },
    run: ({ invocation, args: [planFile = ''] }) => showSavedPlan(planFile, invocation),
  },
];
