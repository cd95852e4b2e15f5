// The platform below a command: network, time, chance, durable files and who this process is. A simulation gives its own.

import { randomBytes } from 'node:crypto';
import { realClock } from '../../platform/clock.ts';
import type { Files } from '../../platform/files.ts';
import { nodeFiles } from '../../platform/files.ts';
import type { SealedFiles, TextFiles } from '../../platform/guarded.ts';
import { filteredFiles, sealedFiles } from '../../platform/guarded.ts';
import { thisProcess } from '../../platform/machine.ts';

import type { Host, Ports } from './host.ts';

/** The ports as a command has them. */
export interface Platform extends Omit<Ports, 'files'> {
  /** Other files that we read back: written byte for byte, or refused when they would hold a secret. */
  readonly files: SealedFiles;
  /** The journal and its lock, which have values of fixed forms only, and check them. */
  readonly journalFiles: Files;
  /** Files that people read or edit: secrets are masked. */
  readonly textFiles: TextFiles;
  /** For tokens, which are secrets and belong there. */
  readonly tokenFiles: Files;
}

/** What the host gives, and the real thing for the rest. */
export function portsOf({ ports }: Host): Platform {
  const bare = ports?.files ?? nodeFiles;
  return {
    exchange: undefined,
    clock: realClock,
    random: Math.random,
    identity: thisProcess(),
    wallTime: () => new Date().toISOString(),
    runName: () => randomBytes(16).toString('hex'),
    gone: undefined,
    ...ports,
    files: sealedFiles(bare),
    journalFiles: bare,
    textFiles: filteredFiles(bare),
    tokenFiles: bare,
  };
}
