// Compiles src to dist with tsc, and the schemas to validators. Those are CommonJS and lie in src, too, for tests of the sources.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
execFileSync('npx', ['--no-install', 'tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
copyFileSync('src/schema/compiled.d.cts', 'dist/schema/compiled.d.cts');
execFileSync(process.execPath, ['dist/generate/validators.js', 'src/schema/compiled.cjs', 'dist/schema/compiled.cjs']);
chmodSync('dist/cli.js', 0o755);
