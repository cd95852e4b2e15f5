// The files of a simulated machine, in memory: they outlive the runs. Every write is a point where a fault may strike.

import { basename, dirname } from 'node:path';
import { FileError } from '../../src/platform/file-error.ts';
import type { Files } from '../../src/platform/files.ts';
import type { FileSink } from '../../src/platform/write.ts';
import type { FileFault } from './faults.ts';

/** The folder in which simulated runs begin. */
export const HOME = '/home/ci/project';

/** Thrown into a program that has crashed; nothing that it does afterwards has an effect. */
export class Crashed extends Error {
  override readonly name = 'Crashed';
}

export interface Gate {
  /** Resolves when a flush is over that begins now; never, when the process ends before. */
  readonly flush: () => Promise<void>;
  /** Called before each write; gives the fault that strikes it. */
  readonly enter: (operation: string, path: string) => FileFault | undefined;
  readonly isDead: () => boolean;
  readonly die: () => void;
}

/** Files over a map that the machine keeps. */
export function diskOf(content: Map<string, string>, gate: Gate): Files {
  const effect = (
    operation: string,
    path: string,
    write: () => void,
    part?: () => void,
    lasts: () => void = write,
  ): void => {
    const fault = gate.enter(operation, path);
    if (gate.isDead()) throw new Crashed();
    if (fault === undefined) {
      write();
      return;
    }
    if (fault.effect === 'ENOSPC' || fault.effect === 'EROFS') {
      if (fault.effect === 'ENOSPC') part?.();
      throw new FileError(path, fault.effect);
    }
    if (fault.effect === 'after') lasts();
    if (fault.effect === 'torn') part?.();
    gate.die();
    throw new Crashed();
  };
  const set = (path: string, text: string) => () => void content.set(path, text);
  return {
    read: (path) => content.get(path),
    exists: (path) => content.has(path),
    namesIn: (folder) => [...content.keys()].filter((path) => dirname(path) === folder).map((path) => basename(path)),
    isReplaceable: () => true,
    writeAtomic: (path, text) => {
      effect('replace', path, set(path, text));
    },
    createPrivate: (path, text) => {
      if (content.has(path)) throw new FileError(path, 'EEXIST');
      effect('create', path, set(path, text));
    },
    // What was added is there when its flush is over; faults strike, as they do everywhere, when it begins.
    openAppender: (path) => ({
      append: async (text) => {
        const add = (part: string) => () => void content.set(path, (content.get(path) ?? '') + part);
        effect('append', path, () => undefined, add(text.slice(0, text.length >> 1)), add(text));
        await gate.flush();
        add(text)();
      },
      close: () => undefined,
    }),
    createExclusive: (path, text) => {
      if (content.has(path)) return false;
      effect('create', path, set(path, text));
      return true;
    },
    remove: (path) => {
      if (!content.has(path)) return;
      effect('remove', path, () => void content.delete(path));
    },
    prepareDirectory: (path) => {
      effect('prepare', path, () => undefined);
    },
    openSink: (path) =>
      sinkOf((text) => {
        const before = content.get(path) ?? '';
        effect('append', path, set(path, before + text), set(path, before + text.slice(0, text.length >> 1)));
      }),
  };
}

/** What could not be written is told at the end; after a failure nothing more is written. */
function sinkOf(append: (text: string) => void): FileSink {
  let lost: FileError | undefined;
  return {
    size: 0,
    write: (text) => {
      try {
        if (lost === undefined) append(text);
      } catch (error) {
        if (!(error instanceof FileError)) throw error;
        lost = error;
      }
    },
    end: () => lost,
  };
}
