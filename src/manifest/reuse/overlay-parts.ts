// The two parts of an overlay: what it changes of the manifest, and what stands under `add`. Each is a document like a manifest.

import { isObject, type Json, type Path } from '../../core/json.ts';
import { valueAt } from '../../core/value.ts';
import { ADD } from '../../catalog/reuse-keys.ts';
import type { ParsedFile } from '../text/parse.ts';
import { UnknownValues } from '../unknown-values.ts';
import { buildSourceMap } from '../source-map.ts';
import type { Use } from '../use.ts';
import { complain, type Judging, type ValueInFile } from './judging.ts';

export interface OverlayPart {
  readonly file: ParsedFile;
  /** True for what stands under `add`. */
  readonly isAdded: boolean;
}

/** The parts of all overlays, from the bottom to the top: each adds above its changes. */
export function partsOf(overlays: readonly ParsedFile[], judging: Judging): readonly OverlayPart[] {
  return overlays.flatMap((file): OverlayPart[] => {
    const { json } = file;
    if (!isObject(json)) return [{ file, isAdded: false }];
    const { [ADD]: added, ...changes } = json;
    const changed = { file: { ...file, json: changes }, isAdded: false };
    if (added === undefined) return [changed];
    if (isObject(added)) return [changed, { file: documentUnder(ADD, added, file), isAdded: true }];
    if (!file.unknownValues.has([ADD])) complain(judging, { file, path: [ADD] }, 'wrong-type', NOT_ADDED);
    return [changed];
  });
}

const NOT_ADDED = {
  message: 'what an overlay adds must be an object',
  expected: 'sections as in a manifest: variables, kinds, outputs, presets',
  fix: 'write the sections below add:',
};

/** That an overlay lies over a value. */
export function overlayUse({ name }: ParsedFile, over: ValueInFile): Use {
  return { kind: 'overlay', name, range: () => buildSourceMap([over.file]).key(over.path) };
}

/** What stands under a key, as a document of its own whose places are those in the file. */
function documentUnder(key: string, json: Json, file: ParsedFile): ParsedFile {
  const inFile = (path: Path): Path => [key, ...path];
  const unknownValues = new UnknownValues((path) => valueAt(json, path) !== undefined);
  unknownValues.takeOver(file.unknownValues, ([first, ...rest]) =>
    first === undefined || first === key ? { path: rest, isThere: false } : undefined,
  );
  return {
    name: file.name,
    json,
    valueRange: (path) => file.valueRange(inFile(path)),
    keyRange: (path) => file.keyRange(inFile(path)),
    numberText: (path) => file.numberText(inFile(path)),
    unknownValues,
    // They are those of the file.
    diagnostics: [],
  };
}
