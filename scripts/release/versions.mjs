// The package as users install it: with npm, pnpm and two kinds of yarn, each in an empty folder, and run by every version of Node
// that is supported, from the oldest to the newest.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { version } from './package.mjs';
import { MANIFEST, cleanEnv, cpuOf, demand, firstRun, run, scratch, tool } from './tools.mjs';

/** The oldest, the newest of each supported line, and what is current. */
const VERSIONS = ['20.18.0', '20.20.2', '^22', '^24', 'latest'];

/** Seconds of CPU that `validate` may take, and how often a start of Node alone that is on a machine with nothing else to do. */
const START = { seconds: 0.15, times: 6 };

const MANAGERS = {
  npm: (tarball, options) => run('npm', ['install', '--no-audit', '--no-fund', tarball], options),
  pnpm: (tarball, options) => tool('pnpm', ['add', tarball], options),
  yarn: (tarball, options) => tool('yarn', ['add', '--no-progress', tarball], options),
};

/** The executable of a version of Node, from its package. */
function nodeOf(wanted, folder) {
  const name = `node-${process.platform}-${process.arch}`;
  const cwd = join(folder, wanted.replaceAll(/\W/g, '_'));
  mkdirSync(cwd);
  run('npm', ['install', '--prefix', cwd, '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${wanted}`], { cwd });
  return join(cwd, 'node_modules', name, 'bin/node');
}

/** What a program uses of each entry of the package. */
const LIBRARY = `import { createRun } from 'edgeform';
import { formatManifest } from 'edgeform/manifest';
console.log(typeof createRun, formatManifest({ version: 1, stack: 'a' }).split('\\n').length);
`;

/** An empty project with the package. */
function installedBy(manager, tarball, folder) {
  const cwd = join(folder, manager);
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), '{ "name": "first", "private": true, "type": "module" }\n');
  MANAGERS[manager](tarball, { cwd });
  writeFileSync(join(cwd, 'library.js'), LIBRARY);
  return cwd;
}

export async function checkVersions({ tarball }) {
  const folder = scratch('versions');
  const projects = Object.keys(MANAGERS).map((manager) => installedBy(manager, tarball, folder));
  const found = [];
  for (const wanted of VERSIONS) {
    const node = nodeOf(wanted, folder);
    found.push(run(node, ['--version']).trim());
    for (const cwd of projects) {
      const env = cleanEnv({}, dirname(node));
      const program = join(cwd, 'node_modules/.bin/edgeform');
      await firstRun((args) => [program, ...args], { cwd, env, version: version() });
      demand(run(node, ['library.js'], { cwd, env }) === 'function 3\n', `the library under ${wanted}`);
    }
  }
  checkZipped(tarball, folder);
  const [cwd] = projects;
  const start = startOf(join(cwd, 'node_modules/.bin/edgeform'), cwd);
  return `${found.join(', ')} with ${Object.keys(MANAGERS).join(', ')}; yarn 4 from a zip; ${start}`;
}

/** Yarn 4 unpacks nothing: the program reads itself, and what `init` copies, out of an archive. */
function checkZipped(tarball, folder) {
  const cwd = join(folder, 'zipped');
  mkdirSync(cwd);
  for (const [name, text] of Object.entries({
    'package.json': '{ "private": true }\n',
    'yarn.lock': '',
    'edgeform.yaml': MANIFEST,
  }))
    writeFileSync(join(cwd, name), text);
  const yarn = (...args) => tool('berry', args, { cwd });
  yarn('add', `edgeform@file:${tarball}`);
  demand(yarn('edgeform', 'validate').includes('stack first is valid'), 'validate out of an archive');
  demand(
    yarn('edgeform', 'init', 'x', '--ci', 'github', '--copy-actions').includes('plan/action.yml'),
    'init out of one',
  );
}

/** What `validate` takes, in words; fails if it is too much. */
export function startOf(program, cwd) {
  const options = { cwd, env: cleanEnv() };
  const [alone, validate] = [cpuOf(process.execPath, ['-e', '0'], options), cpuOf(program, ['validate'], options)];
  const said = `validate takes ${validate.toFixed(3)} s of CPU (Node alone ${alone.toFixed(3)} s)`;
  demand(validate <= Math.max(START.seconds, START.times * alone), said);
  return said;
}
