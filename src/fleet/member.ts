// An entry of a fleet as its text alone shows it, for what several entries have together.

import type { SourceRange } from '../core/diagnostic.ts';
import type { Manifest } from '../manifest/manifest.ts';

/** An entry, and the service that it is for: equal texts for the same account of the same service. */
export interface Member {
  readonly name: string;
  readonly service: string;
  /** Its journal, which no other member may have; equal texts for the same file. Undefined like its name. */
  readonly journal: string | undefined;
  /** Undefined without the values of the variables in it; such a stack is not taken for another one. */
  readonly stack: string | undefined;
  /** Undefined if it has errors. */
  readonly manifest: Manifest | undefined;
  /** Undefined in a fleet without waves. */
  readonly wave?: number | undefined;
  /** Where its wave is given, or its name, if there is a fleet file. */
  readonly waveRange?: SourceRange;
  /** Its place in the fleet file, if there is one. */
  readonly range?: SourceRange;
}

/** Who owns the objects of a stack at a service; no name of a stack has a space. */
export function ownerKey(service: string, stack: string): string {
  return `${stack} ${service}`;
}
