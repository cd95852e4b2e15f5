// The parts that a manifest is loaded from, each as the loader would make it, for tests of one phase.

import { readImports, readStack } from '../../src/manifest/imports.ts';
import type { StackInput } from '../../src/manifest/resources.ts';
import { addressesOf, readResources } from '../../src/manifest/resources.ts';
import type { Merged } from '../../src/manifest/merge.ts';
import { mergeFiles } from '../../src/manifest/merge.ts';
import { checkStructure } from '../../src/manifest/structure.ts';
import { readTransfers } from '../../src/manifest/transfers.ts';
import { parseDocuments } from '../../src/manifest/text/parse.ts';
import type { ExpandContext } from '../../src/manifest/values/convert-value.ts';
import { expandFree } from '../../src/manifest/values/expand.ts';
import { waysToGive } from '../../src/manifest/values/from-outside.ts';
import { readVariables } from '../../src/manifest/values/variables.ts';
import type { Diagnostic } from '../../src/core/diagnostic.ts';
import { isObject } from '../../src/core/json.ts';
import type { Value } from '../../src/core/value.ts';

/** The joined document of some files; one text is one file. */
export function mergedOf(...texts: readonly string[]): Merged {
  const files = texts.flatMap((text, index) => parseDocuments(`f${index}.yaml`, text));
  for (const file of files) checkStructure(file);
  return mergeFiles(files);
}

/** What values are filled in from; `file:PATH` is the text "content of PATH". */
export function contextOf(text: string, given: Readonly<Record<string, string>> = {}): ExpandContext & Merged {
  const merged = mergedOf(text);
  const diagnostics: Diagnostic[] = [];
  const context = {
    variables: readVariables(merged, { given: new Map(Object.entries(given)), env: {} }),
    lacking: diagnostics,
    reported: new Set<string>(),
    waysToGive,
    filled: { bytes: 0 },
    readFile: (path: string) => ({ value: `content of ${path}`, diagnostics: [] }),
  };
  return { ...merged, ...context, diagnostics };
}

/** What the rules of a stack are given. */
export function stackOf(text: string, given: Readonly<Record<string, string>> = {}): StackInput {
  const context = contextOf(text, given);
  const { document, sourceMap, unknownValues } = context;
  const stack = readStack(document, context);
  const resources = readResources(document, context);
  const outputs = new Map<string, Value>();
  for (const [name, json] of Object.entries(isObject(document['outputs']) ? document['outputs'] : {})) {
    const value = expandFree(json, ['outputs', name], context);
    if (value !== undefined) outputs.set(name, value);
  }
  return {
    ...readImports(document, stack, context),
    transfers: readTransfers(document, stack, context),
    document,
    stack,
    resources,
    addresses: addressesOf(resources),
    outputs,
    sourceMap,
    unknownValues,
  };
}

/** Codes with their lines and columns. */
export function placesOf(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ code, range }) => `${code} ${range?.line ?? 0}:${range?.column ?? 0}`);
}
