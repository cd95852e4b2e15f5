// Seeded mistakes of one kind: of two mechanisms that meet, one forgets the other.

import { mistakes } from './mistakes.ts';
import { ENVIRONMENT_PAIRS, POLICY_PAIRS, TAKING_PAIRS } from './mutants-environments.ts';
import { MEETING_PAIRS } from './mutants-meetings.ts';
import type { Mutant } from './mutants.ts';
import { OVERLAY_PAIRS } from './mutants-overlays.ts';
import { SHOWN_PAIRS } from './mutants-shown.ts';

const NAMES = { tests: ['cli/unknown-names.test.ts'] };
const PIPELINES = { tests: ['commands/init-fleet.test.ts'] };
const ENTRIES = { tests: ['fleet/entry-variables.test.ts'] };

/** A name of a stack and its variables; entries of a fleet and their values. */
const OF_VARIABLES: readonly Mutant[] = [
  ...mistakes('commands/stacks.ts', NAMES, [
    ['orphans are asked for without the name of the manifest', 'namedStacks', { value: 'mustBeNamed' }, 'false'],
    ['orphans are asked for without the names of a fleet', 'fleetStacks', { value: 'mustBeNamed' }, 'false'],
  ]),
  ...mistakes('commands/shell/prepare.ts', NAMES, [
    ['the history of a stack is read by the text of its name', 'prepareReading', { value: 'mustBeNamed' }, 'false'],
  ]),
  ...mistakes('manifest/load.ts', NAMES, [
    ['what the name of a stack lacks is nothing', 'whatLacks', { value: 'lacksInName' }, '[]'],
  ]),
  ...mistakes('fleet/order.ts', NAMES, [
    [
      'stacks whose names are not known are one stack',
      'ownersAmong',
      { value: 'key' },
      "ownerKey(service, stack ?? '')",
    ],
  ]),
  ...mistakes('fleet/load-entry.ts', ENTRIES, [
    ['what an entry names and the environment lacks comes from its files', 'valuesOf', { value: 'ofFiles' }, 'files'],
  ]),
  ...mistakes('manifest/values/variables.ts', ENTRIES, [
    ['the default of all takes the place of a value of one', 'readVariables', { call: 'unlessWithheld' }, '$0'],
    ['the environment of all takes the place of a value of one', 'givenFor', { call: 'unlessWithheld' }, '$0'],
  ]),
  ...mistakes('fleet/entry-variables.ts', ENTRIES, [
    ['a credential is the value of a variable', 'readEntryVariables', { condition: ['credentials'] }, 'false'],
    ['an empty secret of a pipeline is a value', 'fromNamedEnvironment', { value: 'withheld' }, 'new Set<string>()'],
  ]),
  ...mistakes(
    'manifest/values/given-values.ts',
    { tests: ['fleet/entry-variables.test.ts', 'manifest/values/var-file.test.ts'] },
    [['an expression in a file of values is text', 'plainText', { condition: ['texts'] }, 'false']],
  ),
  ...mistakes('plan/notices/notices.ts', { tests: ['fleet/transfers.test.ts'] }, [
    ['nothing is said of what destroy leaves to its taker', 'noticesOf', { call: 'spared' }, '[]'],
  ]),
  ...mistakes('plan/build.ts', { tests: ['cli/destroy-without-values.test.ts'] }, [
    ['destroy needs the values of fields', 'refuseIncomplete', { condition: ['destroy'] }, 'false'],
  ]),
  ...mistakes('commands/stacks/load-fleet.ts', ENTRIES, [
    ['a fleet file with a mistake quotes secrets', 'quotedFleet', { operand: ['isRight'] }, 'false'],
  ]),
  ...mistakes('commands/files/fleet-needs.ts', PIPELINES, [
    [
      'a pipeline passes the secret of all where an entry names its own',
      'needsOfEntry',
      { value: 'own' },
      '(name: string) => name',
    ],
    ['a pipeline asks for what an entry says itself', 'needsOfEntry', { condition: ['given'] }, 'false'],
  ]),
  ...mistakes('commands/files/starter-files.ts', PIPELINES, [
    ['a fleet file that is there is not looked for', 'writeStarter', { value: 'isThere' }, '() => hasManifest(folder)'],
  ]),
];

const LIVING = { tests: ['cli/living-stack.test.ts'] };
const AWAY = { tests: ['cli/moved-away.test.ts'] };

export const PAIRS: readonly Mutant[] = [
  ...OF_VARIABLES,
  ...ENVIRONMENT_PAIRS,
  ...MEETING_PAIRS,
  ...POLICY_PAIRS,
  ...TAKING_PAIRS,
  ...SHOWN_PAIRS,
  ...mistakes('plan/order/break-cycles.ts', { tests: ['plan/transfers.test.ts'] }, [
    [
      'a circle forgets that an object of another stack is taken over first',
      'owned',
      { body: true },
      '{ return [[], draft]; }',
    ],
  ]),
  ...mistakes('plan/decide/update.ts', { tests: ['properties/circles.test.ts'] }, [
    [
      'a circle forgets that an object is renamed, too',
      'isNamedAnew',
      { body: true },
      '{ return before === undefined || !saltOf(before).startsWith(`${marker.stack}/`); }',
    ],
  ]),
  ...mistakes('plan/saved-plan/work-left.ts', { tests: ['fleet/saved-plans.test.ts'] }, [
    ['a saved plan forgets that an adopted object may have an update, too', 'keyOf', { condition: ['adopt'] }, 'false'],
  ]),
  ...OVERLAY_PAIRS,
  ...mistakes('fleet/plan.ts', { tests: ['fleet/waves.test.ts', 'fleet/transfers.test.ts'] }, [
    [
      'a value that moves forgets that its stack is in a later wave',
      'analyseAgain',
      { value: 'givenUpLater' },
      'new Map()',
    ],
    [
      'waves know values that move, and forget objects that are released',
      'planStacks',
      { value: 'late' },
      "exchanged.tooLate.filter(({ what }) => what === 'value')",
    ],
  ]),
  ...mistakes('fleet/forgotten.ts', { tests: ['fleet/forgotten-moves.test.ts'] }, [
    ['a fleet forgets that what goes may be what comes', 'forgottenIn', { call: 'forgottenBetween' }, '[]'],
  ]),
  ...mistakes('plan/policies/deletions.ts', { tests: ['fleet/forgotten-moves.test.ts'] }, [
    ['a refused loss forgets that another stack creates the same', 'entriesThatKeep', { value: 'across' }, '[]'],
    ['a refused loss forgets that it may be a rename', 'entriesThatKeep', { value: 'within' }, '[]'],
  ]),
  ...mistakes('plan/notices/find-moves.ts', { tests: ['fleet/forgotten-moves.test.ts'] }, [
    [
      'equal fields forget equal addresses',
      'forgottenBetween',
      { call: 'searched' },
      'searched(involved, [uniqueValueKeys, fieldsKey], settled)',
    ],
  ]),
  ...mistakes('fleet/given.ts', { tests: ['fleet/transfers.test.ts'] }, [
    [
      'a release knows who adopts the object, and forgets who pins it',
      'needsOf',
      { value: 'named' },
      "manifest.resources.flatMap(({ lifecycle: { pin } }) => (pin?.by === 'adopt' ? pin.id : []))",
    ],
  ]),
  ...mistakes('fleet/open.ts', { tests: ['fleet/shard.test.ts'] }, [
    [
      'a shard joins those who adopt an object, and forgets those who pin it',
      'linksShown.joins',
      { value: 'ids' },
      "stack.run.manifest.resources.flatMap(({ lifecycle: { pin } }) => (pin?.by === 'adopt' ? pin.id : []))",
    ],
  ]),
  ...mistakes('plan/decide-all.ts', { tests: ['cli/exclusive-destroy.test.ts'] }, [
    [
      '`destroy` forgets that an edge is exclusive',
      'decideAll',
      { call: 'expelDestroyed' },
      'expel(matched, own.drafts, options)',
    ],
    ['`destroy` takes a route that another stack marked', 'expelDestroyed', { operand: ['isExpendable'] }, 'true'],
  ]),
  ...mistakes('plan/policies/in-use.ts', { tests: ['cli/exclusive-destroy.test.ts'] }, [
    [
      'a deletion forgets that its child has one of its own',
      'foreignChildren',
      { operand: ['toDelete', 'has'] },
      'false',
    ],
  ]),
  ...mistakes('plan/order/order.ts', { tests: ['cli/exclusive-destroy.test.ts'] }, [
    ['an edge is destroyed before what it expels', 'losesAddress', { operand: ['isRemoval'] }, 'false'],
  ]),
  ...mistakes('plan/saved-plan/judge-fates.ts', AWAY, [
    ['a saved plan forgets renames and hand-overs', 'whyStale', { value: 'away' }, 'undefined as string | undefined'],
  ]),
  ...mistakes('plan/policies/moved-away.ts', AWAY, [
    [
      'the plan of an old branch forgets renames and hand-overs',
      'elsewhereOf',
      { value: 'past' },
      'undefined as never',
    ],
  ]),
  ...mistakes('journal/replay.ts', AWAY, [
    ['a rename forgets the address that it comes from', 'formerAddresses', { value: 'had' }, 'new Set<string>()'],
    ['a person frees an address, and a rename holds it', 'disown', { value: 'others' }, 'formerly'],
  ]),
  ...mistakes('reconcile/execution/objects-at-end.ts', AWAY, [
    ['a good end forgets what another stack may adopt', 'objectsRead', { value: 'isGivenUp' }, 'false'],
  ]),
  ...mistakes('plan/saved-plan/moved-since.ts', AWAY, [
    ['without a journal, a saved plan forgets renames', 'movedSince', { value: 'news' }, '[]'],
    ['without a journal, a saved plan forgets other stacks', 'movedSince', { value: 'others' }, '[]'],
  ]),
  ...mistakes('fleet/plan.ts', { tests: ['fleet/another-account.test.ts'] }, [
    ['each stack of a fleet asks its own journal alone', 'linkOpened', { value: 'lostTogether' }, 'undefined'],
  ]),
  ...mistakes('reconcile/plan.ts', { tests: ['cli/another-account.test.ts'] }, [
    ['a single command asks its own journal alone', 'planInput', { value: 'lostTogether' }, 'undefined'],
  ]),
  ...mistakes('reconcile/other-journals.ts', { tests: ['cli/another-account.test.ts'] }, [
    ['a journal that a run holds says what is lost', 'textOf', { call: 'exists' }, 'false'],
    ['a journal of its own is counted with those beside it', 'lostBeside', { operand: ['isDefaultJournal'] }, 'false'],
  ]),
  ...mistakes('fleet/accounts.ts', { tests: ['fleet/another-account.test.ts'] }, [
    ['what a selection leaves out knows no account', 'lostAccounts', { value: 'rest' }, '[]'],
  ]),
  ...mistakes(
    'plan/policies/another-account.ts',
    { tests: ['fleet/another-account.test.ts', 'cli/another-account.test.ts'] },
    [
      [
        'a new stack is created with a key that its fleet doubts',
        'anotherAccount',
        { call: 'createdByNewcomer' },
        '[]',
      ],
      ['`destroy` is told a flag that it lacks', 'consentIn', { condition: ['options', 'destroy'] }, 'false'],
    ],
  ),
  ...mistakes('commands/shell/prepare.ts', { tests: ['cli/another-account.test.ts'] }, [
    ['the consent of `destroy` is not the one of apply', 'runOf', { operand: ['deletedOutside'] }, 'false'],
  ]),
  ...mistakes('plan/policies/transfers.ts', LIVING, [
    ['a move forgets that the other stack lives on', 'livingStacks', { value: 'whole' }, '[] as string[]'],
    ['consent to take forgets the fleet', 'livingStacks', { operand: ['siblings'] }, 'false'],
    [
      'a rename with targets forgets what comes later',
      'sidesOf',
      { value: 'leaving' },
      'new Set<string | undefined>()',
    ],
  ]),
  ...mistakes('fleet/transfers.ts', LIVING, [
    [
      'a rename forgets what another stack of the run takes',
      'takenBesides',
      { value: 'emptied' },
      '[] as typeof transfers',
    ],
  ]),
  ...mistakes('plan/policies/allowed.ts', LIVING, [
    [
      'what consent allows forgets the consent to take',
      'hasConsent',
      { value: 'named' },
      'allowLoss.length + allowOpening.length',
    ],
  ]),
  {
    name: 'a saved plan forgets the consent to take',
    file: 'plan/review-saved-plan.ts',
    in: 'withConsent',
    find: { value: 'allowTakeover' },
    to: 'options.allowTakeover ?? []',
    ...LIVING,
  },
  ...mistakes('reconcile/run-journal.ts', { tests: ['cli/two-accounts.test.ts'] }, [
    [
      'a run writes what one account has into the lines of another',
      'RunJournal.choose',
      { call: 'enter' },
      'undefined',
    ],
    ['a second account is written over the first', 'RunJournal.beginAccount', { call: 'enter' }, 'undefined'],
  ]),
  ...mistakes('reconcile/plan.ts', { tests: ['cli/two-accounts.test.ts'] }, [
    ['a plan and drift read the newest account, whatever is alive', 'preview', { call: 'notesFor' }, 'accounts.at(-1)'],
  ]),
  ...mistakes('journal/accounts.ts', { tests: ['journal/accounts.test.ts'] }, [
    ['compacting keeps one account', 'compactAccounts', { call: 'accountsIn' }, 'accountsIn(entries).slice(-1)'],
  ]),
  ...mistakes('plan/account.ts', { tests: ['cli/two-accounts.test.ts', 'plan/policies/another-account.test.ts'] }, [
    ['objects that stand there with their markers are no evidence', 'accountEvidence', { call: 'isMarked' }, 'false'],
  ]),
  ...mistakes('resource/untaken.ts', { tests: ['plan/untaken.test.ts'] }, [
    ['a module that is not there was not taken', 'mayBeUntaken', { value: 'isShown' }, 'true'],
  ]),
  ...mistakes('manifest/reuse/taken-from-stacks.ts', { tests: ['cli/overlays-other-stack.test.ts'] }, [
    ['an environment inherits what production takes', 'inheritedFiles', { condition: ['nameOtherStack'] }, 'false'],
    ['an overlay of the same stack loses what it takes', 'nameOtherStack', { operand: ['own'] }, 'true'],
    ['the first overlay names the stack', 'nameOtherStack', { call: 'at' }, 'laid[0]'],
    [
      'only a whole stack is taken from another one',
      'isInside',
      { body: true },
      "{ return sourceOf(entry) === undefined || Object.keys(entry['from']).length > 1; }",
    ],
  ]),
];
