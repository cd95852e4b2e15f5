// `npm run generate`: builds, and writes what follows from the catalogue. A kind that is new has to be compiled into it first.
import { execFileSync } from 'node:child_process';

const run = (script) =>
  execFileSync(process.execPath, [script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
run('scripts/build.mjs');
const written = run('dist/generate/main.js');
const more = written.includes('/index.ts');
if (more) run('scripts/build.mjs');
process.stdout.write(written + (more ? run('dist/generate/main.js') : ''));
