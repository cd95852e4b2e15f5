// Which files of tests would notice a mistake in a file of the program: those that are known to, and those that import it most directly.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { usesBuild } from '../faults/targeted.ts';
import known from './noticed-by.json' with { type: 'json' };

/** Imports of modules of this repository, and what is passed on from them. */
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+\.ts)'/g;

/** Tests that wait for processes, browsers or many worlds, and know little of one file. */
const SLOW =
  /^(?:browser|documents|editors|faults|pull-requests|examples|library)\/|^(?:architecture|doors|extending|linear-expressions)\./;

/** Names of test files below `test`: those that are known to notice, those of the same folder by the modules between, and all others. */
export function testsOf(root: string): (file: string, most: number) => string[] {
  const importers = importersIn(root);
  return (file, most) => {
    const named = (known as Readonly<Record<string, readonly string[]>>)[file] ?? [];
    const near = nearest(importers, join(root, 'src', file))
      .map((path) => path.slice(join(root, 'test').length + 1))
      .filter((name) => !SLOW.test(name) && !usesBuild(root, name));
    const isOfFolder = (name: string) => name.startsWith(`${file.split('/')[0] ?? ''}/`);
    const others = near.filter((name) => !isOfFolder(name));
    return [...new Set([...named, ...near.filter(isOfFolder), ...others])].slice(0, Math.max(most, named.length));
  };
}

/** For each module, those that import it. */
function importersIn(root: string): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const path of ['src', 'test'].flatMap((folder) => modulesBelow(join(root, folder))))
    for (const [, specifier = ''] of readFileSync(path, 'utf8').matchAll(IMPORT)) {
      const target = resolve(dirname(path), specifier);
      importers.set(target, [...(importers.get(target) ?? []), path]);
    }
  return importers;
}

function modulesBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name));
}

/** Files of tests by the number of modules between. */
function nearest(importers: ReadonlyMap<string, readonly string[]>, from: string): string[] {
  const seen = new Set([from]);
  for (const path of seen) for (const importer of importers.get(path) ?? []) seen.add(importer);
  return [...seen].filter((path) => path.endsWith('.test.ts'));
}
