// A manifest in other words: its blocks in presets, and all of it added or changed by an overlay. It means the same, and has the same
// mistakes.

import { expect } from 'vitest';
import type { Diagnostic, Result } from '../../src/core/diagnostic.ts';
import { isObject, type Json, type JsonObject } from '../../src/core/json.ts';
import { isName } from '../../src/catalog/address.ts';
import type { Kind } from '../../src/catalog/kind.ts';
import { childKinds, kindByManifestKey } from '../../src/catalog/lookup.ts';
import { SECTIONS_OF_NAMES } from '../../src/catalog/reuse-keys.ts';
import type { LoadInput } from '../../src/manifest/load.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import { parseDocuments } from '../../src/manifest/text/parse.ts';

type Files = Pick<LoadInput, 'files' | 'overlays'>;

/** The files of a manifest that means the same. */
export interface ReusedForm extends Files {
  readonly name: string;
  /** What of a problem is as it was: other files have other lines, and a text that does not parse has no addresses. */
  readonly keeps: 'codes' | 'messages' | 'places';
}

/** Fails unless the form has the meaning and the mistakes of the plain manifest. */
export function expectSame(form: ReusedForm, other: Result<Manifest>, plain: Result<Manifest>): void {
  const problemsOf = (result: Result<Manifest>) =>
    result.diagnostics.map((problem) => textOfProblem(problem, form)).sort();
  const where = `${form.name}: ${JSON.stringify(form)}`;
  expect(problemsOf(other), where).toEqual(problemsOf(plain));
  expect(other.value?.digest, where).toBe(plain.value?.digest);
}

function textOfProblem({ code, message, address, range }: Diagnostic, { keeps }: ReusedForm): string {
  if (keeps === 'codes') return code;
  const words = `${code} ${address ?? ''} ${message}`;
  const isMissing = code === 'missing-field' && address === undefined;
  if (keeps === 'messages' || isMissing) return words;
  const { line = 0, column = 0 } = range ?? {};
  return range?.file === ADDED ? `${words} ${line - 1}:${column - INDENT}` : `${words} ${line}:${column}`;
}

/** A file whose text stands under `add`. */
const ADDED = 'added.yaml';
const INDENT = 2;

/** Every form that the text has; a text that does not parse has fewer. */
export function reusedForms(name: string, text: string): ReusedForm[] {
  return [...overlayForms(name, text), ...presetForms(name, text)];
}

/** The whole text added to a manifest that has nothing; several documents would become several overlays. */
function overlayForms(name: string, text: string): ReusedForm[] {
  const [{ json, diagnostics }, ...others] = parseDocuments(name, text);
  if (
    others.length > 0 ||
    isNoManifest(json, diagnostics) ||
    diagnostics.length > 0 ||
    /^(?:---|\.\.\.|%|\ufeff)/m.test(text)
  )
    return [];
  const under = `add:\n${text.replace(/^(?=.)/gm, ' '.repeat(INDENT))}`;
  const below = [{ name: 'below.yaml', text: '{}\n' }];
  return [{ name: 'additions', keeps: 'places', files: below, overlays: [{ name: ADDED, text: under }] }];
}

/** What such a text lacks is told in other words of an overlay. */
function isNoManifest(json: Json, diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ code }) => code === 'empty-file') || (json !== null && !isObject(json));
}

/** The document with all its blocks in presets. */
export function inPresets(document: JsonObject): JsonObject {
  return moveBlocks(document, byChild) ?? document;
}

function presetForms(name: string, text: string): ReusedForm[] {
  const [{ json, diagnostics }, ...others] = parseDocuments(name, text);
  const hasPresets = isObject(json) && Object.hasOwn(json, 'presets');
  if (others.length > 0 || !isObject(json) || hasPresets) return [];
  if (diagnostics.length > 0) return sectionAsPresets(name, text);
  return [
    written('presets of blocks', name, moveBlocks(json, whole)),
    written('presets of routes', name, moveBlocks(json, byChild)),
    overBlocks(name, json),
  ].flatMap((form) => form ?? []);
}

function written(name: string, file: string, document: JsonObject | undefined): ReusedForm | undefined {
  return document && { name, keeps: 'messages', files: [{ name: file, text: textOf(document) }] };
}

const SECTION = /^(\w+):\n/gm;
const BLOCK = /^ {2}([\w-]+):/gm;

/** A text that does not parse is cut by its lines: its only section of a kind becomes the presets. */
function sectionAsPresets(file: string, text: string): ReusedForm[] {
  const sections = [...text.matchAll(SECTION)].flatMap(([, key = '']) => (kindByManifestKey(key) ? [key] : []));
  const [section] = sections;
  if (section === undefined || sections.length > 1) return [];
  const names = [...new Set([...text.matchAll(BLOCK)].map(([, block = '']) => block))];
  const uses = names.map((block) => `  ${block}: { preset: ${block} }\n`).join('');
  const [head = '', tail = ''] = text.split(`${section}:\n`);
  const whole = `${head}${section}:\n${uses}presets:\n${tail}`;
  return names.length === 0 || !names.every(isName)
    ? []
    : [{ name: 'presets of a broken text', keeps: 'codes', files: [{ name: file, text: whole }] }];
}

/** Empty blocks in the manifest, and the blocks in an overlay. */
function overBlocks(name: string, json: JsonObject): ReusedForm | undefined {
  const { below: blocks } = blocksOf(json, emptyBlock);
  if (Object.keys(blocks).length === 0) return undefined;
  const below = { ...blocks, ...emptyNames(json) };
  return {
    name: 'overlay over empty blocks',
    keeps: 'messages',
    files: [{ name: 'below.yaml', text: textOf(below) }],
    overlays: [{ name, text: textOf(json) }],
  };
}

/** A block without fields, whose children have none either. */
function emptyBlock(kind: Kind, block: JsonObject): Json {
  const sections = childKinds(kind).flatMap((child): [string, Json][] => {
    const section = block[child.manifestKey];
    if (section === undefined || !isObject(section)) return [];
    return [[child.manifestKey, Object.fromEntries(Object.keys(section).map((inner) => [inner, {}]))]];
  });
  return Object.fromEntries(sections);
}

/** The names that a manifest has besides its blocks, with nothing under them. */
function emptyNames(json: JsonObject): JsonObject {
  return Object.fromEntries(
    SECTIONS_OF_NAMES.flatMap((section): [string, Json][] => {
      const names = json[section];
      if (names === undefined || !isObject(names)) return [];
      return [[section, Object.fromEntries(Object.keys(names).map((inner) => [inner, {}]))]];
    }),
  );
}

/** As JSON, in which no character is invisible. */
function textOf(document: Json): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(document, undefined, 1).replace(/[^\n -~]/g, escaped);
}

type Move = (kind: Kind, block: JsonObject, preset: (json: Json) => Json) => Json;

const whole: Move = (_, block, preset) => preset(block);

/** The fields in one preset, and each child block in its own. */
const byChild: Move = (kind, block, preset) => {
  const own: Record<string, Json> = {};
  const children: Record<string, Json> = {};
  for (const [key, value] of Object.entries(block)) {
    const child = childKinds(kind).find(({ manifestKey }) => manifestKey === key);
    if (child === undefined || !isObject(value)) own[key] = value;
    else
      children[key] = Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, isObject(inner) ? whole(child, inner, preset) : inner]),
      );
  }
  const below = preset(own);
  return isObject(below) ? { ...children, ...below } : below;
};

/** The document with its blocks in presets; undefined if there are none. */
function moveBlocks(json: JsonObject, move: Move): JsonObject | undefined {
  const presets: Record<string, Json> = {};
  const preset = (block: Json) => {
    const name = `p${Object.keys(presets).length}`;
    presets[name] = block;
    return { preset: name };
  };
  const { below } = blocksOf(json, (kind, block) => move(kind, block, preset));
  return Object.keys(presets).length === 0 ? undefined : { ...json, ...below, presets };
}

/** The sections of kinds, with other blocks in them. */
function blocksOf(json: JsonObject, other: (kind: Kind, block: JsonObject) => Json): { readonly below: JsonObject } {
  const below: Record<string, Json> = {};
  for (const [section, blocks] of Object.entries(json)) {
    const kind = kindByManifestKey(section);
    if (kind === undefined || !isObject(blocks)) continue;
    below[section] = Object.fromEntries(
      Object.entries(blocks).map(([name, block]) => [name, isObject(block) ? other(kind, block) : block]),
    );
  }
  return { below };
}
