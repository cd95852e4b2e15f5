// Manifests given as texts, loaded from files that exist nowhere else; what is wrong with them.

import type { Diagnostic, Result } from '../../src/core/diagnostic.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';

/** What every manifest begins with. */
export const HEAD = 'version: 1\nstack: shop\n';

interface Given {
  /** Name of the file, where there is one alone. */
  readonly name?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly readFile?: (path: string) => Result<string>;
}

/** One text is one file; several are `f0.yaml` and so on. */
export function loadTexts(texts: string | readonly string[], given: Given = {}): Result<Manifest> {
  const { name = 'edgeform.yaml', variables = {}, env = {}, readFile = () => ({ diagnostics: [] }) } = given;
  const files =
    typeof texts === 'string'
      ? [{ name, text: texts }]
      : texts.map((text, index) => ({ name: `f${index}.yaml`, text }));
  return loadManifest({ files, variables: new Map(Object.entries(variables)), env, readFile });
}

export function diagnose(texts: string | readonly string[], given: Given = {}): readonly Diagnostic[] {
  return loadTexts(texts, given).diagnostics;
}
