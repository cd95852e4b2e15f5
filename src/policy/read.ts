// The text of a file with policies, or with examples for them, as a document with places.

import type { SourceRange } from '../core/diagnostic.ts';
import { isList, isObject, type Json, type JsonObject } from '../core/json.ts';
import { lazy } from '../core/lazy.ts';
import type { ManifestFiles } from '../manifest/read-files.ts';
import { buildSourceMap } from '../manifest/source-map.ts';
import { checkStructure } from '../manifest/structure.ts';
import { parseFile } from '../manifest/text/parse.ts';
import { validate } from '../schema/compiled-policies.mjs';
import { policySchema } from '../schema/policy-schema.ts';
import type { SchemaProblem } from '../schema/schema-problems.ts';
import { schemaProblems, type NumberText } from '../schema/validate.ts';

const schema = lazy(policySchema);

function validatePolicies(document: Json, numberText: NumberText = () => undefined): SchemaProblem[] {
  return schemaProblems(validate, schema, { document, numberText, called: 'the file' });
}

/** One entry of a list in a file. */
export interface Entry {
  readonly given: JsonObject;
  /** The place of the value of a key. */
  readonly rangeOf: (key: string) => SourceRange;
  readonly lines: readonly string[];
}

/** The entries below a key, with every problem in the form of the file. */
export function readEntries({ name, text }: ManifestFiles['files'][number], key: 'policies' | 'tests') {
  const file = parseFile(name, text);
  const diagnostics = [...file.diagnostics, ...checkStructure(file, validatePolicies)];
  const places = buildSourceMap([file]);
  const lines = text.split('\n');
  const entries = listIn(isObject(file.json) ? file.json[key] : undefined).map((one, index): Entry => {
    return { given: isObject(one) ? one : {}, lines, rangeOf: (field) => places.value([key, String(index), field]) };
  });
  if (entries.length === 0 && diagnostics.length === 0) {
    const words = { message: `the file has no ${key}`, fix: `write \`version: 1\`, and a list below \`${key}:\`` };
    diagnostics.push(places.error('bad-policy', [], words));
  }
  return { entries, diagnostics };
}

/** The items of a list; what is none was reported. */
export function listIn(json: Json | undefined): readonly Json[] {
  return json !== undefined && isList(json) ? json : [];
}
