// Installs the program in a folder of the runner. Nothing of it is put on the PATH of the job: later steps are given its place.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export function install(forge) {
  const [version, prefix] = [forge.given('version'), forge.given('prefix')];
  const words = ['--prefix', prefix, '--ignore-scripts', '--no-audit', '--no-fund', `edgeform@${version}`];
  const { status, error } = spawnSync('npm', ['install', ...words], { stdio: ['ignore', 'inherit', 'inherit'] });
  const why = error === undefined ? `npm ended with exit code ${status}` : error.message;
  if (status !== 0)
    throw new Error(
      `edgeform ${version} could not be installed: ${why}. The log says why; correct the input version or the registry, or run the job again`,
    );
  forge.put({ program: join(prefix, 'node_modules', '.bin', 'edgeform') });
}
