// Whether what a seeded mistake says is known where it stands: one that names what is not there would be noticed because it
// throws, and not for what it is. Asks the compiler, which takes a while.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript-api';
import type { Mutant } from './mutants.ts';
import { mutate, sourceOf } from './mutation.ts';

/** Cannot find a name, or a property of a type. */
const UNKNOWN = new Set([2304, 2339, 2353, 2551, 2552, 2561]);

/** Mistakes with names that are unknown, and what the compiler says of each. */
export function unknownNames(root: string, mutants: readonly Mutant[]): string[] {
  const changed = new Map<string, string>();
  let version = 0;
  const service = ts.createLanguageService(hostOf(root, changed, () => String(version)));
  return mutants.flatMap((mutant) => {
    if (mutant.to === undefined) return [];
    const file = join(root, 'src', mutant.file);
    changed.set(file, mutate(sourceOf(root, mutant), mutant));
    version += 1;
    const found = service.getSemanticDiagnostics(file).filter(({ code }) => UNKNOWN.has(code));
    changed.delete(file);
    return found.map(({ messageText }) => `${mutant.name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  });
}

function hostOf(root: string, changed: ReadonlyMap<string, string>, version: () => string): ts.LanguageServiceHost {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile) as { config: object };
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  return {
    getScriptFileNames: () => fileNames.filter((name) => name.startsWith(join(root, 'src'))),
    getScriptVersion: (name) => (changed.has(name) ? version() : '0'),
    getScriptSnapshot: (name) => {
      const text = changed.get(name) ?? (ts.sys.fileExists(name) ? readFileSync(name, 'utf8') : undefined);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => ({ ...options, noEmit: true }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
  };
}
