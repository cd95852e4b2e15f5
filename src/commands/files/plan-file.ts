// Plan files: written by `plan --out`, read by `show` and `apply`; and the same for fleets.

import { resolve } from 'node:path';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { Collector, requireValue, usageError } from '../../core/failure.ts';
import { parsePlan } from '../../plan/parse-plan.ts';
import type { Plan } from '../../plan/plan.ts';
import { onFileError } from '../../platform/file-error.ts';
import { fileDiagnostic } from '../../platform/problem.ts';
import { documentJson } from '../../render/view/documents.ts';
import { planShapeProblem } from '../../schema/plan-shape.ts';
import { optionsOf, quoted } from '../options/again.ts';
import { readInput } from '../options/read-input.ts';
import type { Settings } from '../options/settings.ts';
import type { Invocation } from '../shell/invocation.ts';
import { checkOutputs } from './check-outputs.ts';

/** Writes a plan; returns what was lost. */
export function writePlan(path: string, plan: Plan, { platform, cwd }: Invocation): Diagnostic[] {
  return onFileError(
    () => {
      platform.files.writeAtomic(resolve(cwd, path), `${documentJson(plan)}\n`);
      return [];
    },
    (error) => [fileDiagnostic(error)],
  );
}

const SAVED = { apply: ['The plan was', 'this plan'], 'fleet apply': ['The plans were', 'these plans'] } as const;

/** Where plans are and, if nothing stops them, how to apply them. */
export function savedLine(command: keyof typeof SAVED, path: string, settings: Settings, isReady = true): string {
  const [what, exactly] = SAVED[command];
  const line = ['edgeform', command, quoted(path), ...optionsOf(settings)].join(' ');
  return `${what} saved to ${quoted(path)}.${isReady ? ` To apply exactly ${exactly}, run: ${line}` : ''}`;
}

const MAX_PLAN_BYTES = 256 * 1024 * 1024;

/** The plan in a file, or a failure: limits the size, and checks format, shape and fingerprint. */
export async function readPlan(path: string, run: Invocation): Promise<Plan> {
  const text = await readInput({ option: 'the plan file', path, maxBytes: MAX_PLAN_BYTES }, run);
  const { diagnostics, ...read } = parsePlan(text, planShapeProblem);
  return requireValue({
    ...read,
    diagnostics: diagnostics.map((one) => ({ ...one, message: `${quoted(path)}: ${one.message}` })),
  });
}

/** The plans in files, none of which may be an output. */
export async function readPlans(paths: readonly string[], run: Invocation): Promise<Plan[]> {
  const kept = paths.map((path) => ({ name: 'the saved plan', path }));
  const collector = new Collector();
  collector.try(() => checkOutputs(run, kept));
  const plans: (Plan | undefined)[] = [];
  for (const path of paths) plans.push(await collector.take(() => readPlan(path, run)));
  if (collector.hasFailed) throw collector.failure();
  return plans.filter((plan) => plan !== undefined);
}

/** What to apply from a path, if one is named; rejects conflicting options. `how` saves a plan with targets. */
export async function readSaved<T>(
  path: string | undefined,
  run: Invocation,
  how: string,
  read: (from: string) => Promise<T>,
) {
  const { events, format, targets } = run.settings;
  const collector = new Collector();
  if (events === '-' && format !== 'text')
    collector.add(usageError('--events - cannot share standard output', 'name a file, or use --format text'));
  if (path !== undefined && targets.length > 0) {
    const fix = `remove --target, or save a new plan with \`${how}\``;
    collector.add(usageError('--target cannot be combined with a saved plan', fix));
  }
  const saved = path === undefined ? undefined : await collector.take(() => read(path));
  if (collector.hasFailed) throw collector.failure();
  return saved;
}
