// What a plan says of foreign children: their values, and what a person can do about each. Decides nothing.

import type { Diagnostic, SourceRange } from '../core/diagnostic.ts';
import { canonicalJson, compareText, type Json } from '../core/json.ts';
import { holdsSecret } from '../core/value.ts';
import { adoptionOf } from '../export/adoption.ts';
import { contentOf } from '../resource/content.ts';
import { nameChild } from '../export/names.ts';
import type { Kind } from '../catalog/kind.ts';
import { kindByName } from '../catalog/lookup.ts';
import { display } from '../resource/placeholder.ts';
import type { OwnershipStatus } from '../resource/marker/ownership.ts';
import { addressesIn } from '../resource/references.ts';
import type { LiveResource } from '../resource/snapshot.ts';
import { uniqueKeys } from '../resource/uniques.ts';
import { isKnownBy, knownFirst } from './decide/deleted-object.ts';
import { conceal } from './match/conceal.ts';
import type { ForeignChild } from './match/foreign-children.ts';
import type { Match, Pair } from './match/match.ts';
import type { ForeignChildFound } from './plan.ts';

/** A foreign child with what a plan or a drift says of it. */
export interface DescribedChild extends ForeignChildFound {
  /** `file:line:column` of the block of its parent. */
  readonly range: SourceRange;
  /** Fields that hold a secret. */
  readonly secrets: readonly string[];
  /** What its marker says, as a clause about it; undefined without a marker. */
  readonly mark: string | undefined;
  /** What a person can do about it, as a sentence without its end; nothing where nothing but its deletion is possible. */
  readonly fix?: string;
}

interface Surroundings {
  readonly stack: string;
  readonly matched: Match;
  /** What the plan does with them; a partial one deletes none. */
  readonly fate: 'deleted' | 'left' | 'left-by-targets';
}

/** Each child, in the order of their addresses; their blocks get names that are free. */
export function describeForeignChildren(children: readonly ForeignChild[], around: Surroundings): DescribedChild[] {
  if (children.length === 0) return [];
  const { pairs } = around.matched;
  const taken = new Set(pairs.map(({ desired }) => desired.address));
  const referents = referentsIn(pairs);
  const sorted = [...children].sort((a, b) => compareText(a.address, b.address));
  return sorted.map((child) => {
    const kind = kindByName(child.live.kind);
    const live = bareOf(child.live, kind);
    const values = knownFirst(kind, Object.entries(contentOf(kind, live)));
    const name = nameChild(live, child.parent.address, taken);
    const holder = holderOf(child, pairs);
    const adoption =
      holder === undefined && isAdoptable(child)
        ? adoptionOf(live, { address: name, stack: around.stack, ...referents })
        : undefined;
    const adopt = adoption === undefined ? null : { under: `${child.parent.address}.${kind.manifestKey}`, ...adoption };
    return {
      address: child.address,
      kind: kind.name,
      live_id: live.id,
      parent: child.parent.address,
      values: Object.fromEntries(values.map(([field, value]) => [field, display(value)])),
      adopt,
      secrets: values.flatMap(([field, value]) => (holdsSecret(value) ? [field] : [])),
      range: child.parent.range(),
      mark: markOf(child),
      ...waysOut(child, { adopt, holder, fate: around.fate }),
    };
  });
}

/** True unless a marker that names another stack, or that cannot be read, is in the way of every block. */
function isAdoptable({ status }: ForeignChild): boolean {
  return !isMarked(status) || status.is === 'misplaced';
}

function isMarked(status: OwnershipStatus): boolean {
  return status.is === 'unclear' ? status.problem.isRemoved !== true : status.is !== 'unowned';
}

function markOf({ status, parent }: ForeignChild): string | undefined {
  switch (status.is) {
    case 'foreign': {
      const named = status.address === undefined ? '' : ` (${status.address})`;
      return `its marker names stack ${status.stack}${named}, which cannot own what is in ${parent.address}`;
    }
    case 'misplaced':
      return `its marker names ${status.marker.address}`;
    case 'unclear':
      return `its ownership marker ${status.problem.what}`;
    default:
      return undefined;
  }
}

/** The object as anybody may see it, without a marker that is in the wrong place. */
function bareOf(live: LiveResource, kind: Kind): LiveResource {
  return { ...conceal(kind, {}, live), marker: undefined };
}

/** Objects that a new block may refer to: those that refer to nothing themselves, so that no cycle can begin. */
function referentsIn(pairs: readonly Pair[]) {
  const found = pairs.flatMap(({ desired, live }) =>
    live === undefined || addressesIn(desired.spec).length > 0 ? [] : [{ live, address: desired.address }],
  );
  return {
    objects: found.map(({ live }) => live),
    addresses: new Map(found.map(({ live, address }) => [live.id, address])),
  };
}

/** The block in the same parent that asks for the same unique value. */
function holderOf({ live, parent }: ForeignChild, pairs: readonly Pair[]): Pair | undefined {
  const kind = kindByName(live.kind);
  const keys = new Set(uniqueKeys(kind, live.spec, live.parentId));
  return pairs.find(
    ({ desired }) =>
      desired.parent === parent.address &&
      desired.kind === live.kind &&
      uniqueKeys(kind, desired.spec, live.parentId).some((key) => keys.has(key)),
  );
}

interface Choices {
  readonly adopt: ForeignChildFound['adopt'];
  readonly holder: Pair | undefined;
  readonly fate: Surroundings['fate'];
}

function waysOut(child: ForeignChild, { adopt, holder, fate }: Choices): Pick<DescribedChild, 'fix'> {
  const adoption = isAdoptable(child) ? adoptionWay(child.live, adopt, holder) : undefined;
  if (fate === 'deleted') return adoption === undefined ? {} : { fix: `to keep it, ${adoption}` };
  const others = othersFor(child, fate);
  return { fix: adoption === undefined ? others : `to adopt it, ${adoption}; or ${others}` };
}

function othersFor({ status, parent, isExpendable }: ForeignChild, fate: Surroundings['fate']): string {
  if (isExpendable && fate === 'left-by-targets') return 'let a plan without --target delete it';
  if (isMarked(status)) {
    const then = parent.lifecycle.exclusive ? ', so that apply deletes it' : '';
    return `remove the text of the marker from its metadata${then}, or delete it yourself`;
  }
  return `delete it yourself, or let apply delete all such children with \`lifecycle: { exclusive: true }\` in ${parent.address}`;
}

function adoptionWay({ id }: LiveResource, adopt: Choices['adopt'], holder: Choices['holder']): string | undefined {
  if (holder !== undefined)
    return holder.live === undefined ? `add \`lifecycle: { adopt: ${id} }\` to ${holder.desired.address}` : undefined;
  if (adopt === null) return undefined;
  const { under, block, variables } = adopt;
  const declared = variables.map((name) => `${name}: { sensitive: true }`).join(', ');
  const more = declared === '' ? '' : `, and \`${declared}\` under \`variables\``;
  return `add \`${block}\` under ${under}${more}`;
}

/** The warning about a child that stays. */
export function foreignChildWarning(child: DescribedChild): Diagnostic {
  const { parent, mark, fix, range, kind, live_id: id } = child;
  const what = `the ${kindByName(kind).title} ${id} (${summaryOf(child)})`;
  const said = mark === undefined ? ' and no stack owns' : `; ${mark}`;
  const message = `${parent} has ${what}, which the manifest does not have${said}; apply leaves it`;
  return {
    code: 'foreign-child',
    severity: 'warning',
    address: parent,
    live_id: id,
    range,
    message,
    ...(fix !== undefined && { fix }),
  };
}

/** `match_type: path_prefix, match: /admin, with description, backend and oauth`: what it is known by, and the names of the rest. */
export function summaryOf({
  kind: name,
  values,
  secrets,
}: Pick<DescribedChild, 'kind' | 'values' | 'secrets'>): string {
  const kind = kindByName(name);
  const names = Object.keys(values);
  const textOf = (field: string) => (secrets.includes(field) ? '(sensitive)' : inline(values[field] ?? null));
  const known = names.filter((field) => isKnownBy(kind, field)).map((field) => `${field}: ${textOf(field)}`);
  const rest = names.filter((field) => !isKnownBy(kind, field));
  return [...known, ...(rest.length === 0 ? [] : [`with ${andList(rest)}`])].join(', ');
}

function andList(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

function inline(value: Json): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}
