// Addresses: the user's handles for resources, `tls_edges.db` or `https_edges.shop.routes.api`.

import { patternOf } from '../core/text/pattern.ts';
import type { Kind } from './kind.ts';
import { childKinds, kindByManifestKey } from './lookup.ts';

/** A name in an address; existing objects may have longer names than a manifest may declare. */
const NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/**
 * Names that a manifest may declare: of a stack, and of everything else. 200 characters leave room for the rest of the name of
 * a token file.
 */
export const NAME_PATTERNS = { stack: '^[a-z0-9][a-z0-9-]{0,62}$', other: '^[A-Za-z_][A-Za-z0-9_-]{0,199}$' } as const;

/** Most characters of a stack's name, as its pattern says it. */
export const MAX_STACK_NAME = 63;

/** The form of a stack's name in words. */
export const STACK_FORM = `lower-case letters, digits and hyphens, at most ${MAX_STACK_NAME}, not starting with a hyphen`;

/** The form of any other name in words. */
export const OTHER_FORM = 'letters, digits, _ and -, not starting with a digit or a hyphen, at most 200 characters';

export function isStackName(text: string): boolean {
  return patternOf(NAME_PATTERNS.stack).test(text);
}

interface ParsedAddress {
  readonly kind: Kind;
  readonly name: string;
  /** Address of the parent, for child kinds. */
  readonly parent: string | undefined;
}

/** True when a manifest may declare the name. */
export function isName(text: string): boolean {
  return patternOf(NAME_PATTERNS.other).test(text);
}

export function formatAddress(kind: Kind, name: string, parentAddress?: string): string {
  return `${parentAddress === undefined ? '' : `${parentAddress}.`}${kind.manifestKey}.${name}`;
}

/** The parts of an address, or undefined for any other text. */
export function parseAddress(text: string): ParsedAddress | undefined {
  const found = splitReference(text);
  return found?.attr === '' ? found.parsed : undefined;
}

interface SplitReference {
  readonly address: string;
  readonly attr: string;
  readonly parsed: ParsedAddress;
}

/** Splits `ADDRESS.ATTR` after the longest address; `attr` is '' when nothing follows. */
export function splitReference(text: string): SplitReference | undefined {
  const segments = text.split('.');
  let found: SplitReference | undefined;
  let kind = kindByManifestKey(segments[0] ?? '');
  for (let at = 0; kind !== undefined; at += 2) {
    const name = segments[at + 1];
    if (name === undefined || !NAME.test(name)) return found;
    const end = at + 2;
    const isAll = end === segments.length;
    found = {
      address: isAll ? text : segments.slice(0, end).join('.'),
      attr: isAll ? '' : segments.slice(end).join('.'),
      parsed: { kind, name, parent: found?.address },
    };
    kind = isAll ? undefined : childKinds(kind).find(({ manifestKey }) => manifestKey === segments[end]);
  }
  return found;
}

/** Manifest key of imports, and the first segment of their addresses. */
export const IMPORTS = 'imports';

/** Splits `imports.NAME.ATTR`; `attr` is '' when nothing follows. An import has no kind in its address. */
function splitImport(text: string): Omit<SplitReference, 'parsed'> | undefined {
  const [head, name = '', ...attr] = text.split('.');
  return head === IMPORTS && NAME.test(name) ? { address: `${head}.${name}`, attr: attr.join('.') } : undefined;
}

/** The address and the attribute of a reference to a resource or to an import. */
export function referenceIn(text: string): Omit<SplitReference, 'parsed'> | undefined {
  return splitImport(text) ?? splitReference(text);
}

export function addressAt(path: readonly string[]): string | undefined {
  return splitReference(path.join('.'))?.address;
}
