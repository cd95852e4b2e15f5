// The manifest that is read where no path is named: the file, or else the folder.

import { join } from 'node:path';
import type { Diagnostic, Result } from '../core/diagnostic.ts';
import { diskFiles, type SourceFiles } from '../platform/source-files.ts';
import { placeOf } from './manifest-paths.ts';

const FILE = 'edgeform.yaml';
const FOLDER = 'edgeform';

export function defaultManifest(cwd: string, files = diskFiles): Result<string> {
  const { hasFile, hasFolder } = lookIn(cwd, files);
  if (hasFile && hasFolder) return { diagnostics: [BOTH] };
  if (!hasFile && !hasFolder) return { diagnostics: [neitherIn(cwd)] };
  return { value: hasFile ? FILE : FOLDER, diagnostics: [] };
}

/** True if there is none where no path is named. */
export function lacksManifest(cwd: string, files: SourceFiles): boolean {
  const { hasFile, hasFolder } = lookIn(cwd, files);
  return !hasFile && !hasFolder;
}

function lookIn(cwd: string, files: SourceFiles) {
  return {
    hasFile: placeOf(join(cwd, FILE), files) !== 'nothing',
    // A file of this name may be the program itself.
    hasFolder: placeOf(join(cwd, FOLDER), files) === 'folder',
  };
}

const BOTH: Diagnostic = {
  code: 'file-unreadable',
  severity: 'error',
  message: 'both edgeform.yaml and a directory edgeform exist',
  fix: 'choose one: -f edgeform.yaml, or -f edgeform for the directory',
};

function neitherIn(cwd: string): Diagnostic {
  return {
    code: 'file-unreadable',
    severity: 'error',
    message: `there is no manifest in ${cwd}: neither edgeform.yaml nor a directory edgeform exists`,
    fix: 'name the manifest with -f PATH, or write a first one with `edgeform init`',
  };
}
