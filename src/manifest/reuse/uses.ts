// The presets that a block names: their layers, and what is wrong with the names.

import type { ProblemText } from '../../core/diagnostic.ts';
import { isList, isObject, type Json } from '../../core/json.ts';
import { PRESET } from '../../catalog/reuse-keys.ts';
import { buildSourceMap } from '../source-map.ts';
import type { Layer } from './layers.ts';
import { MAX_EXPANDED, MAX_USES } from './limits.ts';
import { complain, type ValueInFile } from './judging.ts';
import type { Reuse } from './reuse-problems.ts';

/** What presets bring to a block; it is open when one of them is not known. */
interface BroughtLayers {
  readonly layers: readonly Layer[];
  readonly isOpen: boolean;
}

/** The layers of the presets that a written block names, in their order. */
export function layersOfPresets({ json, file, path }: Layer, reuse: Reuse): BroughtLayers {
  const given = isObject(json) ? json[PRESET] : undefined;
  if (given === undefined) return { layers: [], isOpen: false };
  const at = [...path, PRESET];
  const brought = isList(given)
    ? given.map((name, index) => layersNamed(name, { file, path: [...at, String(index)] }, reuse))
    : [layersNamed(given, { file, path: at }, reuse)];
  return { layers: brought.flatMap((layers) => layers ?? []), isOpen: brought.includes(undefined) };
}

/** Undefined when the preset is not known. */
function layersNamed(name: Json, at: ValueInFile, reuse: Reuse): readonly Layer[] | undefined {
  const { file, path } = at;
  if (file.unknownValues.has(path)) return undefined;
  if (typeof name !== 'string') {
    complain(reuse, at, 'wrong-type', NOT_A_NAME);
    return undefined;
  }
  const used = reuse.presets.use(name, { kind: 'preset', name, range: () => buildSourceMap([file]).value(path) });
  if (used !== undefined) return spend(used.size, at, reuse) ? used.layers : undefined;
  if (!reuse.presets.mayHave(name)) {
    const message = `there is no preset ${JSON.stringify(name)}`;
    complain(reuse, at, 'unknown-preset', { message, fix: reuse.presets.fixFor(name) });
  }
  return undefined;
}

const NOT_A_NAME: ProblemText = {
  message: 'preset is neither a name nor a list of names',
  expected: 'the name of a preset, or a list of names',
  fix: 'write preset: NAME',
};

/** False once the presets of a stack are used too often, or bring too much. */
function spend(size: number, at: ValueInFile, reuse: Reuse): boolean {
  const { spent } = reuse;
  const hadRoom = spent.uses <= MAX_USES && spent.characters <= MAX_EXPANDED;
  spent.uses += 1;
  spent.characters += size;
  const hasRoom = spent.uses <= MAX_USES && spent.characters <= MAX_EXPANDED;
  if (hadRoom && !hasRoom)
    complain(reuse, at, 'too-many-uses', {
      message: `the presets of this stack are used more than ${MAX_USES} times, or bring more than 16 MiB`,
      fix: 'split the stack, or make smaller presets',
    });
  return hasRoom;
}
