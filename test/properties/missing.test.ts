// A property over random worlds: whatever others delete is a finding of drift, unless nothing was ever there.

import { test } from 'vitest';
import type { Finding } from '../../src/drift/finding.ts';
import { createDirect, driftOn } from '../support/in-process.ts';
import { actOutside, ownedBy } from '../support/concurrent-edits.ts';
import { must, settle } from '../support/apply-until-done.ts';
import { checkWorlds } from '../support/tally.ts';
import { STACK, tryLoad, worlds } from '../support/worlds.ts';
import { journal as journalOf } from '../plan/sample.ts';

/** Ends what hangs, also on a machine that is busy with something else. */
const TIMEOUT = 1_800_000;

test('an object that others deleted is a finding, and one that never was is none', { timeout: TIMEOUT }, () =>
  checkWorlds('missing', worlds({ edits: true, outside: true }), async (world, trail) => {
    const [first, second] = [tryLoad(world.first), tryLoad(world.second)];
    if (first === undefined || second === undefined) return 'invalid';
    const direct = createDirect(world);
    const refusal = await settle(direct, first, trail, false);
    if (refusal !== undefined) return trail.refuse(refusal);
    const before = ownedBy(direct, STACK);
    const done = actOutside(direct, STACK, world.outside, ['delete', 'change']);
    trail.note(() => done.join('\n'));
    const lost = before.filter(({ stored }) => direct.store.get(stored.id) === undefined);
    // What is pinned has an id of its own, whoever had the address before.
    const asked = second.resources.filter(({ lifecycle }) => lifecycle.pin === undefined);
    const known = new Set(before.map(({ address }) => address));
    const wanted = asked.map(({ address }) => address);
    const gone = wanted.filter((address) => lost.some((one) => one.address === address));
    const fresh = second.moved.length > 0 ? [] : wanted.filter((address) => !known.has(address));
    const ids = new Map(before.map(({ address, stored }) => [stored.id, address]));
    for (const journal of [journalOf({ ids }), undefined]) {
      const drift = await driftOn(direct, second, journal);
      const found = new Map(drift.findings.filter(isMissing).map(({ address, cause }) => [address, cause]));
      trail.note(
        () => `missing: ${[...found].join(' ')}, pending: ${drift.pending.map(({ address }) => address).join()}`,
      );
      // Without any word of the past, and without an object, a stack is one that is still to be made.
      if (journal === undefined && lost.length === before.length) continue;
      const overlooked = gone.find((address) => !found.has(address));
      must(overlooked === undefined, () => `${overlooked ?? ''} was deleted, which is no finding`);
      must(gone.length === 0 || drift.drifted, () => 'something was deleted, and nothing has drifted');
      must(!drift.pending.some(({ address }) => gone.includes(address)), () => 'what was deleted is only pending');
      if (journal === undefined) continue;
      must(
        !gone.some((address) => found.get(address) !== 'drift'),
        () => 'the journal proves it, and it is not believed',
      );
      const invented = fresh.find((address) => found.has(address));
      must(invented === undefined, () => `${invented ?? ''} never was, and is a finding`);
    }
    return 'run';
  }),
);

function isMissing({ type }: Finding): boolean {
  return type === 'missing';
}
