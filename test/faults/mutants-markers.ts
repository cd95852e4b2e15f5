// Seeded mistakes in whose an object is when people edited or copied its marker (ADR 0017).

import { mistakes } from './mistakes.ts';
import type { Mutant } from './mutants.ts';
import type { Edit } from './mutation.ts';

const PEOPLE = 'people edit metadata:';

function shown(world: string, mutant: Edit & { readonly name: string }): Mutant {
  return { ...mutant, only: 'address: create', world: `${PEOPLE} reserved_addr ${world}` };
}

/** The same of an object that is no loss. */
function shownElsewhere(world: string, mutant: Edit & { readonly name: string }): Mutant {
  return { ...mutant, only: 'address: create', world: `${PEOPLE} tls_edge ${world}` };
}

const RECOGNISED: readonly Mutant[] = [
  shown('with a JSON object that stays: a key after it', {
    name: 'a key is a marker only as the last one',
    file: 'resource/marker/marker-codec.ts',
    in: 'takeMember',
    find: { value: 'own' },
    to: 'members.slice(-1).filter(({ name }) => name === KEY)',
  }),
  shown('with no text that stays: pretty-printed', {
    name: 'a marker counts only as it was written',
    file: 'resource/marker/marker-codec.ts',
    in: 'takeMember',
    find: { value: 'own' },
    to: '$.filter(() => text === JSON.stringify(tryParseJson(text)))',
  }),
  shown('with a note that stays: a line below', {
    name: 'a marker line counts only as the last one',
    file: 'resource/marker/marker-codec.ts',
    in: 'candidateOfLine',
    find: { condition: ['after'] },
    to: "after.trim() === ''",
  }),
  shown('with a note that stays: spaces around the line', {
    name: 'a marker line has no blanks around it',
    file: 'resource/marker/marker-codec.ts',
    find: { value: 'LINE_START' },
    to: String.raw`/^edgeform\/v(\d+)\s*(?=\{)/gmu`,
  }),
];

const TRANSFERRED: readonly Mutant[] = [
  ...mistakes('resource/marker/ownership.ts', { tests: ['resource/ownership.test.ts'] }, [
    ['a move takes an object whose marker was copied', 'statusOfOthers', { value: 'mayMove' }, 'to !== undefined'],
  ]),
  ...mistakes('resource/marker/transfers.ts', { tests: ['resource/ownership.test.ts'] }, [
    ['a move takes what no block asks for', 'transferDestination', { call: 'find' }, 'starts.at(0)'],
  ]),
  ...mistakes('apply/gate/gate-rules.ts', { tests: ['apply/gate.test.ts'] }, [
    [
      'what moves here may be written to under any address',
      'isAdoption',
      { condition: ['transferred'] },
      "status.is === 'transferred' && step.address !== status.to",
    ],
  ]),
  ...mistakes('plan/order/order.ts', { tests: ['plan/adopted-parents.test.ts', 'plan/transfers.test.ts'] }, [
    ['a child moves before its parent', 'parentOf', { body: true }, "{ return ''; }"],
  ]),
  ...mistakes('plan/notices/renamed-stack.ts', { tests: ['fleet/transfers.test.ts'] }, [
    ['a stack of the same fleet counts as the old name of another', 'renamedStack', { value: 'isMeant' }, '() => true'],
  ]),
];

const MISPLACED: readonly Mutant[] = [
  shown('with no text that goes: a copy on their tls', {
    name: 'a marker on an object of another kind counts',
    file: 'resource/marker/ownership.ts',
    in: 'misfit',
    find: { value: 'kind' },
    to: '(parseAddress(address)?.kind ?? $)',
  }),
  shown('with no text that goes: a copy on their route', {
    name: 'a marker counts wherever it stands',
    file: 'resource/marker/ownership.ts',
    in: 'misfit',
    find: { body: true },
    to: '{ return undefined; }',
  }),
];

const BROKEN: readonly Mutant[] = [
  shown('with no text that stays: half a marker', {
    name: 'a marker that cannot be read is no marker',
    file: 'resource/marker/marker-codec.ts',
    in: 'takeMarkers',
    find: { condition: ['NAME', 'metadata'] },
    to: 'tryParseJson(metadata) === undefined',
  }),
  shown('with no text that stays: a marker that is none', {
    name: 'a damaged marker on what the journal knows is only told',
    file: 'plan/match/unclear-ownership.ts',
    in: 'findUnclearOwnership',
    find: { value: 'isOurs' },
    to: 'namesUs',
  }),
  shown('with no text that stays: the marker removed', {
    name: 'what only a journal knows is nobody’s',
    file: 'reconcile/read.ts',
    in: 'withKnownAddresses',
    find: { body: true },
    to: '{ return snapshot; }',
  }),
  {
    name: 'a release is not noted in the journal',
    file: 'apply/write.ts',
    in: 'recordIntent',
    find: { value: 'releases' },
    to: 'false',
    tests: ['cli/missing.test.ts'],
  },
  shown('with no text that stays: a marker that is none', {
    name: 'a marker that cannot be read is nobody’s',
    file: 'resource/marker/ownership.ts',
    in: 'statusOf',
    find: { condition: ['problem'] },
    to: 'false',
  }),
  shown('with a JSON object that stays: two markers that differ', {
    name: 'of two markers in a text the first counts',
    file: 'resource/marker/marker-codec.ts',
    in: 'takeMarkers',
    find: { operand: ['second'] },
    to: 'true',
  }),
  shown('with no text that stays: a marker of another version', {
    name: 'a marker of a later version is read as if it were this one',
    file: 'resource/marker/marker-codec.ts',
    in: 'markerIn',
    find: { condition: ['v', '1'] },
    to: "typeof v !== 'number'",
  }),
  shown('with no text that stays: a stranger of the same kind', {
    name: 'a marker that names no stack stops everything',
    file: 'plan/match/unclear-ownership.ts',
    in: 'markerProblem',
    find: { text: 'warning' },
    to: "'error'",
  }),
  shown('with no text that goes: half a marker', {
    name: 'a damaged marker that names the stack is only told',
    file: 'plan/match/unclear-ownership.ts',
    in: 'markerProblem',
    find: { text: 'error' },
    to: "'warning'",
  }),
];

/** Of a kind that may be deleted on a marker's word: for others the journal must prove it. */
const SUCCESSORS: readonly Mutant[] = [
  shownElsewhere('with no text that stays: a copy on an older one', {
    name: 'an older object is believed to replace a later one',
    file: 'resource/marker/succession.ts',
    in: 'isSuccessor',
    find: { call: 'compareInstants' },
    to: '0',
  }),
  shownElsewhere('with no text that stays: a copy on an older one', {
    name: 'whatever a marker says it replaces is replaced',
    file: 'resource/marker/succession.ts',
    in: 'replacedAmong',
    find: { call: 'isSuccessor' },
    to: 'true',
  }),
];

const SUCCESSION: readonly Mutant[] = [
  {
    name: 'objects that each replaced the other are all replaced',
    file: 'resource/marker/succession.ts',
    in: 'replacedAmong',
    find: { value: 'ends' },
    to: '(_: string) => true',
    tests: ['resource/succession.test.ts'],
  },
];

/** What else a journal must say before a marker is believed. */
const PROOFS: readonly Mutant[] = [
  ['an object of another address is believed to be that of its marker', { operand: ['addresses', 'known'] }, ''],
  ['a marker that names a run is believed at every address', { operand: ['creating'] }, ''],
].map(([name, find]) => ({
  name: name as string,
  file: 'plan/journal-view.ts',
  in: 'isMadeBy',
  find: find as Mutant['find'],
  tests: ['plan/protection.test.ts'],
}));

/** What the gate and the guard have of it, which no run without another mistake would show. */
const TAKEN_OVER: readonly Mutant[] = [
  {
    name: 'the gate takes over whatever has no whole marker',
    file: 'apply/gate/gate-rules.ts',
    in: 'isAdoption',
    find: { value: 'isUnowned' },
    to: 'true',
    tests: ['apply/gate.test.ts'],
  },
];

export const MARKERS: readonly Mutant[] = [
  ...RECOGNISED,
  ...TRANSFERRED,
  ...MISPLACED,
  ...BROKEN,
  ...SUCCESSORS,

  ...SUCCESSION,
  ...PROOFS,
  ...TAKEN_OVER,
];
