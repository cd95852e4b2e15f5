// What must hold in every world, whichever mechanisms meet in it: read from the service's log and objects, the files, and the bytes
// that were printed.

import { canonicalJson } from '../../src/core/json.ts';
import { METADATA } from '../../src/catalog/fields/common.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import type { Stored } from '../../src/emulator/state/store.ts';
import { checkPrefixes, isDeletion, isDone } from '../faults/history.ts';
import { checkSecretProbes } from '../faults/oracles.ts';
import { marksIn, metadataOf } from '../faults/read-markers.ts';
import type { Entry } from '../faults/service.ts';
import { HELD_BACK } from '../support/cli.ts';
import { allUnder, plansIn } from './documents.ts';
import type { Outcome, Played } from './play.ts';
import { API_KEY, PROBES } from './probes.ts';
import type { Role, RunAction } from './world.ts';

export interface Violation {
  /** What was violated, in a word or two. */
  readonly oracle: string;
  readonly text: string;
}

type Invariant = (outcome: Outcome) => readonly Violation[];

const found = (oracle: string, texts: readonly string[]): Violation[] => texts.map((text) => ({ oracle, text }));

/** How a run is told: its number and what it was. */
export function nameOf({ ran, action, isBeside }: Played): string {
  const { args, beside } = action;
  return `run ${ran.number} (${(isBeside ? beside?.args : args)?.slice(0, 2).join(' ') ?? ''}, exit ${ran.exit ?? 'none'})`;
}

export function writesOf({ service }: Outcome, { ran }: Played): Entry[] {
  return service.log.filter((entry) => entry.run === ran.number && entry.method !== 'GET');
}

const STACK_TRACE = /^\s+at .*:\d+:\d+\)?$/m;

const noCrash: Invariant = ({ runs }) =>
  runs.flatMap((one) => {
    const { ran } = one;
    const text = `${ran.stdout}${ran.stderr}`;
    const is = ran.isHung ? 'does not end' : ran.exit === -1 ? 'throws' : undefined;
    const internal = /internal error|"internal-error"/.test(text) ? 'has an internal error' : undefined;
    const trace = STACK_TRACE.test(text) ? 'prints a stack trace' : undefined;
    const what = is ?? internal ?? trace;
    return what === undefined ? [] : found('crash', [`${nameOf(one)} ${what}: ${text.slice(0, 400)}`]);
  });

const noSecret: Invariant = ({ runs, files, service }) => {
  const tokens = service.log.flatMap(({ objects }) => objects.flatMap((one) => Object.values(one.once)));
  const places = new Map([
    ...runs.flatMap((one): [string, string][] => [
      [`standard output of ${nameOf(one)}`, one.ran.stdout],
      [`standard error of ${nameOf(one)}`, one.ran.stderr],
    ]),
    ...[...files].filter(([path]) => !path.endsWith('.token')),
  ]);
  const heldBack = runs.filter(({ ran }) => HELD_BACK.test(ran.stderr));
  return [
    ...checkSecretProbes([API_KEY, ...PROBES.values(), ...new Set(tokens)], places).map(({ text }) => ({
      oracle: 'secret',
      text,
    })),
    ...found(
      'secret',
      heldBack.map((one) => `${nameOf(one)} had to hold a secret back`),
    ),
  ];
};

/** Children that an exclusive object may lose. */
function isExclusive({ world, idOf }: Outcome, { parentId }: Stored): boolean {
  return world.promises.some(
    ({ promise, stack, address = '' }) => promise === 'exclusive' && idOf(stack, address) === parentId,
  );
}

const nothingForeign: Invariant = (outcome) => {
  const { world, strangers, service } = outcome;
  const taken = new Set(world.strangers.filter(({ isTaken }) => isTaken).map(({ id }) => id));
  const theirs = strangers.filter((one) => !taken.has(one.id) && !isExclusive(outcome, one));
  const changed = theirs.filter((one) => {
    const now = service.store.get(one.id);
    const isGoneWithParent =
      now === undefined && one.parentId !== undefined && service.store.get(one.parentId) === undefined;
    return !isGoneWithParent && (now === undefined || canonicalJson(now.spec) !== canonicalJson(one.spec));
  });
  const touched = service.log.filter(
    ({ method, path, run }) => method !== 'GET' && run > 0 && theirs.some(({ id }) => path.split(/[/?]/).includes(id)),
  );
  return [
    ...found(
      'foreign',
      changed.map(({ id }) => `${id} was changed, which is a stranger's`),
    ),
    ...found(
      'foreign',
      touched.map(({ method, path, run }) => `run ${run}: ${method} ${path} touches what is a stranger's`),
    ),
  ];
};

const oneEach: Invariant = ({ world, service }) => {
  const twins = new Set(world.script.flatMap((one) => (one.type === 'deed' ? (one.id ?? []) : [])));
  const seen = new Map<string, string>();
  return service.store.all().flatMap((stored) => {
    const [mark] = marksIn(metadataOf(stored)).marks;
    if (mark === undefined || twins.has(stored.id) || mark.replaces !== undefined) return [];
    const key = `${mark.stack} ${mark.address}`;
    const other = seen.get(key);
    seen.set(key, stored.id);
    return other === undefined ? [] : found('duplicate', [`${key} is there as ${other} and ${stored.id}`]);
  });
};

/** Whether somebody else writes, or an answer is lost. */
export function isDisturbed({ world }: Outcome): boolean {
  return world.script.some(
    (one) => one.type === 'run' && (one.trouble !== undefined || one.beside !== undefined || one.role === 'other'),
  );
}

const nothingDangles: Invariant = (outcome) =>
  checkPrefixes(
    outcome.service.log.filter(({ run }) => run > 0),
    isDisturbed(outcome),
  ).map(({ oracle, text }) => ({ oracle, text }));

/** The ends that a run may have when nothing disturbs it. */
const ENDS: Readonly<Record<Role, readonly number[]>> = {
  before: [0],
  plan: [0, 4, 5],
  show: [0, 4, 5],
  act: [0, 4, 5, 6],
  again: [0, 4, 5],
  drift: [0, 2, 4, 5],
  look: [0, 2, 4, 5],
  accept: [0, 2, 4, 5],
  accepted: [0, 2, 4, 5],
  known: [0, 2, 4, 5],
  exported: [0, 4, 5],
  rendered: [0, 4, 5],
  orphans: [0, 4],
  other: [0, 3, 4, 5],
};
const DISTURBED = [1, 3, 6, 7];

/** What the service cannot do is left open: such a run is done in part, or not at all. */
function hasBlocked({ runs }: Outcome): boolean {
  return runs.some(({ document }) => plansIn(document).some(({ blocked }) => blocked.length > 0));
}

/** A plan with errors is printed, and ends with 1 as its apply does, which writes nothing. */
function hasPlanErrors({ runs }: Outcome): boolean {
  return runs.some(({ document }) =>
    plansIn(document).some(({ diagnostics }) => diagnostics.some(({ severity }) => severity === 'error')),
  );
}

const documentedEnd: Invariant = (outcome) =>
  outcome.runs.flatMap((one) => {
    const { ran, action, document } = one;
    const isFleet = action.args[0] === 'fleet' && action.role === 'act';
    const ends = [
      ...ENDS[action.role],
      ...(isFleet ? [3] : []),
      ...(hasBlocked(outcome) ? [1, 3] : []),
      ...(hasPlanErrors(outcome) ? [1] : []),
      ...(isDisturbed(outcome) || one.isBeside ? DISTURBED : []),
    ];
    const isCut = ran.exit === undefined && action.trouble?.fault.startsWith('crash') === true;
    const said = document?.['exit_code'];
    const texts = [
      ...(isCut || ends.includes(ran.exit ?? -1)
        ? []
        : [`${nameOf(one)} has no such end: ${ran.stdout.slice(0, 600)}${ran.stderr.slice(-400)}`]),
      ...(typeof said === 'number' && said !== ran.exit && !isCut ? [`${nameOf(one)} says ${said}`] : []),
    ];
    return found('exit', texts);
  });

/** Ends that promise that nothing was written. */
const INERT = new Set<number | undefined>([4, 5, 6, 64]);

const refusalsWriteNothing: Invariant = (outcome) =>
  outcome.runs.flatMap((one) => {
    const isReading = !['before', 'act', 'other'].includes(one.action.role) && !one.isBeside;
    const done = writesOf(outcome, one).filter((entry) => isReading || (INERT.has(one.ran.exit) && isDone(entry)));
    return found(
      'inert',
      done.map(({ method, path }) => `${nameOf(one)} sent ${method} ${path}`),
    );
  });

/** What is refused is refused in words, each with a way out; what a policy refuses has the words of its author. */
const inWords: Invariant = ({ runs }) =>
  runs.flatMap((one) => {
    if (one.ran.exit !== 5 && one.ran.exit !== 4 && one.ran.exit !== 6) return [];
    const told = [...allUnder(one.document, 'refusals'), ...allUnder(one.document, 'diagnostics')].flat();
    const errors = told.filter((item) => /"(fix|flag|policy)":"|"code":"policy\//.test(canonicalJson(item)));
    const isText =
      one.document === undefined && /fix:|--allow-|--recreate|policy\//.test(`${one.ran.stderr}${one.ran.stdout}`);
    return errors.length > 0 || isText
      ? []
      : found('words', [`${nameOf(one)} says no way out: ${one.ran.stdout.slice(0, 400)}`]);
  });

const DELETE = /^\s*> DELETE (\S+)$/gm;

/** Every deletion stands in the plan that its run printed, unless the run made the object itself. */
const deletionsShown: Invariant = (outcome) =>
  outcome.runs.flatMap((one) => {
    const shown = new Set([...one.ran.stderr.matchAll(DELETE)].map(([, path]) => path));
    const own = writesOf(outcome, one);
    const hidden = own.filter(
      (entry) =>
        isDeletion(entry) &&
        !shown.has(entry.path) &&
        !own.some((made) => made.method === 'POST' && made.id === entry.id),
    );
    return found(
      'unshown',
      hidden.map(({ path }) => `${nameOf(one)} deleted ${path}, which its plan does not show`),
    );
  });

/** What cannot be had again goes only with consent to exactly that loss. */
const lossesConsented: Invariant = (outcome) =>
  outcome.runs.flatMap((one) => {
    const { args } = one.action;
    if (args.includes('destroy')) return [];
    const allowed = args.flatMap((arg, index) =>
      args[index - 1] === '--allow-loss' ? [arg.replace(/^[^:]*:/, '')] : [],
    );
    const listed = outcome.world.script.flatMap((action) =>
      action.type === 'files' ? allUnder(action.files as never, 'removed') : [],
    );
    const saved = outcome.runs.flatMap(({ document }) => allUnder(document, 'allow_loss').flat());
    const consented = [...allowed, ...saved.map(String), ...allUnder(listed, 'from').map(String)];
    const lost = writesOf(outcome, one).filter((entry) => {
      const gone = one.before.find(({ id }) => id === entry.id);
      return (
        isDeletion(entry) &&
        gone !== undefined &&
        kindByName(gone.kind).irreplaceable !== undefined &&
        !isToldOf(entry, outcome, consented)
      );
    });
    return found(
      'loss',
      lost.map(({ path, address }) => `${nameOf(one)} deleted ${path} (${address ?? ''}) without consent`),
    );
  });

/** Consent is to the address that the plan has for the object, or to what it lies in. */
function isToldOf({ id, address = '' }: Entry, { runs }: Outcome, consented: readonly string[]): boolean {
  const steps = runs.flatMap(({ document }) => plansIn(document)).flatMap((plan) => plan.steps);
  const names = [address, ...steps.flatMap((step) => (step.live_id === id ? step.address : []))];
  return names.some((name) => consented.some((one) => name === one || name.startsWith(`${one}.`)));
}

/** Whether two command lines are about the same stack, or the same part of the fleet. */
function isOfSame(one: RunAction, other: RunAction): boolean {
  return one.stack === other.stack && shardOf(one) === shardOf(other);
}

function shardOf({ args }: RunAction): string | undefined {
  return (
    args.find((arg) => /^\d+\/\d+$/.test(arg)) ??
    args.find((arg) => /^plans-\d$/.test(arg))?.replace(/plans-(\d)/, (_, index: string) => `${Number(index) + 1}/2`)
  );
}

/** After a run that ended well, nothing is left to do. */
const converged: Invariant = (outcome) => {
  const acts = outcome.runs.filter(({ action }) => action.role === 'act');
  const isDestroy = acts.some(({ action }) => action.args.includes('destroy'));
  return outcome.runs.flatMap((one) => {
    if (one.action.role !== 'again' || isDestroy) return [];
    const last = acts.findLast(({ action }) => isOfSame(action, one.action));
    const hasOthers = acts.some(
      (other) => other.ran.number > (last?.ran.number ?? 0) && writesOf(outcome, other).length > 0,
    );
    // What another stack has done since may have to be taken over.
    if (last?.ran.exit !== 0 || hasOthers || isDisturbed(outcome)) return [];
    const left = plansIn(one.document).flatMap(({ stack, steps }) =>
      steps.map(({ action, address }) => `${action} ${address} of ${stack}`),
    );
    return found('convergence', left.length === 0 ? [] : [`${nameOf(one)} still has to ${left.join(', ')}`]);
  });
};

const noDriftOfOurs: Invariant = (outcome) => {
  const acts = outcome.runs.filter(({ action }) => action.role === 'act');
  if (acts.length === 0 || acts.some(({ ran, action }) => ran.exit !== 0 || action.args.includes('--target')))
    return [];
  const again = outcome.runs.filter(({ action }) => action.role === 'again');
  if (again.length === 0 || again.some(({ ran }) => ran.exit !== 0)) return [];
  return outcome.runs.flatMap((one) => {
    if (one.action.role !== 'drift') return [];
    const findings = allUnder(one.document, 'findings').flat() as { readonly type: string; readonly cause: string }[];
    // What a stranger put there stays until somebody decides.
    const ours = findings.filter(({ type }) => type !== 'foreign-child' && type !== 'unmanaged');
    return found('drift', ours.length === 0 ? [] : [`${nameOf(one)} finds ${JSON.stringify(ours).slice(0, 400)}`]);
  });
};

/** No address is created a second time while the first object that was created for it is alive, wherever that is now. */
const madeOnce: Invariant = ({ runs, service }) => {
  const journals = new Set(
    runs
      .filter(({ action, isBeside }) => !isBeside && (action.role !== 'other' || action.isHere === true))
      .map(({ ran }) => ran.number),
  );
  const made = new Map<string, string>();
  return service.log.flatMap((entry) => {
    if (entry.method !== 'POST' || !isDone(entry) || !journals.has(entry.run)) return [];
    const [mark] = marksIn(String(entry.body?.[METADATA] ?? '')).marks;
    const key = `${mark?.stack ?? ''} ${mark?.address ?? ''}`;
    const first = made.get(key);
    made.set(key, entry.id);
    const isTwice =
      first !== undefined &&
      mark?.replaces !== first &&
      service.store.get(first) !== undefined &&
      service.store.get(entry.id) !== undefined;
    return isTwice
      ? found('made twice', [
          `run ${entry.run} created ${key} as ${entry.id}, while ${first} is alive, which was created for it`,
        ])
      : [];
  });
};

export const INVARIANTS: readonly Invariant[] = [
  noCrash,
  noSecret,
  nothingForeign,
  oneEach,
  madeOnce,
  nothingDangles,
  documentedEnd,
  refusalsWriteNothing,
  inWords,
  deletionsShown,
  lossesConsented,
  converged,
  noDriftOfOurs,
];
