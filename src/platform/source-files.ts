// The files that a manifest is made of, behind one interface: those of the disk, or those of a revision of git.

import { pathTypeAt, realPath, throughLinks, type PathType } from './paths.ts';
import { filesBelow, namesIn, readRegularFile, type ReadLimit, type Search } from './read.ts';

/** All paths are full. What cannot be answered throws. */
export interface SourceFiles {
  /** What is at a path, symbolic links resolved. */
  readonly typeAt: (path: string) => PathType;
  /** The path with all symbolic links resolved; there must be something. */
  readonly realPath: (path: string) => string;
  /** The same, even if nothing is there. */
  readonly throughLinks: (path: string) => string;
  /** Says what is likely to be read next, which a source may then read together. */
  readonly expect: (paths: readonly string[]) => void;
  /** The bytes of a regular file. */
  readonly read: (path: string, limit: ReadLimit) => Uint8Array;
  readonly namesIn: (folder: string) => readonly string[];
  /** All paths below a folder that are not folders; fails for more than `most` entries. */
  readonly filesBelow: (folder: string, most: number, search?: Search) => readonly string[];
}

export const diskFiles: SourceFiles = {
  typeAt: pathTypeAt,
  realPath,
  throughLinks,
  expect: () => undefined,
  read: readRegularFile,
  namesIn,
  filesBelow,
};

/** Where a manifest is read from. */
export interface Sources {
  /** Manifests, overlays and fleet files. */
  readonly files: SourceFiles;
  /** Variable files and `${file:}`, which may hold what is in no revision, such as secrets. */
  readonly values: SourceFiles;
}

export const ON_DISK: Sources = { files: diskFiles, values: diskFiles };
