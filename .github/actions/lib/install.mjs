// Installs the program in a folder of the runner. Nothing of it is put on the PATH of the job: later steps are given its place.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { main, setOutput } from './github.mjs';

const { VERSION, PREFIX } = process.env;

await main(() => {
  const words = ['--prefix', PREFIX, '--ignore-scripts', '--no-audit', '--no-fund', `edgeform@${VERSION}`];
  const { status, error } = spawnSync('npm', ['install', ...words], { stdio: ['ignore', 'inherit', 'inherit'] });
  const why = error === undefined ? `npm ended with exit code ${status}` : error.message;
  if (status !== 0)
    throw new Error(
      `edgeform ${VERSION} could not be installed: ${why}. The log says why; correct the input version or the registry, or run the job again`,
    );
  setOutput('program', join(PREFIX, 'node_modules', '.bin', 'edgeform'));
});
