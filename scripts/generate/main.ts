// Writes everything in the repository that follows from something else: registries, schemas, reference docs, the manual page.
// With `--check` it writes nothing and fails when a file is stale.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { codes } from '../../src/core/codes.ts';
import type { Json } from '../../src/core/json.ts';
import { tryTo } from '../../src/core/try.ts';
import { kinds } from '../../src/catalog/kinds/index.ts';
import { commands } from '../../src/commands/index.ts';
import { documentNames, documentSchema } from '../../src/schema/documents.ts';
import { kindSchema } from '../../src/schema/generate.ts';
import { commandsPage, errorsPage } from './docs.ts';
import { referencePage } from './reference.ts';
import { examplesByCode } from './examples.ts';
import { manPage } from './man.ts';
import { REGISTRIES, registrySource } from './registry.ts';
import { sectionsSource } from './sections.ts';
import { manifestTypes } from './types.ts';

const root = resolve('.');

function json(value: Json): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Path from the root → text of every generated file. */
async function generateFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const [folder, registry] of Object.entries(REGISTRIES))
    files.set(
      `src/${folder}/index.ts`,
      registrySource(registry, readdirSync(join(root, 'src', folder), { recursive: true, encoding: 'utf8' })),
    );
  for (const kind of kinds.filter((one) => one.unmanaged !== true))
    files.set(`schemas/${kind.name}.schema.json`, json(kindSchema(kind)));
  for (const name of documentNames) files.set(`schemas/${name}.schema.json`, json(documentSchema(name) ?? {}));
  files.set('.github/actions/lib/sections.mjs', sectionsSource(kinds));
  files.set('types/manifest.d.ts', manifestTypes(kinds));
  files.set('docs/reference.md', referencePage(kinds));
  files.set('docs/errors.md', errorsPage(codes, examplesByCode(root)));
  files.set('docs/commands.md', commandsPage(commands));
  files.set('man/edgeform.1', await manPage(commands));
  return files;
}

const current = (path: string) => tryTo(() => readFileSync(join(root, path), 'utf8'));
const stale = [...(await generateFiles())].filter(([path, text]) => current(path) !== text);
if (process.argv.includes('--check')) {
  for (const [path] of stale) process.stderr.write(`${path} is stale; run \`npm run generate\`\n`);
  if (stale.length > 0) process.exitCode = 1;
} else {
  for (const [path, text] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    process.stdout.write(`wrote ${path}\n`);
  }
}
