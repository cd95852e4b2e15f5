// Renames without a `moved` entry: an object whose block is gone, and a block without an object that says the same. The plan would
// delete the one and create the other; the warning has the entry that keeps the object. In words. Pure.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { compareText } from '../../core/json.ts';
import { plural } from '../../core/text/text.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import type { Match } from '../match/match.ts';
import type { ForgottenTransfer } from '../plan-options.ts';
import { movedEntries } from '../policies/policy.ts';
import { forgottenWithin, type ForgottenMove, type ForgottenMoves, type Gone } from './find-moves.ts';

/** A warning for the renames that are certain, and one for each group that several renames would explain. */
export function forgottenMoves(manifest: Manifest, matched: Match): Diagnostic[] {
  const { pairs, groups } = forgottenWithin({ manifest, matched });
  const certain = pairs.filter(({ isImplied }) => !isImplied);
  return [...(certain.length === 0 ? [] : [renamed(certain, manifest)]), ...groups.map(ambiguous)];
}

/** A warning for what another stack of the run would delete, and this one would create anew. */
export function forgottenTransfers(manifest: Manifest, forgotten: readonly ForgottenTransfer[] = []): Diagnostic[] {
  const coming = forgotten.filter(({ into }) => into === manifest.stack);
  const [first] = coming;
  if (first === undefined) return [];
  const names = namesOf(coming.map(({ id, from, to }) => `${from.address} (${id}) of stack ${from.stack} as ${to}`));
  const message =
    coming.length === 1
      ? `${first.from.address} (${first.id}) is no longer in the manifest of stack ${first.from.stack}, and ${first.to}, which would be created, has ${first.words}: without an entry of \`moved\`, the object is lost`
      : `${plural(coming.length, 'object')} would be created anew, and are no longer in the manifests of their stacks: ${names}; without entries of \`moved\`, they are lost`;
  const subject = coming.length === 1 ? 'it moves' : 'they move';
  const fix = `if ${subject} here, add ${movedEntries(coming.map(entryOf).join(', '), manifest)}`;
  return [{ code: 'forgotten-move', severity: 'warning', address: first.to, message, fix }];
}

/** The entry of `moved`, as it is written. */
export function entryOf({ from, to }: Pick<ForgottenTransfer, 'from' | 'to'>): string {
  return `{ from: { stack: ${from.stack}, address: ${from.address} }, to: ${to} }`;
}

/** Longer lists are counted in the message; the entry is always whole. */
const MOST_NAMED = 5;

function namesOf(names: readonly string[]): string {
  const rest = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function nameOf({ live, address }: Pick<Gone, 'live' | 'address'>): string {
  return `${address} (${live.id})`;
}

function renamed(pairs: readonly ForgottenMove[], manifest: Manifest): Diagnostic {
  const sorted = [...pairs].sort((a, b) => compareText(a.from, b.from));
  const entries = sorted.map(({ from, to }) => `{ from: ${from}, to: ${to} }`).join(', ');
  const [first] = sorted;
  const names = namesOf(sorted.map(({ from, to, live }) => `${from} (${live.id}) as ${to}`));
  const message =
    sorted.length === 1 && first !== undefined
      ? `${first.from} (${first.live.id}) is no longer in the manifest, and ${first.to}, which would be created, has ${first.words}: without an entry of \`moved\`, the object is lost`
      : `${plural(sorted.length, 'object')} would be created anew under other addresses, and are no longer in the manifest under their own: ${names}; without entries of \`moved\`, they are lost`;
  const fix = `if that is a rename, add ${movedEntries(entries, manifest)}`;
  return { code: 'forgotten-move', severity: 'warning', ...(first && { address: first.to }), message, fix };
}

function ambiguous({ left, right, words }: ForgottenMoves['groups'][number]): Diagnostic {
  const candidates = namesOf(right.map(({ address }) => address));
  const message = `${namesOf(left.map(nameOf))} ${left.length === 1 ? 'is' : 'are'} no longer in the manifest, and ${candidates}, which would be created, ${right.length === 1 ? 'has' : 'have'} ${words}: edgeform does not guess which became which`;
  const fix = 'if they were renamed, add an entry `{ from: OLD, to: NEW }` to `moved` for each of them';
  const [first] = right;
  return { code: 'forgotten-move', severity: 'warning', ...(first && { address: first.address }), message, fix };
}
