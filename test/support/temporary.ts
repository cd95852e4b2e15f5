// Everything that tests write lies in one folder, which goes when they end.

import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Files in memory, where waiting for the disk costs nothing. */
const MEMORY = '/dev/shm';
const PREFIX = 'ef-';

let folder: string | undefined;

/** Runs before the workers, which inherit the environment; once for each project, of which the first makes the folder. */
export function setup(): void {
  if (basename(tmpdir()).startsWith(PREFIX)) return;
  folder = mkdtempSync(join(isWritable(MEMORY) ? MEMORY : tmpdir(), PREFIX));
  process.env['TMPDIR'] = folder;
  // Also when the tests are stopped because another stage has failed.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, teardown);
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function teardown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
