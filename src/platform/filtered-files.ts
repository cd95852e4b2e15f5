// Files behind the output filter: text that we read back is written byte for byte or not at all; other text is masked
// (ADR-0019). Each interface has only the operations that its users need, so that nothing bypasses the filter.

import { filtered, sealed } from './filter.ts';
import type { Files } from './files.ts';

/** For plans: a mask would change their meaning, so a secret makes the write fail. */
export type SealedFiles = Pick<Files, 'read' | 'prepareDirectory' | 'writeOutput'>;

/** For text that people read or edit: secrets are masked. */
export type TextFiles = Pick<Files, 'prepareDirectory' | 'createPrivate' | 'writeAtomic' | 'openSink'>;

export function sealedFiles({ read, prepareDirectory, writeOutput }: Files): SealedFiles {
  return { read, prepareDirectory, writeOutput: async (path, text) => writeOutput(path, sealed(text, path)) };
}

export function filteredFiles({ prepareDirectory, createPrivate, writeAtomic, openSink }: Files): TextFiles {
  return {
    prepareDirectory,
    createPrivate: (path, text) => createPrivate(path, filtered(text, JSON.stringify(path))),
    writeAtomic: (path, text, mode) => writeAtomic(path, filtered(text, JSON.stringify(path)), mode),
    openSink: (path) => {
      const sink = openSink(path);
      return { ...sink, write: (text) => sink.write(filtered(text, JSON.stringify(path))) };
    },
  };
}
