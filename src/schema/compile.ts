// Compiles schemas to plain code ahead of time, so that no command compiles one at start. Used by the build only.

import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import type { JsonObject } from '../core/json.ts';

/** CommonJS source with one validator per name. */
export function compileValidators(schemas: Readonly<Record<string, JsonObject>>): string {
  const ajv = new Ajv({
    schemas: Object.values(schemas).map((schema) => ({ ...schema })),
    code: { source: true, lines: true },
    allErrors: true,
    ownProperties: true,
    strict: false,
  });
  const ids = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, String(schema['$id'])]));
  const generate = standalone.default;
  return `// Made by \`npm run build\`.\n${generate(ajv, ids)}\n`;
}
