// Everything that tests write lies in one folder, which goes when they end.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string | undefined;

/** Runs once, before the workers, which inherit the environment. */
export function setup(): void {
  folder = mkdtempSync(join(tmpdir(), 'ef-'));
  process.env['TMPDIR'] = folder;
}

export function teardown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
