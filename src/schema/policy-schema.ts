// The JSON Schema of files with policies, and with examples for them. Knows the form only; what expressions mean is checked in
// `policy/`.

import { NAME_PATTERNS, STACK_FORM } from '../catalog/address.ts';
import { managedKinds } from '../catalog/lookup.ts';
import type { JsonObject } from '../core/json.ts';
import { FORM } from './hints.ts';

const KINDS = managedKinds.map(({ name }) => name);
const SUBJECTS = ['object', 'live', 'step', 'plan'];
const ACTIONS = ['create', 'update', 'replace', 'delete', 'adopt', 'release'];

const text = (description: string): JsonObject => ({ type: 'string', description });
const block = (description: string): JsonObject => ({ type: 'object', description });
const list = (description: string, items: JsonObject): JsonObject => ({ type: 'array', description, items });
const oneOf = (description: string, values: readonly string[]): JsonObject => ({ enum: values, description });

function record(description: string, required: readonly string[], properties: JsonObject): JsonObject {
  return { type: 'object', description, additionalProperties: false, required, properties };
}

const policy = record('One policy.', ['name', 'on', 'expression', 'message'], {
  name: {
    ...text('Name of the policy: violations have the rule policy/NAME. Unique among all policies of a command.'),
    pattern: NAME_PATTERNS.stack,
    [FORM]: STACK_FORM,
  },
  description: text('For people.'),
  on: oneOf(
    'What it judges: each resource of the manifest, each object of the service that the plan leaves as it is, each step of a plan, or the plan.',
    SUBJECTS,
  ),
  kinds: list('Only these kinds, by their names in plans. Default: all.', oneOf('A kind.', KINDS)),
  actions: list('Only steps with these actions. Default: all.', oneOf('An action.', ACTIONS)),
  when: text('An expression in CEL: only where it is true.'),
  expression: text('An expression in CEL: what must be true.'),
  message: text('What a violation says: text with ${CEL}.'),
  severity: oneOf('`error` stops validate and apply, `warning` is only shown. Default: error.', ['error', 'warning']),
});

const example = record('One example.', ['name', 'manifest', 'expect'], {
  name: text('What it shows.'),
  stack: text('Name of the stack. Default: example.'),
  manifest: block('The manifest, without `version` and `stack`.'),
  live: block('What was applied before, as a manifest. Default: nothing.'),
  unowned: block('Objects of the service that no stack owns, as a manifest. Default: none.'),
  expect: list(
    'Every violation and warning.',
    record('A violation.', ['policy'], {
      policy: text('Name of the policy.'),
      address: text('Address of the resource; none for a policy on plans.'),
    }),
  ),
});

export function policySchema(): JsonObject {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'https://edgeform.dev/schemas/policies.schema.json',
    title: 'edgeform policies',
    ...record('Policies, or examples for them. See `edgeform explain policy`.', ['version'], {
      version: { const: 1, description: 'Format of the file; always 1.' },
      policies: list('The policies.', policy),
      tests: list('Examples, in a file `*.test.yaml`.', example),
    }),
  };
}
