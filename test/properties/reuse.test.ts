// Presets and overlays are gone before anything is judged: however a manifest is cut into them, it is the same plain manifest, and
// every value of it has the place where it is written.

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json, JsonObject, Path } from '../../src/core/json.ts';
import { canonicalJson, compareText, isList, isObject, mapObject, parseJson } from '../../src/core/json.ts';
import type { SourceRange } from '../../src/core/diagnostic.ts';
import { LISTS_BY_FROM } from '../../src/catalog/reuse-keys.ts';
import { valueAt } from '../../src/core/value.ts';
import { mergeFiles } from '../../src/manifest/merge.ts';
import { isListByFrom } from '../../src/manifest/reuse/overlays.ts';
import { plainManifest } from '../../src/manifest/reuse/reuse.ts';
import { parseDocuments } from '../../src/manifest/text/parse.ts';
import { chanceOf, type Chance } from '../support/chance.ts';
import { cutAtRandom, type Cut } from '../support/cut.ts';
import type { Block } from '../support/document.ts';
import { loadFiles, tryLoad, worlds, type LoadFiles } from '../support/worlds.ts';

const RUNS = Number(process.env['REUSE_RUNS'] ?? 150);

/** A manifest and a way to cut it. */
const cuts = worlds({}).map(({ first: world, seed }) => {
  const chance = chanceOf(seed);
  const first = { ...world, ...leavingAtRandom(chance) };
  return { first, cut: cutAtRandom(first, chance) };
});

/** Entries of `moved` and `removed`, whose order says nothing. */
function leavingAtRandom(chance: Chance): Block {
  const [moved, removed] = [chance(4), chance(4)].map((count) => Array.from({ length: count }, (_, index) => index));
  return {
    moved: (moved ?? []).map((n) => ({ from: { stack: `old-${n}` } })),
    removed: (removed ?? []).map((n) => ({ from: `reserved_addrs.gone-${n}`, destroy: chance(2) === 0 })),
  };
}

/** The document with these lists in an order of their own; without empty ones. */
function inOrder(document: JsonObject): JsonObject {
  return mapObject<Json, Json>(document, (value, key) => {
    if (!isListByFrom(key, value)) return value;
    return value.length === 0 ? undefined : [...value].sort((a, b) => compareText(canonicalJson(a), canonicalJson(b)));
  });
}

function check(property: (given: { readonly first: Block; readonly cut: Cut }) => void): void {
  fc.assert(fc.property(cuts, property), { numRuns: RUNS, seed: 20260202 });
}

const parsed = (files: readonly LoadFiles[]) => files.flatMap(({ name, text }) => parseDocuments(name, text));

const plainOf = ({ files, overlays }: Cut) => {
  const { files: plain, diagnostics } = plainManifest({ files: parsed(files), overlays: parsed(overlays) });
  expect(diagnostics).toEqual([]);
  return mergeFiles(plain);
};

test('a manifest that is cut into presets and overlays is the same plain manifest', () => {
  check(({ first, cut }) => {
    expect(inOrder(plainOf(cut).document)).toEqual(inOrder(first));
  });
});

test('it is accepted or refused as before, with the same resources', () => {
  check(({ first, cut }) => {
    const loaded = loadFiles(cut.files, cut.overlays);
    const plain = tryLoad(first);
    expect(loaded.value?.resources.map(({ address, spec }) => [address, spec]).sort()).toEqual(
      plain?.resources.map(({ address, spec }) => [address, spec]).sort(),
    );
    expect([...(loaded.value?.outputs ?? [])]).toEqual([...(plain?.outputs ?? [])]);
  });
});

/** Every value that is no map. */
function leaves(json: Json, path: Path = []): { readonly path: Path; readonly value: Json }[] {
  if (isObject(json)) return Object.entries(json).flatMap(([key, value]) => leaves(value, [...path, key]));
  const items = isList(json) ? json.flatMap((item, index) => leaves(item, [...path, String(index)])) : [];
  return [{ path, value: json }, ...items];
}

/** What stands at a place. */
function textAt({ line, column, endLine, endColumn, file }: SourceRange, { files, overlays }: Cut): string {
  const lines = ([...files, ...overlays].find(({ name }) => name === file)?.text ?? '').split('\n');
  const chosen = lines.slice(line - 1, endLine);
  const last = chosen.at(-1) ?? '';
  return [...chosen.slice(0, -1), last.slice(0, endColumn - 1)].join('\n').slice(column - 1);
}

test('the place of every value shows a text that is this value', () => {
  check(({ cut }) => {
    const { document, sourceMap } = plainOf(cut);
    // A list that is joined of several files stands nowhere as a whole.
    for (const { path, value } of leaves(document).filter(
      ({ path: [key = '', ...rest] }) => rest.length > 0 || !LISTS_BY_FROM.includes(key),
    ))
      expect(parseJson(textAt(sourceMap.value(path), cut)), path.join('.')).toEqual(value);
  });
});

test('what brought a value names the preset or the block that the overlay lies over', () => {
  check(({ cut }) => {
    const { document, sourceMap } = plainOf(cut);
    for (const { path } of leaves(document).filter(({ path: [section = ''] }) => !LISTS_BY_FROM.includes(section))) {
      const { range, uses = [] } = sourceMap.error('wrong-value', path, { message: 'any' });
      const [use, ...others] = uses;
      const isOver = path.length > 1 && valueAt(mainOf(cut), path.slice(0, 2)) !== undefined;
      expect(others).toEqual([]);
      if (range?.file === 'presets.json' && path.length > 1)
        expect(use && presetsOf(cut), path.join('.')).toHaveProperty(textOf(use, cut));
      else if (range?.file === 'main.json') expect(use, path.join('.')).toBe(undefined);
      else if (!isOver) expect(use?.range.file).not.toBe('main.json');
      else if (use !== undefined) expect(path).toContain(textOf(use, cut));
    }
  });
});

function textOf(use: { readonly range: SourceRange } | undefined, cut: Cut): string {
  return use === undefined ? '' : String(parseJson(textAt(use.range, cut)));
}

function mainOf({ files }: Cut): Json {
  return parseJson(files.find(({ name }) => name === 'main.json')?.text ?? '{}');
}

function presetsOf({ files }: Cut): Json {
  return valueAt(parseJson(files.find(({ name }) => name === 'presets.json')?.text ?? '{}'), ['presets']) ?? {};
}

test('a manifest that uses nothing is left as it is', () => {
  check(({ first }) => {
    const files = parsed([{ name: 'world.json', text: JSON.stringify(first) }]);
    expect(plainManifest({ files, overlays: [] }).files).toBe(files);
  });
});
