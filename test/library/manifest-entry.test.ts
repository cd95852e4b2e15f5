// `edgeform/manifest` of the built package: its types take every manifest that is right, and name what is wrong where it stands.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isObject } from '../../src/core/json.ts';
import { parseFile } from '../../src/manifest/text/parse.ts';
import { COMPILERS, problemsOf } from '../support/compiler.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The messages of a compiler for a program that has each of the texts as a value of the type, by text. */
function errorsIn(texts: readonly string[], compiler: (typeof COMPILERS)[number]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'types-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/edgeform'));
  const program = join(folder, 'program.ts');
  const lines = texts.map((text, index) => `export const v${index}: ${text.replaceAll('\n', ' ')};`);
  writeFileSync(program, ["import type { Manifest, Overlay } from 'edgeform/manifest';", ...lines, ''].join('\n'));
  const errors = texts.map(() => '');
  for (const { line, message } of problemsOf(program, ['--exactOptionalPropertyTypes'], compiler)) {
    if (line === 1) throw new Error(message);
    errors[line - 2] = `${errors[line - 2] ?? ''}${message}`;
  }
  return errors;
}

const BASE = "version: 1, stack: 'shop'";
const SIGN_IN = "oauth: { provider: { github: { client_id: 'a', client_secret: '${var.s}' } } }";

/** Name → text, and what the compiler has to say of it. */
const WRONG: Readonly<Record<string, readonly [text: string, message: RegExp]>> = {
  'an unknown key': [`Manifest = { ${BASE}, tls_edge: {} }`, /'tls_edge' does not exist/],
  'an unknown field': [
    `Manifest = { ${BASE}, tls_edges: { a: { hostport: [] } } }`,
    /'hostport' does not exist|hostport/,
  ],
  'an unknown field of a module': [
    `Manifest = { ${BASE}, tls_edges: { a: { tls_termination: { terminate: 'edge' } } } }`,
    /'terminate' does not exist|terminate/,
  ],
  'a value outside a closed set': [
    `Manifest = { ${BASE}, tls_edges: { a: { tls_termination: { terminate_at: 'middle' } } } }`,
    /"middle"' is not assignable/,
  ],
  'a required field that is missing': [
    `Manifest = { ${BASE}, https_edges: { a: { routes: { b: { match: '/' } } } } }`,
    /match_type/,
  ],
  'a number where a list stands': [
    `Manifest = { ${BASE}, tls_edges: { a: { hostports: 1 } } }`,
    /'number' is not assignable/,
  ],
  'text that is no variable where a number stands': [
    `Manifest = { ${BASE}, https_edges: { a: { routes: { b: { match_type: 'exact_path', match: '/', circuit_breaker: { num_buckets: 'many' } } } } } }`,
    /"many"' is not assignable/,
  ],
  'two members where there is one': [
    `Manifest = { ${BASE}, presets: { a: { oauth: { provider: { github: {}, google: {} } } } } }`,
    /not assignable/,
  ],
  'no stack': ['Manifest = { version: 1 }', /'stack' is missing/],
  'another version': ["Manifest = { version: 2, stack: 'a' }", /'2' is not assignable to type '1'|not assignable/],
  'a misspelled field in a preset': [
    `Manifest = { ${BASE}, presets: { a: { oaut: {} } } }`,
    /'oaut' does not exist|oaut/,
  ],
  'a wrong value in a preset': [
    `Manifest = { ${BASE}, presets: { a: { tls_termination: { terminate_at: 'middle' } } } }`,
    /"middle"' is not assignable/,
  ],
  'without where no preset is': [`Manifest = { ${BASE}, tls_edges: { a: { without: ['backend'] } } }`, /without/],
  'an import of both forms': [
    `Manifest = { ${BASE}, imports: { a: { stack: 'b', address: 'tls_edges.c', id: 'x' } } }`,
    /'id' does not exist|id/,
  ],
  'a rename to nowhere': [`Manifest = { ${BASE}, moved: [{ from: 'tls_edges.a' }] }`, /not assignable/],
  'an unknown key of what an overlay adds': ['Overlay = { add: { tls_edge: {} } }', /'tls_edge' does not exist/],
  'an unknown key of an overlay': ['Overlay = { tls_edge: {} }', /'tls_edge' does not exist/],
};

/** Texts that are right although a part of them is missing, or stands for something else. */
const RIGHT: Readonly<Record<string, string>> = {
  'a block with a preset need not repeat what is required': `Manifest = { ${BASE}, presets: { s: { match_type: 'path_prefix', ${SIGN_IN} } },
    https_edges: { a: { routes: { b: { preset: 's', match: '/b', without: ['oauth.provider.github.client_secret'] }, c: { preset: ['s'], match: '/c' } } } } }`,
  'a preset may have fields of several kinds': `Manifest = { ${BASE}, presets: { s: { hostports: ['a.example.com:443'], match: '/', region: 'eu' } } }`,
  'variables stand for numbers, flags, lists and closed sets': `Manifest = { ${BASE}, variables: { h: { default: ['a', 1, true] } },
    tls_edges: { a: { hostports: '\${var.h}', tls_termination: { enabled: '\${var.on}', terminate_at: '\${var.where}' } } } }`,
  'a rename, a transfer, and all of a stack': `Manifest = { ${BASE}, removed: [{ from: 'tls_edges.x', destroy: false }],
    moved: [{ from: 'tls_edges.a', to: 'tls_edges.b' }, { from: { stack: 'x', address: 'tls_edges.a' }, to: 'tls_edges.c' }, { from: { stack: 'y' } }] }`,
  'an overlay holds parts': `Overlay = { without: ['tls_edges.a'], variables: { e: { default: 'x' } },
    https_edges: { a: { without: ['routes.x'], routes: { b: { match: '/b' } } } },
    add: { https_edges: { a: { routes: { c: { preset: 'p', match: '/c' } } } }, outputs: { o: 'x' } } }`,
};

/** The manifests of the examples, as a program would write them. */
const EXAMPLES = ['shop/edgeform', 'modules-tour', 'minimal', 'fleet/teams', 'fleet/network'].flatMap((folder) =>
  readdirSync(join(ROOT, 'examples', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => ({ name, json: parseFile(name, readFileSync(join(ROOT, 'examples', folder, name), 'utf8')).json }))
    .filter(({ json }) => isObject(json) && json['version'] === 1),
);

test.each(COMPILERS)('%s: wrong manifests do not compile, and right ones do', (compiler) => {
  const wrong = Object.entries(WRONG);
  const right = [
    ...Object.entries(RIGHT),
    ...EXAMPLES.map(({ name, json }): [string, string] => [name, `Manifest = ${JSON.stringify(json)}`]),
  ];
  expect(right.length).toBeGreaterThan(10);
  const errors = errorsIn([...wrong.map(([, [text]]) => text), ...right.map(([, text]) => text)], compiler);
  for (const [index, [name, [, message]]] of wrong.entries()) expect(errors[index], name).toMatch(message);
  const unexpected = right.map(([name], index) => [name, errors[wrong.length + index]]);
  expect(unexpected.filter(([, error]) => error !== '')).toEqual([]);
});

test('the package has one function there, which needs nothing else of it', async () => {
  const entry = (await import(join(ROOT, 'dist/manifest.js'))) as Readonly<Record<string, unknown>>;
  expect(Object.keys(entry)).toEqual(['formatManifest']);
  const bundle = readFileSync(join(ROOT, 'dist/manifest.js'), 'utf8');
  expect(bundle).not.toMatch(/\bimport\b[^(]*from|\bimport\(/);
  expect(bundle.length).toBeLessThan(60_000);
});
