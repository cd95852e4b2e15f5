// One block of a kind, judged as the loader judges a manifest that holds nothing else.

import type { Kind } from '../../src/catalog/kind.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { diagnose } from './loading.ts';

/** Codes of the errors; a kind that lives inside another is put into the smallest block of that one. */
export function errorsOf(kind: Kind, ...blocks: readonly JsonObject[]): string[] {
  const section = { [kind.manifestKey]: Object.fromEntries(blocks.map((block, index) => [`b${index}`, block])) };
  const outer = kind.parent && { [kindByName(kind.parent.kind).manifestKey]: { a: section } };
  const text = JSON.stringify({ version: 1, stack: 'shop', ...(outer ?? section) });
  return diagnose(text)
    .filter(({ severity }) => severity === 'error')
    .map(({ code }) => code);
}
