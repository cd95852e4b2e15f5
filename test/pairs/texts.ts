// Texts of files: manifests as people write them, and fingerprints out of a document.

import type { Json } from '../../src/core/json.ts';
import { isList, isObject } from '../../src/core/json.ts';
import { stringify } from 'yaml';
import type { Block } from '../support/document.ts';

export function yamlOf(doc: Block): string {
  return stringify(doc, { flowCollectionPadding: true, lineWidth: 0, aliasDuplicateObjects: false });
}

/** Comments stand where people write them, also between a dash and its value. */
export function commented(text: string, seed: number): string {
  if (seed % 3 > 0) return text;
  return text.replaceAll(/^( *)- ([^:{[\n]+)$/gm, (whole: string, indent: string, value: string) =>
    value.startsWith('|') || value.startsWith('>') ? whole : `${indent}- # a note\n${indent}  ${value} # why`,
  );
}

/** Fingerprints of all findings, in the document of one stack or of many. */
export function fingerprintsIn(value: Json | undefined): string[] {
  if (value === undefined || value === null) return [];
  if (isList(value)) return value.flatMap(fingerprintsIn);
  if (!isObject(value)) return [];
  const own = value['fingerprint'];
  const isFinding = typeof own === 'string' && typeof value['type'] === 'string';
  return isFinding ? [own] : Object.values(value).flatMap(fingerprintsIn);
}
