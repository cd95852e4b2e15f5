// Files that problems may quote, with the places of their secrets: where a file parses, a value's place decides; where it does not,
// the names on its lines. A secret under another name is shown, unless it is a private key, and a reference to a secret is none.

import type { QuotedFile, SourceRange } from '../../core/diagnostic.ts';
import { isList, isObject, type Json, type Path } from '../../core/json.ts';
import { lazy } from '../../core/lazy.ts';
import type { Field, Fields } from '../../catalog/field.ts';
import type { Kind } from '../../catalog/kind.ts';
import { childKinds, hasKey, kindByManifestKey, managedKinds } from '../../catalog/lookup.ts';
import { privateKeyIn } from '../../catalog/public-key.ts';
import { fieldOf, fieldsIn } from '../../catalog/walk.ts';
import { secretsInBrokenText } from './broken-secrets.ts';
import { parseDocuments, type ParsedFile } from './parse.ts';
import { pathKey } from '../unknown-values.ts';
import { ADD, PRESETS, SECTIONS_OF_NAMES } from '../../catalog/reuse-keys.ts';
import { isPlainReference, SECRET_NAMES } from './secret-names.ts';

interface TextFile {
  readonly name: string;
  readonly text: string;
}

/** The documents of a file. */
type Parsed = () => readonly ParsedFile[];

/** A manifest, or a file that holds parts of one, such as examples of policies; who has parsed it says what came of it. */
export function quotedFile(file: TextFile, parsed: Parsed = () => parseDocuments(file.name, file.text)): QuotedFile {
  return quoted(file, parsed, { pathsIn: secretPaths, namesWhereBroken: [] });
}

/** A manifest under overlays, or one of these: another file may say that a variable is sensitive, so that no default is quoted. */
export function quotedLayer(file: TextFile, parsed: Parsed): QuotedFile {
  const pathsIn = (json: Json) => [...secretPaths(json), ...defaultsOfVariables(json)];
  return quoted(file, parsed, { pathsIn, namesWhereBroken: ['default'] });
}

function defaultsOfVariables(json: Json): Path[] {
  const { variables = null, [ADD]: added = null } = isObject(json) ? json : {};
  const own = entriesOf(variables).flatMap(([name, declaration]) =>
    isObject(declaration) && declaration['default'] !== undefined ? [['variables', name, 'default']] : [],
  );
  return isObject(added) ? [...own, ...inAdditions(defaultsOfVariables(added))] : own;
}

function inAdditions(paths: readonly Path[]): Path[] {
  return paths.map((path) => [ADD, ...path]);
}

export function quotedFiles(files: readonly TextFile[]): Map<string, QuotedFile> {
  return new Map(files.map((file) => [file.name, quotedFile(file)]));
}

/**
 * A fleet file; `isSensitive` says which variables a manifest of it declares so. Others are shown, unless the file does not parse:
 * then nobody knows its manifests.
 */
export function quotedFleetFile(file: TextFile, isSensitive: (variable: string) => boolean): QuotedFile {
  const pathsIn = (json: Json) => variablesOfEntries(json).filter((path) => isSensitive(path.at(-1) ?? ''));
  return quoted(file, () => parseDocuments(file.name, file.text), { pathsIn, namesWhereBroken: ['variables'] });
}

/** Where the secrets of a file are: their paths where it parses, and names besides the usual ones where it does not. */
interface SecretsOfFile {
  readonly pathsIn: (json: Json) => readonly Path[];
  readonly namesWhereBroken: readonly string[];
}

function quoted({ name, text }: TextFile, parsed: Parsed, { pathsIn, namesWhereBroken }: SecretsOfFile): QuotedFile {
  const secrets = lazy((): readonly SourceRange[] => {
    const [file, ...others] = parsed();
    if (file === undefined || others.length > 0 || file.diagnostics.length > 0 || !isObject(file.json))
      return secretsInBrokenText(name, text, namesWhereBroken);
    return pathsIn(file.json).flatMap((path) => file.valueRange(path) ?? []);
  });
  return { text, secrets };
}

function variablesOfEntries(json: Json): Path[] {
  const entries = isObject(json) ? json['stacks'] : undefined;
  if (entries === undefined || !isList(entries)) return [];
  return entries.flatMap((entry, index) => {
    const variables = isObject(entry) ? entry['variables'] : undefined;
    return isObject(variables)
      ? Object.keys(variables).map((name) => ['stacks', String(index), 'variables', name])
      : [];
  });
}

/** Paths of the secrets in a document. */
function secretPaths(json: Json): Path[] {
  return entriesOf(json).flatMap(([section, blocks]) => {
    if (section === ADD && isObject(blocks)) return inAdditions(secretPaths(blocks));
    if (section === PRESETS)
      return entriesOf(blocks).flatMap(([name, preset]) => secretsInPreset(preset, [section, name]));
    const kind = kindByManifestKey(section);
    if (kind === undefined && !SECTIONS_OF_NAMES.includes(section))
      return secretsAt(section, blocks, { path: [section] });
    return entriesOf(blocks).flatMap(([name, block]) => {
      const path = [section, name];
      return kind === undefined ? secretsBelow(block, path) : secretsInBlock(kind, block, path);
    });
  });
}

function secretsInBlock(kind: Kind, block: Json, path: Path): Path[] {
  const children = new Map(childKinds(kind).map((child) => [child.manifestKey, child]));
  return entriesOf(block).flatMap(([key, value]) => {
    const child = children.get(key);
    if (child === undefined) return secretsAt(key, value, { path: [...path, key], fields: kind.fields });
    return entriesOf(value).flatMap(([name, inner]) => secretsInBlock(child, inner, [...path, key, name]));
  });
}

/** Any kind may use a preset: what is sensitive in one that has the field is sensitive in it, also in the blocks of children. */
function secretsInPreset(preset: Json, path: Path): Path[] {
  if (!isObject(preset)) return secretsBelow(preset, path);
  const found = Object.entries(preset).flatMap(([key, value]) => {
    const having = managedKinds.filter((kind) => hasKey(kind, key));
    if (having.length === 0) return secretsAt(key, value, { path: [...path, key] });
    return having.flatMap((kind) => secretsInBlock(kind, { [key]: value }, path));
  });
  return [...new Map(found.map((place) => [pathKey(place), place])).values()];
}

interface Place {
  readonly path: Path;
  /** Of the catalogue, where it knows the place. */
  readonly fields?: Fields | undefined;
}

function secretsAt(key: string, value: Json, { path, fields }: Place): Path[] {
  const field = fields && fieldOf(fields, key);
  const isSensitive = field === undefined ? SECRET_NAMES.has(key) : field.sensitive === true;
  if (isSensitive) return isReference(value) ? [] : [path];
  return field?.type === 'map' ? [] : secretsBelow(value, path, field);
}

function secretsBelow(json: Json, path: Path, field?: Field): Path[] {
  if (typeof json === 'string') return privateKeyIn(json) === undefined ? [] : [path];
  if (isList(json)) return json.flatMap((item, index) => secretsBelow(item, [...path, String(index)], field));
  const fields = field && fieldsIn(field);
  return entriesOf(json).flatMap(([key, value]) => {
    const inner = [...path, key];
    return key === 'default' && isSensitiveVariable(json) ? [inner] : secretsAt(key, value, { path: inner, fields });
  });
}

function isSensitiveVariable(json: Json): boolean {
  const sensitive = isObject(json) ? json['sensitive'] : undefined;
  return sensitive !== undefined && sensitive !== false;
}

function isReference(value: Json): boolean {
  if (typeof value === 'string') return isPlainReference(value);
  return value === null || (typeof value === 'object' && Object.values(value).every(isReference));
}

function entriesOf(json: Json): readonly (readonly [string, Json])[] {
  return isObject(json) ? Object.entries(json) : [];
}
