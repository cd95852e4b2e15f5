// One block of a kind, judged as the loader judges a manifest that holds nothing else.

import type { Kind } from '../../src/catalog/kind.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { loadManifest } from '../../src/manifest/load.ts';

/** Codes of the errors; a kind that lives inside another is put into the smallest block of that one. */
export function errorsOf(kind: Kind, ...blocks: readonly JsonObject[]): string[] {
  const section = { [kind.manifestKey]: Object.fromEntries(blocks.map((block, index) => [`b${index}`, block])) };
  const outer = kind.parent && { [kindByName(kind.parent.kind).manifestKey]: { a: section } };
  const text = JSON.stringify({ version: 1, stack: 'shop', ...(outer ?? section) });
  const files = [{ name: 'f.json', text }];
  const { diagnostics } = loadManifest({ files, variables: new Map(), env: {}, readFile: () => ({ diagnostics: [] }) });
  return diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);
}
