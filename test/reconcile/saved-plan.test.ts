// A saved plan with problems: the same one is known again by its code, its address and its object, whatever its words are.

import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { Failure } from '../../src/core/failure.ts';
import { buildPlan, type PlanInput } from '../../src/plan/build.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { recheckSavedPlan } from '../../src/reconcile/saved-plan.ts';
import type { LiveResource } from '../../src/resource/snapshot.ts';
import { live, manifest, options, snapshot } from '../plan/sample.ts';

const WANTED = { tls_edges: { a: {} }, reserved_addrs: { r: {} } };
const edge = (id: string) => live(id, 'shop:tls_edges.a');
const TWICE = [edge('edgtls_1'), edge('edgtls_2')];

function input(objects: readonly LiveResource[], content: JsonObject = WANTED): PlanInput {
  return {
    manifest: manifest(content),
    snapshot: snapshot(...objects),
    service: 'https://api.test/',
    options: options(),
  };
}

/** The problems of the plan after another look, or the code that it fails with. */
function recheck(saved: Plan, objects: readonly LiveResource[]): string[] {
  try {
    return recheckSavedPlan(saved, input(objects)).diagnostics.map(({ code, message }) => `${code} ${message}`);
  } catch (error) {
    return error instanceof Failure ? error.diagnostics.map(({ code }) => code) : [String(error)];
  }
}

const unreadable = (id: string, what: string): LiveResource => ({
  ...live(id, '?shop'),
  marker: undefined,
  markerProblem: { what, stacks: ['shop'] },
});

test('an error that is still there with other words is listed once', () => {
  const saved = buildPlan(input([unreadable('edgtls_8', 'is cut off')]));
  expect(recheck(saved, [unreadable('edgtls_8', 'is no JSON')])).toEqual([expect.stringContaining('is cut off')]);
});

test('an error of another object is another error', () => {
  const [first, second] = [unreadable('edgtls_8', 'is cut off'), unreadable('edgtls_9', 'is cut off')];
  const saved = buildPlan(input([first]));
  expect(recheck(saved, [first, second])).toEqual([
    expect.stringContaining('edgtls_8'),
    expect.stringContaining('edgtls_9'),
  ]);
});

test('a plan whose only error is solved lacks what the error excluded', () => {
  const saved = buildPlan(input(TWICE));
  expect(recheck(saved, TWICE.slice(0, 1))).toEqual(['stale-plan']);
});
