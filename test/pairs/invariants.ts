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
import { misjudged } from '../support/dispositions.ts';
import { allUnder, plansIn } from './documents.ts';
import { END_INVARIANTS } from './ends.ts';
import type { Outcome } from './play.ts';
import { API_KEY, PROBES } from './probes.ts';
import { found, isDisturbed, nameOf, writesOf, type Invariant } from './violation.ts';

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

const nothingDangles: Invariant = (outcome) =>
  checkPrefixes(
    outcome.service.log.filter(({ run }) => run > 0),
    isDisturbed(outcome),
  ).map(({ oracle, text }) => ({ oracle, text }));

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

/** What was released is nobody's, and may be made again. */
function isMarked(stored: Stored | undefined): boolean {
  return stored !== undefined && metadataOf(stored).includes('edgeform');
}

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
      mark?.replaces === undefined &&
      isMarked(service.store.get(first)) &&
      service.store.get(entry.id) !== undefined;
    return isTwice
      ? found('made twice', [
          `run ${entry.run} created ${key} as ${entry.id}, while ${first} is alive, which was created for it`,
        ])
      : [];
  });
};

/**
 * Each object is kept, taken, adopted, released, replaced, deleted, expelled, left or in doubt, and nothing else besides: as one stack sees
 * the whole service. A stack of a fleet, or a plan of targets, says nothing of the rest.
 */
const oneDisposition: Invariant = ({ runs }) =>
  runs.flatMap((one) =>
    one.action.args[0] === 'fleet' || one.action.args.includes('--target')
      ? []
      : found(
          'disposition',
          misjudged(plansIn(one.document), one.before).map((what) => `${nameOf(one)}: ${what}`),
        ),
  );

export const INVARIANTS: readonly Invariant[] = [
  noCrash,
  noSecret,
  nothingForeign,
  oneEach,
  oneDisposition,
  madeOnce,
  nothingDangles,
  deletionsShown,
  lossesConsented,
  ...END_INVARIANTS,
];
