// The names that blocks give to `preset`, as they are written.

import { isList, isObject, type Json } from '../../core/json.ts';
import { childKinds, kindByManifestKey } from '../../catalog/lookup.ts';
import type { Kind } from '../../catalog/kind.ts';
import { PRESET } from '../../catalog/reuse-keys.ts';
import type { ParsedFile } from '../text/parse.ts';

/** Every name that a block of a file gives to `preset`, also where an overlay has replaced or dropped the block. */
export function presetsNamedIn({ json }: ParsedFile): string[] {
  if (!isObject(json)) return [];
  return Object.entries(json).flatMap(([key, section]) => {
    const kind = kindByManifestKey(key);
    return kind === undefined ? [] : namesInSection(kind, section);
  });
}

function namesInSection(kind: Kind, section: Json | undefined): string[] {
  if (!isObject(section)) return [];
  return Object.values(section).flatMap((block) => {
    if (!isObject(block)) return [];
    const given = block[PRESET] ?? [];
    const names = (isList(given) ? given : [given]).filter((name) => typeof name === 'string');
    return [...names, ...childKinds(kind).flatMap((child) => namesInSection(child, block[child.manifestKey]))];
  });
}
