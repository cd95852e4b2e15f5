// How runs may end: exit codes, refusals and what is left to do.

import { canonicalJson } from '../../src/core/json.ts';
import { isDone } from '../faults/history.ts';
import { allUnder, plansIn } from './documents.ts';
import type { Outcome } from './play.ts';
import { found, isDisturbed, nameOf, writesOf, type Invariant } from './violation.ts';
import type { Role, RunAction } from './world.ts';

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

export const END_INVARIANTS: readonly Invariant[] = [
  documentedEnd,
  refusalsWriteNothing,
  inWords,
  converged,
  noDriftOfOurs,
];
