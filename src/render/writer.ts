// Defines an output format. Each is one file in `formats/`, and no other file needs to know it.

import type { RenderOptions } from './render-options.ts';
import type { View } from './view/view.ts';

/** Turns a view into text. */
export interface Writer {
  readonly name: string;
  /** Its position among the others, in help and messages. */
  readonly position: number;
  /** A log is written line by line; anything else is one whole document. */
  readonly isLog: boolean;
  /** A forge reads it: places are from the root of its checkout. */
  readonly isForForge?: true;
  /** The views that it can draw; default all. Every format draws problems. */
  readonly draws?: readonly View['is'][];
  /** A document that is too long for a comment is shortened to `limit` bytes. */
  readonly draw: (view: View, style: RenderOptions, limit?: number) => string;
}
