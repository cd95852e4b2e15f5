// Live state → manifest files, as a pure function: the same objects in any order give the same bytes.

import { groupBy } from '../core/group.ts';
import { plural, byteLength } from '../core/text/text.ts';
import type { Kind } from '../catalog/kind.ts';
import { childKinds, kindByName, topLevelKinds } from '../catalog/lookup.ts';
import { scopeOfStack, ownershipIn } from '../resource/marker/ownership.ts';
import type { Snapshot } from '../resource/snapshot.ts';
import { blockOf, createVariables, type BlockContext } from './block.ts';
import { buildBlocks, type ResourceBlock } from './resource-block.ts';
import { findReferences } from './references.ts';
import { nameAll } from './names.ts';
import { restrict } from './restrict.ts';
import { select, type LeftOut, type Scope } from './select.ts';
import { commentLines, yamlLines, type TreeEntry } from './yaml.ts';
import type { Diagnostic } from '../core/diagnostic.ts';

export interface ExportedManifest {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly resources: number;
  /** Id → address of each resource. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Names of the variables that need a value. */
  readonly variables: readonly string[];
  readonly leftOut: readonly LeftOut[];
  /** A problem for each pattern of names that matches none. */
  readonly unmatched: readonly Diagnostic[];
  /** Number of objects that the manifest's stack owns and this export does not contain. */
  readonly alreadyOwned: number;
}

const SCHEMA = 'yaml-language-server: $schema=./node_modules/edgeform/schemas/manifest.schema.json';
const WHOLE = 'edgeform.yaml';

/** The manifest of the objects in the scope. */
export function exportManifest(snapshot: Snapshot, options: Scope): ExportedManifest {
  const selected = select(snapshot, options);
  const owned = snapshot.resources.filter(ownershipIn(scopeOfStack(options.stack), snapshot.resources).isOurs);
  const taken = new Set(owned.flatMap(({ marker }) => marker?.address ?? []));
  const addresses = nameAll(selected.chosen, taken, options.names);
  const { chosen, leftOut, unmatched } = restrict(selected, addresses, options.only);
  const blocks = buildBlocks(chosen, addresses, options.stack);
  const written = new Set(blocks.drafts.map(({ live }) => live.id));
  const alreadyOwned = owned.filter((live) => !written.has(live.id)).length;
  const omitted = [...leftOut, ...blocks.leftOut];
  const { entries, variables } = entriesOf(blocks.drafts, addresses, options);
  const notes = [...unreadNotes(snapshot), ...ownedNotes(alreadyOwned, options)];
  return {
    files: [{ path: WHOLE, text: fileText(entries, notes, omitted) }],
    resources: blocks.drafts.length,
    addresses: new Map(blocks.drafts.map(({ live, address }) => [live.id, address])),
    variables,
    leftOut: omitted,
    unmatched,
    alreadyOwned,
  };
}

/** The top level of the file, and the names of the variables that its blocks refer to. */
function entriesOf(
  drafts: readonly ResourceBlock[],
  addresses: ReadonlyMap<string, string>,
  { stack }: Scope,
): { readonly entries: readonly TreeEntry[]; readonly variables: readonly string[] } {
  const referenceTo = findReferences(
    drafts.map(({ live }) => live),
    addresses,
  );
  const context: BlockContext = { referenceTo, variables: createVariables(), children: [] };
  const byParent = groupBy(drafts, ({ kind, live }) => parentKey(kind, live.parentId));
  const sections = topLevelKinds.flatMap((kind) => sectionOf(kind, byParent, context));
  const variables = context.variables.entries();
  const head: TreeEntry[] = [
    { key: 'version', value: 1 },
    { key: 'stack', value: stack },
  ];
  return {
    entries: [...head, ...sectionEntry('variables', variables), ...sections],
    variables: variables.map(({ key }) => key),
  };
}

function sectionEntry(key: string, entries: readonly TreeEntry[]): TreeEntry[] {
  return entries.length === 0 ? [] : [{ key, value: { entries } }];
}

type BlocksByParent = ReadonlyMap<string, readonly ResourceBlock[]>;

function parentKey(kind: Kind, parentId: string | undefined): string {
  return `${kind.name} ${parentId ?? ''}`;
}

function sectionOf(kind: Kind, drafts: BlocksByParent, context: BlockContext, parentId?: string): TreeEntry[] {
  const blocks = (drafts.get(parentKey(kind, parentId)) ?? []).map((draft) => {
    const children = childKinds(kind).flatMap((child) => sectionOf(child, drafts, context, draft.live.id));
    return blockOf(draft, { ...context, children });
  });
  return sectionEntry(kind.manifestKey, blocks);
}

function unreadNotes({ unread }: Snapshot): string[] {
  return unread.map(({ kind, reason }) => `${kindByName(kind).title}: not exported (${reason}).`);
}

function ownedNotes(count: number, { stack }: Scope): string[] {
  if (count === 0) return [];
  return [
    `Stack ${stack} owns ${plural(count, 'object')} outside this export.`,
    'Use it together with the manifest of those objects: used alone, it would delete them.',
  ];
}

function fileText(entries: readonly TreeEntry[], notes: readonly string[], leftOut: readonly LeftOut[]): string {
  const lines = leftOut.map(({ live, why }) => `- ${live.id} (${kindByName(live.kind).title}): ${why}`);
  const remarks = lines.length === 0 ? [] : ['', ...commentLines(['Not exported:', ...lines])];
  return [...commentLines([SCHEMA, ...notes]), ...yamlLines(entries), ...remarks, ''].join('\n');
}

/** Warnings; `maxBytes` is the maximum size of a manifest file. */
export function exportWarnings(
  { files, leftOut, alreadyOwned }: ExportedManifest,
  { stack }: Scope,
  maxBytes: number,
): Diagnostic[] {
  const warning = (code: Diagnostic['code'], message: string, fix: string): Diagnostic => {
    return { code, severity: 'warning', message, fix };
  };
  const omitted = `${plural(leftOut.length, 'object')} could not be exported`;
  const others = `stack ${stack} owns ${plural(alreadyOwned, 'object')} outside this export`;
  const together = 'use it together with the manifest of those objects; used alone, it would delete them';
  const large = files.filter((file) => byteLength(file.text) > maxBytes);
  return [
    ...(leftOut.length > 0
      ? [warning('not-exported', omitted, 'the comments at the end of the manifest explain why')]
      : []),
    ...large.map(({ path }) => {
      const message = `${path} exceeds the size limit of a manifest file`;
      return warning('file-too-large', message, 'split the file by hand');
    }),
    ...(alreadyOwned > 0 ? [warning('stack-in-use', others, together)] : []),
  ];
}
