// Finds and reads manifest files: files, directories, globs, standard input. The only file access of this folder.

import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { Code } from '../base/codes.ts';
import type { Diagnostic, Outcome } from '../base/diagnostic.ts';
import { compareText } from '../base/json.ts';

export interface ManifestFiles {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** Reads a text file below the manifest's folder. */
  readonly readFile: (relative: string) => Outcome<string>;
}

const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_TOTAL_BYTES = 16 * 1024 * 1024;
const MAX_INLINE_BYTES = 1024 * 1024;
const DEFAULTS = ['edgeform.yaml', 'edgeform'];

function problem(code: Code, message: string, fix: string): Diagnostic {
  return { code, severity: 'error', message, fix };
}

/** Reads the files named by `-f`, or the default ones. `readStdin` is asked for the path `-`. */
export function readManifestFiles(
  paths: readonly string[],
  cwd: string,
  readStdin: () => string,
): Outcome<ManifestFiles> {
  const given = paths.length > 0 ? paths : DEFAULTS.filter((name) => existsSync(join(cwd, name))).slice(0, 1);
  if (given.length === 0) {
    return {
      diagnostics: [
        problem(
          'file-unreadable',
          'there is neither edgeform.yaml nor a directory edgeform here',
          'name the manifest with -f PATH',
        ),
      ],
    };
  }
  const diagnostics: Diagnostic[] = [];
  const names = given.flatMap((path) => (path === '-' ? ['-'] : findFiles(path, cwd, diagnostics)));
  const files = [...new Set(names)].flatMap((name) => {
    const outcome =
      name === '-' ? { value: readStdin(), diagnostics: [] } : readText(resolve(cwd, name), name, MAX_FILE_BYTES);
    diagnostics.push(...outcome.diagnostics);
    return outcome.value === undefined ? [] : [{ name: name === '-' ? '<stdin>' : name, text: outcome.value }];
  });
  const total = files.reduce((sum, file) => sum + Buffer.byteLength(file.text), 0);
  if (total > MAX_TOTAL_BYTES)
    diagnostics.push(problem('file-too-large', 'the manifest files are larger than 16 MiB in all', 'split the stack'));
  if (diagnostics.length > 0) return { diagnostics };
  const root = rootOf(given[0] ?? '.', cwd);
  return { value: { files, readFile: (path) => readBelow(root, path) }, diagnostics };
}

function rootOf(path: string, cwd: string): string {
  if (path === '-') return cwd;
  const full = resolve(cwd, path);
  if (existsSync(full) && statSync(full).isDirectory()) return full;
  const fixed = path.split(/[\\/]/).findIndex((part) => /[*?]/.test(part));
  return fixed < 0 ? dirname(full) : resolve(cwd, path.split('/').slice(0, fixed).join('/') || '.');
}

function findFiles(path: string, cwd: string, diagnostics: Diagnostic[]): string[] {
  const full = resolve(cwd, path);
  const found =
    /[*?]/.test(path) && !existsSync(full)
      ? glob(path, cwd)
      : existsSync(full) && statSync(full).isDirectory()
        ? inDirectory(path, cwd)
        : [path];
  if (found.length === 0)
    diagnostics.push(
      problem(
        'file-unreadable',
        `${JSON.stringify(path)} matches no manifest file`,
        'check the path; nothing is never read as "delete everything"',
      ),
    );
  return found;
}

function inDirectory(path: string, cwd: string): string[] {
  return readdirSync(resolve(cwd, path))
    .filter((name) => /\.(?:ya?ml|json)$/.test(name) && !name.startsWith('.'))
    .sort(compareText)
    .map((name) => join(path, name));
}

function glob(pattern: string, cwd: string): string[] {
  const fixed = pattern.split('/').findIndex((part) => /[*?]/.test(part));
  const base = pattern.split('/').slice(0, fixed).join('/');
  const source = pattern
    .split(/(\*\*\/|\*|\?)/)
    .map((part) =>
      part === '**/'
        ? '(?:.*/)?'
        : part === '*'
          ? '[^/]*'
          : part === '?'
            ? '[^/]'
            : part.replace(/[.+^${}()|[\]\\]/g, '\\$&'),
    )
    .join('');
  const matches = new RegExp(`^${source}$`);
  const start = resolve(cwd, base === '' ? '.' : base);
  if (!existsSync(start)) return [];
  return readdirSync(start, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(cwd, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => matches.test(name.startsWith('.') ? name : pattern.startsWith('./') ? `./${name}` : name))
    .sort(compareText);
}

/** A regular file as UTF-8 text, without waiting on pipes or devices. */
function readText(path: string, name: string, maxBytes: number): Outcome<string> {
  const shown = JSON.stringify(name);
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const why =
      error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'does not exist' : 'cannot be opened';
    return { diagnostics: [problem('file-unreadable', `${shown} ${why}`, 'check the path and its permissions')] };
  }
  try {
    if (!fstatSync(descriptor).isFile())
      return {
        diagnostics: [
          problem('file-unreadable', `${shown} is not a regular file`, 'name a file or a directory of files'),
        ],
      };
    const buffer = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (let count = 1; count > 0 && length <= maxBytes; length += count)
      count = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (length > maxBytes)
      return {
        diagnostics: [problem('file-too-large', `${shown} is larger than ${maxBytes / 1024 / 1024} MiB`, 'split it')],
      };
    return {
      value: new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(buffer.subarray(0, length)),
      diagnostics: [],
    };
  } catch {
    return { diagnostics: [problem('file-unreadable', `${shown} is not UTF-8 text`, 'save it as UTF-8')] };
  } finally {
    closeSync(descriptor);
  }
}

/** `${file:}`: the real path must stay below the root, also through symbolic links. */
function readBelow(root: string, path: string): Outcome<string> {
  const refused = problem(
    'file-outside-root',
    `${JSON.stringify(path)} is outside the manifest’s folder`,
    'move the file below it',
  );
  const full = resolve(root, path);
  if (!inside(resolve(root), full)) return { diagnostics: [refused] };
  if (!existsSync(full))
    return {
      diagnostics: [
        problem(
          'file-unreadable',
          `${JSON.stringify(path)} does not exist below ${JSON.stringify(basename(root))}`,
          'check the path after `file:`',
        ),
      ],
    };
  if (!inside(realpathSync(root), realpathSync(full))) return { diagnostics: [refused] };
  return readText(full, path, MAX_INLINE_BYTES);
}

function inside(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}
