// The JSON Schema of fleet files. Knows the form only; what entries mean to each other is checked in `fleet/`.

import { NAME_PATTERNS, OTHER_FORM, STACK_FORM } from '../catalog/address.ts';
import type { JsonObject } from '../core/json.ts';
import { withExplain } from './hints.ts';
import { forms } from './parts.ts';

/** Environment variables that name a service and its key, unless an entry names others. */
export const DEFAULT_CREDENTIALS = { base_url_env: 'EDGEFORM_BASE_URL', api_key_env: 'EDGEFORM_API_KEY' } as const;

/** What stands for the last part of a match in the name of an entry with `each`. */
export const EACH_NAME = '${each.name}';

/** The highest number of a wave. */
export const MAX_WAVE = 999;

const PATH: JsonObject = {
  type: 'string',
  // Neither nothing, nor standard input, nor control characters.
  pattern: '^(?!-?$)[^\\u0000-\\u001f\\u007f]*$',
  ...forms('a path relative to the fleet file'),
};

function path(description: string, example: string): JsonObject {
  return { ...PATH, description, examples: [example] };
}

function files(description: string, example: string): JsonObject {
  return { type: 'array', items: path('A file.', example), description, examples: [[example]] };
}

function environmentVariable(description: string, example: string): JsonObject {
  return {
    type: 'string',
    pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
    ...forms('the name of an environment variable'),
    description: `${description} Only defaults and what EDGEFORM_FLEET_CREDENTIALS lists may be named.`,
    examples: [example],
  };
}

const ENTRY_FORM = { pattern: NAME_PATTERNS.stack, ...forms(STACK_FORM) };

/** Names of the stacks of a pattern differ by what matches. */
const EACH_FORM = {
  pattern: '^[a-z0-9-]*\\$\\{each\\.name\\}[a-z0-9-]*$',
  ...forms(`lower-case letters, digits and hyphens, with ${EACH_NAME} among them`),
};

const name: JsonObject = {
  type: 'string',
  description: `Name of the entry: lower-case letters, digits and hyphens. Unique in the fleet. With \`each\`, ${EACH_NAME} stands in it for the last part of the path.`,
  examples: ['shop-prod'],
};

const stack: JsonObject = {
  type: 'string',
  description: `Name that the stack of the manifest must have. With \`each\`, ${EACH_NAME} stands in it for the last part of the path.`,
  examples: ['shop-prod'],
};

const manifest: JsonObject = {
  ...PATH,
  type: ['string', 'array'],
  minItems: 1,
  items: path('A file, a folder or a pattern.', 'stacks/shop'),
  description:
    'Manifest of the stack: a file, a folder or a pattern, as for -f, or a list of them, such as shared presets beside a stack.',
  examples: ['stacks/shop', ['presets.yaml', 'stacks/shop']],
};

const variables: JsonObject = {
  type: 'object',
  description: 'Values of variables; those of the command line take precedence.',
  propertyNames: { title: 'name', pattern: NAME_PATTERNS.other, ...forms(OTHER_FORM) },
  additionalProperties: {
    type: ['string', 'number', 'boolean', 'array'],
    items: { type: ['string', 'number', 'boolean'] },
    description: 'The value, or a list of values.',
  },
  examples: [{ env: 'prod' }],
};

/** In words. */
export const ENVIRONMENT_VALUE = 'the name of an environment variable that begins with EDGEFORM_VAR_';
const VALUE_FORM = { pattern: '^EDGEFORM_VAR_[A-Za-z0-9_]+$', ...forms(ENVIRONMENT_VALUE) };
const EACH_VALUE_FORM = {
  pattern: '^EDGEFORM_VAR_(?:[A-Za-z0-9_]|\\$\\{each\\.name\\})+$',
  ...forms(`${ENVIRONMENT_VALUE}; ${EACH_NAME} may stand in it`),
};

const variablesEnv: JsonObject = {
  type: 'object',
  description: `Environment variables with the values of variables, such as secrets that differ by environment. Each begins with EDGEFORM_VAR_; with \`each\`, ${EACH_NAME} stands in it for the last part of the path, with _ for each hyphen. They take precedence over \`var_files\`.`,
  propertyNames: { title: 'name', pattern: NAME_PATTERNS.other, ...forms(OTHER_FORM) },
  additionalProperties: { type: 'string', description: 'The name of an environment variable.' },
  examples: [{ github_secret: 'EDGEFORM_VAR_shop_prod_github_secret' }],
};

const wave: JsonObject = {
  type: 'integer',
  minimum: 1,
  maximum: MAX_WAVE,
  description:
    'Wave of the stack, 1 when absent: `fleet apply` begins a wave when every stack of those before it ended well.',
  examples: [2],
};

const entry: JsonObject = {
  type: 'object',
  description: 'One stack, or one for each match of a pattern.',
  additionalProperties: false,
  properties: {
    name,
    stack,
    path: manifest,
    each: path(
      'One entry for each folder and each YAML or JSON file that matches; unless `name` says otherwise, its name is the last part of the path, without the extension.',
      'teams/*',
    ),
    variables,
    variables_env: variablesEnv,
    var_files: files(
      'Files with values of variables; `variables` takes precedence. No stack of the fleet has them as manifests.',
      'stacks/shop/prod.yaml',
    ),
    overlays: files(
      'Files that are laid over the manifest, in this order, as by --overlay. No stack of the fleet has them as manifests.',
      'prod.yaml',
    ),
    wave,
    base_url_env: environmentVariable('Environment variable with the URL of the service.', 'PARTNER_BASE_URL'),
    api_key_env: environmentVariable('Environment variable with the API key.', 'PARTNER_API_KEY'),
  },
  // Without `each`, an entry is one stack.
  if: { required: ['each'] },
  then: { properties: { name: EACH_FORM, stack: EACH_FORM, variables_env: { additionalProperties: EACH_VALUE_FORM } } },
  else: {
    required: ['name', 'path'],
    properties: { name: ENTRY_FORM, stack: ENTRY_FORM, variables_env: { additionalProperties: VALUE_FORM } },
  },
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
        items: path('A file or a directory, or `openings`: what lets more in needs consent.', 'policies'),
        examples: [['policies']],
      },
    },
  };
  return withExplain(schema, ['fleet']);
}
