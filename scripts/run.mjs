// `node scripts/run.mjs FILE [ARGUMENTS]`: runs a tool of this repository that is written in TypeScript, on the sources as they are.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';

const [file = '', ...args] = process.argv.slice(2);
// Beside the packages that it imports.
const outfile = resolve('node_modules/.cache', `run-${process.pid}.mjs`);
process.on('exit', () => rmSync(outfile, { force: true }));
const options = { bundle: true, packages: 'external', platform: 'node', format: 'esm', target: 'node20' };
await build({ entryPoints: [file], outfile, logLevel: 'error', ...options });
process.exitCode = spawnSync(process.execPath, [outfile, ...args], { stdio: 'inherit' }).status ?? 1;
