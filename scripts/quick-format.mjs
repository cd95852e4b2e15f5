// Whether every file is formatted: one that a formatter in native code leaves as it is, is; of the others Prettier is the judge,
// which is asked about every file in `npm run test:full`.
import { spawnSync } from 'node:child_process';

const run = (path, ...args) => spawnSync(process.execPath, [`node_modules/${path}`, ...args], { encoding: 'utf8' });

const quick = run('oxfmt/bin/oxfmt', '--list-different', '--config', '.prettierrc.json', '.');
const doubtful = quick.stdout.split('\n').filter((line) => line !== '');
// What it could not read it says elsewhere.
const isSure = quick.status === 0 || (quick.status === 1 && quick.stderr === '' && doubtful.length > 0);
if (!isSure || doubtful.length > 0) {
  const asked = isSure ? doubtful : ['.'];
  const { stdout, stderr, status } = run('prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', ...asked);
  process.stdout.write(stdout + stderr);
  process.exitCode = status ?? 1;
}
