// Reads the `moved` and `removed` lists, and checks them and paths under `ignore_changes` against the manifest.

import { cycles } from '../../core/graph.ts';
import { partition } from '../../core/group.ts';
import type { Diagnostic, ProblemText } from '../../core/diagnostic.ts';
import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts';
import { valueAt, type ValueObject } from '../../core/value.ts';
import { didYouMean, Suggestions } from '../../core/text/closest.ts';
import { parseAddress } from '../../catalog/address.ts';
import { fieldOf } from '../../catalog/walk.ts';
import type { Field, Fields } from '../../catalog/field.ts';
import { noAddress } from '../../schema/fix-unknown.ts';
import type { Manifest } from '../manifest.ts';
import { movedTwice, noResource, problemsOfEnds, sameEnd } from './move-ends.ts';
import { checkTransfers } from './transfers.ts';
import { ofAbsent, type SourceMap } from '../source-map.ts';
import type { StackInput, Located } from '../resources.ts';
import type { UnknownValues } from '../unknown-values.ts';

/** An entry of `moved` or `removed`; `removed` has no `to`. */
interface MoveEntry {
  readonly path: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly destroy: boolean;
}

/** Maximum number of parts of an address that are looked at in an invalid entry; an address has at most four. */
const MAX_PARTS = 8;

function listOf(given: Json | undefined): readonly Json[] {
  return isList(given) ? given : [];
}

/** What invalid entries may be about: the addresses in their texts and the parents of these, or anything if one cannot be read. */
function namesIn(broken: readonly Json[]): (address: string) => boolean {
  const froms = broken.map((entry) => (isObject(entry) ? (entry['from'] ?? null) : entry));
  if (froms.some((from) => from === null || typeof from === 'object')) return () => true;
  const names = new Set<string>();
  for (const from of froms)
    for (const [word] of String(from).matchAll(/[\w.-]+/g))
      for (const path = word.split('.'); path.length > 1 && path.length <= MAX_PARTS; path.pop())
        names.add(path.join('.'));
  return (address) => names.has(address);
}

function entriesOf(document: JsonObject, key: 'moved' | 'removed'): MoveEntry[] {
  const textOf = (value: Json | undefined) => (typeof value === 'string' ? value : '');
  return listOf(document[key]).flatMap((entry, index): MoveEntry[] => {
    // One that names another stack is a transfer.
    if (!isObject(entry) || isObject(entry['from'])) return [];
    const { from, to, destroy } = entry;
    return [{ path: [key, String(index)], from: textOf(from), to: textOf(to), destroy: destroy === true }];
  });
}

/** The renames in a document, and the resources that leave the stack. */
export function readMoves(document: JsonObject, { value }: SourceMap): Pick<Manifest, 'moved' | 'removed'> {
  const [moved, removed] = [entriesOf(document, 'moved'), entriesOf(document, 'removed')];
  return {
    moved: moved.map(({ from, to, path }) => ({ from, to, range: value(path) })),
    removed: removed.map(({ from, destroy, path }) => ({ from, destroy, range: value(path) })),
  };
}

/** Every invalid entry of `moved`, `removed` and `ignore_changes`. */
export function checkMoves(input: StackInput): Diagnostic[] {
  const { resources, transfers, sourceMap, unknownValues } = input;
  const [withEnds, withoutEnds] = partition(readEntries(input, 'moved'), ({ to }) => to !== '');
  const scope = scopeOf(input, withEnds);
  return [
    ...withoutEnds.map((entry) => withoutEnd(entry, sourceMap)),
    ...checkMoved(scope),
    ...checkTransfers(transfers, {
      likely: scope.likely,
      isTarget: (address) => isTarget(address, scope),
      renamedAt: new Map(withEnds.map(({ to, path }) => [to, path])),
      sourceMap,
    }),
    ...checkRemoved(scope),
    ...resources.flatMap((resource) => checkIgnored(resource, sourceMap, unknownValues)),
  ];
}

/** The entries without mistakes in their form. */
function readEntries({ document, unknownValues }: StackInput, key: 'moved' | 'removed'): MoveEntry[] {
  return entriesOf(document, key).filter(({ path }) => unknownValues.isWhole(path));
}

/** Entries whose form is wrong: what they are about can only be guessed. */
function brokenEntries({ document, unknownValues }: StackInput): Json[] {
  return LISTS.flatMap((key) =>
    listOf(document[key]).filter((_, index) => !unknownValues.isWhole([key, String(index)])),
  );
}

const LISTS = ['moved', 'removed'] as const;

function scopeOf(input: StackInput, moves: readonly MoveEntry[]): MoveScope {
  const { addresses: list, sourceMap, unknownValues } = input;
  const addresses = new Set(list);
  const isNamed = namesIn(brokenEntries(input));
  const removals = readEntries(input, 'removed');
  return {
    addresses,
    likely: new Suggestions(list),
    mayBeThere: (address) => addresses.has(address) || unknownValues.mayHave(address.split('.')),
    moves,
    renamed: new Map(moves.map(({ from, to }) => [from, to])),
    removals,
    removed: new Set(removals.map(({ from }) => from)),
    mayStartAt: (address) => LISTS.some((key) => unknownValues.mayHave([key, ''])) || isNamed(address),
    sourceMap,
  };
}

interface MoveScope {
  readonly addresses: ReadonlySet<string>;
  readonly likely: Suggestions;
  /** Also true for addresses that an unknown part of the manifest may contain. */
  readonly mayBeThere: (address: string) => boolean;
  readonly moves: readonly MoveEntry[];
  /** New addresses by old address. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly removals: readonly MoveEntry[];
  readonly removed: ReadonlySet<string>;
  /** True when an unknown or invalid entry may be about the address, so that it may be renamed or removed. */
  readonly mayStartAt: (address: string) => boolean;
  readonly sourceMap: SourceMap;
}

function checkMoved(scope: MoveScope): Diagnostic[] {
  const { moves, renamed, sourceMap } = scope;
  const groups = cycles(renamed.keys(), (from) => [renamed.get(from) ?? '']);
  const cycleOf = new Map(groups.flatMap((group) => group.map((address) => [address, group] as const)));
  const reported = new Set<string>();
  const first = { from: new Map<string, MoveEntry>(), to: new Map<string, MoveEntry>() };
  return moves.flatMap((move) => {
    const problem = problemsOf(move, sourceMap);
    const wrong = moveProblem(move, scope, problem);
    if (wrong.length > 0) return wrong;
    const cycle = cycleOf.get(move.from);
    if (cycle !== undefined) {
      if (cycle.some((address) => reported.has(address))) return [];
      cycle.forEach((address) => reported.add(address));
      const names = [...cycle, ...cycle.slice(0, 1)].join(' → ');
      return problem('from', { message: `renames form a cycle: ${names}`, fix: 'remove one of the entries' });
    }
    for (const key of ['from', 'to'] as const) {
      const other = first[key].get(move[key]);
      const words = key === 'from' ? movedTwice : sameEnd;
      if (other !== undefined) return problem(key, words(move[key]), other);
    }
    first.from.set(move.from, move);
    first.to.set(move.to, move);
    return isTarget(move.to, scope) ? [] : unmatched(move, scope);
  });
}

/** True for an address that a block has or may have, or that other entries lead on from. */
function isTarget(address: string, scope: MoveScope): boolean {
  return isLedOn(address, scope) || scope.mayBeThere(address);
}

function unmatched({ path, to }: MoveEntry, { likely, sourceMap }: MoveScope): Diagnostic[] {
  const problem = sourceMap.warning('move-matches-nothing', [...path, 'to'], noResource(to, likely));
  return [ofAbsent(problem, sourceMap.dropOf(to.split('.')))];
}

/** Only an entry that names another stack may lack its end. */
function withoutEnd({ path: [key = '', index = '', ...rest] }: MoveEntry, { errorAtKey }: SourceMap): Diagnostic {
  const words = { message: `"to" is missing in ${key}[${index}]`, expected: 'to', fix: 'add "to"' };
  return errorAtKey('missing-field', [key, index, ...rest], words);
}

/** The problem of one end of an entry, with an earlier entry that has the same end. */
type ProblemOfEnd = (key: 'from' | 'to', words: ProblemText, first?: MoveEntry) => Diagnostic[];

function problemsOf({ path }: MoveEntry, { error, value }: SourceMap): ProblemOfEnd {
  return (key, words, first) => {
    const related = first && [{ message: 'first here', range: value([...first.path, key]) }];
    return [{ ...error('bad-move', [...path, key], words), ...(related && { related }) }];
  };
}

function moveProblem(move: MoveEntry, scope: MoveScope, problem: ProblemOfEnd): Diagnostic[] {
  const { renamed, addresses, mayStartAt } = scope;
  const { from, to } = move;
  const wrong = problemsOfEnds(move);
  if (wrong.length > 0) return wrong.flatMap(({ end, words }) => problem(end, words));
  const [above, next] = [parentOf(from), parentOf(to)];
  if (above !== next && renamed.get(above) !== next && !mayStartAt(above)) {
    const fix = 'rename the parent instead, or let it be deleted and created again';
    return problem('to', { message: `${from} cannot move out of ${above}`, fix });
  }
  return from !== to && addresses.has(from) ? problem('from', stillThere(from)) : [];
}

/** True when another entry is, or may be, about the address. */
function isLedOn(address: string, { renamed, removed, mayStartAt }: MoveScope): boolean {
  return renamed.has(address) || removed.has(address) || mayStartAt(address);
}

function stillThere(address: string): ProblemText {
  return { message: `${address} is still in the manifest`, fix: 'remove its block, or this entry' };
}

/** The address of the parent; empty for what has none. */
function parentOf(address: string): string {
  return parseAddress(address)?.parent ?? '';
}

function checkRemoved({ addresses, moves, removals, sourceMap }: MoveScope): Diagnostic[] {
  const first = new Map<string, MoveEntry>();
  const movedFrom = new Map(moves.map((move) => [move.from, move]));
  return removals.flatMap((entry) => {
    const { from } = entry;
    const problem = problemsOf(entry, sourceMap);
    if (parseAddress(from) === undefined) return problem('from', noAddress(from));
    if (addresses.has(from)) return problem('from', stillThere(from));
    const other = first.get(from) ?? movedFrom.get(from);
    first.set(from, first.get(from) ?? entry);
    if (other === undefined) return [];
    const what = movedFrom.get(from) === other ? 'is renamed as well as removed' : 'is removed twice';
    return problem('from', { message: `${from} ${what}`, fix: 'keep one of the entries' }, other);
  });
}

function checkIgnored({ resource, path, kind }: Located, places: SourceMap, unread: UnknownValues): Diagnostic[] {
  if (unread.has([...path, 'lifecycle', 'ignore_changes'])) return [];
  return resource.lifecycle.ignoreChanges.flatMap((ignored, index) => {
    const segments = ignored.split('.');
    const problem = ignoredProblem(kind.fields, segments) ?? ignoredSecret(kind.fields, segments, resource.spec);
    if (problem === undefined || unread.has([...path, ...segments])) return [];
    const at = [...path, 'lifecycle', 'ignore_changes', String(index)];
    return [places.error('bad-lifecycle', at, problem, resource.address)];
  });
}

/** A secret is always the manifest's, so one that is ignored needs a value there: it is sent with its module (ADR-0009). */
function ignoredSecret(fields: Fields, segments: readonly string[], spec: ValueObject): ProblemText | undefined {
  const field = segments.reduce<Field | undefined>(
    (at, name, depth) =>
      depth === 0 ? fieldOf(fields, name) : at?.type === 'object' ? fieldOf(at.fields, name) : undefined,
    undefined,
  );
  if (field?.sensitive !== true || valueAt(spec, segments) !== undefined) return undefined;
  return {
    message: `\`ignore_changes\` names the secret ${segments.join('.')}, which has no value in the manifest`,
    fix: 'give the secret its value, which is sent with its module, or remove the path',
  };
}

function writable(fields: Fields): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.write !== 'never');
}

function ignoredProblem(fields: Fields, segments: readonly string[]): ProblemText | undefined {
  let inside = fields;
  let field: Field | undefined;
  for (const name of segments) {
    // A map may have any key, even if the manifest does not set it.
    if (field?.type === 'map') return undefined;
    field = fieldOf(inside, name);
    if (field === undefined) {
      return {
        message: `there is no field "${name}" whose changes could be ignored`,
        expected: writable(inside).length === 0 ? 'no field inside it' : `one of ${writable(inside).join(', ')}`,
        fix: didYouMean(name, writable(inside)) ?? 'name a field of the block, or remove the path',
      };
    }
    if (field.write === 'never')
      return { message: `"${name}" is read-only, so it never differs`, fix: 'remove the path' };
    inside = field.type === 'object' ? field.fields : {};
    if (field.type === 'object' && field.open) return undefined;
  }
  return undefined;
}
