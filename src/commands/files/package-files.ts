// Files that the package brings: actions, templates, the licence.

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pathTypeAt } from '../../platform/paths.ts';
import { filesBelow, readText } from '../../platform/read.ts';

export interface NewFile {
  readonly path: string;
  readonly text: string;
}

const LIMIT = { maxBytes: 1024 * 1024 };
const MOST_FILES = 100;

/** The nearest folder above this file that has a package.json. */
export function packageRoot(): string {
  let at = dirname(fileURLToPath(import.meta.url));
  while (pathTypeAt(join(at, 'package.json')) !== 'file' && dirname(at) !== at) at = dirname(at);
  return at;
}

/** The files below a folder of the package, by their path from it. */
export function packageFiles(path: string): NewFile[] {
  const root = join(packageRoot(), path);
  return filesBelow(root, MOST_FILES)
    .sort()
    .map((file) => ({ path: file.slice(root.length + 1).replaceAll('\\', '/'), text: readText(file, LIMIT) }));
}

export function packageFile(path: string): string {
  return readText(join(packageRoot(), path), LIMIT);
}

/** Written by a release beside the templates: the commit of its tag. */
const COMMIT = 'templates/COMMIT';

/** The commit that this package was released from; undefined in a package that no release made. */
export function releasedCommit(root = packageRoot()): string | undefined {
  if (pathTypeAt(join(root, COMMIT)) !== 'file') return undefined;
  const commit = readText(join(root, COMMIT), LIMIT).trim();
  return commit.length === 40 && /^[0-9a-f]+$/.test(commit) ? commit : undefined;
}
