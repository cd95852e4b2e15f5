// What was read of a stack → its manifest, for plans.

import { sha256 } from '../core/digest.ts';
import { canonicalJson, mapObject, type Json } from '../core/json.ts';
import { lazy } from '../core/lazy.ts';
import { SECRET_MASK } from '../core/secrets/known.ts';
import { Secret } from '../core/secrets/secret.ts';
import { Expression, toJson, type Value } from '../core/value.ts';
import type { Manifest } from './manifest.ts';
import { readMoves } from './rules/moves.ts';
import type { StackInput } from './resources.ts';

/** Secrets, and what a manifest without all values lacks. */
export type WhatLacks = Pick<Manifest, 'secrets' | 'lacks' | 'lacksInName' | 'lacksInLinks' | 'lacksInOutputs'>;

/** What a manifest is besides what its document says. */
type Besides = WhatLacks & Pick<Manifest, 'baseStacks'>;

/** The manifest of a stack without errors. Its digest is made when it is asked for. */
export function assemble(input: StackInput, rest: Besides): Manifest {
  const { document, stack = String(document['stack']), resources, imports, transfers, outputs, sourceMap } = input;
  const { moved, removed } = readMoves(document, sourceMap);
  const manifest = {
    stack,
    resources: resources.map(({ resource }) => resource),
    imports,
    outputs,
    moved,
    transfers: transfers.map(({ path: _, ...entry }) => entry),
    removed,
    ...rest,
  };
  const digest = lazy(() => digestOf(manifest));
  return {
    ...manifest,
    get digest() {
      return digest();
    },
  };
}

/** SHA-256 over everything that a plan depends on, without secrets. */
function digestOf({ stack, resources, imports, transfers, moved, removed, outputs }: Omit<Manifest, 'digest'>): string {
  const moves = [
    ...[...moved, ...removed].map(({ range: _, ...entry }) => entry),
    ...transfers.map(({ stack: owner, ends }) => ({ stack: owner, ...ends })),
  ];
  const content = resources.map(({ address, spec, lifecycle }) => ({
    address,
    spec: opaque(spec),
    lifecycle: mapObject<Json | undefined, Json>(
      { ...lifecycle, pin: lifecycle.pin && { ...lifecycle.pin } },
      (value) => value,
    ),
  }));
  const values = [...outputs].map(([name, value]) => [name, opaque(value)]);
  const imported = imports.map(({ name, kind, from }) => ({ name, kind, from }));
  const others = imported.length === 0 ? {} : { imports: imported };
  return sha256(canonicalJson({ stack, content, moves, outputs: values, ...others }));
}

/** The value without secrets, with references in source form. */
function opaque(value: Value): Json {
  return toJson(value, (leaf) => {
    if (leaf instanceof Secret) return SECRET_MASK;
    if (!(leaf instanceof Expression)) return leaf;
    return leaf.written(
      () => SECRET_MASK,
      ({ address, attr }) => `\${${address}.${attr}}`,
    );
  });
}
