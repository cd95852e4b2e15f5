// Seeded mistakes in how objects are recognised, compared and ordered.

import type { Mutant } from './mutants.ts';

export const PLANNER: readonly Mutant[] = [
  {
    name: 'the marker of any stack will do',
    file: 'plan/match.js',
    from: 'if (live.marker?.stack !== manifest.stack)',
    to: 'if (live.marker === undefined)',
    only: 'chain: create',
  },
  {
    name: 'stacks are told apart by how their names begin',
    file: 'plan/match.js',
    from: 'const owned = left.filter((live) => live.marker?.stack === manifest.stack);',
    to: 'const owned = left.filter((live) => live.marker?.stack.startsWith(manifest.stack));',
    only: 'address: create',
  },
  {
    name: 'an object that replaces another does not say so',
    file: 'plan/decide.js',
    from: 'deleteFirst ? undefined : live.id',
    to: 'undefined',
    only: 'address: replace',
  },
  {
    name: 'the token counts as stored from the start',
    file: 'plan/decide.js',
    from: 'metadata: metadataText(user, unsettled(settled, kind)),',
    to: 'metadata: metadataText(user, settled),',
    only: 'key: create',
  },
  {
    name: 'an object is deleted before others let it go',
    file: 'plan/order.js',
    from: 'for (const key of deletes && draft.live !== undefined ? usersOf(draft.live, index) : [])',
    to: 'for (const key of [])',
    only: 'chain: prune',
  },
  {
    name: 'a value is taken before it is free',
    file: 'plan/order.js',
    from: 'for (const value of draft.takes)',
    to: 'for (const value of [])',
    only: 'a hostport goes',
  },
  {
    name: 'nobody steps aside in a swap',
    file: 'plan/untangle.js',
    from: 'flip(circle) ?? stepAside(circle) ?? []',
    to: 'flip(circle) ?? []',
    only: 'swap',
  },
  {
    name: 'an update leaves out what must always be sent',
    file: 'plan/requests.js',
    from: '.filter(([, field]) => field.alwaysSend)',
    to: '.filter(() => false)',
    only: 'backend: describe',
  },
  {
    name: 'a masked secret is never sent again',
    file: 'plan/changes.js',
    from: 'diffs.filter((diff) => diff.differences.length > 0 || maskedChanged(diff, live, salt))',
    to: 'diffs.filter((diff) => diff.differences.length > 0)',
    only: 'destination: rotate',
  },
  {
    name: 'values that others hold are taken',
    file: 'plan/guard.js',
    from: 'if (holder === undefined || holder.id === draft.live?.id)',
    to: 'if (true)',
    only: 'a foreign edge has',
  },
  {
    name: 'a release deletes',
    file: 'plan/match.js',
    from: 'orphans: owned.filter((live) => !isReleased(live)),',
    to: 'orphans: owned,',
    only: 'release',
  },
  {
    name: 'of two objects of one address, one is chosen',
    file: 'plan/match.js',
    from: 'if (found.length <= 1)',
    to: 'if (found.length >= 0)',
    only: 'an address is there twice',
  },
  {
    name: 'the marker is left out of new objects',
    file: 'live/owner.js',
    from: 'const text = JSON.stringify(ordered(marker));',
    to: "const text = '{}';",
    only: 'address: create',
  },
];
