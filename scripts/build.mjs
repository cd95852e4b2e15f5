// Compiles src to dist with tsc, and the schemas to validators, which lie in src, too, for tests of the sources.
// The package has the bundles and the types; single modules are for the tools of this repository.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { inputsDigest, STAMP } from './build-inputs.mjs';

const inputs = inputsDigest();
rmSync('dist', { recursive: true, force: true });
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
const { compiledFiles } = await import('../dist/schema/compile.js');
for (const [name, text] of compiledFiles())
  for (const folder of ['src', 'dist']) writeFileSync(`${folder}/schema/${name}`, text);
execFileSync(process.execPath, ['scripts/bundle.mjs']);
// Packages keep modes, which would be those of whoever builds.
const { files, bin } = JSON.parse(readFileSync('package.json', 'utf8'));
const packed = ['package.json', 'README.md', 'LICENSE', 'dist', ...files.filter((path) => !path.startsWith('dist/'))];
for (const root of packed.filter((path) => existsSync(path))) setModes(root);
for (const path of Object.values(bin).filter((one) => existsSync(one))) chmodSync(path, 0o755);
// Last: a build that was ended has none.
mkdirSync(dirname(STAMP), { recursive: true });
writeFileSync(STAMP, inputs);

function setModes(path) {
  const isFolder = statSync(path).isDirectory();
  if (isFolder) for (const name of readdirSync(path)) setModes(`${path}/${name}`);
  const isExecutable = (statSync(path).mode & 0o100) !== 0;
  chmodSync(path, isFolder || isExecutable ? 0o755 : 0o644);
}
