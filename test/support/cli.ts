// Runs the built binary as a user does: its own process, a folder of its own, real streams.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { recorded } from './recorder.ts';

/** What the program says when its last door had to mask something: in a test, a failure like any other. */
export const HELD_BACK = /a secret was held back/;

export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** True where a test brings the filter something to hold back. */
  readonly mayHoldBack?: boolean;
  /** Called with all of stderr so far. */
  readonly onStderr?: (text: string, kill: (signal: NodeJS.Signals) => void) => void;
}

/** A folder of its own with the given files, in subfolders where their names say so. */
export function folder(files: Readonly<Record<string, string>>): string {
  const path = mkdtempSync(join(tmpdir(), 't-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return path;
}

/** Runs `edgeform ARGS`; nothing of this process's environment but PATH reaches it. */
export function edgeform(args: readonly string[], options: RunOptions): Promise<Ran> {
  return recorded(args, start(args, options));
}

function start(
  args: readonly string[],
  { cwd, env = {}, stdin = '', onStderr, mayHoldBack }: RunOptions,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, ...args], { cwd, env: { PATH: process.env['PATH'] ?? '', ...env } });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
      onStderr?.(stderr, (signal) => child.kill(signal));
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (mayHoldBack !== true && HELD_BACK.test(stderr)) reject(new Error(`edgeform ${args.join(' ')}: ${stderr}`));
      else resolve({ code, stdout, stderr });
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
  });
}
