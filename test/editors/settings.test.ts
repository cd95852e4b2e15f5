// How an editor finds the schema: the line that init writes, the settings of docs/editors.md, and the catalogue entry.

import { mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { run } from '../support/host.ts';
import catalogSchema from './schema-catalog.json' with { type: 'json' };
import type { YamlSettings } from './language-server.ts';
import { startLanguageServer } from './language-server.ts';

const ROOT = join(import.meta.dirname, '../..');
const BROKEN = 'version: 1\nstack: shop\ntls_edgs: {}\n';
const NOT_ALLOWED = 'Property tls_edgs is not allowed.';

/** A folder in which the package is installed. */
function project(): string {
  const folder = mkdtempSync(join(tmpdir(), 'editor-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/edgeform'));
  return folder;
}

test.each([
  ['here', 'edgeform.yaml', []],
  ['in a folder below', 'stacks/shop/edgeform.yaml', ['stacks/shop']],
])('the line that init writes works %s', async (_, path, args) => {
  const cwd = project();
  expect((await run(['init', ...args, '--stack', 'shop'], { cwd })).code).toBe(0);
  const text = readFileSync(join(cwd, path), 'utf8');
  const server = await startLanguageServer(cwd);
  expect(await server.check(path, text)).toEqual([]);
  const flaws = await server.check(path, `${text}tls_edgs: {}\n`);
  expect(flaws.map(({ message }) => message)).toEqual([NOT_ALLOWED]);
  await server.end();
});

test('the settings of the documentation cover every file of a stack, and no other', async () => {
  const page = readFileSync(join(ROOT, 'docs/editors.md'), 'utf8');
  const json = /```json\n(.*?)```/s.exec(page)?.[1] ?? '';
  const { 'yaml.schemas': schemas } = JSON.parse(json) as { 'yaml.schemas': YamlSettings['schemas'] };
  const server = await startLanguageServer(project(), schemas && { schemas }, 'edgeform.yaml');
  const marked = async (path: string) => (await server.check(path, BROKEN)).length;
  const paths = [
    'edgeform/edges.yaml',
    'edgeform/more.yml',
    'shop/edgeform.yaml',
    'shop/edgeform/a.yaml',
    'other.yaml',
  ];
  expect(await Promise.all(paths.map(marked))).toEqual([1, 1, 1, 1, 0]);
  await server.end();
});

test('the catalogue entry has the form of SchemaStore, and names the schema as it names itself', () => {
  const entry = JSON.parse(readFileSync(join(ROOT, 'docs/schemastore.json'), 'utf8')) as {
    readonly schemas: readonly { readonly url: string; readonly fileMatch: readonly string[] }[];
  };
  const { $schema: _draft, id: _id, ...schema } = catalogSchema;
  const ajv = new Ajv({ allErrors: true, formats: { uri: (text: string) => URL.canParse(text) } });
  ajv.validate(schema, entry);
  expect(ajv.errors).toBe(null);
  const manifest = JSON.parse(readFileSync(join(ROOT, 'schemas/manifest.schema.json'), 'utf8')) as { $id: string };
  expect(entry.schemas.map(({ url }) => url)).toEqual([manifest.$id]);
});
