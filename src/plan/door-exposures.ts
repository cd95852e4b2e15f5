// Who answers a request before the steps and after them: a route that goes uncovers what is behind it, and one that comes stands in
// front of others. Pure (record 0101).
//
// Example: an edge has the routes / and /admin, and only /admin has a sign-in. Without /admin, / answers /admin/x:
//
//   opens  https_edges.shop.routes.admin: /admin answered by …routes.admin (oauth) → /admin answered by …routes.all

import { canonicalJson, type JsonObject } from '../core/json.ts';
import type { Door, Kind } from '../catalog/kind.ts';
import { kindByName } from '../catalog/lookup.ts';
import { fieldEntries } from '../catalog/walk.ts';
import { groupBy } from '../core/group.ts';
import { sameJson } from '../core/equal.ts';
import { revealed, type Value, type ValueObject } from '../core/value.ts';
import { canonicalField } from '../resource/canonical.ts';
import { Doors, pointsOf, selectorOf, selectorText, type DoorObject } from '../resource/doors.ts';
import { isOn, type Effect } from '../resource/exposure.ts';
import type { LiveResource } from '../resource/snapshot.ts';
import type { StepDraft } from './decide/step-draft.ts';
import { isOwnDoing } from './count-steps.ts';
import { isRemoval } from './fingerprint.ts';
import type { Pair } from './match/match.ts';
import type { Exposure } from './exposure.ts';
import { nameOf } from './policies/policy.ts';

/** What the steps start from. */
interface Surroundings {
  readonly pairs: readonly Pair[];
  /** Live objects by the id of their parent. */
  readonly children: ReadonlyMap<string, readonly LiveResource[]>;
}

/** The drafts, each with what it does to who answers. */
export function withDoors(drafts: readonly StepDraft[], around: Surroundings): readonly StepDraft[] {
  const moving = drafts.filter(movesDoor);
  if (moving.length === 0) return drafts;
  const parentOf = parentsOf(around.pairs);
  // What is in a parent that comes or goes answers for nobody else.
  const byParent = groupBy(moving, (draft) => parentOf(draft) ?? '');
  byParent.delete('');
  const found = [...byParent].flatMap(([parent, own]) => exposuresIn(own, { ...around, drafts, parent }));
  const byKey = groupBy(found, ({ key }) => key);
  return drafts.map((draft) => {
    const more = (byKey.get(draft.key) ?? []).map(bareExposure);
    if (more.length === 0) return draft;
    const { exposures = [], exposedOutside = [] } = draft;
    const outside = undoesChange(draft) ? more.map(undone) : [];
    return { ...draft, exposures: [...exposures, ...more], exposedOutside: [...exposedOutside, ...outside] };
  });
}

/** True for a step that puts back what somebody else has changed of the selector, or deleted. */
function undoesChange({ kind: { door }, deletedOutside, changes }: StepDraft): boolean {
  const isOfDoor = (path: string) => path === door?.selector || path === door?.form;
  return deletedOutside !== undefined || changes.some(({ path, cause }) => isOfDoor(path) && !isOwnDoing(cause));
}

const OPPOSITE = { opens: 'closes', closes: 'opens', changes: 'changes' } as const;

/** What was done outside, by what undoes it. */
function undone({ effect, before, after, ...exposure }: Exposure): Exposure {
  return { ...exposure, effect: OPPOSITE[effect], before: after, after: before };
}

/** What a child of a parent does to who answers there, beside the others that are inside. */
export function exposuresOfChild(child: LiveResource, siblings: readonly LiveResource[], name: string): Exposure[] {
  const kind = kindByName(child.kind);
  if (kind.door === undefined) return [];
  const others = siblings
    .filter(({ id, kind: of }) => id !== child.id && of === child.kind)
    .map((one): DraftDoor => ({ name: nameOf(one), spec: one.spec }));
  const after = [...others, { name, spec: child.spec, key: child.id }];
  return compareDoors({ kind, door: kind.door }, others, after).map(bareExposure);
}

/** True for a step after which other requests come to its object, or none. */
function movesDoor({ kind, action, phase, live, changes }: StepDraft): boolean {
  const { door } = kind;
  if (door === undefined || phase === 'detach' || action === 'release') return false;
  if (live === undefined || action === 'delete' || action === 'replace') return true;
  return changes.some(({ path }) => path === door.selector || path === door.form);
}

/** The id of the live parent of what a draft is about. */
function parentsOf(pairs: readonly Pair[]): (draft: StepDraft) => string | undefined {
  const idByAddress = new Map(
    pairs.flatMap(({ desired, live }) => (live ? [[desired.address, live.id] as const] : [])),
  );
  const parentByAddress = new Map(pairs.map(({ desired }) => [desired.address, desired.parent]));
  return ({ live, address }) => live?.parentId ?? idByAddress.get(parentByAddress.get(address) ?? '');
}

/** A door, and the draft that changes it. */
interface DraftDoor extends DoorObject {
  readonly key?: string;
}

interface InParent extends Surroundings {
  readonly drafts: readonly StepDraft[];
  readonly parent: string;
}

type KeyedExposure = Exposure & { readonly key: string };

function exposuresIn(moving: readonly StepDraft[], inside: InParent): KeyedExposure[] {
  const [{ kind } = {}] = moving;
  if (kind?.door === undefined) return [];
  const { before, after } = sidesOf(kind, moving, inside);
  return compareDoors({ kind, door: kind.door }, before, after);
}

/** The doors of a parent as they are, and as the steps leave them. */
function sidesOf(kind: Kind, moving: readonly StepDraft[], { pairs, children, drafts, parent }: InParent) {
  const pairById = new Map(pairs.flatMap((pair) => (pair.live ? [[pair.live.id, pair] as const] : [])));
  const pairByAddress = new Map(pairs.map((pair) => [pair.desired.address, pair]));
  const draftById = new Map(moving.map((draft) => [draft.live?.id ?? '', draft]));
  const namedDoor = ({ id }: LiveResource, spec: ValueObject): DraftDoor => {
    const draft = draftById.get(id);
    const name = pairById.get(id)?.desired.address ?? draft?.address ?? id;
    return { name, spec, ...(draft !== undefined && { key: draft.key }) };
  };
  const written = new Set(drafts.flatMap(({ live }) => live?.id ?? []));
  const gone = new Set(drafts.flatMap((draft) => (isRemoval(draft) ? (draft.live?.id ?? []) : [])));
  const live = (children.get(parent) ?? []).filter((child) => child.kind === kind.name);
  const before = live.map((child) => namedDoor(child, child.spec));
  const kept = live.flatMap((child): DraftDoor[] => {
    if (gone.has(child.id)) return [];
    return [
      namedDoor(child, written.has(child.id) ? (pairById.get(child.id)?.desired.spec ?? child.spec) : child.spec),
    ];
  });
  const made = moving
    .filter((draft) => draft.live === undefined)
    .flatMap(({ address, key }): DraftDoor[] => {
      const pair = pairByAddress.get(address);
      return pair === undefined ? [] : [{ name: address, spec: pair.desired.spec, key }];
    });
  return { before, after: [...kept, ...made] };
}

/** What differs in who answers; each difference is told once, of the step that makes it. */
function compareDoors(
  { kind, door }: { readonly kind: Kind; readonly door: Door },
  before: readonly DraftDoor[],
  after: readonly DraftDoor[],
): KeyedExposure[] {
  const [was, is] = [new Doors(before, door), new Doors(after, door)];
  const found = new Map<string, KeyedExposure>();
  for (const object of [...before, ...after].filter(({ key }) => key !== undefined)) {
    const selector = selectorOf(object.spec, door);
    if (selector === undefined) continue;
    for (const point of pointsOf(selector)) {
      const [one, other] = [was.at(point), is.at(point)];
      const effect = one?.name === other?.name ? undefined : effectBetween(kind, one?.spec, other?.spec);
      if (effect === undefined || object.key === undefined) continue;
      const text = selectorText(selector);
      const [shownBefore, shownAfter] = [answerOf(kind, text, one), answerOf(kind, text, other)];
      const said = { effect, address: object.name, path: door.selector, before: shownBefore, after: shownAfter };
      const name = canonicalJson([shownBefore, shownAfter]);
      if (!found.has(name)) found.set(name, { ...said, key: object.key });
    }
  }
  return [...found.values()];
}

/** Which object answers what a selector matches, and the guards that it has. */
export interface Answer {
  readonly selector: string;
  readonly answered_by: string;
  readonly guards: readonly string[];
}

/** What is shown of one side; null where nothing answers. */
function answerOf(kind: Kind, selector: string, object: DoorObject | undefined): JsonObject | null {
  if (object === undefined) return null;
  return { selector, answered_by: object.name, guards: guardsOf(kind, object.spec).map(([name]) => name) };
}

function guardsOf(kind: Kind, spec: ValueObject) {
  return fieldEntries(kind.fields).filter(([name, { access }]) => access === 'guard' && isOn(spec[name]));
}

/** Undefined where both let in the same. */
function effectBetween(kind: Kind, one: ValueObject | undefined, other: ValueObject | undefined): Effect | undefined {
  if (one === undefined) return 'opens';
  if (other === undefined) return 'closes';
  const effects = new Set(
    fieldEntries(kind.fields).flatMap(([name, field]): Effect[] => {
      if (field.access !== 'guard') return [];
      const [was, is] = [isOn(one[name]), isOn(other[name])];
      if (was !== is) return [is ? 'closes' : 'opens'];
      return !was || sameValues(canonicalField(field, one[name]), canonicalField(field, other[name]))
        ? []
        : ['changes'];
    }),
  );
  return (['opens', 'changes', 'closes'] as const).find((effect) => effects.has(effect));
}

function sameValues(one: Value | undefined, other: Value | undefined): boolean {
  return sameJson(revealed(one ?? null), revealed(other ?? null));
}

function bareExposure({ key: _, ...exposure }: KeyedExposure): Exposure {
  return exposure;
}
