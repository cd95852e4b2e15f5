// Files behind the output filter: text that we read back is written byte for byte or not at all; other text is masked
// (ADR-0019). Each interface has only the operations that its users need, so that nothing bypasses the filter.

import { filterText, secretPlace } from './filter.ts';
import { FileError, HOLDS_SECRET } from './file-error.ts';
import type { Files } from './files.ts';

/** For plans: a mask would change their meaning, so a secret makes the write fail. */
export type SealedFiles = Pick<Files, 'read' | 'prepareDirectory' | 'writeOutput'>;

/** For text that people read or edit: secrets are masked. */
export type TextFiles = Pick<Files, 'prepareDirectory' | 'createPrivate' | 'writeAtomic' | 'openSink'>;

export function sealedFiles({ read, prepareDirectory, writeOutput }: Files): SealedFiles {
  return { read, prepareDirectory, writeOutput: async (path, text) => writeOutput(path, sealed(path, text)) };
}

export function filteredFiles({ prepareDirectory, createPrivate, writeAtomic, openSink }: Files): TextFiles {
  return {
    prepareDirectory,
    createPrivate: (path, text) => createPrivate(path, filtered(path, text)),
    writeAtomic: (path, text, mode) => writeAtomic(path, filtered(path, text), mode),
    openSink: (path) => {
      const sink = openSink(path);
      return { ...sink, write: (text) => sink.write(filtered(path, text)) };
    },
  };
}

function sealed(path: string, text: string): string {
  const place = secretPlace(text);
  if (place !== undefined) throw new FileError(path, `${HOLDS_SECRET} at ${place}`);
  return text;
}

/** The text as it may be written to this path. */
export function filtered(path: string, text: string): string {
  return filterText(text, JSON.stringify(path));
}
