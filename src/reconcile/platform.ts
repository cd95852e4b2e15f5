// The platform of a run: network, time, randomness, durable files and process identity. Simulations supply their own.

import { realClock, type Clock } from '../platform/clock.ts';
import { type Files, nodeFiles } from '../platform/files.ts';
import { filtered, sealed } from '../platform/filter.ts';
import { thisProcess, type ProcessIdentity } from '../platform/process-identity.ts';
import type { Exchange } from '../service/http/exchange.ts';
import { randomBytes } from 'node:crypto';

/** The parts that a simulation may replace. */
export interface Ports {
  /** One attempt of a request; the network by default. */
  readonly exchange: Exchange | undefined;
  readonly clock: Clock;
  /** Random numbers from 0 up to 1. */
  readonly random: () => number;
  /** Unfiltered files; a run uses them behind the filter. */
  readonly files: Files;
  readonly identity: ProcessIdentity;
  /** ISO 8601 in UTC. */
  readonly wallTime: () => string;
  /** A new, unpredictable name for a run. */
  readonly runName: () => string;
  /** Aborted when a simulated process was killed. */
  readonly hasEnded: AbortSignal | undefined;
}

/** The ports as a run uses them. */
export interface Platform extends Omit<Ports, 'files'> {
  /** Files that we read back: written byte for byte, or rejected if they would contain a secret. */
  readonly files: SealedFiles;
  /** The journal and its lock, whose values have fixed forms and are checked there. */
  readonly journalFiles: Files;
  /** Records of runs: secrets are masked. */
  readonly recordFiles: RecordFiles;
  /** Files that people read or edit: secrets are masked. */
  readonly textFiles: TextFiles;
  /** For tokens, which are secrets and belong there. */
  readonly tokenFiles: Files;
}

/** The given ports, and the real ones for the rest. */
export function platformOf(ports: Partial<Ports> = {}): Platform {
  const bare = ports.files ?? nodeFiles;
  return {
    exchange: undefined,
    clock: realClock,
    random: Math.random,
    // Computed lazily, because most runs do not need it.
    get identity() {
      return thisProcess();
    },
    wallTime: () => new Date().toISOString(),
    runName: () => randomBytes(16).toString('hex'),
    hasEnded: undefined,
    ...ports,
    files: sealedFiles(bare),
    journalFiles: bare,
    recordFiles: recordFiles(bare),
    textFiles: filteredFiles(bare),
    tokenFiles: bare,
  };
}

/** For plans: a mask would change their meaning, so a secret makes the write fail. */
type SealedFiles = Pick<Files, 'read' | 'exists' | 'namesIn' | 'remove' | 'prepareDirectory' | 'writeAtomic'>;

/** For text that people read or edit: secrets are masked. */
type TextFiles = Pick<Files, 'writeAtomic' | 'createExclusive' | 'openSink'>;

/** For lines about runs, whose claims may be anything. */
type RecordFiles = Pick<Files, 'read' | 'openAppender' | 'writeAtomic'>;

function sealedFiles({ read, exists, namesIn, remove, prepareDirectory, writeAtomic }: Files): SealedFiles {
  return {
    read,
    exists,
    namesIn,
    remove,
    prepareDirectory,
    writeAtomic: (path, text) => writeAtomic(path, sealed(text, path)),
  };
}

function recordFiles({ read, openAppender, writeAtomic }: Files): RecordFiles {
  return {
    read,
    writeAtomic: (path, text) => writeAtomic(path, filtered(text)),
    openAppender: (path) => {
      const file = openAppender(path);
      return { ...file, append: (text) => file.append(filtered(text)) };
    },
  };
}

function filteredFiles({ writeAtomic, createExclusive, openSink }: Files): TextFiles {
  return {
    writeAtomic: (path, text, mode) => writeAtomic(path, filtered(text), mode),
    createExclusive: (path, text) => createExclusive(path, filtered(text)),
    openSink: (path) => {
      const sink = openSink(path);
      return { ...sink, write: (text) => sink.write(filtered(text)) };
    },
  };
}
