// Which of several objects answers a request, before and after: where another one answers, its guards are compared. Pure (record 0101).

import type { Door, Kind } from '../catalog/kind.ts';
import { fieldEntries } from '../catalog/walk.ts';
import { sameJson } from '../core/equal.ts';
import { canonicalJson, type JsonObject } from '../core/json.ts';
import { revealed, type Value, type ValueObject } from '../core/value.ts';
import { canonicalField } from '../resource/canonical.ts';
import { Doors, pointsOf, selectorOf, selectorText, type DoorObject, type Selector } from '../resource/doors.ts';
import { isOn, type Effect } from '../resource/exposure.ts';
import type { Exposure } from './exposure.ts';

/** A door, and the key of the draft that changes it. */
export interface DraftDoor extends DoorObject {
  readonly key?: string;
}

/** An exposure, and the key of the draft that makes it. */
export type DraftExposure = Exposure & { readonly key: string };

/** Which object answers what a selector matches, and the guards that it has. */
export interface Answer {
  readonly selector: string;
  readonly answered_by: string;
  readonly guards: readonly string[];
}

/** The doors of one parent before and after. */
interface Sides {
  readonly before: readonly DraftDoor[];
  readonly after: readonly DraftDoor[];
}

/** What differs in who answers at the doors that drafts change; each difference is told once, of the first draft that makes it. */
export function compareAnswers(kind: Kind, { before, after }: Sides): DraftExposure[] {
  const { door } = kind;
  if (door === undefined) return [];
  const sides = { kind, door, before: new Doors(before, door), after: new Doors(after, door) };
  const differences = new Map<string, DraftExposure>();
  for (const changed of [...before, ...after]) {
    for (const exposure of exposuresAt(changed, sides)) {
      const difference = canonicalJson([exposure.before, exposure.after]);
      if (!differences.has(difference)) differences.set(difference, exposure);
    }
  }
  return [...differences.values()];
}

interface ComparedDoors {
  readonly kind: Kind;
  readonly door: Door;
  readonly before: Doors<DraftDoor>;
  readonly after: Doors<DraftDoor>;
}

/** What differs at the points of one door. */
function exposuresAt({ name, key, spec }: DraftDoor, { kind, door, before, after }: ComparedDoors): DraftExposure[] {
  const selector = selectorOf(spec, door);
  if (key === undefined || selector === undefined) return [];
  return pointsOf(selector).flatMap((point): DraftExposure[] => {
    const [former, next] = [before.at(point), after.at(point)];
    const effect = former?.name === next?.name ? undefined : effectBetween(kind, former?.spec, next?.spec);
    if (effect === undefined) return [];
    const sides = { before: answerOf(kind, selector, former), after: answerOf(kind, selector, next) };
    return [{ effect, address: name, path: door.selector, ...sides, key }];
  });
}

/** What is shown of one side; null where nothing answers. */
function answerOf(kind: Kind, selector: Selector, object: DoorObject | undefined): JsonObject | null {
  if (object === undefined) return null;
  const guards = guardsIn(kind).filter(([name]) => isOn(object.spec[name]));
  return { selector: selectorText(selector), answered_by: object.name, guards: guards.map(([name]) => name) };
}

function guardsIn({ fields }: Kind) {
  return fieldEntries(fields).filter(([, { access }]) => access === 'guard');
}

/** Undefined where both let in the same. */
function effectBetween(
  kind: Kind,
  before: ValueObject | undefined,
  after: ValueObject | undefined,
): Effect | undefined {
  if (before === undefined) return 'opens';
  if (after === undefined) return 'closes';
  const effects = new Set(
    guardsIn(kind).flatMap(([name, field]): Effect[] => {
      const [was, is] = [isOn(before[name]), isOn(after[name])];
      if (was !== is) return [is ? 'closes' : 'opens'];
      const isSame = !was || sameValues(canonicalField(field, before[name]), canonicalField(field, after[name]));
      return isSame ? [] : ['changes'];
    }),
  );
  return (['opens', 'changes', 'closes'] as const).find((effect) => effects.has(effect));
}

function sameValues(before: Value | undefined, after: Value | undefined): boolean {
  return sameJson(revealed(before ?? null), revealed(after ?? null));
}
