// How a manifest is written: parts of blocks in presets, and in overlays.

import { isList, isObject } from '../../../src/core/json.ts';
import type { Chance } from '../../support/chance.ts';
import type { Block, Declared } from '../../support/document.ts';
import { objectsOf } from '../../support/document.ts';
import type { Form } from '../draft.ts';
import type { Mechanism } from '../mechanism.ts';
import { MAIN } from '../world.ts';

/** Keys of a block that may stand in another file. */
function fieldsOf({ kind, block }: Declared): string[] {
  return Object.keys(block).filter((key) => kind.fields[key] !== undefined);
}

function some<T>(list: readonly T[], chance: Chance): T[] {
  const first = chance(list.length);
  return list.filter((_, index) => index === first || chance(2) === 0);
}

function take(block: Block, keys: readonly string[]): Block {
  const taken = Object.fromEntries(keys.map((key) => [key, block[key]!]));
  for (const key of keys) delete block[key];
  return taken;
}

const inPresets: Form = (doc, chance) => {
  const manifest = structuredClone(doc);
  const presets: Block = {};
  for (const [index, declared] of objectsOf(manifest).entries()) {
    const keys = fieldsOf(declared);
    if (keys.length === 0 || chance(2) === 0) continue;
    const name = `p${index}`;
    presets[name] = take(declared.block, some(keys, chance));
    declared.block['preset'] = chance(2) === 0 ? name : [name];
  }
  if (Object.keys(presets).length > 0)
    manifest['presets'] = {
      ...(isObject(manifest['presets'] ?? null) ? (manifest['presets'] as Block) : {}),
      ...presets,
    };
  return { manifest, overlays: [] };
};

const preset: Mechanism = {
  name: 'preset',
  stage: 'form',
  add: ({ forms }) => {
    forms.push(inPresets);
    return true;
  },
};

/** The manifest is the base of another stack; the overlay says the name, some blocks, and some fields of others. */
const inOverlay: Form = (doc, chance) => {
  const manifest = structuredClone(doc);
  const overlay: Block = { stack: manifest['stack']! };
  manifest['stack'] = 'base';
  const add: Block = {};
  for (const declared of objectsOf(manifest).filter(({ parent }) => parent === undefined)) {
    const { kind, name, block, section } = declared;
    const isWhole = chance(4) === 0 && Object.keys(section).length > 1;
    const keys = fieldsOf(declared);
    if (isWhole) {
      delete section[name];
      put(add, kind.manifestKey, name, block);
    } else if (keys.length > 0 && chance(3) > 0) {
      const moved = some(keys, chance);
      const part = Object.fromEntries(moved.map((key) => [key, block[key]!]));
      // What it replaces may stand in the base, or nothing.
      for (const key of moved) if (chance(2) === 0) delete block[key];
      put(overlay, kind.manifestKey, name, part);
    }
  }
  passTransfers(manifest, overlay);
  return { manifest, overlays: [Object.keys(add).length === 0 ? overlay : { ...overlay, add }] };
};

/** What an environment takes from another stack is its own: it does not inherit that of its base. */
function passTransfers(manifest: Block, overlay: Block): void {
  const { moved = [] } = manifest;
  if (!isList(moved)) return;
  const [across, inside] = [true, false].map((isAcross) =>
    moved.filter((entry) => (isObject(entry) && isObject(entry['from'] ?? null)) === isAcross),
  );
  if (across === undefined || across.length === 0) return;
  overlay['moved'] = across;
  if (inside?.length) manifest['moved'] = inside;
  else delete manifest['moved'];
}

function put(doc: Block, section: string, name: string, block: Block): void {
  const known = doc[section];
  doc[section] = { ...(known !== undefined && isObject(known) ? known : {}), [name]: block };
}

const overlay: Mechanism = {
  name: 'overlay',
  stage: 'form',
  add: ({ forms, promises }) => {
    promises.push({ promise: 'shared base', stack: MAIN });
    forms.push(inOverlay);
    return true;
  },
};

export const FORMS: readonly Mechanism[] = [preset, overlay];
