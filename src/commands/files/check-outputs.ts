// Checks, before any request, that an output of a command is neither a file that it reads nor another output.

import { resolve } from 'node:path';
import { withFileError } from '../../platform/file-error.ts';
import { identityOf, refuseStream } from '../../platform/paths.ts';
import { failOnFileError } from '../../platform/problem.ts';
import { collectAll, Failure } from '../../core/failure.ts';
import { longName } from '../options/option.ts';
import { ALL, wordsOf } from '../options/settings.ts';
import type { Invocation } from '../shell/invocation.ts';

interface NamedPath {
  readonly name: string;
  readonly path: string;
}

const STDIN: NamedPath = { name: '-', path: '/dev/stdin' };

/** Fails for every output that is a file to keep, an option's input, or another output. Devices are no files. */
export function checkOutputs(
  { settings, cwd }: Invocation,
  kept: readonly NamedPath[],
  journal = settings.journal,
): void {
  const keyOf = ({ path }: NamedPath) => identityOf(resolve(cwd, path));
  const chosen = { ...settings, journal };
  const paths = ALL.flatMap((option) =>
    wordsOf(chosen, option.name).map((path) => ({ option, name: longName(option), path })),
  );
  const inputs = [...kept, ...paths.filter(({ option }) => option.isRead)];
  const read = new Map(inputs.map((one) => [keyOf(one.path === '-' ? STDIN : one), one.name]));
  const outputs = paths.flatMap(({ option: { written: files }, name, path }) =>
    (files?.(path) ?? []).map((one) => ({ name, path: one, isRead: path === journal })),
  );
  const written = new Map<string, string>();
  collectAll(outputs, (output) => {
    const full = resolve(cwd, output.path);
    // Whoever reads it says so.
    if (!output.isRead) failOnFileError(() => withFileError(full, 'written', () => refuseStream(full)));
    const key = keyOf(output);
    if (key === undefined) return;
    const other = read.get(key) ?? journalLike(output) ?? written.get(key);
    if (other !== undefined) throw sameFile(output, other);
    written.set(key, output.name);
  });
}

/** The journal is a run's only memory, and its path is unknown if the manifest cannot be read. */
function journalLike({ name, path }: NamedPath): string | undefined {
  return name !== '--journal' && /\.journal\.jsonl(?:\.lock)?$/.test(path) ? 'a journal' : undefined;
}

function sameFile({ name, path }: NamedPath, other: string): Failure {
  const message = `${name} ${JSON.stringify(path)} is the same file as ${other}; nothing was written`;
  return Failure.of('usage', 'same-file', message, `name another file with ${name}`);
}
