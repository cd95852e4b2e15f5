// Exports of a service without sockets: loaded again, with the values that its variables had, and with nothing owned.

import { parse } from 'yaml';
import type { Json } from '../../src/core/json.ts';
import { canonicalJson, isList, isObject } from '../../src/core/json.ts';
import { METADATA } from '../../src/catalog/fields/common.ts';
import type { ExportedManifest } from '../../src/export/export.ts';
import { readMarker } from '../../src/resource/marker/marker-codec.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import type { Direct } from './in-process.ts';
import type { Block } from './document.ts';
import { objectsOf } from './document.ts';

/** The exported manifest; each of its variables has the value that the service holds at its place. */
export function loadBack({ files }: ExportedManifest, direct: Direct): Manifest {
  const texts = files.map(({ path, text }) => ({ name: path, text }));
  const values = new Map<string, string>();
  for (const { block, address } of texts.flatMap(({ text }) => objectsOf((parse(text) ?? {}) as Block))) {
    const { adopt, id } = (block['lifecycle'] ?? {}) as Block;
    const stored = direct.store
      .all()
      .find((one) => one.id === adopt || one.id === id || addressOf(one.spec) === address);
    collect(block, stored?.spec, values);
  }
  return load(texts, values);
}

const VARIABLE = /^\$\{var\.([\w-]+)\}$/;

/** Values of the variables that stand in the exported value. */
function collect(exported: Json, held: Json | undefined, values: Map<string, string>): void {
  if (typeof exported === 'string') {
    const name = VARIABLE.exec(exported)?.[1];
    if (name !== undefined) values.set(name, String(held ?? `unknown-${name}`));
  } else if (isList(exported)) {
    const items = isList(held ?? null) ? (held as readonly Json[]) : [];
    // Order may be another one: what is not said in clear is what the variables stand for.
    const said = new Set(exported.map((item) => canonicalJson(item).toLowerCase()));
    const rest = items.filter((item) => !said.has(canonicalJson(item).toLowerCase()));
    const asked = exported.filter((item) => JSON.stringify(item).includes('${var.'));
    asked.forEach((item, index) => {
      collect(item, rest[index], values);
    });
  } else if (isObject(exported)) {
    const fields = isObject(held) ? held : {};
    for (const [name, item] of Object.entries(exported)) {
      const key = Object.keys(fields).find((one) => one.toLowerCase() === name.toLowerCase());
      collect(item, fields[key ?? name], values);
    }
  }
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

/** Takes every marker away. */
export function disown({ store }: Direct): void {
  for (const stored of store.all()) {
    const { user } = readMarker(String(stored.spec[METADATA] ?? ''));
    const { [METADATA]: _, ...spec } = stored.spec;
    store.put({ ...stored, spec: user === '' ? spec : { ...spec, [METADATA]: user } });
  }
}
