// The schemas of the keys that are gone before a manifest is judged: what a block is laid over, and what it drops of that.

import { ADD, LISTS_BY_FROM, PRESET, PRESETS, WITHOUT } from '../catalog/reuse-keys.ts';
import { EXAMPLES } from '../catalog/examples.ts';
import type { JsonObject } from '../core/json.ts';

const NAMES = Object.keys(EXAMPLES.presets);

const preset: JsonObject = {
  title: `${PRESET}: a name, or a list of names`,
  anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
  description:
    'Presets that are laid under this block, in this order. Maps are merged key by key, lists and single values are replaced, and the block wins. In an overlay, they take the place of those that the manifest names.',
  examples: [NAMES[0] ?? '', NAMES],
};

const without: JsonObject = {
  type: 'array',
  items: { type: 'string' },
  description:
    'Paths that are dropped from what lies below: of a block, its presets, or in an overlay also the block of the manifest; at the top of an overlay, the manifest. A path that drops nothing is an error.',
  examples: [[EXAMPLES.presetPath]],
};

/** What the block of a resource may have besides its fields. */
export const IN_BLOCKS: JsonObject = { [PRESET]: preset, [WITHOUT]: without };

/** Of presets, which hold part of a block each. */
export const PRESETS_HINT = {
  description:
    'Named parts of blocks: a block with `preset: NAME` is laid over that part. A preset uses no other preset and takes no parameter; expressions in it mean what they mean where it is used.',
  examples: [{ guarded: EXAMPLES.presets.guarded }],
};

const LISTS = LISTS_BY_FROM.map((key) => `\`${key}\``).join(' and ');

export const OVERLAY_HINT = `What --overlay FILE lays over a manifest, block by block: maps are merged key by key, lists and single values are replaced, and the overlay wins. Entries of ${LISTS} are blocks of their own, known by their \`from\`: an overlay adds to them, and one that repeats a \`from\` takes its place. \`without\` drops something first. What the overlay adds stands under \`${ADD}\`; anything else that the manifest lacks is an error. \`stack\` names the stack of this environment, unless that of the manifest holds a variable.`;

/** Of what an overlay adds. */
export const ADD_HINT = {
  description:
    'What the overlay adds, in the shape of a manifest: resources, routes of edges that are there or new, presets, variables, imports, outputs, and entries of `moved` and `removed`. What is there already is changed at the top of the overlay.',
  examples: [{ outputs: { note: 'staging' } }],
};

/** Every key, for explanations. */
export const REUSE_KEYS: JsonObject = {
  [PRESETS]: { ...PRESETS_HINT, type: 'object', additionalProperties: { type: 'object', title: 'part of a block' } },
  ...IN_BLOCKS,
};
