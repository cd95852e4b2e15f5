// The language server and edgeform agree: what edgeform takes, an editor does not mark; what has the wrong structure, it does.
// Every field of every kind, the repository's manifests, and mistakes in them.

import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Code } from '../../src/core/codes.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isList, isObject, mapObject } from '../../src/core/json.ts';
import { managedKinds, topLevelKinds } from '../../src/catalog/lookup.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import { starterManifest } from '../../src/render/scaffold/starter.ts';
import { fieldPaths, manifestWith, specsWith } from '../support/samples.ts';
import type { LanguageServer } from './language-server.ts';
import { startLanguageServer } from './language-server.ts';

const ROOT = join(import.meta.dirname, '../..');
const SCHEMA = pathToFileURL(join(ROOT, 'schemas/manifest.schema.json')).href;
/** What the structure alone says. */
const STRUCTURAL: readonly Code[] = ['unknown-field', 'missing-field', 'wrong-type', 'choose-one', 'out-of-range'];
const VARIABLES = { v: { default: 1 } };

let server: LanguageServer;
let count = 0;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'editor-'));
  server = await startLanguageServer(folder, { schemas: { [SCHEMA]: ['*.yaml'] } }, 'edgeform.yaml');
});

afterAll(() => server.end());

/** What the server says of each text; all are open at once. */
function marked(texts: readonly string[]): Promise<string[]> {
  return Promise.all(
    texts.map(async (text) => {
      const flaws = await server.check(`${++count}.yaml`, text);
      return flaws.map(({ range, message }) => `line ${range.start.line + 1}: ${message}`).join('; ');
    }),
  );
}

function codesOf(text: string): Code[] {
  const readFile = () => ({ value: 'text', diagnostics: [] });
  const { diagnostics } = loadManifest({ files: [{ name: 'a.yaml', text }], variables: new Map(), env: {}, readFile });
  return diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);
}

/** Texts that are marked, though edgeform takes them. */
async function wronglyMarked(texts: readonly string[]): Promise<string[]> {
  const all = await marked(texts);
  return all.flatMap((words, index) => (words === '' ? [] : [`${words}\n${texts[index] ?? ''}`]));
}

/** For each field of each kind, a manifest that holds it. */
function everyField(): JsonObject[] {
  return managedKinds.flatMap((kind) =>
    fieldPaths(kind.fields).flatMap((path): JsonObject[] => {
      const specs = [0, 1].flatMap((variant) => specsWith(kind, path, variant));
      return specs
        .map((spec) => manifestWith(kind, spec))
        .filter((one) => codesOf(stringify(one)).length === 0)
        .slice(0, 1);
    }),
  );
}

/** The value with each part as `change` gives it, each alone; what others refer to stays. */
function* variants(value: Json, change: (leaf: Json) => Json | undefined): Generator<Json> {
  const changed = change(value);
  if (changed !== undefined) yield changed;
  if (isList(value))
    for (const [index, item] of value.entries())
      for (const one of variants(item, change)) yield value.map((old, at) => (at === index ? one : old));
  else if (isObject(value))
    for (const key of Object.keys(value).filter((name) => !/^dep\d$/.test(name)))
      for (const one of variants(value[key] ?? null, change))
        yield mapObject(value, (old, name) => (name === key ? one : old));
}

const manifests = everyField();

function everyVariant(change: (leaf: Json) => Json | undefined, from = manifests): string[] {
  const texts = new Set<string>();
  for (const { version = 1, stack = '', ...sections } of from)
    for (const one of variants(sections, change))
      texts.add(stringify({ version, stack, variables: VARIABLES, ...(isObject(one) && one) }));
  return [...texts];
}

const isLeaf = (value: Json): boolean => !isList(value) && !isObject(value);

test('nothing is marked in a manifest of each field of each kind', async () => {
  expect(manifests.length).toBeGreaterThan(120);
  expect(await wronglyMarked(manifests.map((one) => stringify(one)))).toEqual([]);
});

/** The manifest with each block in a preset, and with what must not be in two places left where it was. */
function inPresets({ version = 1, stack = '', variables = {}, ...sections }: JsonObject): JsonObject {
  const presets: Record<string, Json> = {};
  const blocks = mapObject<Json, Json>(sections, (section, key) => {
    if (!isObject(section) || !topLevelKinds.some(({ manifestKey }) => manifestKey === key)) return section;
    return mapObject<Json, Json>(section, (block, name) => {
      presets[`${key}_${name}`] = block;
      return { preset: `${key}_${name}` };
    });
  });
  return { version, stack, variables, presets, ...blocks };
}

test('nothing is marked where the blocks are in presets, and the block says only which', async () => {
  const texts = manifests.map((one) => stringify(inPresets(one)));
  expect(texts.map(codesOf).filter((codes) => codes.length > 0)).toEqual([]);
  expect(await wronglyMarked(texts)).toEqual([]);
});

test('what is wrong inside a preset is marked', async () => {
  const wrong = everyVariant((value) => (isObject(value) ? { ...value, nonsense: 1 } : undefined)).flatMap((text) => {
    const { version, stack, variables, ...sections } = parse(text) as JsonObject;
    // A kind, and a name, are no parts of a preset.
    const isInBlock = Object.values(sections).every(
      (section) => isObject(section) && section['nonsense'] === undefined,
    );
    const made = stringify(
      inPresets({ version: version ?? 1, stack: stack ?? '', variables: variables ?? {}, ...sections }),
    );
    return isInBlock && codesOf(made).includes('unknown-field') ? [made] : [];
  });
  expect(wrong.length).toBeGreaterThan(40);
  const unmarked = (await marked(wrong)).flatMap((words, index) => (words === '' ? [wrong[index]] : []));
  expect(unmarked).toEqual([]);
});

test.each(['${var.v}', '${file:a.txt}', 'a ${var.v} b', '${reserved_addrs.dep0.id}', '$${var.v}'])(
  'where %j is taken, it is not marked',
  async (expression) => {
    const accepted = everyVariant((value) => (isLeaf(value) ? expression : undefined)).filter(
      (text) => !codesOf(text).some((code) => STRUCTURAL.includes(code) || code === 'wrong-value'),
    );
    expect(accepted.length).toBeGreaterThan(40);
    expect(await wronglyMarked(accepted)).toEqual([]);
  },
);

test.each<readonly [string, (value: Json) => Json | undefined]>([
  ['an unknown field', (value) => (isObject(value) ? { ...value, nonsense: 1 } : undefined)],
  ['a block for a value', (value) => (isLeaf(value) ? { a: 1 } : undefined)],
  ['a list for a value', (value) => (isLeaf(value) ? ['a'] : undefined)],
  ['a number for a value', (value) => (isLeaf(value) ? 7.5 : undefined)],
  ['a value for a list or a block', (value) => (isLeaf(value) ? undefined : 'text')],
  ['nothing for a list or a block', (value) => (isLeaf(value) ? undefined : null)],
  ['a block without its fields', (value) => (isObject(value) ? {} : undefined)],
  ['a list for a block', (value) => (isObject(value) ? [value] : undefined)],
])('%s is marked where it is refused, and nowhere else', async (_, change) => {
  // Fields of one module are in the manifests of each of them.
  const texts = everyVariant(
    change,
    manifests.filter((_manifest, index) => index % 3 === 0),
  );
  const codes = texts.map(codesOf);
  const refused = texts.filter((_text, index) => codes[index]?.some((code) => STRUCTURAL.includes(code)));
  const accepted = texts.filter((_text, index) => codes[index]?.length === 0);
  expect(refused.length).toBeGreaterThan(10);
  const unmarked = (await marked(refused)).flatMap((words, index) => (words === '' ? [refused[index]] : []));
  expect(unmarked).toEqual([]);
  expect(await wronglyMarked(accepted)).toEqual([]);
});

test('nothing is marked in the manifests of the repository', async () => {
  const texts = readdirSync(join(ROOT, 'examples'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name) && !entry.name.startsWith('vars.'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    // Fleet files, overlays and what is for a cluster are not manifests.
    .filter((text) => /^stack:/m.test(text) && /^version:/m.test(text));
  const readme = /```yaml\n(version: 1\n.*?)```/s.exec(readFileSync(join(ROOT, 'README.md'), 'utf8'))?.[1] ?? '';
  const starter = starterManifest('shop', topLevelKinds, './schema.json');
  const blocks = [starter, starter.replaceAll(/^# (?!yaml-language-server)/gm, '')];
  expect([texts.length, readme.length]).toEqual([expect.toSatisfy((many: number) => many > 4), expect.any(Number)]);
  // The settings choose the schema here, not the comment.
  const all = [...texts, readme, ...blocks].map((text) => text.replaceAll('# yaml-language-server', '#'));
  expect(await wronglyMarked(all)).toEqual([]);
});

test.each([
  ['no key but a kind', 'reserved_addrs:\n  db: {}\n'],
  ['only outputs', 'outputs: { a: "${reserved_addrs.db.addr}" }\n'],
  ['nothing', '# to be written\n'],
  ['an anchor and its alias', 'tls_edges:\n  a: &a { description: x }\n  b: *a\n'],
])('a file of a stack with %s is not marked', async (_, text) => {
  expect(await wronglyMarked([text])).toEqual([]);
});
