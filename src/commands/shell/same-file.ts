// What a command writes is no file that it reads, and no other file that it writes. Looked at before the service is asked.

import { resolve } from 'node:path';
import { descriptorOf, identityOf } from '../../platform/read.ts';
import { EXIT } from './exit.ts';
import { collectAll, CommandFailure } from './failure.ts';
import type { Host } from './host.ts';
import type { RawOptions } from '../options/options.ts';

/** A path, and how the user calls it. */
export interface Named {
  readonly name: string;
  readonly path: string;
}

export const SAME_FILE = 'same-file';

/** Fails with every output that is a file to keep, one that an option reads, or another output. Pipes and devices are none. */
export function checkOutputs(raw: RawOptions, { cwd }: Pick<Host, 'cwd'>, kept: readonly Named[]): void {
  const keyOf = ({ path }: Named) => identityOf(resolve(cwd, path));
  const read = new Map([...kept, ...optionsRead(raw)].map((one) => [keyOf(one), one.name]));
  const written = new Map<string, string>();
  collectAll(optionsWritten(raw), (output) => {
    const key = keyOf(output);
    if (key === undefined) return;
    // Two outputs that the shell leads to one file are the shell's.
    const isOurs = descriptorOf(output.path) === undefined;
    const other = read.get(key) ?? (isOurs ? written.get(key) : undefined);
    if (other !== undefined) throw sameFile(output, other);
    if (isOurs) written.set(key, output.name);
  });
}

function optionsRead({ varFile = [], apiKeyFile, ignore }: RawOptions): Named[] {
  return [
    ...varFile.map((path) => ({ name: '--var-file', path })),
    ...named('--api-key-file', apiKeyFile),
    ...named('--ignore', ignore),
  ];
}

function optionsWritten({ journal, out, events, summaryFile }: RawOptions): Named[] {
  return [
    ...named('--journal', journal),
    ...named('--journal', journal && `${journal}.lock`),
    ...named('--out', out),
    ...named('--events', events === '-' ? undefined : events),
    ...named('--summary-file', summaryFile),
  ];
}

function named(name: string, path: string | undefined): Named[] {
  return path === undefined ? [] : [{ name, path }];
}

function sameFile({ name, path }: Named, other: string): CommandFailure {
  const message = `${name} ${JSON.stringify(path)} is the same file as ${other}; nothing was written`;
  return new CommandFailure(EXIT.usage, [
    { code: SAME_FILE, severity: 'error', message, fix: `name another file with ${name}` },
  ]);
}
