// What a manifest takes from another stack goes to the manifest's own stack. Overlays that name another stack do not inherit it: an
// environment would take what production was renamed from. One that means such an entry of `moved` writes it itself.

import { isList, isObject, type Json } from '../../core/json.ts';
import type { ParsedFile } from '../text/parse.ts';
import { plainFile } from './plain-file.ts';
import { documentsIn, stackIn } from './stack-unsaid.ts';

const MOVED = 'moved';

interface Inherited {
  readonly files: readonly ParsedFile[];
  /** The stack that the files name, and those from which only it takes objects: they are none of an environment's. */
  readonly baseStacks: readonly string[];
}

/** The files of a manifest, without what only the stack that they name takes. */
export function inheritedFiles(files: readonly ParsedFile[], overlays: readonly ParsedFile[]): Inherited {
  if (!nameOtherStack(files, overlays)) return { files, baseStacks: [] };
  const [own] = files.flatMap(({ json }) => stackIn(json) ?? []);
  const taken = files.flatMap(({ json }) => (isObject(json) && isList(json[MOVED]) ? json[MOVED].map(sourceOf) : []));
  return { files: files.map(withoutTaken), baseStacks: [own, ...taken].filter((stack) => typeof stack === 'string') };
}

/** The stack from which an entry takes something, as it is written. */
function sourceOf(entry: Json): Json | undefined {
  const from = isObject(entry) ? entry['from'] : undefined;
  return from !== undefined && isObject(from) ? from['stack'] : undefined;
}

/** By what is written: one text with a variable in it is one name, whatever its value. */
function nameOtherStack(files: readonly ParsedFile[], overlays: readonly ParsedFile[]): boolean {
  const laid = overlays.flatMap(({ json }) => documentsIn(json)).flatMap((document) => stackIn(document) ?? []);
  const [own] = files.flatMap(({ json }) => stackIn(json) ?? []);
  const last = laid.at(-1);
  return last !== undefined && last !== own;
}

/** The file with the other entries at the places where they stand. */
function withoutTaken(file: ParsedFile): ParsedFile {
  const { [MOVED]: moved, ...rest } = isObject(file.json) ? file.json : {};
  if (moved === undefined || !isList(moved) || moved.every(isInside)) return file;
  const entries = moved.map((json, index) => ({ file, path: [MOVED, String(index)], json, use: undefined }));
  const kept = entries.filter(({ json }) => isInside(json));
  return plainFile({ file, rest, blocks: new Map(), lists: new Map([[MOVED, kept]]) });
}

/** True for an entry that renames something of the stack itself. */
function isInside(entry: Json): boolean {
  return sourceOf(entry) === undefined;
}
