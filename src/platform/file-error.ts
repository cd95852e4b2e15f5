// A failed file operation as one error: the path and the platform's error code, never the file's content.

type Verb = 'read' | 'written' | 'removed';

export class FileError extends Error {
  override readonly name = 'FileError';
  readonly path: string;
  /** The platform's code, such as `ENOSPC`, or one of ours in `WORDS`. */
  readonly code: string;
  readonly verb: Verb;

  constructor(path: string, code: string, verb: Verb = 'written') {
    super(`${JSON.stringify(path)} could not be ${verb} (${code})`);
    this.path = path;
    this.code = code;
    this.verb = verb;
  }
}

/** Prefix of the code for a file that was not written because of its content. */
export const HOLDS_SECRET = 'it would hold a secret';
/** The same for a file with fixed forms. */
export const UNEXPECTED_VALUE = 'it would hold a value in another form';

/** Our own codes, and platform codes with a clearer text. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of the path is not a directory',
  EACCES: 'permission was denied',
  EPERM: 'the system does not allow it',
  ELOOP: 'its symbolic links form a loop, or a link is not allowed here',
  EISDIR: 'it is a directory',
  ENXIO: 'it is a socket',
  ENOSPC: 'there is no space left',
  EDQUOT: 'the quota is exceeded',
  EFBIG: 'it would exceed the size limit',
  EROFS: 'the file system is read-only',
  EEXIST: 'it already exists',
  EPIPE: 'its reader has closed it',
  EAGAIN: 'nothing can be read from it now',
  'a symbolic link': 'it is a symbolic link, which is not followed here',
  'not a regular file': 'it is not a regular file',
  'a pipe': 'it is a pipe; another program can read standard output instead',
  'a descriptor': 'it is open already; name a file, or use standard output',
  'too large': 'it exceeds the size limit',
  'not UTF-8': 'it is not UTF-8 text',
  'too many files': 'there are too many files below it',
  'in a submodule': 'it is in a submodule, whose files this repository does not have',
  'in Git LFS': 'it is kept in Git LFS, which has its content elsewhere',
  'not in this checkout': 'its content is not in this checkout of git',
  'outside the repository': 'it is outside the repository',
};

export function reasonOf({ code, verb }: FileError): string {
  const words = verb === 'written' && code === 'ENOENT' ? 'its folder does not exist' : REASONS[code];
  return words === undefined || words.includes(code) ? (words ?? code) : `${words} (${code})`;
}

/** An error with a code, like those of the platform. */
export function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

/** Runs the work; anything it throws becomes a `FileError` about the path. */
export function withFileError<T>(path: string, verb: Verb, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asFileError(error, path, verb);
  }
}

export function asFileError(error: unknown, path: string, verb: Verb): FileError {
  return error instanceof FileError ? error : new FileError(path, codeOf(error), verb);
}

/** The result of the work, or of the handler for the `FileError` that it throws. */
export function onFileError<T, Otherwise>(work: () => T, otherwise: (error: FileError) => Otherwise): T | Otherwise {
  try {
    return work();
  } catch (error) {
    if (error instanceof FileError) return otherwise(error);
    throw error;
  }
}
