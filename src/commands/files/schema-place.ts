// Where the editor's line of a new file finds its JSON Schema. The line holds a path and no URL, so that it works offline and with
// the schema of the very version that is used.

import { dirname, join, relative } from 'node:path';
import { isBelow } from '../../manifest/manifest-paths.ts';
import { tryTo } from '../../core/try.ts';
import { pathTypeAt } from '../../platform/paths.ts';
import { packageRoot } from './package-files.ts';

const INSTALLED = 'node_modules/edgeform';

/** A schema, as the line names it. */
export interface SchemaPlace {
  /** Relative to the folder of the file. */
  readonly path: string;
  /** The command that writes it there; undefined where it exists. */
  readonly written: string | undefined;
}

/**
 * The schema of the package that is installed in the nearest folder above, or in whose clone the folder is; without either, a file
 * of the user's, which `edgeform schema` writes.
 */
export function schemaPlace(name: 'manifest' | 'fleet', folder: string): SchemaPlace {
  const root = installedAbove(folder) ?? (isBelow(packageRoot(), folder) ? packageRoot() : undefined);
  if (root !== undefined)
    return { path: pathFrom(folder, join(root, 'schemas', `${name}.schema.json`)), written: undefined };
  const own = name === 'manifest' ? '.edgeform.schema.json' : `.edgeform.${name}.schema.json`;
  const words = name === 'manifest' ? 'schema' : `schema ${name}`;
  return { path: `./${own}`, written: `edgeform ${words} > ${own}` };
}

function installedAbove(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const root = join(at, INSTALLED);
    if (tryTo(() => pathTypeAt(join(root, 'schemas'))) === 'folder') return root;
    if (dirname(at) === at) return undefined;
  }
}

function pathFrom(folder: string, path: string): string {
  const found = relative(folder, path).replaceAll('\\', '/');
  return found.startsWith('.') ? found : `./${found}`;
}
