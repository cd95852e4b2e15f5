// What text, Markdown and HTML say is what JSON says: of a plan, of drift and of a fleet, every change of every object is named, with the
// items that come and go and as many masks as values are masked; and so are refusals, what is blocked, and problems.

import { expect, test } from 'vitest';
import { parseJson } from '../../src/core/json.ts';
import { knownSecrets } from '../../src/core/secrets/known.ts';
import { findDrift, type Drift } from '../../src/drift/drift.ts';
import { buildPlan } from '../../src/plan/build.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { renderFleetAs, type FleetOutcome } from '../../src/render/fleet.ts';
import { renderDriftAs, renderPlanAs } from '../../src/render/formats.ts';
import type { RenderOptions } from '../../src/render/render-options.ts';
import { must, settleFirst } from '../support/apply-until-done.ts';
import { actOutside, ALL_DEEDS } from '../support/concurrent-edits.ts';
import { snapshotOf } from '../support/in-process.ts';
import { checkWorlds } from '../support/tally.ts';
import { PEOPLE, printed, type Printed, untoldOfDrift, untoldOfPlan } from '../support/told.ts';
import { STACK, worlds } from '../support/worlds.ts';

const TIMEOUT = 1_800_000;
const SERVICE = 'http://service.test';

const counts = { steps: 0, changes: 0, masked: 0, lists: 0, findings: 0, refusals: 0, blocked: 0, diagnostics: 0 };

test('what people read names every change of what programs read', { timeout: TIMEOUT }, () =>
  checkWorlds('told', worlds({ edits: true, outside: true, foreign: true }), async (world, trail) => {
    // A text that is secret in one world may be plain in another.
    knownSecrets.clear();
    const settled = await settleFirst({ ...world, disabled: world.seed % 3 === 0 ? ['module-delete'] : [] }, trail);
    if (typeof settled === 'string') return settled;
    const { direct, second } = settled;
    const done = actOutside(direct, STACK, world.outside, ALL_DEEDS);
    trail.note(() => done.join('\n'));
    const isAllowed = world.seed % 2 === 0;
    const options = {
      destroy: world.seed % 9 === 0,
      allowDeletes: isAllowed ? 'all' : 0,
      allowLoss: isAllowed ? second.resources.map(({ address }) => address) : [],
      targets: [],
      capabilities: direct.capabilities,
    } as const;
    const input = { manifest: second, snapshot: await snapshotOf(direct), service: SERVICE, options };
    const style: RenderOptions = { color: false, width: 100, detail: world.seed % 3 === 0 ? 'full' : 'changes' };
    const plan = buildPlan(input);
    const found = { ...findDrift(input), diagnostics: [] };
    const json = {
      plan: read(renderPlanAs('json', plan, style)) as Plan,
      drift: read(renderDriftAs('json', found, style)) as Drift,
    };
    count(json.plan, json.drift);
    for (const format of PEOPLE) {
      const drawn = [
        [renderPlanAs(format, plan, style), (text: Printed) => untoldOfPlan(json.plan, text)],
        [renderFleetAs(format, fleetOf(plan), style), (text: Printed) => untoldOfPlan(json.plan, text)],
        [renderDriftAs(format, found, style), (text: Printed) => untoldOfDrift(json.drift, json.plan, text)],
      ] as const;
      for (const [document, untoldIn] of drawn) {
        const text = knownSecrets.mask(document);
        const untold = untoldIn(printed(format, text));
        must(untold.length === 0, () => `${format} does not tell ${untold.join('\n')}:\n${text}`);
      }
    }
    return 'run';
  }),
);

test('every sort of thing was there to be told', () => {
  expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(0);
});

/** As programs get it: behind the filter that all output passes. */
function read(text: string): unknown {
  return parseJson(knownSecrets.mask(text));
}

/** Two stacks of which the same is said. */
function fleetOf(plan: Plan): FleetOutcome {
  const stacks = ['one', 'two'].map((name) => ({
    name,
    stack: plan.stack,
    service: SERVICE,
    outcome: 'done' as const,
    is: 'planned' as const,
    plan,
  }));
  return { command: 'plan', outcome: 'done', stacks };
}

function count({ steps, refusals, blocked, diagnostics }: Plan, { findings }: Drift): void {
  const changes = [...steps, ...findings].flatMap((one) => one.changes);
  counts.steps += steps.length;
  counts.changes += changes.length;
  counts.masked += changes.filter(({ sensitive }) => sensitive).length;
  counts.lists += changes.filter(({ before, after }) => Array.isArray(before) && Array.isArray(after)).length;
  counts.findings += findings.length;
  counts.refusals += refusals.length;
  counts.blocked += blocked.length;
  counts.diagnostics += diagnostics.length;
}
