// Files that a step begins with, and texts that may not be there.

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** Nothing of an earlier step is at these paths; their folders are there. */
export function clear(...paths) {
  for (const path of paths) {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(dirname(path), { recursive: true });
  }
}

/** What the program wrote there, or where to look instead. */
export function textOf(path, { run }) {
  return existsSync(path) ? readFileSync(path, 'utf8') : `The log of the ${run} says why.`;
}
