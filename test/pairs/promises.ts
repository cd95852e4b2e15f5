// What each mechanism promises by itself: it holds whatever it meets.

import { canonicalJson, type Json, type JsonObject } from '../../src/core/json.ts';
import { isList, isObject } from '../../src/core/json.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import { parseAddress } from '../../src/catalog/address.ts';
import type { Stored } from '../../src/emulator/state/store.ts';
import type { Step } from '../../src/plan/plan.ts';
import { isDeletion, isDone } from '../faults/history.ts';
import { marksIn, metadataOf } from '../faults/read-markers.ts';
import type { Entry } from '../faults/service.ts';
import { fieldPaths } from '../support/samples.ts';
import { allUnder, plansIn, reportStepsIn } from './documents.ts';
import { nameOf, writesOf, type Violation } from './violation.ts';
import type { Outcome, Played } from './play.ts';
import { MAIN, manifestOf, SIDE, type Promised } from './world.ts';

type Check = (outcome: Outcome, promised: Promised) => readonly string[];

const PROMISES: Readonly<Record<string, Check>> = {
  /** The object goes on, whatever it is called. */
  kept: (outcome, promised) => {
    const id = idOf(outcome, promised);
    const isFleet = actsOf(outcome).every(({ action }) => action.stack === undefined);
    const isUndone = actsOf(outcome).some(({ ran, action }) => ran.exit !== 0 || action.args.includes('--target'));
    const isAcross = outcome.world.promises.some((one) => one.isAcross === true);
    if (isAcross && !isFleet && isUndone) return [];
    const isReplaced = plansOf(outcome).some(({ steps }) =>
      steps.some((step) => step.action === 'replace' && (step.live_id === id || isAbove(outcome, step.live_id, id))),
    );
    // An old branch knows nothing of it.
    const others = new Set(outcome.runs.filter((one) => !actsOf(outcome).includes(one)).map(({ ran }) => ran.number));
    return isReplaced ? [] : deletionsOf(outcome, id, others).map((text) => `${text}, which is to be kept`);
  },
  /** A protected object is never deleted. */
  lives: (outcome, promised) =>
    deletionsOf(outcome, idOf(outcome, promised)).map((text) => `${text}, which is protected`),
  untouched,
  exclusive,
  only,
  imported: (outcome, promised) => {
    const id = idOf(outcome, promised);
    return actsOf(outcome)
      .filter(({ action }) => action.stack === MAIN)
      .flatMap((one) =>
        writesOf(outcome, one)
          .filter((entry) => entry.id === id)
          .map(({ method, path }) => `${nameOf(one)} sent ${method} ${path} to what it imports`),
      );
  },
  forbidden: (outcome, { kind, action }) =>
    actsOf(outcome).flatMap((one) =>
      reportStepsIn(one.document)
        .filter(
          (step) => step.action === action && step.status === 'done' && parseAddress(step.address)?.kind.name === kind,
        )
        .map(({ address }) => `${nameOf(one)} did ${action ?? ''} ${address}, which a policy forbids`),
    ),
  closed,
  'in waves': inWaves,
  'nothing created': nothingCreated,
  /** A file that other environments read is never changed for one. */
  'shared base': (outcome) =>
    outcome.runs.flatMap((one) =>
      one.action.role === 'accept' && one.wrote.includes(manifestOf(MAIN))
        ? [`${nameOf(one)} changed ${manifestOf(MAIN)}, although there is an overlay`]
        : [],
    ),
};

export function brokenPromises(outcome: Outcome): Violation[] {
  return [
    ...outcome.world.promises.flatMap((promised) =>
      (PROMISES[promised.promise]?.(outcome, promised) ?? []).map((text) => ({ oracle: promised.promise, text })),
    ),
    ...ends(outcome).map((text) => ({ oracle: 'look', text })),
  ];
}

/** No guard of an object goes or is switched off, and nothing more is served, by a run that asked for consent to it. */
function closed(outcome: Outcome): string[] {
  const isAlone = outcome.world.script.every(
    (one) => one.type !== 'run' || (one.role !== 'other' && one.beside === undefined),
  );
  if (!isAlone) return [];
  return actsOf(outcome).flatMap((one) =>
    one.before.flatMap((before) => {
      const after = one.after.find(({ id }) => id === before.id);
      if (after === undefined) return [];
      return opened(before, after).map((name) => `${nameOf(one)} opened ${name} of ${before.id} without consent`);
    }),
  );
}

/** Names of the fields that let more in afterwards, by the service's own values. */
function opened(before: Stored, after: Stored): string[] {
  return Object.entries(kindByName(before.kind).fields).flatMap(([name, { access }]) => {
    const [was, is] = [before.spec[name] ?? null, after.spec[name] ?? null];
    if (access === 'guard') return isSwitchedOn(was) && !isSwitchedOn(is) ? [name] : [];
    if (access !== 'reach' || !isList(was) || !isList(is)) return [];
    const known = new Set(was.map((item) => canonicalJson(item).toLowerCase()));
    return is.every((item) => known.has(canonicalJson(item).toLowerCase())) ? [] : [name];
  });
}

function isSwitchedOn(module: Json): boolean {
  return isObject(module) && module['enabled'] !== false;
}

/** With the key of another account nothing is created that the journals of all stacks know together. */
function nothingCreated(outcome: Outcome): string[] {
  const { script } = outcome.world;
  const isAllowed = script.some(
    // What a second writer makes at known addresses, with the marker of the stack, says that the account is right.
    (one) => one.type === 'forget' || (one.type === 'run' && (one.args.includes('--recreate') || one.role === 'other')),
  );
  if (isAllowed) return [];
  return actsOf(outcome).flatMap((one) => {
    const known = new Set(
      outcome.runs
        .filter(({ action }) => action.role === 'before')
        .flatMap((before) => writesOf(outcome, before))
        .flatMap((entry) => (entry.method === 'POST' && isDone(entry) ? [entry.id] : [])),
    );
    if (known.size < 2 || one.before.some(({ id }) => known.has(id))) return [];
    return writesOf(outcome, one)
      .filter(isDone)
      .map(({ method, path }) => `${nameOf(one)} sent ${method} ${path} to what looks like another account`);
  });
}

/** Nothing is written but the targets and what they refer to. */
function only(outcome: Outcome, { addresses = [] }: Promised): string[] {
  const acts = actsOf(outcome).filter(({ action }) => action.stack === undefined || action.stack === MAIN);
  return acts.flatMap((one) => {
    const isOther = (entry: Entry) => {
      const stack = stackOf([...entry.objects, ...one.before], entry.id);
      // What has no marker may be deleted inside an object of the stack.
      const isOurs = stack === MAIN || (stack === undefined && isDeletion(entry));
      return isOurs && !addresses.includes(entry.address ?? '');
    };
    return writesOf(outcome, one)
      .filter(isOther)
      .map(
        ({ method, path, address }) => `${nameOf(one)} sent ${method} ${path} (${address ?? '?'}), which is no target`,
      );
  });
}

function idOf({ idOf: named }: Outcome, { stack, address = '', id }: Promised): string | undefined {
  return id ?? named(stack, address);
}

function actsOf({ runs }: Outcome): Played[] {
  return runs.filter(({ action, isBeside }) => action.role === 'act' && !isBeside);
}

function plansOf({ runs }: Outcome) {
  return runs.flatMap(({ document }) => plansIn(document));
}

function isAbove({ service }: Outcome, parent: string | null, id: string | undefined): boolean {
  return service.log.some(({ objects }) => objects.some((one) => one.id === id && one.parentId === parent));
}

/** Deletions of an object by runs of the program. */
function deletionsOf({ service }: Outcome, id: string | undefined, without = new Set<number>()): string[] {
  return service.log
    .filter(
      (entry) => entry.run > 0 && !without.has(entry.run) && id !== undefined && entry.id === id && isDeletion(entry),
    )
    .map(({ run, path }) => `run ${run} deleted ${path}`);
}

function stackOf(objects: readonly Stored[], id: string): string | undefined {
  const stored = objects.find((one) => one.id === id);
  return stored && marksIn(metadataOf(stored)).marks[0]?.stack;
}

function valueAt(spec: JsonObject, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((at, key) => (isObject(at ?? null) ? (at as JsonObject)[key] : undefined), spec);
}

/** What a field means that is not given. */
function defaultAt({ kind }: Stored, path: readonly string[]): Json | undefined {
  const field = fieldPaths(kindByName(kind).fields).find((one) => one.path.join('.') === path.join('.'))?.field;
  return typeof field?.default === 'object' ? field.default.value : undefined;
}

/** A value that is left alone is, after a run, what it was before. */
function untouched(outcome: Outcome, promised: Promised): string[] {
  const { path = [] } = promised;
  const id = idOf(outcome, promised);
  if (outcome.world.script.some((one) => one.type === 'run' && (one.role === 'other' || one.beside !== undefined)))
    return [];
  return actsOf(outcome).flatMap((one) => {
    const [before, after] = [one.before, one.after].map((objects) => objects.find((stored) => stored.id === id));
    if (before === undefined || after === undefined) return [];
    // Another stack that has taken it over has a block of its own, which ignores nothing.
    if (![undefined, MAIN].includes(stackOf(one.after, id ?? ''))) return [];
    // A module that is new has what the manifest says.
    if (valueAt(before.spec, path.slice(0, 1)) === undefined) return [];
    // A module that the manifest does not have goes, with what is left alone in it.
    if (plansOf(outcome).some(({ steps }) => steps.some((step) => removesModule(step, id, path[0])))) return [];
    const [was, is] = [valueAt(before.spec, path), valueAt(after.spec, path)].map((value) =>
      // Names of headers have no case.
      canonicalJson(JSON.parse(JSON.stringify(value ?? defaultAt(before, path) ?? null).toLowerCase()) as Json),
    );
    return was === is
      ? []
      : [`${nameOf(one)} changed ${path.join('.')} of ${id ?? ''} from ${was ?? ''} to ${is ?? ''}`];
  });
}

function removesModule({ live_id, changes }: Step, id: string | undefined, module: string | undefined): boolean {
  return live_id === id && changes.some(({ path, effect }) => effect === 'remove-module' && path === module);
}

/** Once everything is done, nobody's child is left inside. */
function exclusive(outcome: Outcome, promised: Promised): string[] {
  const again = outcome.runs.filter(({ action }) => action.role === 'again');
  const isDone_ = [...actsOf(outcome), ...again].every(({ ran }) => ran.exit === 0) && again.length > 0;
  if (!isDone_ || outcome.world.script.some((one) => one.type === 'run' && one.args.includes('--target'))) return [];
  const id = idOf(outcome, promised);
  // What was released, or is another stack's by now, is not this stack's.
  if (stackOf(outcome.service.store.all(), id ?? '') !== MAIN) return [];
  return outcome.service.store
    .all()
    .filter(
      (one) =>
        one.parentId === id && kindByName(one.kind).parent !== undefined && !metadataOf(one).includes('edgeform'),
    )
    .map((one) => `${one.id} is left inside ${id ?? ''}, which is exclusive`);
}

/** The plan of the rendered manifest is that of the manifest. */
function differentPlan(one: Played, other: Played | undefined): string[] {
  const [rendered, plain] = [one, other].map((run) =>
    plansIn(run?.document).flatMap(({ steps }) =>
      steps.map(({ action, address, requests }) => canonicalJson([action, address, requests as never])),
    ),
  );
  return canonicalJson(rendered ?? []) === canonicalJson(plain ?? []) && one.ran.exit === other?.ran.exit
    ? []
    : [`${nameOf(one)} of what was rendered is not that of the manifest`];
}

/** Nothing of a later wave is written before the last write of an earlier one. */
function inWaves(outcome: Outcome): string[] {
  const waves = wavesOf(outcome);
  const acts = actsOf(outcome).filter(({ action }) => !action.args.includes('destroy'));
  return acts.flatMap((one) => {
    let highest = 0;
    return writesOf(outcome, one)
      .filter(isDone)
      .flatMap((entry) => {
        const wave = waves.get(stackOf([...entry.objects, ...one.before], entry.id) ?? '') ?? 0;
        const isLate = wave > 0 && wave < highest;
        highest = Math.max(highest, wave);
        return isLate
          ? [`${nameOf(one)} sent ${entry.method} ${entry.path} of wave ${wave} after a write of wave ${highest}`]
          : [];
      });
  });
}

function wavesOf({ world }: Outcome): Map<string, number> {
  const entries = world.script.flatMap((one) =>
    one.type === 'files' ? allUnder(one.files as never, 'stacks').flat() : [],
  );
  return new Map(
    entries.map((entry) => [String((entry as JsonObject)['name']), Number((entry as JsonObject)['wave'] ?? 0)]),
  );
}

/** Ends of the looks that say what they promise. */
function ends({ runs }: Outcome): string[] {
  return runs.flatMap((one, index) => {
    const { action, ran, document } = one;
    if (action.role === 'known' && ran.exit === 2)
      return [`${nameOf(one)} finds drift although every finding is known: ${ran.stdout.slice(0, 500)}`];
    const accept = runs.slice(0, index).findLast((other) => other.action.role === 'accept');
    if (action.role === 'accepted' && ran.exit === 2 && accept?.ran.exit === 0)
      return [`${nameOf(one)} still finds what was accepted: ${ran.stdout.slice(0, 800)}`];
    if (action.role === 'orphans' && ran.exit === 0) {
      const names = allUnder(document, 'name').map(String);
      return names
        .filter((name) => name === MAIN || (name === SIDE && action.args.includes('fleet')))
        .map((name) => `${nameOf(one)} calls ${name} an orphan`);
    }
    if (action.role === 'rendered') return differentPlan(one, runs[index - 1]);
    if (action.role === 'exported' && ran.exit === 0) {
      const changes = plansIn(document).flatMap(({ steps }) =>
        steps.filter(
          ({ changes, action: what }) => what !== 'update' || changes.some(({ path }) => path !== 'metadata'),
        ),
      );
      return changes.map(({ action: what, address }) => `${nameOf(one)} of what was exported would ${what} ${address}`);
    }
    return [];
  });
}
