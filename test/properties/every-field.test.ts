// For every kind and every field of the catalogue: create, change, remove, each followed by an empty plan,
// against the emulator, which keeps values in a form of its own.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { canonicalJson } from '../../src/core/json.ts';
import type { Kind } from '../../src/catalog/kind.ts';
import { managedKinds } from '../../src/catalog/lookup.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { empty } from '../support/emulated.ts';
import type { FieldPath } from '../support/samples.ts';
import { fieldPaths, manifestWith, specsWith, without } from '../support/samples.ts';
import type { World } from '../support/world.ts';
import { load, startWorld } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ normalizes: true });
});
afterAll(() => world.close());

/** The first candidate that the manifest loader accepts. */
function valid(kind: Kind, candidates: readonly JsonObject[]): JsonObject | undefined {
  const problems: unknown[] = [];
  const fit = candidates.find((spec) => {
    try {
      load(manifestWith(kind, spec));
      return true;
    } catch (problem) {
      problems.push(problem);
      return false;
    }
  });
  if (fit === undefined && problems.length > 0) lastProblem = problems;
  return fit;
}
let lastProblem: readonly unknown[] = [];

const address = (kind: Kind) =>
  kind.parent ? `https_edges.home.${kind.parent.listedAs}.main` : `${kind.manifestKey}.main`;

const pending = (plan: Plan) => ({
  steps: plan.steps.map((step) => `${step.action} ${step.address} ${step.changes.map((c) => c.path).join()}`),
  blocked: plan.blocked,
  errors: plan.diagnostics,
  refusals: plan.refusals,
});
const nothing = { steps: [], blocked: [], errors: [], refusals: [] };

async function converge(kind: Kind, spec: JsonObject): Promise<Plan> {
  const manifest = manifestWith(kind, spec);
  const options = { allowLoss: [address(kind)] };
  const { plan, results } = await world.apply(manifest, options);
  expect(plan.blocked).toEqual([]);
  expect(plan.diagnostics.filter((d) => d.severity === 'error')).toEqual([]);
  expect(results.filter((result) => result.status !== 'done')).toEqual([]);
  expect(pending(await world.plan(manifest, options))).toEqual(nothing);
  return plan;
}

function isCreateOnly(target: FieldPath): boolean {
  return target.chain.some((field) => field.write === 'create');
}

/** A choice that creation fixes lies above the field, so choosing another one is a replacement. */
function choosesKind(target: FieldPath): boolean {
  const holder = target.chain.at(-2);
  return holder?.type === 'object' && holder.fixedChoice === true;
}

describe.each(managedKinds.map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
  test.each(fieldPaths(kind.fields).map((target) => [target.path.join('.'), target] as const))(
    '%s is created, changed alone and removed, with an empty plan after each',
    async (_path, target) => {
      const first = valid(kind, specsWith(kind, target, 0));
      if (first === undefined) throw new Error(`no valid spec: ${String(lastProblem[0])}`);
      const created = await converge(kind, first);
      expect(created.steps.some((step) => step.address === address(kind))).toBe(true);

      const second = valid(kind, specsWith(kind, target, 1));
      if (second === undefined) throw new Error(`no valid changed spec: ${String(lastProblem[0])}`);
      if (canonicalJson(first) !== canonicalJson(second)) {
        world.writes();
        const plan = await converge(kind, second);
        expectOneChange(plan, target, kind);
      }

      const bare = valid(kind, [without(second, target.path), ...parents(target).map((path) => without(second, path))]);
      if (target.field.write === 'update') await expectStuck(kind, without(second, target.path), target);
      else if (bare !== undefined) await converge(kind, bare);
      empty(world.emulator);
    },
  );
});

/** What only updates accept can be given and changed, and the specification shows nothing that takes it away. */
async function expectStuck(kind: Kind, spec: JsonObject, { path }: FieldPath): Promise<void> {
  const plan = await world.plan(manifestWith(kind, spec));
  expect(pending(plan)).toMatchObject({ ...nothing, blocked: [{ address: address(kind), path: path.join('.') }] });
}

function parents(target: FieldPath): string[][] {
  return target.path
    .map((_, depth) => target.path.slice(0, target.path.length - depth - 1))
    .filter((p) => p.length > 0);
}

function expectOneChange(plan: Plan, target: FieldPath, kind: Kind): void {
  const [top = ''] = target.path;
  const field = target.field;
  const caseOnly = field.type === 'string' && field.form === 'caseless';
  if (caseOnly) return;
  if (isCreateOnly(target) || choosesKind(target)) {
    expect(plan.steps.map((step) => step.action)).toEqual(['replace', 'replace']);
    return;
  }
  expect(plan.steps.map((step) => [step.action, step.address])).toEqual([['update', address(kind)]]);
  const requests = plan.steps[0]?.requests ?? [];
  expect(requests.map((request) => request.method)).toEqual(['PATCH']);
  const always = Object.keys(kind.fields).filter((name) => kind.fields[name]?.alwaysSend);
  const sent = Object.keys(requests[0]?.body ?? {}).filter((name) => name !== 'metadata' && !always.includes(name));
  const expected = top === 'metadata' || always.includes(top) ? [] : [top];
  expect(sent).toEqual(expected);
}
