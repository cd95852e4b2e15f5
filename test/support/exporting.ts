// Exports of a service without sockets: loaded again, with the values that its variables had, and with nothing owned.

import type { Json } from '../../src/base/json.ts';
import { isList, isObject } from '../../src/base/json.ts';
import { Secret } from '../../src/base/secret.ts';
import { eachLeaf } from '../../src/base/value.ts';
import { METADATA } from '../../src/catalog/common.ts';
import type { Exported } from '../../src/export/export.ts';
import { readMarker } from '../../src/live/owner.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import type { Direct } from './direct.ts';

/** The exported manifest; each of its variables has the value that the service holds at its place. */
export function loadBack({ files }: Exported, direct: Direct): Manifest {
  const texts = files.map(({ path, text }) => ({ name: path, text }));
  const names = texts.flatMap(({ text }) => [...text.matchAll(/\$\{var\.([\w-]+)\}/g)].map((found) => found[1] ?? ''));
  const marked = load(texts, new Map(names.map((name) => [name, `value-of-${name}`])));
  const values = new Map<string, string>();
  for (const { address, spec, lifecycle } of marked.resources) {
    const stored = direct.store
      .all()
      .find((one) => one.id === lifecycle.adopt || one.id === lifecycle.id || addressOf(one.spec) === address);
    eachLeaf(spec, (leaf, path) => {
      const name = leaf instanceof Secret ? leaf.reveal().replace('value-of-', '') : '';
      if (leaf instanceof Secret) values.set(name, String(valueAt(stored?.spec ?? {}, path) ?? `unknown-${name}`));
    });
  }
  return load(texts, values);
}

function load(
  files: readonly { readonly name: string; readonly text: string }[],
  variables: Map<string, string>,
): Manifest {
  const outcome = loadManifest({ files, variables, env: {}, readFile: () => ({ diagnostics: [] }) });
  if (outcome.value !== undefined) return outcome.value;
  throw new Error([...outcome.diagnostics.map((one) => one.message), ...files.map(({ text }) => text)].join('\n'));
}

function addressOf(spec: Readonly<Record<string, Json>>): string | undefined {
  return readMarker(String(spec[METADATA] ?? '')).marker?.address;
}

function valueAt(value: Json, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (at, key) => (isList(at ?? null) ? (at as readonly Json[])[Number(key)] : isObject(at) ? at[key] : undefined),
    value,
  );
}

/** Takes every marker away. */
export function disown({ store }: Direct): void {
  for (const stored of store.all()) {
    const { user } = readMarker(String(stored.spec[METADATA] ?? ''));
    const { [METADATA]: _, ...spec } = stored.spec;
    store.put({ ...stored, spec: user === '' ? spec : { ...spec, [METADATA]: user } });
  }
}
