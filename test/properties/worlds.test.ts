// Properties over thousands of random worlds: a manifest is applied, changed in a few places, and applied again.

import { afterAll, expect, test } from 'vitest';
import { METADATA } from '../../src/catalog/fields/common.ts';
import { readMarker } from '../../src/resource/marker/marker-codec.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import type { Step } from '../../src/plan/plan.ts';
import { chanceOf } from '../support/chance.ts';
import type { Block } from '../support/document.ts';
import { exportManifest } from '../../src/export/export.ts';
import type { Direct } from '../support/in-process.ts';
import { createDirect, planOn, refusalOf, snapshotOf } from '../support/in-process.ts';
import { disown, loadBack } from '../support/exporting.ts';
import { KNOWN_GAPS } from '../support/known-gaps.ts';
import { hiddenIn } from '../support/sensitive-variables.ts';
import type { DeedName } from '../support/concurrent-edits.ts';
import { actOutside, addForeign, ALL_DEEDS, CHANGES, ownedBy } from '../support/concurrent-edits.ts';
import { cutAtRandom } from '../support/cut.ts';
import { rearranged } from '../support/rearrange.ts';
import {
  compareWithPlan,
  destroy,
  inOrder,
  must,
  perform,
  settle,
  someOrder,
  watchPrefixes,
  watchSecrets,
} from '../support/apply-until-done.ts';
import type { Trail, CaseResult } from '../support/tally.ts';
import { checkWorlds, outline, RUNS, tally } from '../support/tally.ts';
import type { World } from '../support/worlds.ts';
import { withAdoptions } from '../support/relocate.ts';
import { loadFiles, STACK, tryLoad, worlds } from '../support/worlds.ts';

/** Ends what hangs, also on a machine that is busy with something else. */
const TIMEOUT = 1_800_000;

/**
 * The texts of the worlds are few, so that those of one object are often the secret of another,
 * and a plan that would write a known secret elsewhere is refused.
 */
const MOST_REFUSED_EXPORTS = 0.7;

const started = performance.now();
const used = process.cpuUsage();
afterAll(() => {
  const { worlds: count, refused, invalid, gaps, reasons } = tally;
  const share = ((100 * refused) / Math.max(1, count)).toFixed(1);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const { user, system } = process.cpuUsage(used);
  const cpu = ((user + system) / 1e6).toFixed(1);
  const why = [...reasons].map(([reason, times]) => `${reason} ${times}`).join(', ');
  console.log(
    `worlds: ${count}, refused ${share} % (${why}), not valid ${invalid}, left out ${gaps}, ${seconds} s, ${cpu} s of CPU`,
  );
});

/** How the service of a world answers. */
function serviceOf({ disabled, mask, normalizes }: World): Pick<World, 'disabled' | 'mask' | 'normalizes'> {
  return { disabled, mask, normalizes };
}

interface Ready {
  readonly direct: Direct;
  readonly first: Manifest;
  readonly second: Manifest;
  /** The second manifest with lines that take back what lost its marker. */
  readonly document: Block;
  readonly adopted: readonly string[];
}

/** A service that holds what is not ours, with the first manifest applied and then changed from outside. */
async function prepare(
  name: keyof typeof RUNS,
  world: World,
  trail: Trail,
  deeds: readonly DeedName[] = ALL_DEEDS,
): Promise<Ready | CaseResult> {
  const [first, second] = [tryLoad(world.first), tryLoad(world.second)];
  if (first === undefined || second === undefined) return 'invalid';
  if (isGap(name, world)) return 'gap';
  const direct = createDirect(world);
  addForeign(direct, world.foreign);
  const refusal = await settle(direct, first, trail, name === 'converge');
  if (refusal !== undefined) return trail.refuse(refusal);
  const before = ownedBy(direct, STACK);
  const done = actOutside(direct, STACK, world.outside, deeds);
  trail.note(() => done.join('\n'));
  if (isGap(name, world, direct)) return 'gap';
  const lost = before.filter(({ stored }) => !isOwned(direct, stored.id) && direct.store.get(stored.id) !== undefined);
  const adopted = world.seed % 2 === 0 ? [] : lost.map(({ address, stored }): [string, string] => [address, stored.id]);
  if (adopted.length === 0) return { direct, first, second, document: world.second, adopted: [] };
  const document = withAdoptions(world.second, adopted);
  trail.note(() => `adopting ${adopted.join(' ')}`);
  return { direct, first, second: tryLoad(document) ?? second, document, adopted: adopted.map(([, id]) => id) };
}

/** True when the world needs something that the planner does not do yet; `WORLDS_GAPS=all` leaves nothing out. */
function isGap(name: keyof typeof RUNS, world: World, direct?: Direct): boolean {
  if (process.env['WORLDS_GAPS'] === 'all') return false;
  return KNOWN_GAPS.some((gap) => (gap.only ?? name) === name && gap.matters(world, direct));
}

/** A marker that cannot be read, and that names the stack. */
function isBroken(metadata: string): boolean {
  return readMarker(metadata).markerProblem?.stacks.includes(STACK) === true;
}

function isOwned(direct: Direct, id: string): boolean {
  return ownedBy(direct, STACK).some(({ stored }) => stored.id === id);
}

test('after an apply the plan is empty, for a manifest and a similar second one', { timeout: TIMEOUT }, () =>
  checkWorlds('converge', worlds({ edits: true }), async (world, trail) => {
    const ready = await prepare('converge', world, trail);
    if (typeof ready === 'string') return ready;
    watchSecrets(ready.direct, ready.second);
    const refusal = await settle(ready.direct, ready.second, trail);
    return refusal === undefined ? 'run' : trail.refuse(refusal);
  }),
);

test('after an apply the plan is empty, whatever others changed', { timeout: TIMEOUT }, () =>
  checkWorlds('outside', worlds({ edits: true, outside: true }), async (world, trail) => {
    const ready = await prepare('outside', world, trail);
    if (typeof ready === 'string') return ready;
    watchSecrets(ready.direct, ready.second);
    const others = ready.direct.store.all().filter(({ id }) => !ready.adopted.includes(id));
    const isDamaged = others.some(({ spec }) => isBroken(String(spec[METADATA] ?? '')));
    const refusal = await settle(ready.direct, ready.second, trail);
    must(!isDamaged || refusal !== undefined, () => 'a marker that cannot be read stopped nothing');
    return refusal === undefined ? 'run' : trail.refuse(refusal);
  }),
);

test('no request touches an object that is not ours, and none of them changes', { timeout: TIMEOUT }, () =>
  checkWorlds('foreign', worlds({ edits: true, outside: true, foreign: true }), async (world, trail) => {
    const ready = await prepare('foreign', world, trail);
    if (typeof ready === 'string') return ready;
    const { direct, second, adopted } = ready;
    const ours = new Set([...adopted, ...ownedBy(direct, STACK, adopted).map(({ stored }) => stored.id)]);
    const foreign = direct.store.all().filter((stored) => !ours.has(stored.id));
    direct.onWrite = ({ method, path }) => {
      // Our own children may be deleted from a parent that somebody took from us.
      const target = direct.targetOf(method, path);
      const hit = foreign.find(({ id }) => target.includes(id));
      must(hit === undefined, () => `${method} ${path} touches what is not ours`);
      const changed = foreign.find((one) => direct.store.get(one.id) !== one);
      must(changed === undefined, () => `${method} ${path} changes ${changed?.id ?? ''}, which is not ours`);
    };
    const refusal = await settle(direct, second, trail);
    if (refusal !== undefined) return trail.refuse(refusal);
    const last = await destroy(direct, second, trail);
    must(last !== undefined || ownedBy(direct, STACK).length === 0, () => 'something of ours is left');
    return 'run';
  }),
);

test('every order that the plan allows is valid at each of its prefixes', { timeout: TIMEOUT }, () =>
  checkWorlds('order', worlds({ edits: true, outside: true }), async (world, trail) => {
    const ready = await prepare('order', world, trail);
    if (typeof ready === 'string') return ready;
    const planned = await planOn(ready.direct, ready.second);
    trail.note(() => `plan:\n${outline(planned.plan)}`);
    const refusal = refusalOf(planned);
    if (refusal !== undefined) return trail.refuse(refusal);
    const { steps } = planned.plan;
    const before = (id: string, step: string) =>
      steps.findIndex((one) => one.id === id) < steps.findIndex((one) => one.id === step);
    must(
      steps.every((step) => step.depends_on.every((id) => before(id, step.id))),
      () => 'a step stands before one that it waits for',
    );
    const chance = chanceOf(world.seed);
    for (const order of [steps, someOrder(steps, chance)]) {
      const direct = createDirect({ ...serviceOf(world), from: ready.direct.store });
      trail.note(() => `order: ${order.map((step) => step.id).join()}`);
      watchPrefixes(direct, planned);
      await perform(direct, { ...planned, plan: inOrder(planned.plan, order) }, trail, 1);
    }
    return 'run';
  }),
);

test('apply sends exactly the requests of the plan, and no plan holds a secret', { timeout: TIMEOUT }, () =>
  checkWorlds('preview', worlds({ edits: true, outside: true }), async (world, trail) => {
    const ready = await prepare('preview', world, trail);
    if (typeof ready === 'string') return ready;
    const { direct, second } = ready;
    const planned = await planOn(direct, second);
    trail.note(() => `plan:\n${outline(planned.plan)}`);
    must(!/hush-|changed-\d|other-\d/.test(JSON.stringify(planned.plan)), () => 'the plan holds a secret');
    const seen = shownElsewhere(world, direct);
    const found = [...hiddenIn(world.first), ...hiddenIn(world.second)].filter(
      (text) => text.length > 5 && !seen.includes(text.toLowerCase()),
    );
    const shown = JSON.stringify(planned.plan).toLowerCase();
    const told = found.find((text) => shown.includes(text.toLowerCase()));
    must(told === undefined, () => `the plan holds the secret ${told ?? ''}`);
    const refusal = refusalOf(planned);
    if (refusal !== undefined) return trail.refuse(refusal);
    direct.sent.length = 0;
    await perform(direct, planned, trail);
    const { missing, extra } = compareWithPlan(planned, direct.sent);
    must(
      missing.length + extra.length === 0,
      () => `not sent: ${missing.join('\n')}\nnot planned: ${extra.join('\n')}`,
    );
    return 'run';
  }),
);

/** Texts that stand somewhere in clear: in a manifest, or in what others have made. */
function shownElsewhere({ first, second }: World, direct: Direct): string {
  const plain = [first, second].map(({ variables: _, ...rest }) => rest);
  const foreign = direct.store.all().filter((stored) => !isOwned(direct, stored.id));
  return JSON.stringify([plain, foreign]).toLowerCase();
}

test(
  'files, presets, overlays, order of keys, order of lists and pages make no difference to a plan',
  { timeout: TIMEOUT },
  () =>
    checkWorlds('same', worlds({ edits: true, outside: true, foreign: true }), async (world, trail) => {
      const ready = await prepare('same', world, trail);
      if (typeof ready === 'string') return ready;
      const { direct, second } = ready;
      const bare = (plan: object) =>
        JSON.stringify(plan, (key, value: unknown) => (key === 'source' ? undefined : value), 1);
      const { plan } = await planOn(direct, second);
      const other = rearranged(ready.document, chanceOf(world.seed));
      trail.note(() => other.files.map(({ name, text }) => `${name}:\n${text}`).join('\n'));
      const loaded = loadFiles(other.files);
      must(loaded.value !== undefined, () => `not accepted in several files: ${JSON.stringify(loaded.diagnostics)}`);
      const options = { ...serviceOf(world), pageSize: other.pageSize, arrange: other.arrange };
      const again = await planOn(createDirect({ ...options, from: direct.store }), loaded.value!);
      expect(bare(again.plan)).toBe(bare(plan));
      const cut = cutAtRandom(ready.document, chanceOf(world.seed));
      trail.note(() => [...cut.files, ...cut.overlays].map(({ name, text }) => `${name}:\n${text}`).join('\n'));
      const reused = loadFiles(cut.files, cut.overlays);
      must(reused.value !== undefined, () => `not accepted with presets: ${JSON.stringify(reused.diagnostics)}`);
      const { plan: same } = await planOn(createDirect({ ...options, from: direct.store }), reused.value!);
      expect(bare(same)).toBe(bare(plan));
      return refusalOf(again) === undefined ? 'run' : trail.refuse(refusalOf(again)!);
    }),
);

test('with edits alone, every change is caused by the manifest', { timeout: TIMEOUT }, () =>
  checkWorlds('config', worlds({ edits: true }), async (world, trail) => {
    const ready = await prepare('config', world, trail);
    if (typeof ready === 'string') return ready;
    const { plan } = await planOn(ready.direct, ready.second);
    trail.note(() => `plan:\n${outline(plan)}`);
    const changes = plan.steps.flatMap((step) => step.changes);
    // What the service chose itself beside a secret cannot be told from what was applied.
    const hasSecrets = JSON.stringify(world.first).includes('${var.');
    const wrong = changes.filter(({ cause }) => cause !== 'config' && !(cause === 'unknown' && hasSecrets));
    must(wrong.length === 0, () => `${wrong.map((one) => one.cause).join()}, but nothing was changed outside`);
    return 'run';
  }),
);

test('with drift alone, every change is caused by it', { timeout: TIMEOUT }, () =>
  checkWorlds('drift', worlds({ outside: true }), async (world, trail) => {
    const ready = await prepare('drift', world, trail, CHANGES);
    if (typeof ready === 'string') return ready;
    const { plan } = await planOn(ready.direct, ready.first);
    trail.note(() => `plan:\n${outline(plan)}`);
    const wrong = plan.steps.flatMap((step) => step.changes).filter(({ cause }) => cause !== 'drift');
    must(wrong.length === 0, () => `${wrong.map((one) => one.cause).join()}, but the manifest is the same`);
    return 'run';
  }),
);

test('what a stack owns, exported, plans nothing but newer markers', { timeout: TIMEOUT }, () =>
  checkWorlds(
    'owned',
    worlds({ edits: true, foreign: true }),
    async (world, trail) => {
      const ready = await prepare('owned', world, trail, []);
      if (typeof ready === 'string') return ready;
      const { direct } = ready;
      const exported = exportManifest(await snapshotOf(direct), { of: 'stack', stack: STACK });
      trail.note(() => exported.files.map(({ text }) => text).join('\n'));
      if (exported.resources === 0 || exported.leftOut.length > 0) return trail.refuse('nothing to export');
      const { plan } = await planOn(direct, loadBack(exported, direct));
      // Protection is the manifest's own word, which no live object tells but by its marker.
      // A secret that the service keeps to itself is sent once more beside values that the service had chosen.
      const isSent = (step: Step) => world.mask !== undefined && step.changes.every((change) => change.sensitive);
      // Where the export writes out what the service had chosen, the marker says so from now on (ADR-0024).
      const isRenewed = ({ action, changes }: Step) => action === 'update' && changes.length === 0;
      must(
        plan.steps.every((step) => isSent(step) || isRenewed(step)),
        () => `an export plans\n${outline(plan)}`,
      );
      return 'run';
    },
    MOST_REFUSED_EXPORTS,
  ),
);

test('what nobody owns, exported, is adopted and then plans nothing', { timeout: TIMEOUT }, () =>
  checkWorlds('adopted', worlds({ edits: true }), async (world, trail) => {
    const ready = await prepare('adopted', world, trail, []);
    if (typeof ready === 'string') return ready;
    const { direct } = ready;
    disown(direct);
    const exported = exportManifest(await snapshotOf(direct), { of: 'unmanaged', stack: STACK });
    trail.note(() => exported.files.map(({ text }) => text).join('\n'));
    const manifest = loadBack(exported, direct);
    const { plan } = await planOn(direct, manifest);
    const others = plan.steps.filter((step) => step.action !== 'adopt' || step.changes.some((one) => !one.sensitive));
    must(others.length === 0, () => `an export plans more than adoptions\n${outline(plan)}`);
    const refusal = await settle(direct, manifest, trail);
    return refusal === undefined ? 'run' : trail.refuse(refusal);
  }),
);

test('the properties run at least 10,000 worlds', () => {
  expect(Object.values(RUNS).reduce((total, runs) => total + runs, 0)).toBeGreaterThanOrEqual(10_000);
});
