// The entry `edgeform/manifest`, for programs that write a manifest: its types, and the one function that prints it.

import { manifestText } from './export/manifest-text.ts';
import { plainMap } from './export/plain-json.ts';
import type { Manifest, Overlay } from '../types/manifest.d.ts';

export type * from '../types/manifest.d.ts';

/**
 * The text of a manifest or an overlay in YAML, in the form of `edgeform fmt`. The same input gives the same text, so it can be
 * committed and compared. A member that is `undefined` is left out. Nothing else is judged: `edgeform validate` does that.
 *
 * @throws {TypeError} For what no manifest can hold, such as a function or a date; the message names its place.
 */
export function formatManifest(input: Manifest | Overlay): string {
  return manifestText(plainMap(input, []));
}
