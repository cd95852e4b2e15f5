// What was meant by text that a manifest does not accept: names of other kinds, values that the service chooses, and references
// without `${}`.

import { parseAddress, splitReference } from '../catalog/address.ts';
import { attributesOf } from '../catalog/attributes.ts';
import { ID } from '../catalog/fields/common.ts';
import { findKind, kindByManifestKey, managedKinds, topLevelKinds } from '../catalog/lookup.ts';
import type { ProblemText } from '../core/diagnostic.ts';
import { nearest, questionOf } from '../core/text/closest.ts';

/** The fix for an unknown field of the block at the path; undefined when we know none. */
export function fixOfUnknown(path: readonly string[], key: string): string | undefined {
  const outer = path.length === 0 ? managedKinds.find((kind) => kind.manifestKey === key)?.parent?.kind : undefined;
  if (outer !== undefined) return `write it inside a block of ${findKind(outer)?.manifestKey ?? outer}`;
  const kind = parseAddress(path.join('.'))?.kind;
  if (kind !== undefined && key === ID) return 'remove it; lifecycle: { id: ID } says which object the block is';
  if (kind !== undefined && kind.fields[key]?.write === 'never')
    return attributesOf(kind.fields).includes(key)
      ? `remove it: the service chooses it; refer to it as "\${${[...path, key].join('.')}}"`
      : 'remove it: the service chooses it';
  return undefined;
}

export function expressionFor(given: string): string | undefined {
  // The dollar sign alone may be missing.
  const text = /^\{([^{}]*)\}$/.exec(given)?.[1] ?? given;
  const found = splitReference(text);
  if (found === undefined || kindByManifestKey(text.slice(0, text.indexOf('.'))) === undefined) return undefined;
  return attributesOf(found.parsed.kind.fields).includes(found.attr) ? `\${${text}}` : undefined;
}

/** The problem of a text where an address belongs. */
export function noAddress(text: string): ProblemText {
  const rest = text.replace(/^[^.]*/, '');
  const addresses = topLevelKinds.map(({ manifestKey }) => `${manifestKey}${rest}`);
  const others = nearest(text, addresses).filter((address) => address !== text);
  return {
    message: `${JSON.stringify(text)} is not an address`,
    expected: 'KIND.NAME, or PARENT.KIND.NAME for a child',
    fix: questionOf(others.map((address) => `"${address}"`)) ?? 'write the address in full',
  };
}
