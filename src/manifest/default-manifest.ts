// The manifest that is read where no path is named: the file, or else the folder.

import { join } from 'node:path';
import type { Diagnostic, Result } from '../core/diagnostic.ts';
import { placeOf } from './manifest-paths.ts';

const FILE = 'edgeform.yaml';
const FOLDER = 'edgeform';

export function defaultManifest(cwd: string): Result<string> {
  const hasFile = placeOf(join(cwd, FILE)) !== 'nothing';
  // A file of this name may be the program itself.
  const hasFolder = placeOf(join(cwd, FOLDER)) === 'folder';
  if (hasFile && hasFolder) return { diagnostics: [BOTH] };
  if (!hasFile && !hasFolder) return { diagnostics: [neitherIn(cwd)] };
  return { value: hasFile ? FILE : FOLDER, diagnostics: [] };
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
