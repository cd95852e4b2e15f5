// Objects whose marker cannot be read, or was removed although a journal knows them. They are left alone, and those that may be
// the stack's stop apply: any error does (ADR-0017).

import { kindByName } from '../../catalog/lookup.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import type { PlanDiagnostic } from '../plan.ts';

interface Surroundings {
  /** The manifest's addresses by those that a journal may know. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Whether the manifest releases the object, by the address in the journal. */
  readonly isReleased: (live: LiveResource) => boolean;
  /** Whether a block asks for the address, and no object has it. */
  readonly isMissing: (address: string) => boolean;
}

/** An object that may be the stack's. */
interface UnclearObject {
  readonly live: LiveResource;
  /** Its address according to a journal, as the manifest names it. */
  readonly address: string | null;
}

/** `objects` are those with an unclear owner. */
export function findUnclearOwnership(objects: readonly LiveResource[], manifest: Surroundings) {
  const unclear: UnclearObject[] = [];
  const diagnostics: PlanDiagnostic[] = [];
  for (const live of objects) {
    const { markerProblem: problem } = live;
    if (problem === undefined) continue;
    const address = problem.knownAs === undefined ? null : (manifest.addresses.get(problem.knownAs) ?? problem.knownAs);
    const namesUs = problem.stacks.length > 0;
    if (!namesUs && address !== null && manifest.isReleased(live)) continue;
    const isOurs = namesUs || (address !== null && (problem.isRemoved !== true || manifest.isMissing(address)));
    if (isOurs || address !== null) unclear.push({ live, address });
    const told = `the ownership marker of the ${kindByName(live.kind).title} ${live.id} ${problem.what}`;
    const { end, fix } = consequence(live, namesUs, problem.knownAs);
    diagnostics.push({
      code: 'broken-marker',
      severity: isOurs ? 'error' : 'warning',
      address: namesUs ? null : address,
      message: `${told}, ${end}`,
      fix,
    });
  }
  return { unclear, diagnostics };
}

/** What follows from an unreadable or missing marker, and what to do. */
function consequence({ id }: LiveResource, namesUs: boolean, knownAs: string | undefined) {
  const adopt = `adopt the object with \`lifecycle: { adopt: ${id} }\``;
  if (knownAs !== undefined)
    return {
      end: `and the journal knows the object as ${knownAs}; it is left alone`,
      fix: `${adopt} under ${knownAs}, or, if it does not belong to the stack, run \`edgeform apply --resolve ${knownAs}=absent\``,
    };
  if (namesUs) return { end: 'and its metadata names this stack', fix: `restore it, or ${adopt}` };
  return {
    end: 'so its owner is unknown; it is left alone',
    fix: `remove the key \`edgeform\`, or \`edgeform/v\`, from its metadata, or ${adopt}`,
  };
}
