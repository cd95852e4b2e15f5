// Outputs of a stack, and values of imports, by name.

import { compareText, type Json } from '../../core/json.ts';
import { inline, quoteIfNeeded } from './values/value.ts';
import type { View } from './view.ts';

export function outputsOf(outputs: Readonly<Record<string, Json>>): View['outputs'] {
  const names = Object.keys(outputs).sort(compareText);
  return names.map((name) => [name, inlineOutput(outputs[name] ?? null)]);
}

/** An output; null while it waits for an object. */
function inlineOutput(value: Json): string {
  if (value === null) return '(known after apply)';
  return typeof value === 'string' ? quoteIfNeeded(value) : inline(value);
}
