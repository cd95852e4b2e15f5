// The outputs of a manifest, with what each lacks.

import type { Diagnostic } from '../core/diagnostic.ts';
import { isObject, type Json } from '../core/json.ts';
import type { Value } from '../core/value.ts';
import type { ExpandContext } from './values/convert-value.ts';
import { expandFree, expandFreeOrList } from './values/expand.ts';

/** Those in `freeOutputs` may be lists. */
export function readOutputs(given: Json | undefined, freeOutputs: ReadonlySet<string>, context: ExpandContext) {
  const outputs = new Map<string, Value>();
  const lackingInOutputs = new Map<string, ReadonlyMap<string, Diagnostic>>();
  for (const [name, json] of Object.entries(isObject(given) ? given : {})) {
    const path = ['outputs', name];
    const read = freeOutputs.has(name) ? expandFreeOrList : expandFree;
    // Each output is asked for on its own, so each says all that it lacks.
    const own = { ...context, lacking: [], reported: new Set<string>() };
    const value = context.unknownValues.has(path) ? undefined : read(json, path, own);
    if (value !== undefined) outputs.set(name, value);
    const lacking = lackingByVariable(own);
    if (lacking.size > 0) lackingInOutputs.set(name, lacking);
    for (const [variable, problem] of lacking) {
      if (!context.reported.has(variable)) context.lacking.push(problem);
      context.reported.add(variable);
    }
  }
  return { outputs, lackingInOutputs };
}

/** Variables and their problems are in the same order. */
function lackingByVariable({
  reported,
  lacking,
}: Pick<ExpandContext, 'reported' | 'lacking'>): Map<string, Diagnostic> {
  return new Map(
    [...reported].flatMap((name, index) => (lacking[index] === undefined ? [] : [[name, lacking[index]]])),
  );
}
