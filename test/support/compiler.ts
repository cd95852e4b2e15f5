// What the compiler says of programs that use the package: the command itself, as the user of a library runs it.

import { spawnSync } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The one that builds the package, and the one before it, which many still have. */
export const COMPILERS = ['typescript', 'typescript-api'] as const;
type Compiler = (typeof COMPILERS)[number];

/** Held to the strictest rules of a user of our types, and written nowhere. */
const OPTIONS = ['--noEmit', '--pretty', 'false', '--module', 'nodenext', '--target', 'es2023', '--strict'];
/** A file can only be named where no settings lie beside it, or where this says so; the older one needs no such word. */
const ALONE: Readonly<Record<Compiler, readonly string[]>> = { typescript: ['--ignoreConfig'], 'typescript-api': [] };

export interface Problem {
  /** From 1. */
  readonly line: number;
  /** With the lines that explain it. */
  readonly message: string;
}

/**
 * Problems of one program, in the order of its lines; `more` are further options. Throws for a problem of another file, such as the
 * declarations of the package, and for a compiler that says nothing of why it failed.
 */
export function problemsOf(path: string, more: readonly string[] = [], compiler: Compiler = 'typescript'): Problem[] {
  const command = fileURLToPath(new URL(`../../node_modules/${compiler}/bin/tsc`, import.meta.url));
  const args = [command, ...ALONE[compiler], ...OPTIONS, ...more, path];
  // Its messages name files from where it runs.
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: dirname(path) });
  const problems: { line: number; message: string }[] = [];
  for (const line of stdout.split('\n').filter((text) => text !== '')) {
    const [, file, number, message = ''] = /^(\S.*)\((\d+),\d+\): error TS\d+: (.*)$/.exec(line) ?? [];
    const last = problems.at(-1);
    if (file === basename(path)) problems.push({ line: Number(number), message });
    else if (file === undefined && last !== undefined && line.startsWith(' ')) last.message += `\n${line.trim()}`;
    else throw new Error(`not a problem of the program: ${line}`);
  }
  if ((status === 0) !== (problems.length === 0)) throw new Error(`${compiler} ended with ${status}: ${stderr}`);
  return problems;
}
