// Paths that lead to something else than a file: pipes, devices, sockets, folders, links. Made in a folder of a test.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

export interface Place {
  readonly name: string;
  /** Makes it at the path, or gives one that is there already. */
  readonly make: (folder: string) => string;
}

function fifo(path: string): string {
  const { status } = spawnSync('mkfifo', [path]);
  if (status !== 0) throw new Error('mkfifo failed');
  return path;
}

function link(target: string, path: string): string {
  symlinkSync(target, path);
  return path;
}

/** A socket stays in its folder when the process that listened is gone. */
function socket(path: string): string {
  const server = createServer();
  server.listen(path);
  server.unref();
  return path;
}

/** What can neither be read as a file nor be replaced by one. */
export const ODD_PLACES: readonly Place[] = [
  { name: 'a pipe that nobody has open', make: (at) => fifo(join(at, 'pipe')) },
  { name: 'a link to such a pipe', make: (at) => link(fifo(join(at, 'pipe')), join(at, 'link')) },
  { name: 'a socket', make: (at) => socket(join(at, 'socket')) },
  { name: 'a link to itself', make: (at) => link('loop', join(at, 'loop')) },
  { name: 'a file as a folder', make: (at) => join(at, 'edgeform.yaml', 'x') },
];

export const FOLDER: Place = {
  name: 'a folder',
  make: (at) => {
    mkdirSync(join(at, 'folder'));
    return join(at, 'folder');
  },
};

/** Devices that never end, for reading. */
export const ENDLESS: readonly Place[] = ['/dev/zero', '/dev/full', '/dev/urandom', '/proc/self/mem']
  .filter((path) => existsSync(path))
  .map((path) => ({ name: path, make: () => path }));

export const MISSING: readonly Place[] = [
  { name: 'nothing', make: (at) => join(at, 'nothing') },
  { name: 'a link to nothing', make: (at) => link(join(at, 'nothing'), join(at, 'dangling')) },
];
