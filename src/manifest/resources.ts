// The merged document → desired resources with addresses, typed values, lifecycle and positions.

import { compareText, isList, isObject, mapObject, type Json, type JsonObject } from '../core/json.ts';
import { placed, type Value } from '../core/value.ts';
import { formatAddress, parseAddress } from '../catalog/address.ts';
import type { Kind } from '../catalog/kind.ts';
import { childKinds, topLevelKinds } from '../catalog/lookup.ts';
import type { ExpandContext } from './values/convert-value.ts';
import { expandFields } from './values/expand.ts';
import type { ImportsRead } from './imports.ts';
import type { DesiredResource, Lifecycle, Pin } from './manifest.ts';
import type { Merged } from './merge.ts';
import type { LocatedTransfer } from './transfers.ts';

/** One resource and the document path of its block. */
export interface Located {
  readonly resource: DesiredResource;
  readonly path: readonly string[];
  readonly kind: Kind;
}

export interface StackInput extends Omit<Merged, 'diagnostics'>, ImportsRead {
  /** With variables filled in; undefined when it is unknown. */
  readonly stack: string | undefined;
  /** The entries of `moved` that name another stack, as far as they are known. */
  readonly transfers: readonly LocatedTransfer[];
  /** Sorted by address; each with its known parts. */
  readonly resources: readonly Located[];
  /** Those that can be referred to, without resources whose name is invalid. */
  readonly addresses: readonly string[];
  readonly outputs: ReadonlyMap<string, Value>;
}

/** The addresses that can be referred to, without resources whose name is invalid. */
export function addressesOf(resources: readonly Located[]): string[] {
  return resources.map(({ resource }) => resource.address).filter((address) => parseAddress(address) !== undefined);
}

export function readResources(document: JsonObject, context: ExpandContext): Located[] {
  return topLevelKinds
    .flatMap((kind) =>
      readSection(kind, document[kind.manifestKey], { path: [kind.manifestKey], parent: undefined, context }),
    )
    .sort((a, b) => compareText(a.resource.address, b.resource.address));
}

interface Section {
  readonly path: readonly string[];
  readonly parent: string | undefined;
  readonly context: ExpandContext;
}

function readSection(kind: Kind, section: Json | undefined, { path, parent, context }: Section): Located[] {
  if (!isObject(section)) return [];
  const children = childKinds(kind);
  const inside = new Set(['lifecycle', ...children.map((child) => child.manifestKey)]);
  return Object.entries(section).flatMap(([name, given]) => {
    const block = isObject(given) ? given : {};
    const here = [...path, name];
    const address = formatAddress(kind, name, parent);
    const own = mapObject(block, (value, key) => (inside.has(key) ? undefined : value));
    const resource: DesiredResource = {
      address,
      kind: kind.name,
      parent,
      spec: placed(expandFields(kind.fields, own, here, context), address),
      lifecycle: readLifecycle(block['lifecycle'], here, context),
      range: () => context.sourceMap.key(here),
      rangeOf: (below) => context.sourceMap.value([...here, ...below]),
    };
    const nested = children.flatMap((child) =>
      readSection(child, block[child.manifestKey], { path: [...here, child.manifestKey], parent: address, context }),
    );
    return [{ resource, path: here, kind }, ...nested];
  });
}

function readLifecycle(given: Json | undefined, path: readonly string[], context: ExpandContext): Lifecycle {
  const here = [...path, 'lifecycle'];
  const known = Object.entries(isObject(given) ? given : {}).filter(
    ([name]) => !context.unknownValues.has([...here, name]),
  );
  const block: JsonObject = Object.fromEntries(known);
  const { prevent_destroy: prevent, ignore_changes: ignore, adopt, id, on_immutable_change: change, exclusive } = block;
  if (typeof adopt === 'string' && typeof id === 'string' && adopt !== id) {
    context.diagnostics.push(
      context.sourceMap.error('bad-lifecycle', here, {
        message: 'adopt and id name different objects',
        fix: 'keep one of them',
      }),
    );
  }
  return {
    preventDestroy: typeof prevent === 'boolean' ? prevent : undefined,
    ignoreChanges: isList(ignore) ? ignore.filter((one) => typeof one === 'string') : [],
    pin: pinOf(adopt, id),
    onImmutableChange: change === 'refuse' ? 'refuse' : 'replace',
    exclusive: exclusive === true,
  };
}

/** The one reading of which object a block names: everything else asks for the pin. With both settings, `id` says more. */
function pinOf(adopt: Json | undefined, id: Json | undefined): Pin | undefined {
  if (typeof id === 'string') return { id, by: 'id' };
  return typeof adopt === 'string' ? { id: adopt, by: 'adopt' } : undefined;
}
