// `npm run generate`: writes what follows from the catalogue and the listings of folders, and builds. What is new in a registry
// has to be read anew.
import { execFileSync } from 'node:child_process';

const run = (...args) =>
  execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const generate = () => run('scripts/run.mjs', 'scripts/generate/main.ts');
const written = generate();
process.stdout.write(written + (written.includes('/index.ts') ? generate() : ''));
run('scripts/build.mjs');
