// Files behind the output filter: what is read back by us is written byte for byte or not at all, other texts are masked
// (ADR-0019).

import { filterText, secretPlace } from '../base/filter.ts';
import { FileError, HOLDS_SECRET } from './error.ts';
import type { Files } from './files.ts';

/** For plans: with a mask in them they would say something else, so a secret is a failure to write. */
export function sealedFiles(files: Files): Files {
  return through(files, (path, text) => {
    const place = secretPlace(text);
    if (place !== undefined) throw new FileError(path, `${HOLDS_SECRET} at ${place}`);
    return text;
  });
}

/** For texts that people read or edit. */
export function filteredFiles(files: Files): Files {
  return through(files, (path, text) => filterText(text, JSON.stringify(path)));
}

function through(files: Files, pass: (path: string, text: string) => string): Files {
  return {
    ...files,
    writeAtomic: (path, text) => {
      files.writeAtomic(path, pass(path, text));
    },
    writeOnce: (path, text) => {
      files.writeOnce(path, pass(path, text));
    },
    appendDurable: (path, text) => {
      files.appendDurable(path, pass(path, text));
    },
    createExclusive: (path, text) => files.createExclusive(path, pass(path, text)),
    writeOutput: async (path, text) => {
      await files.writeOutput(path, pass(path, text));
    },
    openSink: (path) => {
      const sink = files.openSink(path);
      return {
        ...sink,
        write: (text) => {
          sink.write(pass(path, text));
        },
      };
    },
  };
}
