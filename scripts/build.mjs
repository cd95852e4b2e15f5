// Compiles src to dist with tsc, and copies the compiled validators, which are CommonJS.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
execFileSync('npx', ['--no-install', 'tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
mkdirSync('dist/schema', { recursive: true });
for (const name of ['compiled.cjs', 'compiled.d.cts']) copyFileSync(`src/schema/${name}`, `dist/schema/${name}`);
try {
  chmodSync('dist/cli.js', 0o755);
} catch (error) {
  if (error.code !== 'ENOENT') throw error;
}
