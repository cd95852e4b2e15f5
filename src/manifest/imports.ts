// The `imports` of a manifest: what each is called, and how its object is found. Whether it exists is not known here.

import type { ProblemText } from '../core/diagnostic.ts';
import { isObject, type Json, type JsonObject } from '../core/json.ts';
import { withArticle } from '../core/text/text.ts';
import { IMPORTS, isName, parseAddress } from '../catalog/address.ts';
import { idForm, isId } from '../catalog/id.ts';
import type { Kind } from '../catalog/kind.ts';
import { findKind } from '../catalog/lookup.ts';
import { noAddress } from '../schema/fix-unknown.ts';
import type { Import } from './manifest.ts';
import type { ExpandContext } from './values/convert-value.ts';
import { expandName } from './values/expand-name.ts';

export interface ImportsRead {
  readonly imports: readonly Import[];
  /** By `imports.NAME`, also of those that are wrong; undefined where the kind is not known. */
  readonly importedKinds: ReadonlyMap<string, Kind | undefined>;
}

/** The name of the stack, filled in; undefined if it is unknown. */
export function readStack({ stack: given }: JsonObject, context: ExpandContext): string | undefined {
  if (typeof given !== 'string' || context.unknownValues.has(['stack'])) return undefined;
  return expandName(given, ['stack'], context, true);
}

/** Reads every import; wrong ones are reported. `stack` is the importing one, if it is known. */
export function readImports(document: JsonObject, stack: string | undefined, context: ExpandContext): ImportsRead {
  const section = document[IMPORTS];
  const importedKinds = new Map<string, Kind | undefined>();
  const imports = Object.entries(isObject(section) ? section : {}).flatMap(([name, given]): Import[] => {
    const path = [IMPORTS, name];
    const entry: Entry = { path, address: path.join('.'), block: known(given, path, context), context };
    const kind = kindIn(entry.block);
    if (isName(name)) importedKinds.set(entry.address, kind);
    if (context.unknownValues.has(path) || !isComplete(entry)) return [];
    const from = 'id' in entry.block ? byId(entry, kind) : byMarker(entry, kind, stack);
    if (from === undefined || kind === undefined) return [];
    return [{ name, address: entry.address, kind: kind.name, from, range: () => context.sourceMap.key(path) }];
  });
  return { imports, importedKinds };
}

interface Entry {
  readonly path: readonly string[];
  readonly address: string;
  /** The members that are known. */
  readonly block: Readonly<Record<string, string>>;
  readonly context: ExpandContext;
}

function known(given: Json, path: readonly string[], { unknownValues }: ExpandContext): Record<string, string> {
  const members = Object.entries(isObject(given) ? given : {});
  return Object.fromEntries(
    members.flatMap(([key, value]) =>
      typeof value === 'string' && !unknownValues.has([...path, key]) ? [[key, value] as const] : [],
    ),
  );
}

function kindIn({ address, kind }: Entry['block']): Kind | undefined {
  return address === undefined ? findKind(kind ?? '') : parseAddress(address)?.kind;
}

function complain({ path, address, context }: Entry, key: string | undefined, words: ProblemText): void {
  const at = key === undefined ? path : [...path, key];
  const { error, errorAtKey } = context.sourceMap;
  context.diagnostics.push((key === undefined ? errorAtKey : error)('bad-import', at, words, address));
}

const MEMBERS = ['stack', 'address', 'kind', 'id'];
const WAYS = 'either stack and address, or kind and id';

/** True when the entry holds exactly one pair; anything else is reported, unless an unknown part explains it. */
function isComplete(entry: Entry): boolean {
  const { block, path, address, context } = entry;
  const given = MEMBERS.filter((key) => key in block).join(', ');
  if (given === 'stack, address' || given === 'kind, id') return true;
  const message = `${address} does not say which object is meant`;
  if (!MEMBERS.some((key) => context.unknownValues.mayHave([...path, key])))
    complain(entry, undefined, { message, expected: WAYS, ...(given !== '' && { got: given }), fix: `give ${WAYS}` });
  return false;
}

function byMarker(entry: Entry, kind: Kind | undefined, own: string | undefined): Import['from'] | undefined {
  const { block, path, context } = entry;
  const { stack: text = '', address = '' } = block;
  const stack = expandName(text, [...path, 'stack'], context, true);
  if (kind === undefined) {
    complain(entry, 'address', noAddress(address));
    return undefined;
  }
  // Only inspected: a variable of the name has no value.
  if (stack === undefined) return context.unknownValues.has([...path, 'stack']) ? undefined : { stack: text, address };
  if (stack !== own) return { stack, address };
  const message = `${entry.address} imports ${address}, which belongs to this stack`;
  complain(entry, 'stack', { message, fix: `remove the import, and refer to \${${address}.ATTR}` });
  return undefined;
}

function byId(entry: Entry, kind: Kind | undefined): Import['from'] | undefined {
  const { block, path, context } = entry;
  const { id: text = '' } = block;
  const id = expandName(text, [...path, 'id'], context);
  if (id === undefined) return context.unknownValues.has([...path, 'id']) ? undefined : { id: text };
  if (kind === undefined || isId(kind, id)) return { id };
  const message = `${JSON.stringify(id)} is not an id of ${withArticle(kind.title)}`;
  complain(entry, 'id', { message, expected: idForm(kind), fix: 'give the id that the service shows' });
  return undefined;
}
