// Manifests given as texts, loaded from files that exist nowhere else; what is wrong with them.

import type { Diagnostic, Result } from '../../src/core/diagnostic.ts';
import { loadManifest, type LoadInput } from '../../src/manifest/load.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import { expectSame, reusedForms } from './reused.ts';

/** What every manifest begins with. */
export const HEAD = 'version: 1\nstack: shop\n';

interface Given {
  /** Name of the file, where there is one alone. */
  readonly name?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly readFile?: (path: string) => Result<string>;
  /** A text that is laid over it. */
  readonly overlay?: string;
  /** True for a manifest that is only loaded as it is written. */
  readonly isOnce?: boolean;
}

/** Longer texts are about costs. */
const MAX_REUSED = 5_000;

/**
 * One text is one file; several are `f0.yaml` and so on. Every text that a test loads means the same, and has the same mistakes, with
 * its blocks in presets and in an overlay.
 */
export function loadTexts(texts: string | readonly string[], given: Given = {}): Result<Manifest> {
  const { name = 'edgeform.yaml', variables = {}, env = {}, readFile = () => ({ diagnostics: [] }) } = given;
  const overlays = given.overlay === undefined ? [] : [{ name: 'overlay.yaml', text: given.overlay }];
  const files =
    typeof texts === 'string'
      ? [{ name, text: texts }]
      : texts.map((text, index) => ({ name: `f${index}.yaml`, text }));
  const load = (input: Pick<LoadInput, 'files' | 'overlays'>) =>
    loadManifest({ ...input, variables: new Map(Object.entries(variables)), env, readFile });
  const result = load({ files, overlays });
  const [only, ...others] = files;
  const isReused = given.isOnce !== true && overlays.length === 0 && others.length === 0;
  if (!isReused || only === undefined || only.text.length > MAX_REUSED) return result;
  for (const form of reusedForms(only.name, only.text)) expectSame(form, load(form), result);
  return result;
}

export function diagnose(texts: string | readonly string[], given: Given = {}): readonly Diagnostic[] {
  return loadTexts(texts, given).diagnostics;
}
