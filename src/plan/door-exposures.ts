// Who answers a request before the steps and after them: a route that goes uncovers what is behind it, and one that comes stands in
// front of others. Pure (record 0101).
//
// Example: an edge has the routes / and /admin, and only /admin has a sign-in. Without /admin, / answers /admin/x:
//
//   opens  https_edges.shop.routes.admin: /admin answered by …routes.admin (oauth) → /admin answered by …routes.all

import type { Kind } from '../catalog/kind.ts';
import { kindByName } from '../catalog/lookup.ts';
import { groupBy } from '../core/group.ts';
import type { ValueObject } from '../core/value.ts';
import type { LiveResource } from '../resource/snapshot.ts';
import { compareAnswers, type DraftDoor, type DraftExposure } from './answers.ts';
import { isOwnDoing } from './count-steps.ts';
import type { StepDraft } from './decide/step-draft.ts';
import type { Exposure } from './exposure.ts';
import { isRemoval } from './fingerprint.ts';
import type { Pair } from './match/match.ts';
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
  const doors = new DoorsOfParents(drafts, moving, around);
  // What is in a parent that comes or goes answers for nobody else.
  const byParent = groupBy(moving, (draft) => doors.liveParentOf(draft));
  const found = [...byParent].flatMap(([parent, inside]) => {
    const [{ kind }] = inside;
    return compareAnswers(kind, { before: doors.before(kind, parent), after: doors.after(kind, parent, inside) });
  });
  const byKey = groupBy(found, ({ key }) => key);
  return drafts.map((draft) => withExposures(draft, (byKey.get(draft.key) ?? []).map(bareExposure)));
}

function withExposures(draft: StepDraft, ofDoors: readonly Exposure[]): StepDraft {
  if (ofDoors.length === 0) return draft;
  const { exposures = [], exposedOutside = [] } = draft;
  const outside = undoesChange(draft) ? ofDoors.map(undone) : [];
  return { ...draft, exposures: [...exposures, ...ofDoors], exposedOutside: [...exposedOutside, ...outside] };
}

/** What a child of a parent does to who answers there, beside the others that are inside. */
export function exposuresOfChild(child: LiveResource, siblings: readonly LiveResource[], name: string): Exposure[] {
  const others = siblings
    .filter(({ id, kind }) => id !== child.id && kind === child.kind)
    .map((sibling): DraftDoor => ({ name: nameOf(sibling), spec: sibling.spec }));
  const after = [...others, { name, spec: child.spec, key: child.id }];
  return compareAnswers(kindByName(child.kind), { before: others, after }).map(bareExposure);
}

/** True for a step after which other requests come to its object, or none. */
function movesDoor({ kind, action, phase, live, changes }: StepDraft): boolean {
  if (kind.door === undefined || phase === 'detach' || action === 'release') return false;
  if (live === undefined || action === 'delete' || action === 'replace') return true;
  return changes.some(({ path }) => isOfDoor(path, kind));
}

/** True for a step that puts back what somebody else has changed of the selector, or deleted. */
function undoesChange({ kind, deletedOutside, changes }: StepDraft): boolean {
  return deletedOutside !== undefined || changes.some(({ path, cause }) => isOfDoor(path, kind) && !isOwnDoing(cause));
}

function isOfDoor(path: string, { door }: Kind): boolean {
  return path === door?.selector || path === door?.form;
}

const OPPOSITE = { opens: 'closes', closes: 'opens', changes: 'changes' } as const;

/** What was done outside, by what undoes it. */
function undone({ effect, before, after, ...exposure }: Exposure): Exposure {
  return { ...exposure, effect: OPPOSITE[effect], before: after, after: before };
}

function bareExposure({ key: _, ...exposure }: DraftExposure): Exposure {
  return exposure;
}

/** The doors of each parent as they are, and as the steps leave them. Everything is looked up once for all parents. */
class DoorsOfParents {
  readonly #children: Surroundings['children'];
  readonly #pairById: ReadonlyMap<string, Pair>;
  readonly #pairByAddress: ReadonlyMap<string, Pair>;
  /** The drafts that move a door, by the id of its object. */
  readonly #movingById: ReadonlyMap<string, StepDraft>;
  /** Ids of objects that some step writes, and of those that one deletes. */
  readonly #written: ReadonlySet<string>;
  readonly #deleted: ReadonlySet<string>;

  constructor(drafts: readonly StepDraft[], moving: readonly StepDraft[], { pairs, children }: Surroundings) {
    const idOf = ({ live }: StepDraft) => live?.id ?? [];
    this.#children = children;
    this.#pairById = new Map(pairs.flatMap((pair) => (pair.live ? [[pair.live.id, pair] as const] : [])));
    this.#pairByAddress = new Map(pairs.map((pair) => [pair.desired.address, pair]));
    this.#movingById = new Map(moving.flatMap((draft) => (draft.live ? [[draft.live.id, draft] as const] : [])));
    this.#written = new Set(drafts.flatMap(idOf));
    this.#deleted = new Set(drafts.filter(isRemoval).flatMap(idOf));
  }

  /** The id of the live parent of what a draft is about. */
  liveParentOf({ live, address }: StepDraft): string | undefined {
    const parent = this.#pairByAddress.get(address)?.desired.parent;
    return live?.parentId ?? this.#pairByAddress.get(parent ?? '')?.live?.id;
  }

  before(kind: Kind, parent: string): DraftDoor[] {
    return this.#inside(kind, parent).map((live) => this.#doorOf(live, live.spec));
  }

  /** `moving`: the drafts that are about doors of this parent. */
  after(kind: Kind, parent: string, moving: readonly StepDraft[]): DraftDoor[] {
    const kept = this.#inside(kind, parent).filter(({ id }) => !this.#deleted.has(id));
    const created = moving.filter(({ live }) => live === undefined);
    return [
      ...kept.map((live) => this.#doorOf(live, this.#specAfter(live))),
      ...created.flatMap(({ address, key }): DraftDoor[] => {
        const pair = this.#pairByAddress.get(address);
        return pair === undefined ? [] : [{ name: address, spec: pair.desired.spec, key }];
      }),
    ];
  }

  #inside(kind: Kind, parent: string): LiveResource[] {
    return (this.#children.get(parent) ?? []).filter((live) => live.kind === kind.name);
  }

  #specAfter({ id, spec }: LiveResource): ValueObject {
    const desired = this.#pairById.get(id)?.desired;
    return this.#written.has(id) && desired !== undefined ? desired.spec : spec;
  }

  #doorOf({ id }: LiveResource, spec: ValueObject): DraftDoor {
    const draft = this.#movingById.get(id);
    const name = this.#pairById.get(id)?.desired.address ?? draft?.address ?? id;
    return { name, spec, ...(draft !== undefined && { key: draft.key }) };
  }
}
