// Saved plans on disk: read with a limit, checked, and refused before anything is asked of the service.

import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Diagnostic } from '../base/diagnostic.ts';
import type { Snapshot } from '../live/snapshot.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Plan } from '../plan/plan.ts';
import { parsePlan } from '../plan/saved.ts';
import { findStale } from '../plan/stale.ts';
import { planShapeProblem } from '../schema/plan-shape.ts';
import { EXIT } from './exit.ts';
import { CommandFailure } from './failure.ts';
import type { Host } from './host.ts';
import { missing } from './options.ts';

const MAX_PLAN_BYTES = 256 * 1024 * 1024;

/** The plan in a file, or a failure with exit code 4. */
export function readPlan(path: string, host: Host): Plan {
  const { value, diagnostics } = parsePlan(readText(path, host), planShapeProblem);
  if (value === undefined) throw new CommandFailure(EXIT.invalid, diagnostics);
  return value;
}

function readText(path: string, host: Host): string {
  const file = resolve(host.cwd, path);
  try {
    if (statSync(file).size <= MAX_PLAN_BYTES) return readFileSync(file, 'utf8');
  } catch {
    throw missing(`the plan file ${JSON.stringify(path)} cannot be read`, 'check the path');
  }
  throw missing(`the plan file ${JSON.stringify(path)} is larger than any plan`, 'check the path');
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
  if (plan.service !== service) throw unusable(`it was made at ${plan.service}, and this is ${service}`);
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

/** Refuses a plan that is not what the live state of now asks for, naming every object and field that moved. */
export function checkFresh(saved: Plan, now: Plan, snapshot: Snapshot): void {
  const found = findStale(saved, now, snapshot);
  if (found.length === 0) return;
  throw new CommandFailure(
    EXIT.stale,
    found.map(({ address, message }) => ({ ...stale(`${message}; nothing was changed`), address })),
  );
}

function stale(message: string): Diagnostic {
  return { code: 'stale-plan', severity: 'error', message, fix: 'make the plan anew, read it, and apply that' };
}

/**
 * Refusals that still stand: those that the saved plan has and the flags given now do not allow, and doubts about what
 * was read now.
 */
export function standing(saved: Plan, now: Plan): Plan['refusals'] {
  const left = new Set(now.refusals.map((refusal) => refusal.rule));
  const doubts = now.refusals.filter((refusal) => DOUBTS.includes(refusal.rule));
  return [...saved.refusals.filter((refusal) => left.has(refusal.rule) && !DOUBTS.includes(refusal.rule)), ...doubts];
}

/** Safety rules about what was read, not about what is to be done. */
const DOUBTS: readonly string[] = ['empty-list'];

/** Objects of which it cannot be said by now whose they are: any of them may be one that the saved plan is about. */
export function unclear(now: Plan): Plan['diagnostics'] {
  return now.diagnostics.filter((one) => one.code === 'broken-marker');
}
