// What a build reads, as one digest. It does not know of the packages but by the lock file.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Where a build leaves the digest of what it was made from; no part of the package. */
export const STAMP = 'dist/stamp/inputs';

const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'LICENSE'];
const FOLDERS = ['src', 'scripts'];
/** Written by a build into the sources. */
const isWritten = (path) => /src\/schema\/compiled-\w+\.mjs$/.test(path);

export function inputsDigest() {
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/')),
  );
  const hash = createHash('sha256').update(process.version);
  for (const path of [...FILES.filter((file) => existsSync(file)), ...below.sort()])
    if (!isWritten(path)) hash.update(`\n${path}\n`).update(readFileSync(path));
  return hash.digest('hex');
}
