// Seeded mistakes in what of a live object is kept: what is ignored, released, or shown once.

import type { Mutant } from './mutants.ts';

const IGNORED: readonly Mutant[] = [
  {
    name: 'a choice is made because something of it is ignored',
    file: 'resource/carry.ts',
    in: 'carryMembers',
    find: { condition: ['exactlyOne'] },
    to: 'false',
    tests: ['plan/ignored.test.ts'],
  },
  {
    name: 'what is ignored comes from an object that made another choice',
    file: 'resource/carry.ts',
    in: 'carryMembers',
    find: { call: 'hasChoice' },
    to: 'true',
    tests: ['plan/ignored.test.ts'],
  },
  {
    name: 'a choice of which nothing can be read is none',
    file: 'resource/carry.ts',
    in: 'hasChoice',
    find: { operand: ['unreadBelow'] },
    tests: ['plan/ignored.test.ts'],
  },
  {
    name: 'nothing that is ignored is taken over',
    file: 'plan/decide/decide.ts',
    find: { call: 'effectiveSpec' },
    to: '$1',
    tests: ['plan/ignored.test.ts'],
  },
];

const RELEASED: readonly Mutant[] = [
  {
    name: 'nothing is released',
    file: 'plan/match/match.ts',
    in: 'match',
    find: { value: 'isReleased' },
    to: '() => false',
    tests: ['plan/released.test.ts'],
  },
  {
    name: 'what is to be deleted is released',
    file: 'plan/match/match.ts',
    in: 'releaseIn',
    find: { condition: ['destroy'] },
    to: 'false',
    tests: ['plan/released.test.ts'],
  },
  {
    name: 'a release does not follow moves',
    file: 'plan/match/match.ts',
    in: 'releaseIn',
    find: { value: 'withTargets' },
    to: '(address: string) => [address]',
    tests: ['plan/released.test.ts'],
  },
  {
    name: 'a release does not follow pins',
    file: 'plan/match/match.ts',
    in: 'releaseIn',
    find: { value: 'inside' },
    to: '[] as string[]',
    tests: ['plan/released.test.ts'],
  },
];

const ONCE: readonly Mutant[] = [
  {
    name: 'the journal does not tell that a token was stored',
    file: 'plan/decide/returned-once.ts',
    in: 'returnedOnceState',
    find: { condition: ['ids'] },
    to: 'false',
    tests: ['cli/tokens.test.ts'],
  },
  {
    name: 'the file of a token does not count',
    file: 'plan/decide/returned-once.ts',
    in: 'returnedOnceState',
    find: { condition: ['files'] },
    to: 'false',
    tests: ['cli/tokens.test.ts'],
  },
  {
    name: 'the file of a key is taken for that of the one in its place',
    file: 'plan/decide/returned-once.ts',
    in: 'returnedOnceState',
    find: { condition: ['replaces'] },
    to: 'true',
    tests: ['cli/tokens.test.ts'],
  },
  {
    name: 'a token that another machine may hold is lost',
    file: 'plan/decide/returned-once.ts',
    in: 'returnedOnceState',
    find: { call: 'isMadeBy' },
    to: 'true',
    tests: ['plan/returned-once.test.ts', 'cli/tokens.test.ts'],
  },
  {
    name: 'a key that the journal calls unstored may be held elsewhere',
    file: 'plan/decide/returned-once.ts',
    in: 'returnedOnceState',
    find: { operand: ['unstored'] },
    tests: ['plan/returned-once.test.ts'],
  },
  {
    name: 'a key of a run of this journal may be held elsewhere',
    file: 'plan/decide/returned-once.ts',
    in: 'returnedOnceState',
    find: { operand: ['isMadeBy'] },
    tests: ['plan/returned-once.test.ts'],
  },
];

const ROLLED_BACK: readonly Mutant[] = [
  {
    name: 'what another run began to replace is replaced on the way',
    file: 'reconcile/resolve-duplicates.ts',
    in: 'repoint',
    find: { value: 'needed' },
    to: 'plan.steps',
    tests: ['reconcile/resolve-duplicates.test.ts'],
  },
  {
    name: 'before a roll-back objects are brought to the manifest',
    file: 'reconcile/resolve-duplicates.ts',
    in: 'repoint',
    find: { value: 'fields' },
    to: 'new Map(rest.resources.map((live) => [live.id, new Set(Object.keys(kindByName(live.kind).fields))]))',
    tests: ['reconcile/resolve-duplicates.test.ts'],
  },
  {
    name: 'nothing is rolled back while one object cannot be re-pointed',
    file: 'reconcile/resolve-duplicates.ts',
    in: 'resolveDuplicates',
    find: { operand: ['referrers', 'length'] },
    tests: ['reconcile/resolve-duplicates.test.ts'],
  },
  {
    name: 'what this machine wrote to is no object of another machine',
    file: 'plan/match/redundant-duplicates.ts',
    in: 'isOfAnother',
    find: { operand: ['made'] },
    to: '!journal.ids.has(id)',
    tests: ['plan/match/redundant-duplicates.test.ts'],
  },
  {
    name: 'what went with a rolled-back object is still reported',
    file: 'reconcile/resolve-duplicates.ts',
    in: 'resolveDuplicates',
    find: { value: 'inside' },
    to: 'new Map<string, string>()',
    tests: ['cli/rolled-back.test.ts'],
  },
];

export const KEPT: readonly Mutant[] = [...IGNORED, ...RELEASED, ...ONCE, ...ROLLED_BACK];
