// The rule of overlays: an overlay changes what is there, and what it adds stands under `add`. So a name that is misspelled adds
// nothing, and what was meant to be new changes nothing.
//
// An entry is a resource, a route, a preset, a variable, an import or an output. Under `add`, an entry that is there may be named only to
// reach its children: `add: { https_edges: { shop: { routes: { beta: … } } } }` adds a route.

import { isObject, type JsonObject } from '../../core/json.ts';
import { lazy } from '../../core/lazy.ts';
import { Suggestions } from '../../core/text/closest.ts';
import { ADD } from '../../catalog/reuse-keys.ts';
import { safeKey } from '../../schema/describe-value.ts';
import type { Layer } from './layers.ts';
import { complainAtKey, type Judging } from './judging.ts';

/** An entry that overlays have a say in. */
interface JudgedEntry {
  /** From the bottom to the top. */
  readonly layers: readonly Layer[];
  /** Keys of its children's sections. */
  readonly childKeys: readonly string[];
  /** The names beside it. */
  readonly names: NamesThere;
}

/** The layers that may stay; one that adds to what is not there yet is like a layer of the manifest. */
export function layersByRule({ layers, childKeys, names }: JudgedEntry, judging: Judging): readonly Layer[] {
  if (!layers.some(isOfOverlay)) return layers;
  let isThere = false;
  return layers.flatMap((layer): readonly Layer[] => {
    const { json, cuts } = layer;
    const wasThere = isThere && cuts.here === undefined;
    isThere = wasThere || json !== undefined;
    if (json === undefined || !isOfOverlay(layer)) return [layer];
    if (layer.isAdded !== true) {
      if (!wasThere) refuseChange(layer, names, judging);
      return [layer];
    }
    if (!wasThere) return [ofManifest(layer)];
    const { children, others } = splitBy(childKeys, isObject(json) ? json : {});
    const hasChildren = Object.keys(children).length > 0;
    if (hasChildren && others.length === 0) return [layer];
    refuseAddition(layer, hasChildren ? others[0] : undefined, judging);
    return hasChildren ? [{ ...layer, json: children }] : [];
  });
}

function isOfOverlay({ use }: Layer): boolean {
  return use?.kind === 'overlay';
}

function ofManifest({ isAdded: _, ...layer }: Layer): Layer {
  return { ...layer, use: undefined };
}

function splitBy(keys: readonly string[], json: JsonObject) {
  const isChild = (key: string) => keys.includes(key);
  const children = Object.fromEntries(Object.entries(json).filter(([key]) => isChild(key)));
  return { children, others: Object.keys(json).filter((key) => !isChild(key)) };
}

/** An overlay changes what is not there: it is unknown what it was meant for. */
function refuseChange({ file, path }: Layer, names: NamesThere, judging: Judging): void {
  if (file.unknownValues.has(path) || judging.mayHave(path)) return;
  const own = path.at(-1) ?? '';
  const question = names.didYouMean(own);
  complainAtKey(judging, { file, path }, 'overlay-adds', {
    message: `the overlay changes ${nameOf(path)}, which is not there`,
    ...names.expected(),
    fix: `${question === undefined ? '' : `${question} `}to add it, put it under ${nameOf([ADD, ...path.slice(0, -1)])}`,
  });
  file.unknownValues.add(path);
}

/** `field` is one of the block that is there, beside children that may be added. */
function refuseAddition({ file, path }: Layer, field: string | undefined, judging: Judging): void {
  complainAtKey(judging, { file, path }, 'overlay-repeats', {
    message: `the overlay adds ${nameOf(path)}, which is there`,
    fix:
      field === undefined
        ? `move it out of ${ADD}:, to the top of the overlay, where it changes what is there`
        : `move ${safeKey(field)} out of ${ADD}:, to the same block at the top of the overlay, where it changes what is there`,
  });
}

function nameOf(path: readonly string[]): string {
  return path.map(safeKey).join('.');
}

/** How many names are shown. */
const MAX_SHOWN = 10;

/** The names of a section's entries that are there whatever an overlay says; they are asked for only where one is wrong. */
export class NamesThere {
  readonly #names: () => readonly string[];
  readonly #suggestions: () => Suggestions;

  constructor(names: () => Iterable<string>) {
    this.#names = lazy(() => [...names()]);
    this.#suggestions = lazy(() => new Suggestions(this.#names()));
  }

  all(): readonly string[] {
    return this.#names();
  }

  didYouMean(name: string): string | undefined {
    return this.#suggestions().didYouMean(name);
  }

  expected(): { readonly expected?: string } {
    const names = this.#names();
    if (names.length === 0) return {};
    const more = names.length > MAX_SHOWN ? ', …' : '';
    return { expected: `one of: ${names.slice(0, MAX_SHOWN).map(safeKey).join(', ')}${more}` };
  }
}

/** Of members by name: those that something else than a change of an overlay brings. */
export function namesThere(layersByName: Iterable<readonly [string, readonly Layer[]]>): NamesThere {
  return new NamesThere(function* () {
    for (const [name, layers] of layersByName) {
      const lowest = layers.find(({ json }) => json !== undefined);
      if (lowest !== undefined && (!isOfOverlay(lowest) || lowest.isAdded === true)) yield name;
    }
  });
}
