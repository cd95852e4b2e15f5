// The JSON Schema of fleet files. Knows the form only; what entries mean to each other is checked in `fleet/`.

import { NAME_PATTERNS } from '../catalog/address.ts';
import type { JsonObject } from '../core/json.ts';
import { FORM, withExplain } from './hints.ts';

/** Environment variables that name a service and its key, unless an entry names others. */
export const DEFAULT_CREDENTIALS = { base_url_env: 'EDGEFORM_BASE_URL', api_key_env: 'EDGEFORM_API_KEY' } as const;

function form(words: string): JsonObject {
  return { [FORM]: words, patternErrorMessage: `Expected: ${words}.` };
}

function path(description: string, example: string): JsonObject {
  return {
    type: 'string',
    // Neither nothing, nor standard input, nor control characters.
    pattern: '^(?!-?$)[^\\u0000-\\u001f\\u007f]*$',
    ...form('a path relative to the fleet file'),
    description,
    examples: [example],
  };
}

function environmentVariable(description: string, example: string): JsonObject {
  return {
    type: 'string',
    pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
    ...form('the name of an environment variable'),
    description: `${description} Only defaults and what EDGEFORM_FLEET_CREDENTIALS lists may be named.`,
    examples: [example],
  };
}

const name: JsonObject = {
  type: 'string',
  pattern: NAME_PATTERNS.stack,
  ...form('lower-case letters, digits and hyphens, at most 63, not starting with a hyphen'),
  description: 'Name of the entry: lower-case letters, digits and hyphens. Unique in the fleet.',
  examples: ['shop-prod'],
};

const variables: JsonObject = {
  type: 'object',
  description: 'Values of variables; those of the command line take precedence.',
  propertyNames: {
    title: 'name',
    pattern: NAME_PATTERNS.other,
    ...form('letters, digits, _ and -, not starting with a digit or a hyphen, at most 200 characters'),
  },
  additionalProperties: {
    type: ['string', 'number', 'boolean', 'array'],
    items: { type: ['string', 'number', 'boolean'] },
    description: 'The value, or a list of values.',
  },
  examples: [{ env: 'prod' }],
};

const entry: JsonObject = {
  type: 'object',
  description: 'One stack, or one for each match of a pattern.',
  additionalProperties: false,
  properties: {
    name,
    path: path('Manifest of the stack: a file, a folder or a pattern, as for -f.', 'stacks/shop'),
    each: path(
      'One entry for each folder and each YAML or JSON file that matches; its name is the last part of the path, without the extension.',
      'teams/*',
    ),
    variables,
    var_files: {
      type: 'array',
      items: path('A file.', 'stacks/shop/prod.yaml'),
      description:
        'Files with values of variables; `variables` takes precedence. No stack of the fleet has them as manifests.',
      examples: [['stacks/shop/prod.yaml']],
    },
    base_url_env: environmentVariable('Environment variable with the URL of the service.', 'PARTNER_BASE_URL'),
    api_key_env: environmentVariable('Environment variable with the API key.', 'PARTNER_API_KEY'),
  },
  // Without `each`, an entry is one stack.
  if: { required: ['each'] },
  else: { required: ['name', 'path'] },
};

export function fleetSchema(): JsonObject {
  const schema: JsonObject = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'https://edgeform.dev/schemas/fleet.schema.json',
    title: 'edgeform fleet file',
    description: 'Stacks that one command reads, plans and applies.',
    type: 'object',
    additionalProperties: false,
    required: ['version', 'stacks'],
    properties: {
      version: { const: 1, description: 'Format of the fleet file; always 1.' },
      stacks: { type: 'array', description: 'The stacks of the fleet.', items: entry },
      policies: {
        type: 'array',
        description: 'Policies that every plan of the fleet must pass.',
        items: path('A file or a directory.', 'policies'),
        examples: [['policies']],
      },
    },
  };
  return withExplain(schema, ['fleet']);
}
