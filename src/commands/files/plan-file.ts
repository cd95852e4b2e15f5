// The plan file: written by `plan --out`, read by `show` and `apply`.

import { resolve } from 'node:path';
import { Collector, requireValue, usageError } from '../../core/failure.ts';
import { parsePlan } from '../../plan/review-saved-plan.ts';
import type { Plan } from '../../plan/plan.ts';
import { FileError } from '../../platform/file-error.ts';
import { fileDiagnostic } from '../../platform/problem.ts';
import { whyNotExecuted } from '../../reconcile/run-report.ts';
import { isLog } from '../../render/formats.ts';
import { documentJson } from '../../render/view/documents.ts';
import { planShapeProblem } from '../../schema/plan-shape.ts';
import { optionsOf, quoted } from '../options/again.ts';
import { readInput } from '../options/read-input.ts';
import type { Settings } from '../options/settings.ts';
import type { Invocation } from '../shell/invocation.ts';
import { checkOutputs } from './check-outputs.ts';

/** Writes the plan to the file of `--out`; returns what was lost, and a function that prints its path to standard error. */
export async function savePlan(made: Plan, { settings, platform, cwd, stderr }: Invocation) {
  const { out } = settings;
  const nothing = () => undefined;
  if (out === undefined) return { lost: [], say: nothing };
  try {
    const isKept = await platform.files.writeOutput(resolve(cwd, out), `${documentJson(made)}\n`);
    // A document contains all messages and leaves nothing to print.
    if (!isLog(settings.format)) return { lost: [], say: nothing };
    const line = isKept ? savedLine(out, made, settings) : `The plan was written to ${quoted(out)}.`;
    return { lost: [], say: () => stderr.write(`${line}\n`) };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { lost: [fileDiagnostic(error)], say: nothing };
  }
}

/** Where the plan is and, if nothing stops it, how to apply it. */
function savedLine(out: string, made: Plan, settings: Settings): string {
  const path = quoted(out);
  if (whyNotExecuted(made) !== undefined) return `The plan was saved to ${path}.`;
  const command = ['edgeform apply', path, ...optionsOf(settings, 'apply')].join(' ');
  return `The plan was saved to ${path}. To apply exactly this plan, run: ${command}`;
}

const MAX_PLAN_BYTES = 256 * 1024 * 1024;

/** The plan in a file, or a failure: limits the size, and checks format, shape and fingerprint. */
export async function readPlan(path: string, run: Invocation): Promise<Plan> {
  const text = await readInput({ option: 'the plan file', path, maxBytes: MAX_PLAN_BYTES }, run);
  return requireValue(parsePlan(text, planShapeProblem));
}

/** Events on standard output exclude a document. */
export function refuseSharedOutput({ settings: { events, format } }: Invocation): void {
  if (events === '-' && format !== 'text')
    throw usageError('--events - cannot share standard output', 'name a file, or use --format text');
}

/** A saved plan has its own targets; `how` saves one. */
export function refuseTargets({ settings: { targets } }: Invocation, how: string): void {
  if (targets.length === 0) return;
  const fix = `remove --target, or save a new plan with \`${how}\``;
  throw usageError('--target cannot be combined with a saved plan', fix);
}

/** The plan to apply from a file, if one is named; rejects conflicting options. */
export async function readPlanToApply(path: string | undefined, run: Invocation): Promise<Plan | undefined> {
  const collector = new Collector();
  collector.try(() => refuseSharedOutput(run));
  if (path !== undefined) collector.try(() => refuseTargets(run, 'plan --target ADDRESS --out FILE'));
  collector.try(() => path !== undefined && checkOutputs(run, [{ name: 'the saved plan', path }]));
  const saved = path === undefined ? undefined : await collector.take(() => readPlan(path, run));
  if (collector.hasFailed) throw collector.failure();
  return saved;
}
