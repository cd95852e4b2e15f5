// Random worlds: a manifest, a similar second one, what others do to the service, and what else is in the account.
// Recipes are small numbers that always give something valid, so that failures shrink to short manifests.

import * as fc from 'fast-check';
import type { Capability } from '../../src/catalog/kind.ts';
import type { Result } from '../../src/core/diagnostic.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import type { Block } from './document.ts';
import { objectsOf, SECRETS } from './document.ts';
import type { EditName, EditRecipe } from './edits.ts';
import { applyEdits } from './edits.ts';
import type { ObjectRecipe } from './add-objects.ts';
import { addObject } from './add-objects.ts';
import { withHidden } from './sensitive-variables.ts';
import type { ForeignRecipe, OutsideRecipe } from './concurrent-edits.ts';

export const STACK = 'world';

export interface World {
  readonly first: Block;
  readonly second: Block;
  /** The edits that lead from the first manifest to the second. */
  readonly edits: readonly string[];
  readonly foreign: readonly ForeignRecipe[];
  readonly outside: readonly OutsideRecipe[];
  readonly disabled: readonly Capability[];
  /** What the service answers in place of secrets; undefined when it shows them. */
  readonly mask: string | undefined;
  /** Whether the service keeps values in a form of its own (ADR-0043). */
  readonly normalizes: boolean;
  /** For choices that a property makes itself. */
  readonly seed: number;
}

const small = fc.nat(11);
const path = fc.nat(9_999);

const objectRecipe: fc.Arbitrary<ObjectRecipe> = fc.record({
  kind: fc.nat(99),
  parent: small,
  variant: small,
  fields: fc.array(fc.record({ path, variant: small }), { maxLength: 5 }),
  lifecycle: fc.nat(39),
});

const editRecipe: fc.Arbitrary<EditRecipe> = fc.record({
  op: fc.nat(999),
  at: small,
  other: small,
  path,
  variant: small,
});

/** Which parts of a world may be there. */
export interface WorldOptions {
  readonly edits?: boolean;
  readonly outside?: boolean;
  readonly foreign?: boolean;
  /** Edits that are left out. */
  readonly without?: readonly EditName[];
}

/** Worlds of 2 to 8 objects. */
export function worlds(options: WorldOptions): fc.Arbitrary<World> {
  const { edits = false, outside = false, foreign = false, without = [] } = options;
  return fc
    .record({
      palette: fc.array(fc.nat(99), { minLength: 1, maxLength: 4 }),
      objects: fc.array(objectRecipe, { minLength: 2, maxLength: 8 }),
      outputs: fc.nat(5),
      edits: edits ? fc.array(editRecipe, { minLength: 1, maxLength: 4 }) : fc.constant([]),
      outside: outside ? fc.array(editRecipe, { minLength: 1, maxLength: 3 }) : fc.constant([]),
      foreign: foreign
        ? fc.array(fc.record({ kind: fc.nat(99), style: fc.nat(19), variant: small }), { maxLength: 3 })
        : fc.constant([]),
      off: fc.nat(9),
      mask: fc.constantFrom(undefined, undefined, undefined, '***', ''),
      // Texts that are secret in one document may be plain in the other.
      hidden: fc.oneof(fc.constant([0, 0]), fc.tuple(fc.nat(9), fc.nat(9))),
      seed: fc.nat(),
    })
    .map((recipe) => {
      const first = baseDocument(recipe.palette, recipe.objects, recipe.outputs);
      const { second, names } = applyEdits(first, recipe.edits, without);
      const disabled: Capability[] = recipe.off === 9 ? ['module-delete'] : [];
      const [before = 0, after = 0] = recipe.hidden;
      return {
        first: withHidden(first, before),
        second: withHidden(second, edits ? after : before),
        edits: names,
        foreign: recipe.foreign,
        outside: recipe.outside,
        disabled,
        mask: recipe.mask,
        normalizes: recipe.off % 2 === 0,
        seed: recipe.seed,
      };
    });
}

/** A few kinds, several objects of each: so they compete for unique values and refer to each other. */
function baseDocument(palette: readonly number[], objects: readonly ObjectRecipe[], outputs: number): Block {
  const secrets = Array.from({ length: SECRETS }, (_, index) => [
    `secret${index}`,
    { sensitive: true, default: `hush-${index}` },
  ]);
  const doc: Block = { version: 1, stack: STACK, variables: Object.fromEntries(secrets) as Block };
  for (const recipe of objects) addObject(doc, { ...recipe, kind: palette[recipe.kind % palette.length]! });
  addOutputs(doc, outputs);
  return doc;
}

function addOutputs(doc: Block, number: number): void {
  const found = objectsOf(doc);
  const declared = found[number % Math.max(1, found.length)];
  if (declared !== undefined && number > 2) doc['outputs'] = { one: `\${${declared.address}.id}` };
}

export interface LoadFiles {
  readonly name: string;
  readonly text: string;
}

/** The document, loaded from one file; undefined when the loader does not accept it. */
export function tryLoad(doc: Block): Manifest | undefined {
  return loadFiles([{ name: 'world.json', text: JSON.stringify(doc) }]).value;
}

export function loadFiles(files: readonly LoadFiles[], overlays: readonly LoadFiles[] = []): Result<Manifest> {
  return loadManifest({ files, overlays, variables: new Map(), env: {}, readFile: () => ({ diagnostics: [] }) });
}
