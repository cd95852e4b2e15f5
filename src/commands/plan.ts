// plan: reads live state and prints what apply would do. Its client has no way to write. show: prints a saved plan.

import { resolve } from 'node:path';
import type { Diagnostic } from '../core/diagnostic.ts';
import { Failure } from '../core/failure.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { worstOf } from '../core/run-outcome.ts';
import type { Plan } from '../plan/plan.ts';
import { fingerprintPlan } from '../plan/build.ts';
import { parsePlan } from '../plan/parse-saved-plan.ts';
import { hasPlanErrors, isPending } from '../plan/count-steps.ts';
import { FileError } from '../platform/file-error.ts';
import { fileDiagnostic } from '../platform/problem.ts';
import { makePlan } from '../reconcile/plan.ts';
import { whyNotExecuted } from '../reconcile/run-report.ts';
import { isLog, problemsBesidePlan, renderPlanAs } from '../render/formats.ts';
import { documentJson } from '../render/json/json.ts';
import { planShapeProblem } from '../schema/plan-shape.ts';
import { readInput } from './options/read-input.ts';
import { FOR_APPLY, optionsOf, quoted } from './options/again.ts';
import type { Settings } from './options/settings.ts';
import type { Invocation } from './shell/invocation.ts';
import { refuseWrongUsage, renderOptionsOf } from './shell/invocation.ts';
import { prepare } from './shell/load.ts';
import { sayProblems } from './shell/problems.ts';
import type { SummaryFile } from './shell/summary-file.ts';
import type { CommandSpec } from './shell/command.ts';
import { FLAGS, formatsOf } from './options/flags.ts';

/** Prints the plan; with `--detailed-exitcode`, the outcome says whether something is pending. */
async function plan(invocation: Invocation, summary: SummaryFile): Promise<RunOutcome> {
  const { run } = await prepare(invocation, () => undefined);
  const made = await makePlan(run);
  const { lost: unsaved, say } = await save(made, invocation);
  summary.add((limit) => renderPlanAs('markdown', made, renderOptionsOf(invocation, invocation.stdout), limit));
  const lost = [...unsaved, ...(await summary.end())];
  sayProblems(lost, invocation);
  print(planWithLostOutput(made, lost), invocation);
  say();
  const ready = invocation.settings.detailedExitcode && isPending(made) ? 'pending' : 'done';
  return worstOf(hasPlanErrors(made) ? 'error' : ready, lost.length === 0 ? 'done' : 'output');
}

interface Saved {
  readonly lost: readonly Diagnostic[];
  /** Says on standard error where the plan is. */
  readonly say: () => void;
}

/** Writes the plan to the file of `--out`; tells when it could not be written. */
async function save(made: Plan, { settings, platform, cwd, stderr }: Invocation): Promise<Saved> {
  const { out } = settings;
  const nothing = () => undefined;
  if (out === undefined) return { lost: [], say: nothing };
  try {
    const isKept = await platform.files.writeOutput(resolve(cwd, out), `${documentJson(made)}\n`);
    // A document has standard output and the words for itself.
    if (!isLog(settings.format)) return { lost: [], say: nothing };
    return {
      lost: [],
      say: () =>
        stderr.write(`${isKept ? savedLine(out, made, settings) : `The plan was written to ${quoted(out)}.`}\n`),
    };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { lost: [fileDiagnostic(error)], say: nothing };
  }
}

/** Where the plan is, and how to apply it when nothing in it stops that. */
function savedLine(out: string, made: Plan, settings: Settings): string {
  const path = quoted(out);
  if (whyNotExecuted(made) !== undefined) return `The plan was saved to ${path}.`;
  const command = ['edgeform apply', path, ...optionsOf(settings, FOR_APPLY)].join(' ');
  return `The plan was saved to ${path}. To apply exactly this plan, run: ${command}`;
}

const MAX_PLAN_BYTES = 256 * 1024 * 1024;

/** The plan in a file, or a failure: read with a limit, and its format, shape and fingerprint checked. */
export async function readPlan(path: string, run: Invocation): Promise<Plan> {
  const text = await readInput({ option: 'the plan file', path, maxBytes: MAX_PLAN_BYTES }, run);
  const { value, diagnostics } = parsePlan(text, planShapeProblem);
  if (value === undefined) throw new Failure('invalid', diagnostics);
  return value;
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

/** The plan as it is shown when some output was lost: nothing is wrong with what it plans. */
function planWithLostOutput(plan: Plan, lost: readonly Diagnostic[]): Plan {
  if (lost.length === 0) return plan;
  const more = lost.map(({ code, message }) => ({ code, severity: 'warning', message, address: null }) as const);
  const told = { ...plan, diagnostics: [...plan.diagnostics, ...more] };
  return { ...told, fingerprint: fingerprintPlan(told) };
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
