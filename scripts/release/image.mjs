// The image, as far as it can be checked without a daemon and a registry: the Dockerfile is linted, and what it puts together is
// put together in a folder, in which the program runs as the image's user, with nothing to write to and no environment but ours.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { version } from './package.mjs';
import { MANIFEST, demand, firstRun, run, scratch, tool } from './tools.mjs';

/** Instructions of the Dockerfile, one each, with what follows. */
function instructions() {
  const text = readFileSync('Dockerfile', 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ');
  return [...text.matchAll(/^([A-Z]+) (.*)$/gm)].map(([, name, rest]) => ({ name, rest: rest.trim() }));
}

export async function checkImage({ tarball }) {
  tool('dockerfile', ['lint', 'Dockerfile']);
  const all = instructions();
  const of = (name) => all.filter((one) => one.name === name).map(({ rest }) => rest);
  demand(of('RUN').length === 0 && of('ENV').length === 0, 'the image runs nothing and sets nothing while it is built');
  const [user = ''] = of('USER');
  demand(/^[1-9]\d*:[1-9]\d*$/.test(user), 'the user of the image is a number other than 0, which a cluster can check');
  const [source = ''] = of('ADD').map((rest) => rest.split(' ')[0].replace('${VERSION}', version()));
  demand(tarball.endsWith(`/${source}`), `the image is made of ${source}`);
  demand(readFileSync('.dockerignore', 'utf8').includes('!edgeform-*.tgz'), 'the tarball is ignored');
  const [entry] = of('ENTRYPOINT').map((rest) => JSON.parse(rest));
  const asRoot = rootBy();
  demand(asRoot !== undefined || process.env.CI === undefined, 'the image cannot be run: that takes root on Linux');
  if (asRoot === undefined) return 'linted; not run, which takes root on Linux';
  const root = rootOf(tarball, entry[0]);
  const [uid, gid] = user.split(':');
  const as = [
    ...asRoot,
    '/usr/bin/unshare',
    `--root=${root}`,
    `--wd=${of('WORKDIR')[0]}`,
    `--setgid=${gid}`,
    `--setuid=${uid}`,
  ];
  await firstRun((args) => [...as, ...entry, ...args], { cwd: join(root, 'work'), env: {}, version: version() });
  return `linted; runs as ${user} in a folder with Node and the package only (no shell, no home, no /tmp, no PATH)`;
}

/** What runs a command as root; undefined if nothing does here. */
function rootBy() {
  if (process.platform !== 'linux') return undefined;
  if (process.getuid() === 0) return [];
  return spawnSync('sudo', ['-n', 'true']).status === 0 ? ['sudo', '-n', '--preserve-env'] : undefined;
}

/** A folder as the root of the image: Node with its libraries, the package, and what is mounted. */
function rootOf(tarball, node) {
  const root = scratch('image');
  run('tar', ['xzf', tarball, '-C', root]);
  mkdirSync(join(root, dirname(node)), { recursive: true });
  cpSync(process.execPath, join(root, node));
  for (const [library] of run('ldd', [process.execPath]).matchAll(/(?<=\s)\/\S+/g)) {
    mkdirSync(join(root, dirname(library)), { recursive: true });
    cpSync(library, join(root, library), { dereference: true });
  }
  mkdirSync(join(root, 'work'));
  writeFileSync(join(root, 'work/edgeform.yaml'), MANIFEST);
  chmodSync(root, 0o755);
  chmodSync(join(root, 'work'), 0o777);
  return root;
}
