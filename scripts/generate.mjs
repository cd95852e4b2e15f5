// `npm run generate`: writes what follows from the catalogue and the listings of folders, and builds. What is new in a registry
// has to be read anew. With `--check` it writes nothing, and fails when a file is stale.
import { execFileSync } from 'node:child_process';

const run = (...args) =>
  execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
// The commands, whose pages are generated, import them.
run('scripts/run.mjs', 'scripts/generate/validators.ts');
const generate = (...args) => run('scripts/run.mjs', 'scripts/generate/main.ts', ...args);
if (process.argv.includes('--check')) generate('--check');
else {
  const written = generate();
  process.stdout.write(written + (written.includes('/index.ts') ? generate() : ''));
  run('scripts/build.mjs');
}
