// What a command loads of the built program: a short command reads few files, and no package that it has no use for.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadManifest } from '../../src/manifest/load.ts';
import { CLI, edgeform, folder } from '../support/cli.ts';
import { run } from '../support/host.ts';

const ROOT = resolve(dirname(CLI), '..');
const MANIFEST = 'version: 1\nstack: shop\ntls_edges: { a: { description: x } }\n';

interface Loaded {
  readonly files: number;
  readonly packages: readonly string[];
  /** Folders and files of the sources, such as `plan/build.ts`. */
  readonly sources: readonly string[];
}

/** Runs a command and asks V8 which scripts it had, and their maps what those are made of. */
async function loadedBy(...args: readonly string[]): Promise<Loaded> {
  const cwd = folder({ 'edgeform.yaml': MANIFEST });
  const coverage = mkdtempSync(join(tmpdir(), 'loaded-'));
  const { code, stderr } = await edgeform(args, { cwd, env: { NODE_V8_COVERAGE: coverage } });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [report = ''] = readdirSync(coverage);
  const { result } = JSON.parse(readFileSync(join(coverage, report), 'utf8')) as { result: { url: string }[] };
  const files = result.filter(({ url }) => url.startsWith('file:')).map(({ url }) => fileURLToPath(url));
  const origins = files.flatMap((file) => {
    // The executable is no bundle.
    if (file === CLI) return ['src/cli.ts'];
    const { sources } = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { sources: string[] };
    return sources.map((source) => relative(ROOT, resolve(dirname(file), source)));
  });
  const packages = origins.flatMap((path) => /node_modules\/([^/]+)/.exec(path)?.[1] ?? []);
  const sources = origins.filter((path) => path.startsWith('src/')).map((path) => path.slice('src/'.length));
  return { files: files.length, packages: [...new Set(packages)].sort(), sources };
}

const inFolders = ({ sources }: Loaded, ...folders: readonly string[]) =>
  sources.filter((path) => folders.some((one) => path.startsWith(`${one}/`)));

const ANSWERS = join(ROOT, 'dist/answers');
const answered = readdirSync(ANSWERS).sort();

test('the version, the help and the script for each shell are the same for everybody', async () => {
  const { stdout } = await run(['completion', '--help'], { cwd: ROOT, env: {} });
  const [shells = ''] = /(?<=choices: )[^)]*/.exec(stdout) ?? [];
  const scripts = shells
    .replaceAll('"', '')
    .split(', ')
    .map((shell) => `completion ${shell}`);
  expect(answered).toEqual(['--help', '--version', ...scripts].sort());
});

test.each(answered)('%s is answered by the executable, as the program would, and loads nothing else', async (line) => {
  const loaded = await loadedBy(...line.split(' '));
  expect(loaded).toEqual({ files: 1, packages: [], sources: ['cli.ts'] });
  const { stdout } = await edgeform(line.split(' '), { cwd: folder({}) });
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const wanted = line === '--version' ? `${version}\n` : (await run(line.split(' '), { cwd: ROOT, env: {} })).stdout;
  expect(stdout).toBe(wanted);
});

test.each(['--help --help', 'plan --help', 'emulator --help'])('%s loads no engine', async (line) => {
  const loaded = await loadedBy(...line.split(' '));
  expect(loaded.files).toBeLessThanOrEqual(6);
  expect(loaded.packages).toEqual(['commander']);
  const engines = ['catalog/kinds', 'schema', 'manifest', 'plan', 'apply', 'journal', 'export', 'drift', 'emulator'];
  expect(inFolders(loaded, ...engines, 'render/view', 'service/http')).toEqual([]);
});

test('completion loads no engine, and no network', async () => {
  const loaded = await loadedBy('completion', '--', 'bash');
  expect(loaded.packages).not.toContain('yaml');
  expect(loaded.packages).not.toContain('undici');
  expect(inFolders(loaded, 'manifest', 'apply', 'journal', 'export', 'drift', 'emulator', 'service/http')).toEqual([]);
});

test('validate loads no planner, no network and no other command', async () => {
  const loaded = await loadedBy('validate');
  expect(loaded.files).toBeLessThanOrEqual(36);
  expect(loaded.packages).not.toContain('undici');
  expect(loaded.packages).not.toContain('ajv');
  expect(loaded.packages.filter((name) => /cel|re2/.test(name))).toEqual([]);
  const others = ['policy', 'plan/order', 'plan/policies', 'apply', 'export', 'drift', 'emulator', 'service/http'];
  expect(inFolders(loaded, ...others)).toEqual([]);
  expect(loaded.sources).not.toContain('schema/compiled-plan.mjs');
});

test('the packages in the program read what those of the sources read', async () => {
  const texts = [
    ...['!!binary aGk=c', '!!binary aGk=', '!!binary aGk=\n      two words', '!!timestamp 2001-01-01', '!!set { a }'],
    ...[
      '!!omap [ a: 1 ]',
      '!!float x',
      '!!int 0x1F',
      '!!str 1',
      '!!null x',
      '!x y',
      '&a b',
      '*a',
      '"\\x"',
      '2001-01-01',
      '0o7',
    ],
  ];
  const files = Object.fromEntries(
    texts.flatMap((text, index) => [
      [`v${index}.yaml`, `version: 1\nstack: shop\nreserved_addrs:\n  a:\n    description: ${text}\n`],
      [`k${index}.yaml`, `version: 1\nstack: shop\nreserved_addrs:\n  a: { ? ${text.replace('\n     ', '')} : 1 }\n`],
    ]),
  );
  const cwd = folder({ ...files, 'all.mjs': LOAD_ALL });
  // All in one process, by the library: it shares the packages with the commands, and one of those is asked for itself.
  const args = [join(cwd, 'all.mjs'), join(dirname(CLI), 'index.js'), ...Object.keys(files)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  expect(stderr).toBe('');
  const built = JSON.parse(stdout) as unknown;
  const sources = Object.entries(files).map(([name, text]) => {
    const input = { files: [{ name, text }], variables: new Map(), env: {}, readFile: () => ({ diagnostics: [] }) };
    const { diagnostics, value } = loadManifest(input);
    return { name, diagnostics, resources: value?.resources ?? [] };
  });
  expect(built).toEqual(JSON.parse(JSON.stringify(sources)));
  for (const file of ['v0.yaml', 'v2.yaml']) {
    const validate = ['validate', '--format', 'json', '-f', file];
    const [program, here] = [await edgeform(validate, { cwd }), await run(validate, { cwd })];
    expect([program.code, program.stdout]).toEqual([here.code, here.stdout]);
  }
});

const LOAD_ALL = `
import { readFileSync } from 'node:fs';
const [entry, ...names] = process.argv.slice(2);
const { loadManifest } = await import(entry);
const all = names.map((name) => {
  const files = [{ name, text: readFileSync(name, 'utf8') }];
  const { diagnostics, value } = loadManifest({ files, variables: new Map(), env: {}, readFile: () => ({ diagnostics: [] }) });
  return { name, diagnostics, resources: value?.resources ?? [] };
});
console.log(JSON.stringify(all));
`;
