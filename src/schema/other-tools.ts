// Guesses what was meant by text that a manifest does not accept: terms of other tools, values that the service chooses, and
// references without `${}`.

import { closest } from '../core/text/closest.ts';
import type { Json } from '../core/json.ts';
import { parseAddress, splitReference } from '../catalog/address.ts';
import { attributesOf } from '../catalog/attributes.ts';
import { ID } from '../catalog/fields/common.ts';
import { findKind, kindByManifestKey, managedKinds } from '../catalog/lookup.ts';

const ORDER = 'remove it: references decide the order';
const EACH = 'remove it, and write a block for each';
const CONNECTION = 'remove it: EDGEFORM_BASE_URL and EDGEFORM_API_KEY set the connection';
const NESTED = 'write the kinds at the top level, with a block for each name below them';
const FILES = 'remove it, and name each file with -f; several files form one stack';
const ADOPTION = 'remove it, and write lifecycle: { adopt: ID } into the block';

/** Terms of Terraform and Kubernetes, and our equivalents. */
const OTHER_TOOLS: ReadonlyMap<string, string> = new Map([
  ['depends_on', ORDER],
  ['dependsOn', ORDER],
  ['count', EACH],
  ['for_each', EACH],
  ['replicas', EACH],
  ['provider', CONNECTION],
  ['providers', CONNECTION],
  ['terraform', CONNECTION],
  ['resource', NESTED],
  ['resources', NESTED],
  ['spec', NESTED],
  ['include', FILES],
  ['includes', FILES],
  ['module', FILES],
  ['locals', 'declare variables with a default, under `variables`'],
  ['import', ADOPTION],
  ['data', 'remove it: refer to objects of others by their literal id'],
]);

/** The fix for an unknown field of the block at the path; undefined when we do not know the term. */
export function fixOfUnknown(path: readonly string[], key: string): string | undefined {
  const outer = path.length === 0 ? managedKinds.find((kind) => kind.manifestKey === key)?.parent?.kind : undefined;
  if (outer !== undefined) return `write it inside a block of ${findKind(outer)?.manifestKey ?? outer}`;
  const kind = parseAddress(path.join('.'))?.kind;
  if (kind !== undefined && key === ID) return 'remove it; lifecycle: { id: ID } says which object the block is';
  if (kind !== undefined && kind.fields[key]?.write === 'never')
    return `remove it: the service chooses it; refer to it as "\${${[...path, key].join('.')}}"`;
  return OTHER_TOOLS.get(key);
}

/** The expression for a reference that lacks its `${}`. */
export function expressionFor(text: string): string | undefined {
  const found = splitReference(text);
  if (found === undefined || kindByManifestKey(text.slice(0, text.indexOf('.'))) === undefined) return undefined;
  return attributesOf(found.parsed.kind.fields).includes(found.attr) ? `\${${text}}` : undefined;
}

/** A name with a version, as `NAME.vNUMBER`: the known one that was probably meant, or the given one in that form. */
export function versionedName(
  value: Json | undefined,
  choices: readonly string[],
): { readonly near?: string; readonly own: string } | undefined {
  const known = choices.map((choice) => /^(.+)\.v\d+$/.exec(choice)?.[1] ?? '');
  if (typeof value !== 'string' || known.includes('')) return undefined;
  const [, written = '', version = '0'] = /^(.*?)(?:[.:@_-]?v(\d{1,9})|[.:@](\d{1,9}))?[.:@]?v?$/i.exec(value) ?? [];
  const name = written.toLowerCase().replace(/[^a-z0-9_.-]+/g, '_');
  if (!/^[a-z]/.test(name)) return undefined;
  const near = closest(name, known);
  return { own: `${name.slice(0, 100)}.v${version}`, ...(near !== undefined && { near: `${near}.v${version}` }) };
}
