// Checks policy files and their tests against the compiled schemas.

import type { Json } from '../core/json.ts';
import { lazy } from '../core/lazy.ts';
import { validate as validatePolicies } from './compiled-policies.mjs';
import { validate as validateTests } from './compiled-policytest.mjs';
import { policySchema, policyTestSchema } from './policy-schema.ts';
import type { SchemaProblem } from './schema-problems.ts';
import { schemaProblems, type NumberText } from './validate.ts';

const schemas = { policies: lazy(policySchema), tests: lazy(policyTestSchema) };
const validators = { policies: validatePolicies, tests: validateTests };

/** Every problem in the form of a policy file, or of a file with examples. */
export function validatePolicyDocument(
  what: 'policies' | 'tests',
  document: Json,
  numberText: NumberText = () => undefined,
): SchemaProblem[] {
  const problems = schemaProblems(validators[what], schemas[what], { document, numberText });
  return problems.map((one) => ({ ...one, message: one.message.replace('the manifest', 'the file') }));
}
