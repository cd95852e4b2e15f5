// The texts of a manifest, and the same manifest with others in their place: what accepts drift tries its edits with it.

import { loadManifest, type LoadInput, type ManifestResult } from './load.ts';
import type { ManifestFiles } from './read-files.ts';

type Texts = Pick<ManifestFiles, 'files' | 'overlays'>;

/** The files of a manifest without its overlays, and these. */
export interface ManifestTexts extends Texts {
  /** The manifest with these texts in place of its own. */
  readonly reload: (texts: Texts) => ManifestResult;
}

type Found = ManifestFiles & Pick<LoadInput, 'added'>;

export function textsOf(found: Found, input: Omit<LoadInput, keyof Found>): ManifestTexts {
  const { files, overlays } = found;
  return {
    files,
    overlays,
    reload: (texts) => loadManifest({ ...found, ...input, files: texts.files, overlays: texts.overlays }),
  };
}
