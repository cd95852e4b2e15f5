// A directory with the plans of a fleet: `NAME.plan.json` for each stack.

import { join, resolve } from 'node:path';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { collectAll, Failure } from '../../core/failure.ts';
import { didYouMean } from '../../core/text/closest.ts';
import type { StackResult } from '../../fleet/fleet.ts';
import { FileError, reasonOf } from '../../platform/file-error.ts';
import { failOnFileError } from '../../platform/problem.ts';
import { namesIn } from '../../platform/read.ts';
import { readPlans, writePlan } from '../files/plan-file.ts';
import { quoted } from '../options/again.ts';
import type { Invocation } from '../shell/invocation.ts';

const END = '.plan.json';

/**
 * Prepares the directory of `--out`, if there is one, or fails; returns what writes the plans there, and says what was lost.
 * Earlier plans of these stacks go, and of those that have no plan in the end: one that fails now has none to apply.
 */
export function openPlanFolder(stacks: readonly Pick<StackResult, 'name'>[], run: Invocation) {
  const { settings, platform, cwd } = run;
  const { planFolder } = settings;
  if (planFolder === undefined) return (): readonly Diagnostic[] => [];
  const folder = resolve(cwd, planFolder);
  failOnFileError(() => platform.files.prepareDirectory(folder));
  const remove = ({ name }: Pick<StackResult, 'name'>) =>
    failOnFileError(() => platform.files.remove(join(folder, `${name}${END}`)));
  collectAll(stacks, remove);
  return (results: readonly StackResult[]): readonly Diagnostic[] => {
    collectAll(
      results.filter(({ is }) => is !== 'planned'),
      remove,
    );
    return results.flatMap((one) =>
      one.is === 'planned' ? writePlan(join(planFolder, `${one.name}${END}`), one.plan, run) : [],
    );
  };
}

/** Every plan of a directory, in which nothing else may be; `names` are those of the whole fleet. */
export async function readPlanFolder(folder: string, names: readonly string[], run: Invocation) {
  const files = filesOf(folder, run).sort();
  // No error: a shard without stacks saves none.
  if (files.length === 0)
    run.stderr.write(`There is no saved plan in ${quoted(folder)}, so there is nothing to apply.\n`);
  const stacks = collectAll(files, (file) => {
    const name = file.endsWith(END) ? file.slice(0, -END.length) : undefined;
    if (name !== undefined && names.includes(name)) return name;
    const message = `${JSON.stringify(join(folder, file))} is not the plan of a stack of the fleet`;
    const fix = didYouMean(name ?? file, names) ?? `keep nothing there but what \`fleet plan --out\` wrote`;
    throw Failure.of('invalid', 'bad-plan-file', message, fix);
  });
  const plans = await readPlans(
    files.map((file) => join(folder, file)),
    run,
  );
  return new Map(plans.map((plan, index) => [stacks[index] ?? '', plan]));
}

function filesOf(folder: string, { cwd }: Invocation): string[] {
  try {
    return namesIn(resolve(cwd, folder));
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const message = `the directory of plans ${JSON.stringify(folder)} cannot be read: ${reasonOf(error)}`;
    throw Failure.of('invalid', 'file-unreadable', message, 'name the directory of `fleet plan --out`');
  }
}
