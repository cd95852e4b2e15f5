// Saved plans on disk: read with a limit, checked, and refused before anything is asked of the service.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { isSameService } from '../../core/service.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import type { PlanInput } from '../../plan/build.ts';
import type { Plan } from '../../plan/plan.ts';
import { parsePlan } from '../../plan/saved.ts';
import { reviewSavedPlan } from '../../plan/stale.ts';
import { planShapeProblem } from '../../schema/plan-shape.ts';
import { EXIT } from '../shell/exit.ts';
import { CommandFailure } from '../shell/failure.ts';
import { readGiven } from '../options/given.ts';
import type { Host } from '../shell/host.ts';

const MAX_PLAN_BYTES = 256 * 1024 * 1024;

/** The plan in a file, or a failure with exit code 4. */
export async function readPlan(path: string, host: Host): Promise<Plan> {
  const text = await readGiven({ option: 'the plan file', path, maxBytes: MAX_PLAN_BYTES }, host);
  const { value, diagnostics } = parsePlan(text, planShapeProblem);
  if (value === undefined) throw new CommandFailure(EXIT.invalid, diagnostics);
  return value;
}

export interface Expected {
  readonly manifest: Manifest;
  /** Address of the service that is talked to now. */
  readonly service: string;
}

/** Refuses a plan that was made for another stack, service or manifest. */
export function checkOrigin(plan: Plan, { manifest, service }: Expected): void {
  if (plan.stack !== manifest.stack)
    throw unusable(`it is for stack ${plan.stack}, and the manifest is that of ${manifest.stack}`);
  if (!isSameService(plan.service, service)) throw unusable(`it was made at ${plan.service}, and this is ${service}`);
  if (plan.manifest_digest === manifest.digest) return;
  const message = 'the manifest, or a variable, is not the one that the plan was made from; nothing was changed';
  throw new CommandFailure(EXIT.stale, [stale(message)]);
}

function unusable(why: string): CommandFailure {
  const message = `the saved plan cannot be used: ${why}`;
  return new CommandFailure(EXIT.invalid, [
    { code: 'bad-plan-file', severity: 'error', message, fix: 'give the plan that belongs here, or make it anew' },
  ]);
}

/**
 * The plan as it stands now. Fails when it is not what the live state asks for, naming every object and field that moved;
 * what a plan of its steps would be refused for now, or has as an error, is in it.
 */
export function asOfNow(saved: Plan, input: PlanInput): Plan {
  const { stale: found, refusals, diagnostics } = reviewSavedPlan(saved, input);
  if (found.length > 0) {
    const told = found.map(({ address, message }) => ({ ...stale(`${message}; nothing was changed`), address }));
    throw new CommandFailure(EXIT.stale, told);
  }
  const known = new Set(saved.diagnostics.map((one) => one.message));
  const news = diagnostics.filter((one) => !known.has(one.message));
  return { ...saved, refusals, diagnostics: [...saved.diagnostics, ...news] };
}

function stale(message: string): Diagnostic {
  return { code: 'stale-plan', severity: 'error', message, fix: 'make the plan anew, read it, and apply that' };
}
