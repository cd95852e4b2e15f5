// A failed effect on a file, as one error: which path and the platform's code for why, never what is in the file.

export class FileError extends Error {
  override readonly name = 'FileError';
  readonly path: string;
  /** The platform's code, such as `ENOSPC`. */
  readonly code: string;

  constructor(path: string, code: string, verb: 'read' | 'written' | 'removed' = 'written') {
    super(`${JSON.stringify(path)} could not be ${verb} (${code})`);
    this.path = path;
    this.code = code;
  }
}

/** Begins the code of a file that was not written because of what would have been in it. */
export const HOLDS_SECRET = 'it would hold a secret';

/** The platform's code of an error. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

/** Does the work; whatever it throws becomes a `FileError` about the path. */
export function attempt<T>(path: string, verb: 'read' | 'written' | 'removed', work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new FileError(path, codeOf(error), verb);
  }
}
