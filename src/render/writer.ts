// What an output format is. Each is one file of `formats/`, and nothing else has to know it.

import type { RenderOptions } from './render-options.ts';
import type { View } from './view/view.ts';

/** What makes text of a view. */
export interface Writer {
  /** The value of `--format`. */
  readonly name: string;
  /** Where it stands among the others, in help and messages. */
  readonly position: number;
  /** A log grows line by line; what is none is one whole document. */
  readonly isLog: boolean;
  /** What it has a form for; everything when this is missing. Problems are told as text where it has none for them. */
  readonly draws?: readonly View['is'][];
  /** Words of the format itself, which a secret that happens to be one of them does not hide. */
  readonly words?: readonly string[];
  /** A document that is too long for a comment keeps to its limit of bytes. */
  readonly draw: (view: View, style: RenderOptions, limit?: number) => string;
}
