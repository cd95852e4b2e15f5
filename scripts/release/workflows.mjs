// The workflows of this repository: valid for actionlint, with every action pinned to a commit and no permission by default.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ACTIONLINT, demand, run } from './tools.mjs';

const FOLDER = '.github/workflows';
const BIN = resolve('node_modules/.cache/bin');

export function checkWorkflows() {
  const files = readdirSync(FOLDER).map((name) => join(FOLDER, name));
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const uses = [...text.matchAll(/uses: (.*)/g)].map(([, what]) => what);
    const loose = uses.filter((what) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(what));
    demand(loose.length === 0, `${file} does not pin ${loose.join(', ')}`);
    demand(/^permissions: \{\}$/m.test(text), `${file} gives every job permissions`);
    demand(!/(?:write|read)-all/.test(text), `${file} gives a job all permissions`);
    demand(!text.split('\n').some(runsWhatItFetches), `${file} runs what it fetches`);
  }
  const linter = join(BIN, 'actionlint');
  if (!existsSync(linter)) run('go', ['install', ACTIONLINT], { env: { ...process.env, GOBIN: BIN } });
  run(linter, files);
  return `${files.length} files, clean`;
}

/** A line that pipes the output of curl or wget into another command. */
function runsWhatItFetches(line) {
  const fetch = line.search(/curl|wget/);
  return fetch >= 0 && line.includes('|', fetch);
}
