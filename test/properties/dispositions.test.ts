// Each live object has exactly one disposition: it is kept, taken from another stack, adopted, released, replaced, deleted, expelled,
// left alone or in doubt, whatever somebody else did. Worlds of two mechanisms are asked the same (pairs/invariants.ts).

import { expect, test } from 'vitest';
import { parseJson } from '../../src/core/json.ts';
import { findDrift, type Drift } from '../../src/drift/drift.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { renderDriftAs, renderPlanAs } from '../../src/render/formats.ts';
import { must, settleFirst } from '../support/apply-until-done.ts';
import { actOutside, ALL_DEEDS, ownedBy } from '../support/concurrent-edits.ts';
import { claimsIn, misjudged, misjudgedByDrift } from '../support/dispositions.ts';
import { snapshotOf } from '../support/in-process.ts';
import { withAdoptions } from '../support/relocate.ts';
import { checkWorlds } from '../support/tally.ts';
import { STACK, tryLoad, worlds } from '../support/worlds.ts';

const TIMEOUT = 1_800_000;
const STYLE = { color: false, width: 100, detail: 'full' } as const;

const seen = new Set<string>();

test('each live object has exactly one disposition', { timeout: TIMEOUT }, () =>
  checkWorlds('dispositions', worlds({ edits: true, outside: true, foreign: true }), async (world, trail) => {
    const settled = await settleFirst(world, trail);
    if (typeof settled === 'string') return settled;
    const { direct, second } = settled;
    const before = ownedBy(direct, STACK);
    const done = actOutside(direct, STACK, world.outside, ALL_DEEDS);
    trail.note(() => done.join('\n'));
    const owned = new Set(ownedBy(direct, STACK).map(({ stored }) => stored.id));
    const lost = before.filter(({ stored: { id } }) => !owned.has(id) && direct.store.get(id) !== undefined);
    const back = lost.map(({ address, stored }): [string, string] => [address, stored.id]);
    const manifest = (world.seed % 2 === 0 ? undefined : tryLoad(withAdoptions(world.second, back))) ?? second;
    const options = {
      destroy: world.seed % 7 === 0,
      allowDeletes: 'all',
      allowLoss: [],
      targets: [],
      capabilities: direct.capabilities,
    } as const;
    const found = findDrift({ manifest, snapshot: await snapshotOf(direct), service: 'http://service.test', options });
    const plan = parseJson(renderPlanAs('json', found.plan, STYLE)) as unknown as Plan;
    const drift = parseJson(renderDriftAs('json', { ...found, diagnostics: [] }, STYLE)) as unknown as Drift;
    for (const all of claimsIn(plan).values()) for (const one of all) seen.add(one);
    const wrong = [...misjudged([plan], direct.store.all()), ...misjudgedByDrift(drift, plan)];
    must(wrong.length === 0, () => wrong.join('\n'));
    return 'run';
  }),
);

test('objects with almost every disposition were there', () => {
  expect([...seen].sort()).toEqual(['adopted', 'deleted', 'doubt', 'kept', 'left', 'released', 'replaced']);
});
