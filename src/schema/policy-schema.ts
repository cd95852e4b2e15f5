// The JSON Schemas of policy files and of their tests. Know the form only; what expressions mean is checked in `policy/`.

import { NAME_PATTERNS } from '../catalog/address.ts';
import { managedKinds } from '../catalog/lookup.ts';
import type { JsonObject } from '../core/json.ts';
import { FORM } from './hints.ts';

const WORDS = 'lower-case letters, digits and hyphens, at most 63, not starting with a hyphen';

function list(description: string, items: JsonObject): JsonObject {
  return { type: 'array', description, items };
}

function oneOf(description: string, values: readonly string[]): JsonObject {
  return { enum: values, description };
}

function cel(description: string, example: string): JsonObject {
  return { type: 'string', description: `${description} An expression in CEL.`, examples: [example] };
}

const name: JsonObject = {
  type: 'string',
  pattern: NAME_PATTERNS.stack,
  [FORM]: WORDS,
  patternErrorMessage: `Expected: ${WORDS}.`,
  description: 'Name of the policy; violations have the rule policy/NAME. Unique among all policies of a command.',
  examples: ['no-wildcards'],
};

const severity = oneOf('error stops validate and apply; warning is only shown. Default: error.', ['error', 'warning']);

const policy: JsonObject = {
  type: 'object',
  description: 'One policy.',
  additionalProperties: false,
  required: ['name', 'on', 'expression', 'message'],
  properties: {
    name,
    description: { type: 'string', description: 'For people.' },
    on: oneOf('What it is about: each resource of the manifest, each step of a plan, or the plan.', [
      'object',
      'step',
      'plan',
    ]),
    kinds: list(
      'Only resources of these kinds. Default: all.',
      oneOf(
        'A kind, as plans name it.',
        managedKinds.map((kind) => kind.name),
      ),
    ),
    actions: list(
      'Only steps with these actions. Default: all.',
      oneOf('An action.', ['create', 'update', 'replace', 'delete', 'adopt', 'release']),
    ),
    when: cel('Only where this is true.', 'stack.startsWith("prod-")'),
    expression: cel('What must be true.', 'has(object.description)'),
    message: { type: 'string', description: 'What a violation says: text with ${CEL}.' },
    severity,
  },
};

const example: JsonObject = {
  type: 'object',
  description: 'One example.',
  additionalProperties: false,
  required: ['name', 'manifest', 'expect'],
  properties: {
    name: { type: 'string', description: 'What the example shows.' },
    manifest: { type: 'object', description: 'The manifest, without version and stack.' },
    stack: { type: 'string', description: 'The name of the stack. Default: example.' },
    live: { type: 'object', description: 'What was applied before, as a manifest. Default: nothing.' },
    expect: list('Every violation and warning, in any order.', {
      type: 'object',
      description: 'A violation.',
      additionalProperties: false,
      required: ['policy'],
      properties: {
        policy: { type: 'string', description: 'Name of the policy.' },
        address: { type: 'string', description: 'Address of the resource; none for a policy on the plan.' },
      },
    }),
  },
};

function fileSchema(id: string, title: string, key: string, content: JsonObject): JsonObject {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: `https://edgeform.dev/schemas/${id}.schema.json`,
    title,
    description: 'See `edgeform explain policy`.',
    type: 'object',
    additionalProperties: false,
    required: ['version', key],
    properties: { version: { const: 1, description: 'Format of the file; always 1.' }, [key]: content },
  };
}

export function policySchema(): JsonObject {
  return fileSchema('policies', 'edgeform policies', 'policies', list('The policies.', policy));
}

export function policyTestSchema(): JsonObject {
  return fileSchema('policytest', 'edgeform examples of policies', 'tests', list('The examples.', example));
}
