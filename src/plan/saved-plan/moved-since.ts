// Creations of a saved plan that may have been done by now under another name, where no journal knows: what a new plan says of them,
// and the saved plan did not. Pure (ADR-0078).

import type { Diagnostic } from '../../core/diagnostic.ts';
import type { ForgottenMove } from '../notices/find-moves.ts';
import { SAME_ELSEWHERE } from '../notices/same-elsewhere.ts';
import type { Plan, Step } from '../plan.ts';
import { staleAt } from './stale.ts';

interface Since {
  readonly now: Plan;
  /** What is left to do. */
  readonly left: readonly Step[];
  /** Renames that would explain a creation and an object without a block. */
  readonly renames: readonly ForgottenMove[];
}

export function movedSince(saved: Plan, { now, left, renames }: Since): Diagnostic[] {
  const creating = new Set(left.flatMap(({ action, address }) => (action === 'create' ? [address] : [])));
  const seen = new Set(saved.steps.map(({ live_id: id }) => id));
  // A plan with targets deletes nothing, and so does not say what was there.
  const news = saved.complete ? renames.filter(({ live, to }) => creating.has(to) && !seen.has(live.id)) : [];
  const warned = new Set(saved.diagnostics.flatMap((one) => (one.code === SAME_ELSEWHERE ? [one.address] : [])));
  const others = now.diagnostics.flatMap(({ code, address, message }) =>
    code === SAME_ELSEWHERE && address !== null && creating.has(address) && !warned.has(address)
      ? [staleAt(address, message)]
      : [],
  );
  return [...news.map(renamedSince), ...others];
}

function renamedSince({ from, to, live, words }: ForgottenMove): Diagnostic {
  return staleAt(
    to,
    `${to} would be created, and ${from} (${live.id}), which is new since the plan was made, has ${words}: it seems to have been renamed`,
  );
}
