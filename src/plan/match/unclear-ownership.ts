// Objects whose marker cannot be read, or was removed although a journal knows them. They are left alone, and those that may be
// the stack's stop apply: any error does (ADR-0017).

import type { Diagnostic } from '../../core/diagnostic.ts';
import { kindByName } from '../../catalog/lookup.ts';
import type { LiveResource } from '../../resource/snapshot.ts';

interface Surroundings {
  /** The manifest's addresses by those that a journal may know. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Whether the manifest releases the object, by the address in the journal. */
  readonly isReleased: (live: LiveResource) => boolean;
  /** Whether a block asks for the address, and no object has it. */
  readonly isMissing: (address: string) => boolean;
}

/** Objects that may be the stack's, and what is said of every one with an unclear owner. */
interface UnclearOwnership {
  /** By id: the address according to a journal, as the manifest names it. */
  readonly addresses: ReadonlyMap<string, string | null>;
  readonly diagnostics: readonly Diagnostic[];
}

/** `objects` are those with an unclear owner. */
export function findUnclearOwnership(objects: readonly LiveResource[], manifest: Surroundings): UnclearOwnership {
  const addresses = new Map<string, string | null>();
  const diagnostics: Diagnostic[] = [];
  for (const live of objects) {
    const { markerProblem: problem } = live;
    if (problem === undefined) continue;
    const address = problem.knownAs === undefined ? null : (manifest.addresses.get(problem.knownAs) ?? problem.knownAs);
    const namesUs = problem.stacks.length > 0;
    if (!namesUs && address !== null && manifest.isReleased(live)) continue;
    const isOurs = namesUs || (address !== null && (problem.isRemoved !== true || manifest.isMissing(address)));
    if (isOurs || address !== null) addresses.set(live.id, address);
    diagnostics.push(markerProblem(live, problem, { address, isOurs }));
  }
  return { addresses, diagnostics };
}

interface Belonging {
  /** Its address according to a journal. */
  readonly address: string | null;
  /** Whether it may be the stack's. */
  readonly isOurs: boolean;
}

function markerProblem(
  live: LiveResource,
  { what, stacks, knownAs }: NonNullable<LiveResource['markerProblem']>,
  { address, isOurs }: Belonging,
): Diagnostic {
  const namesUs = stacks.length > 0;
  const { end, fix } = consequence(live, namesUs, knownAs);
  return {
    code: 'broken-marker',
    severity: isOurs ? 'error' : 'warning',
    ...(!namesUs && address !== null && { address }),
    live_id: live.id,
    message: `the ownership marker of the ${kindByName(live.kind).title} ${live.id} ${what}, ${end}`,
    fix,
  };
}

/** What follows from an unreadable or missing marker, and what to do. */
function consequence({ id }: LiveResource, namesUs: boolean, knownAs: string | undefined) {
  const adopt = `adopt the object with \`lifecycle: { adopt: ${id} }\``;
  if (knownAs !== undefined)
    return {
      end: `and the journal knows the object as ${knownAs}; it is left alone`,
      fix: `${adopt} under ${knownAs}, or, if it does not belong to the stack, apply with \`--resolve ${knownAs}=absent\``,
    };
  if (namesUs) return { end: 'and its metadata names this stack', fix: `restore it, or ${adopt}` };
  return {
    end: 'so its owner is unknown; it is left alone',
    fix: `remove the key \`edgeform\`, or \`edgeform/v\`, from its metadata, or ${adopt}`,
  };
}
