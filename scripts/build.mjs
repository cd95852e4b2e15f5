// Compiles src to dist with tsc, and the schemas to validators, which lie in src, too, for tests of the sources.
// The package has the bundles and the types; single modules are for the tools of this repository.
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
// The compiler ends before most of its code would pay for being optimised (record 0033).
const late = process.versions.node.startsWith('20.') ? ['--interrupt-budget=1000000'] : [];
const tsc = [...late, '--max-semi-space-size=64', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'];
execFileSync(process.execPath, tsc, { stdio: 'inherit' });
const { compiledFiles } = await import('../dist/schema/compile.js');
for (const [name, text] of compiledFiles())
  for (const folder of ['src', 'dist']) writeFileSync(`${folder}/schema/${name}`, text);
execFileSync(process.execPath, ['scripts/bundle.mjs']);
chmodSync('dist/cli.js', 0o755);
