// The package: the same bytes from two folders, small, with what it must hold and nothing that runs when it is installed.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageOf } from '../package-of.mjs';
import { sbom } from './sbom.mjs';
import { demand, run, scratch, tool } from './tools.mjs';

const MOST_BYTES = 1_500_000;
const NEEDED = [
  'LICENSE',
  'README.md',
  'dist/THIRD-PARTY-LICENSES.txt',
  'dist/answers/--version',
  'dist/cli.js',
  'dist/index.d.ts',
  'dist/index.js',
  'dist/manifest.d.ts',
  'dist/manifest.js',
  'types/manifest.d.ts',
  'man/edgeform.1',
  'schemas/manifest.schema.json',
  'templates/edgeform/template.yml',
  '.github/actions/plan/action.yml',
];
/** Scripts that npm runs for those who install a package, and before it is packed. */
const SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepublish', 'prepare', 'prepack'];

/** Builds and packs in a copy of what git knows of; the path of the tarball. */
export function packIn(name) {
  const folder = join(scratch('pack'), name);
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { encoding: 'utf8' }).split('\0');
  mkdirSync(folder);
  // A folder that is linked is compiled where it lies, and maps would name that place.
  run('cp', ['-a', 'node_modules', folder]);
  for (const file of files.filter(Boolean)) cpSync(file, join(folder, file));
  // Real types need the real compiler, whatever is in front of it here.
  run(process.execPath, ['scripts/build.mjs'], { cwd: folder });
  run('npm', ['pack', '--ignore-scripts', '--loglevel=error'], { cwd: folder });
  return { folder, tarball: join(folder, `edgeform-${version()}.tgz`) };
}

/** The packages whose sources are in the bundles, by the maps that the same build wrote. */
function packagesIn(folder) {
  const maps = readdirSync(join(folder, 'dist'), { recursive: true }).filter((path) => path.endsWith('.js.map'));
  const sources = maps.flatMap((path) => JSON.parse(readFileSync(join(folder, 'dist', path), 'utf8')).sources);
  return new Set(sources.flatMap((path) => packageOf(path)?.name ?? []));
}

export const version = () => JSON.parse(readFileSync('package.json', 'utf8')).version;

/** The stage; the tarball is for the stages after it. */
export function checkPackage(state) {
  const umask = process.umask(0o077);
  const one = packIn('one');
  process.umask(umask);
  const other = packIn('a folder');
  const [bytes, again] = [one, other].map(({ tarball }) => readFileSync(tarball));
  const digest = createHash('sha256').update(bytes).digest('hex');
  demand(bytes.equals(again), `two builds pack differently: ${one.tarball}, ${other.tarball}`);
  rmSync(other.folder, { recursive: true });
  // What is published was built elsewhere, from the same sources.
  const { EDGEFORM_TARBALL: published } = process.env;
  demand(published === undefined || bytes.equals(readFileSync(published)), `${published} has other bytes`);
  demand(bytes.length <= MOST_BYTES, `the tarball has ${bytes.length} bytes`);
  const listed = run('tar', ['tzf', one.tarball]).trim().split('\n');
  const names = listed.map((path) => path.replace('package/', ''));
  const missing = NEEDED.filter((path) => !names.includes(path));
  demand(missing.length === 0, `not in the package: ${missing.join(', ')}`);
  const { scripts, dependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'));
  demand(!SCRIPTS.some((name) => name in scripts), 'a script runs on installation');
  demand(Object.keys(dependencies).length === 0, 'the package has dependencies: the list of contents would lack them');
  demand(!('packageManager' in JSON.parse(readFileSync('package.json', 'utf8'))), 'the package asks for a manager');
  const named = new Set(sbom().components.map(({ name }) => name));
  const unnamed = [...packagesIn(one.folder)].filter((name) => !named.has(name));
  demand(named.size > 0 && unnamed.length === 0, `the list of contents lacks ${unnamed.join(', ')}`);
  tool('publint', ['--strict', one.tarball]);
  tool('attw', [one.tarball, '--profile', 'esm-only', '--no-emoji']);
  rmSync(join(one.folder, 'node_modules'), { recursive: true });
  state.tarball = one.tarball;
  state.packed = one.folder;
  return `${(bytes.length / 1e6).toFixed(2)} MB, ${names.length} files, sha256 ${digest.slice(0, 12)}`;
}
