// Who else is there: other stacks of a fleet, other writers, and a service that does not answer as it should.

import type { Mechanism } from '../mechanism.ts';

const fleet: Mechanism = {
  name: 'fleet',
  stage: 'command',
  add: (draft) => {
    draft.commands.isFleet = true;
    if (draft.seldom(2)) void draft.side;
    draft.promise('like single commands');
    return true;
  },
};

const wave: Mechanism = {
  name: 'wave',
  stage: 'command',
  add: (draft) => {
    draft.commands.isFleet = true;
    draft.commands.hasWaves = true;
    const isFirst = draft.seldom(2);
    draft.side.wave = isFirst ? 1 : 2;
    draft.main.wave = isFirst ? 2 : 1;
    draft.promise('in waves');
    return true;
  },
};

const shard: Mechanism = {
  name: 'shard',
  stage: 'command',
  add: (draft) => {
    draft.commands.isFleet = true;
    draft.commands.shards = 2;
    void draft.side;
    return true;
  },
};

const lostAnswer: Mechanism = {
  name: 'lost answer',
  stage: 'command',
  add: (draft) => {
    const fault = draft.one([
      'reset after',
      'no answer after',
      '502 of a gateway after',
      '504 after',
      'reset before',
      'reset, carried out later',
    ]);
    draft.commands.trouble = { write: draft.chance(4), fault: fault! };
    return true;
  },
};

const laggingList: Mechanism = {
  name: 'lagging list',
  stage: 'command',
  add: (draft) => {
    const lag = draft.one([{ lagMs: 800 }, { lagMs: 4_000 }, { lagReads: 2 }])!;
    const lagOf = draft.one([undefined, 'created', 'deleted'] as const);
    draft.service = { ...draft.service, ...lag, ...(lagOf !== undefined && { lagOf }) };
    return true;
  },
};

const secondWriter: Mechanism = {
  name: 'second writer',
  stage: 'command',
  add: (draft) => {
    const when = draft.one(['between', 'between', 'beside', 'after', 'after'] as const)!;
    draft.commands.second = { when, isHere: when !== 'beside' && draft.seldom(2) };
    return true;
  },
};

/** The key is one of another account: the journals know objects, and the service has none of them. */
const otherAccount: Mechanism = {
  name: 'another account',
  stage: 'command',
  add: (draft) => {
    for (const { name: stack } of draft.stacks) draft.deed('delete', { stack });
    draft.isJournalLost = false;
    draft.promise('nothing created');
    return true;
  },
};

export const SURROUNDINGS: readonly Mechanism[] = [
  fleet,
  wave,
  shard,
  lostAnswer,
  laggingList,
  secondWriter,
  otherAccount,
];
