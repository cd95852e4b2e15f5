// `npm run test:faults`: compiles the sources and the fault suite into a folder of their own and runs them there.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

// The comment at the top of the suite lists its options.
const [usage] = readFileSync('test/faults/main.ts', 'utf8').split('\n\n', 1);
const known = new Set(['--help', ...(usage.match(/--[a-z-]+/gu) ?? [])]);
const unknown = process.argv.slice(2).filter((word) => word.startsWith('--') && !known.has(word));
if (unknown.length > 0 || process.argv.includes('--help')) {
  for (const word of unknown) console.error(`unknown option ${word}`);
  console.log(usage.replaceAll(/^\/\/ ?/gmu, ''));
  process.exit(unknown.length > 0 ? 2 : 0);
}

const folder = mkdtempSync(join(tmpdir(), 'edgeform-faults-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const out = join(folder, 'out');
const config = {
  extends: resolve('tsconfig.json'),
  compilerOptions: {
    noEmit: false,
    outDir: out,
    rootDir: resolve('.'),
    sourceMap: false,
    typeRoots: [resolve('node_modules/@types')],
  },
  include: [resolve('src'), resolve('test/faults')],
};
writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
// By its path: the older compiler has a command of the same name.
const tsc = ['node_modules/typescript/bin/tsc', '-p', join(folder, 'tsconfig.json')];
execFileSync(process.execPath, tsc, { stdio: 'inherit' });
for (const name of ['manifest', 'plan', 'fleet', 'policies'].map((one) => `src/schema/compiled-${one}.mjs`))
  copyFileSync(name, join(out, name));
copyFileSync('package.json', join(out, 'package.json'));
symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));

// Digests of secrets are slow on purpose; here it only counts that equal texts give equal digests.
const { compile, mutate } = await import(pathToFileURL(join(out, 'test/faults/mutation.js')));
const quick = { file: 'core/digest.ts', in: 'secretDigest', find: { value: 'N' }, to: '2' };
const source = readFileSync(join('src', quick.file), 'utf8');
writeFileSync(join(out, 'src/core/digest.js'), compile(mutate(source, quick), quick.file));

const suite = join(out, 'test/faults/main.js');
const args = [suite, '--cli', resolve('dist/cli.js'), '--root', resolve('.'), ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
process.exitCode = status ?? 1;
