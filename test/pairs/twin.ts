// The same world with single commands in place of a fleet: both come to the same end.

import { canonicalJson } from '../../src/core/json.ts';
import { METADATA } from '../../src/catalog/fields/common.ts';
import type { Stored } from '../../src/emulator/state/store.ts';
import { marksIn, metadataOf } from '../faults/read-markers.ts';
import type { Violation } from './violation.ts';
import { play, type Outcome } from './play.ts';

/** What differs; nothing where one of the two could not be carried out. */
export async function differsFromTwin(outcome: Outcome): Promise<Violation[]> {
  const { twin } = outcome.world;
  if (twin === undefined || !isDone(outcome)) return [];
  const other = await play(twin);
  if (!isDone(other)) return [];
  const [fleet, single] = [outcome, other].map(({ service }) => endOf(service.store.all()));
  const keys = new Set([...fleet!.keys(), ...single!.keys()]);
  return [...keys]
    .filter((key) => fleet!.get(key) !== single!.get(key))
    .map((key) => ({
      oracle: 'like single commands',
      text: `${key} is ${fleet!.get(key) ?? 'nothing'}, and by single commands ${single!.get(key) ?? 'nothing'}`,
    }));
}

function isDone({ runs, isPrepared }: Outcome): boolean {
  const acts = runs.filter(({ action }) => action.role === 'act' || action.role === 'again');
  return isPrepared && acts.length > 0 && acts.every(({ ran }) => ran.exit === 0);
}

/** Every object with a marker, by stack and address, without ids and what the service assigned by them. */
function endOf(objects: readonly Stored[]): Map<string, string> {
  const names = new Map(
    objects.map((stored): [string, string] => {
      const [mark] = marksIn(metadataOf(stored)).marks;
      return [stored.id, mark === undefined ? stored.kind : `${mark.stack} ${mark.address}`];
    }),
  );
  return new Map(
    objects.map((stored) => {
      const { [METADATA]: metadata, ...spec } = stored.spec;
      const { user } = marksIn(String(metadata ?? ''));
      let text = canonicalJson([stored.kind, user, spec]);
      for (const [id, name] of names) text = text.replaceAll(id, `<${name}>`);
      return [names.get(stored.id) ?? '', text.replaceAll(/[\w.-]+\.tcp\.[\w.:-]+/g, 'ADDR')];
    }),
  );
}
