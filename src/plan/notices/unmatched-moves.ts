// Entries of `moved` that move nothing although their new address has no object either: probably a typo. One whose work is done
// says nothing, for ever. Pure.

import type { Diagnostic, SourceRange } from '../../core/diagnostic.ts';
import { lazy } from '../../core/lazy.ts';
import { didYouMean } from '../../core/text/closest.ts';
import { parseAddress } from '../../catalog/address.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import type { MarkedAs } from '../../resource/marker/transfers.ts';
import type { Snapshot } from '../../resource/snapshot.ts';
import type { Match } from '../match/match.ts';
import type { JournalView } from '../journal-view.ts';
import type { MissingByAddress } from '../match/missing-objects.ts';

interface Surroundings {
  readonly matched: Match;
  readonly missing: MissingByAddress;
  readonly journal: JournalView | undefined;
}

/** A warning for each entry that should have moved something. */
export function unmatchedMoves(manifest: Manifest, surroundings: Surroundings): Diagnostic[] {
  if (manifest.moved.length + manifest.transfers.length === 0) return [];
  const { snapshot, ownership } = surroundings.matched;
  const own = snapshot.resources.flatMap((live) => (ownership.isOurs(live) ? (live.marker?.address ?? []) : []));
  const search: Search = { own, neverWas: neverThere(surroundings), marks: lazy(() => marksIn(snapshot)) };
  return [...unmatchedRenames(manifest, search), ...unmatchedTransfers(manifest, search)];
}

interface Search {
  /** Addresses of what the stack owns. */
  readonly own: readonly string[];
  /** True for an address without an object that nothing shows ever had one. */
  readonly neverWas: (address: string) => boolean;
  /** Of every object of every stack; slow in a large fleet. */
  readonly marks: () => readonly MarkedAs[];
}

function unmatchedRenames({ moved, resources }: Manifest, { own, neverWas }: Search): Diagnostic[] {
  const asked = new Set(resources.map(({ address }) => address));
  const left = own.filter((address) => !asked.has(address));
  const unused = moved.filter(({ to }) => own.length > 0 && neverWas(to));
  return unused.map(({ from, to, range }) => {
    const message = `the stack owns no ${from}, which \`moved\` renames to ${to}: nothing is renamed, and ${to} would be created`;
    return unmatched({ message, to, range }, didYouMean(from, ofKindOf(from, left)));
  });
}

/** At a service without objects, there is nothing that an entry could mean: it is a new environment. */
function unmatchedTransfers({ transfers, stack: own }: Manifest, search: Search): Diagnostic[] {
  return transfers.flatMap(({ stack, ends, range }): Diagnostic[] => {
    const mayBeWrong = ends === undefined ? search.own.length === 0 : search.neverWas(ends.to);
    if (!mayBeWrong || search.marks().length === 0) return [];
    const theirs = search.marks().flatMap((mark) => (mark.stack === stack ? mark.address : []));
    if (ends === undefined && theirs.length > 0) return [];
    const others = new Set(search.marks().flatMap((mark) => (mark.stack === own ? [] : mark.stack)));
    const isOfStack = theirs.length > 0;
    const near = isOfStack ? didYouMean(ends?.from ?? '', theirs) : didYouMean(stack, others);
    const what = isOfStack
      ? `stack ${stack} has no ${ends?.from ?? ''}`
      : `no object carries the marker of stack ${stack}`;
    const target = ends === undefined ? 'from which `moved` takes everything' : `which \`moved\` brings to ${ends.to}`;
    const message = `${what}, ${target}: nothing is moved, and what is missing would be created`;
    return [unmatched({ message, to: ends?.to, range }, near)];
  });
}

interface Unmatched {
  readonly message: string;
  readonly to: string | undefined;
  readonly range: SourceRange;
}

function unmatched({ message, to, range }: Unmatched, near: string | undefined): Diagnostic {
  const fix = near ?? 'correct the entry, or remove it if the object is new';
  const about = to === undefined ? {} : { address: to };
  return { code: 'move-matches-nothing', severity: 'warning', ...about, message, range, fix };
}

function neverThere({ matched, missing, journal }: Surroundings): Search['neverWas'] {
  const pairs = new Map(matched.pairs.map((pair) => [pair.desired.address, pair]));
  const noted = new Set([...(journal?.objects.values() ?? [])].map(({ address }) => address));
  return (address) => {
    const pair = pairs.get(address);
    if (pair === undefined || pair.live !== undefined) return false;
    return missing.get(address)?.is !== 'deleted' && !noted.has(address);
  };
}

function marksIn({ resources, whole }: Snapshot): MarkedAs[] {
  const objects = whole === undefined ? resources : [...whole.byId.values()];
  return objects.flatMap(({ marker }) => marker ?? []);
}

function ofKindOf(address: string, addresses: readonly string[]): readonly string[] {
  const kind = parseAddress(address)?.kind;
  return addresses.filter((other) => parseAddress(other)?.kind === kind);
}
