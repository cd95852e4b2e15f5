// Compiles schemas to plain code ahead of time, so that no command compiles one at start. Used by the build only.

import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { kinds } from '../catalog/kinds/index.ts';
import type { JsonObject } from '../core/json.ts';
import { manifestSchema } from './generate.ts';
import { planSchema } from './plan-schema.ts';

/** Name in this folder → a module with the validator of one document, so that a command loads only what it needs. */
export function compiledFiles(): [string, string][] {
  return [
    ['compiled-manifest.mjs', compile(manifestSchema(kinds))],
    ['compiled-plan.mjs', compile(planSchema)],
  ];
}

function compile(schema: JsonObject): string {
  const code = { source: true, esm: true, lines: true };
  const ajv = new Ajv({ code, allErrors: true, messages: false, ownProperties: true, strict: false });
  // The loader measures decoded text.
  for (const keyword of ['minLength', 'maxLength']) ajv.removeKeyword(keyword);
  return `// Made by \`npm run build\`.\n${standalone.default(ajv, ajv.compile(schema))}\n`;
}
