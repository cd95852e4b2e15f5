// Secrets that are written in a manifest: a value of a sensitive field, or the default of a sensitive variable. They are nothing
// to print.

import type { Diagnostic } from '../core/diagnostic.ts';
import { isObject } from '../core/json.ts';
import type { ManifestResult } from './load.ts';
import { outsideOf } from './values/from-outside.ts';

/** An error for each of them. */
export function typedSecrets({ diagnostics, plain }: Pick<ManifestResult, 'diagnostics' | 'plain'>): Diagnostic[] {
  const inBlocks = diagnostics.filter(({ code }) => code === 'literal-secret');
  return [...inBlocks.map((problem): Diagnostic => ({ ...problem, severity: 'error' })), ...inDefaults(plain)];
}

function inDefaults({ document, sourceMap }: ManifestResult['plain']): Diagnostic[] {
  const { variables } = document;
  if (!isObject(variables)) return [];
  return Object.entries(variables).flatMap(([name, declaration]) => {
    const isTyped = isObject(declaration) && declaration['sensitive'] === true && declaration['default'] !== undefined;
    if (!isTyped) return [];
    return sourceMap.error('literal-secret', ['variables', name, 'default'], {
      message: `the default of ${name} is a secret written in the manifest`,
      fix: `remove the default, and give the value from outside: ${outsideOf(name)}`,
    });
  });
}
