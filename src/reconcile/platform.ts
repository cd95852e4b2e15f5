// The platform below a run: network, time, chance, durable files and who this process is. A simulation gives its own.

import { randomBytes } from 'node:crypto';
import { realClock, type Clock } from '../platform/clock.ts';
import { nodeFiles, type Files } from '../platform/files.ts';
import { filteredFiles, sealedFiles, type SealedFiles, type TextFiles } from '../platform/filtered-files.ts';
import { thisProcess, type ProcessIdentity } from '../platform/process-identity.ts';
import type { Exchange } from '../service/http/exchange.ts';

/** What a simulation may give. */
export interface Ports {
  /** One attempt of a request; the network when missing. */
  readonly exchange: Exchange | undefined;
  readonly clock: Clock;
  /** Numbers from 0 up to 1. */
  readonly random: () => number;
  /** The bare files; a run has them behind the filter. */
  readonly files: Files;
  readonly identity: ProcessIdentity;
  /** ISO 8601 in UTC. */
  readonly wallTime: () => string;
  /** A new name for a run, which nobody can guess. */
  readonly runName: () => string;
  /** Aborted when a simulated process has ended without a word. */
  readonly hasEnded: AbortSignal | undefined;
}

/** The ports as a run has them. */
export interface Platform extends Omit<Ports, 'files'> {
  /** Files that we read back: written byte for byte, or refused when they would hold a secret. */
  readonly files: SealedFiles;
  /** The journal and its lock, which have values of fixed forms only, and check them. */
  readonly journalFiles: Files;
  /** Files that people read or edit: secrets are masked. */
  readonly textFiles: TextFiles;
  /** For tokens, which are secrets and belong there. */
  readonly tokenFiles: Files;
}

/** What is given, and the real thing for the rest. */
export function platformOf(ports: Partial<Ports> = {}): Platform {
  const bare = ports.files ?? nodeFiles;
  return {
    exchange: undefined,
    clock: realClock,
    random: Math.random,
    // Most runs never ask.
    get identity() {
      return thisProcess();
    },
    wallTime: () => new Date().toISOString(),
    runName: () => randomBytes(16).toString('hex'),
    hasEnded: undefined,
    ...ports,
    files: sealedFiles(bare),
    journalFiles: bare,
    textFiles: filteredFiles(bare),
    tokenFiles: bare,
  };
}
