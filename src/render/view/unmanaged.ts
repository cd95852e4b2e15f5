// Objects outside a stack as lines, for who wants all details.

import type { Plan } from '../../plan/plan.ts';

/** Those that nothing else names: what is added to an object of a stack is told with it, in the plan of that stack. */
export function unmanagedTexts({ unmanaged, foreign_children: children = [] }: Plan): string[] {
  const namedAbove = new Set(children.map(({ live_id: id }) => id));
  return unmanaged
    .filter(({ id, parent_stack: around }) => around === undefined && !namedAbove.has(id))
    .map(({ kind, id, owner }) => `${kind} ${id}${owner === null ? '' : ` (stack ${owner})`}`);
}
