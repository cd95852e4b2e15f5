// Checks a fleet document against its compiled schema, with the problems of manifests. Knows no rules between entries.

import type { Json } from '../core/json.ts';
import { lazy } from '../core/lazy.ts';
import { validate } from './compiled-fleet.mjs';
import { fleetSchema } from './fleet-schema.ts';
import type { SchemaProblem } from './schema-problems.ts';
import { schemaProblems } from './validate.ts';

const schema = lazy(fleetSchema);

/** Every problem of the document, in the validator's order, at most one per place and kind of error. */
export function validateFleetDocument(
  document: Json,
  numberText: (path: readonly string[]) => string | undefined = () => undefined,
): SchemaProblem[] {
  return schemaProblems(validate, schema, { document, numberText, called: 'the fleet file' }).map(withFix);
}

/** A whole document of another type is begun in another way than a manifest. */
function withFix(problem: SchemaProblem): SchemaProblem {
  const isWhole = problem.path.length === 0 && problem.code === 'wrong-type';
  const fix = 'begin it with `version: 1`, and write the entries below `stacks:`';
  return isWhole ? { ...problem, fix } : problem;
}
