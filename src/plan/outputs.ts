// Outputs of a plan, as far as they are known. One that waits for an object is null, and reports leave it out.

import type { Diagnostic } from '../core/diagnostic.ts';
import { compareText, type Json } from '../core/json.ts';
import { holdsUnknown } from '../core/value.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { displayOutput } from '../resource/placeholder.ts';
import type { Plan } from './plan.ts';
import { resolveValue, type KnownObjects } from '../resource/resolve.ts';

/** The value of an output, or of a requested address and attribute; `unknown` says why there is none. */
export interface OutputValue {
  readonly name: string;
  readonly value: Json;
  readonly unknown?: Pick<Diagnostic, 'message' | 'fix'>;
}

export function outputsOf({ outputs }: Manifest, known: KnownObjects): Plan['outputs'] {
  const shown = [...outputs].map(([name, declared]): [string, Json] => {
    const value = resolveValue(declared, known);
    return [name, holdsUnknown(value) ? null : displayOutput(value)];
  });
  return Object.fromEntries(shown.sort(([one], [other]) => compareText(one, other)));
}

/** The outputs for a report, without unknown ones. */
export function knownOutputs({ outputs }: Plan): Plan['outputs'] {
  return Object.fromEntries(Object.entries(outputs).filter(([, value]) => value !== null));
}
