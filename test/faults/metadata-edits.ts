// People edit the metadata that we mark: around the marker, in it, and by copying it with its text to other objects.
// Every kind, every form of the user's own text, and a manifest that stays, changes or drops the object.

import type { Json, JsonObject } from '../../src/core/json.ts';
import { isObject, parseJson } from '../../src/core/json.ts';
import { formatAddress } from '../../src/catalog/address.ts';
import { DESCRIPTION, METADATA } from '../../src/catalog/fields/common.ts';
import type { Kind } from '../../src/catalog/kind.ts';
import { kindByName, managedKinds } from '../../src/catalog/lookup.ts';
import type { Stored } from '../../src/emulator/state/store.ts';
import { readMarker } from '../../src/resource/marker/marker-codec.ts';
import { manifestWith, smallest } from '../support/samples.ts';
import type { TextEdit } from './marker-edits.ts';
import { BREAKS_MARKER, KEEPS_MARKER } from './marker-edits.ts';
import type { Family, World } from './world-families.ts';
import { foreignId } from './foreign.ts';
import { isDone } from './history.ts';
import type { Ran } from './machine.ts';
import { metadataOf, ownAddress } from './read-markers.ts';
import type { Violation } from './oracles.ts';
import type { Scenario } from './scenarios.ts';
import type { WorldOutcome, Runner, Setup } from './setup.ts';
import { commandOf, finish, prepare, simulated } from './world.ts';

const USER_TEXTS: Readonly<Record<string, string | undefined>> = {
  'no text': undefined,
  'a JSON object': '{"team":"a","n":1}',
  'a note': 'plain note\nof two lines',
};

const ENDS = ['stays', 'changes', 'goes'] as const;
type End = (typeof ENDS)[number];

function edited(text: string, { ofJson, ofLines }: TextEdit): string | undefined {
  if (text.startsWith('{')) return ofJson?.(text, parseJson(text) as JsonObject);
  return ofLines?.(text, text.slice(text.lastIndexOf('\n') + 1));
}

/** The address of the object that a sample manifest is about. */
export function mainAddress(kind: Kind): string {
  const { parent } = kind;
  return formatAddress(kind, 'main', parent && formatAddress(kindByName(parent.kind), 'home', undefined));
}

/** A sample manifest with the object, as sections for a scenario; and one without it. */
export function sectionsOf(kind: Kind, spec: JsonObject | undefined): string {
  const { version: _, stack: __, ...sections } = manifestWith(kind, spec ?? {});
  const { parent } = kind;
  const keep = { keep: { backends: ['bkdhr_2keep'] } };
  const list = Object.entries({
    ...sections,
    failover_backends: { ...objectIn(sections, 'failover_backends'), ...keep },
  });
  const without = (section: Json): Json => {
    if (!isObject(section)) return section;
    const { main: ___, ...rest } = section;
    if (parent === undefined) return rest;
    return { ...rest, home: { ...objectIn(rest, 'home'), [parent.listedAs]: {} } };
  };
  const key = parent === undefined ? kind.manifestKey : kindByName(parent.kind).manifestKey;
  return list
    .map(
      ([name, section]) =>
        `${name}: ${JSON.stringify(name === key && spec === undefined ? without(section) : section)}\n`,
    )
    .join('');
}

function objectIn(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isObject(value) ? value : {};
}

function scenarioOf(kind: Kind, user: string | undefined, end: End, keepsJournal: boolean): Scenario {
  const spec = { ...smallest(kind, 'main'), [DESCRIPTION]: 'old', ...(user !== undefined && { [METADATA]: user }) };
  const after = end === 'goes' ? undefined : end === 'stays' ? spec : { ...spec, [DESCRIPTION]: 'new' };
  const consent = end === 'goes' ? { flags: ['--allow-loss', mainAddress(kind)] } : {};
  const [before, then] = [sectionsOf(kind, spec), sectionsOf(kind, after)];
  return { name: `people: ${kind.name}`, before, after: then, keepsJournal, ...consent };
}

type Cast = (setup: Setup, main: Stored, end: End) => Promise<WorldOutcome>;

function withMetadata(stored: Stored, text: string): Stored {
  return { ...stored, spec: { ...stored.spec, [METADATA]: text } };
}

/** The world with some objects as people left them. */
function setupWith(setup: Setup, changed: readonly Stored[]): Setup {
  const byId = new Map(changed.map((one) => [one.id, one]));
  const known = new Set(setup.objects.map(({ id }) => id));
  const added = changed.filter(({ id }) => !known.has(id));
  const foreign = new Set([...setup.foreign, ...added.map(({ id }) => id)]);
  return { ...setup, foreign, objects: [...setup.objects.map((one) => byId.get(one.id) ?? one), ...added] };
}

function placeOf(setup: Setup): Runner {
  return simulated(setup.objects, setup.files, setup.knobs);
}

function run(place: Runner, { scenario, knobs }: Setup): Promise<Ran> {
  return place.run({ ...commandOf(scenario, scenario.after, false, knobs), faults: [], seed: 1 });
}

const harmless =
  (edit: TextEdit): Cast =>
  async (setup, main) => {
    const changed = setupWith(setup, [withMetadata(main, edited(metadataOf(main), edit) ?? '')]);
    return finish(placeOf(changed), changed, [], { seed: 1 });
  };

/**
 * A run refuses to guess, names the object, and touches neither it nor its address; once it is repaired all goes on.
 */
const harmful =
  (edit: TextEdit): Cast =>
  async (setup, main, end) => {
    const text = edited(metadataOf(main), edit) ?? '';
    const changed = setupWith(setup, [withMetadata(main, text)]);
    const place = placeOf(changed);
    const ran = await run(place, changed);
    // A journal or its text says that it is ours; one that is gone and that no block asks for is only told.
    const isStopped = readMarker(text).markerProblem !== undefined || end !== 'goes';
    const wrong = checkLeftAlone(place, ran, main);
    if ((ran.exit === 0) === isStopped)
      wrong.push({
        oracle: 'claim',
        text: `run ${ran.number} ended with ${ran.exit ?? 'nothing'} while ${main.id} was so`,
      });
    place.service.store.put(main);
    const outcome = await finish(place, changed, isStopped ? [ran] : [], { seed: 2 });
    return { ...outcome, violations: [...wrong, ...outcome.violations] };
  };

function checkLeftAlone({ service }: Runner, ran: Ran, { id, ...main }: Stored): Violation[] {
  const found: Violation[] = [];
  if (!`${ran.stdout}${ran.stderr}`.includes(id))
    found.push({ oracle: 'claim', text: `run ${ran.number} does not name ${id}` });
  const done = service.log.filter((entry) => entry.run === ran.number && isDone(entry));
  const made = done.find((entry) => entry.method === 'POST' && entry.address === ownAddress({ id, ...main }));
  const touched = done.find((entry) => entry.method !== 'POST' && entry.id === id);
  for (const entry of [made, touched])
    if (entry !== undefined) found.push({ oracle: 'claim', text: `run ${ran.number}: ${entry.method} ${entry.path}` });
  return found;
}

/** A marker with its text on an object of others: that stays as it is, and the stack's own is not touched for it. */
const copied =
  (find: (setup: Setup, main: Stored) => Stored, textOf: (main: Stored) => string = metadataOf): Cast =>
  async (setup, main) => {
    const target = find(setup, main);
    const changed = setupWith(setup, [withMetadata(target, textOf(main))]);
    const place = placeOf(changed);
    const ran = await run(place, changed);
    // A run may also refuse to go on; then somebody takes the copy away.
    if (ran.exit !== 0) {
      const before = new Map(changed.objects.map((one) => [one.id, one]));
      const touched = place.service.log.filter((entry) => isDone(entry) && before.has(entry.id));
      const wrong = touched.map(({ method, path }): Violation => ({ oracle: 'claim', text: `${method} ${path}` }));
      place.service.store.put(target);
      const cleaned = setupWith(setup, [target]);
      const outcome = await finish(place, cleaned, [ran], { seed: 2 });
      return { ...outcome, violations: [...wrong, ...outcome.violations] };
    }
    return finish(place, changed, [ran], { seed: 2 });
  };

const theirs = (name: string) => copied((setup) => setup.objects.find(({ id }) => id === foreignId(name))!);

/** Another object of the same kind, with nothing in it that must be unique. */
function anotherOf(main: Stored, created = main.created): Stored {
  const { fields } = kindByName(main.kind);
  const spec = Object.fromEntries(
    Object.entries(main.spec).filter(([name]) => name !== METADATA && fields[name]?.unique === undefined),
  );
  const parentId = main.parentId === undefined ? undefined : foreignId('https');
  return { ...main, id: `${main.id}c`, parentId, number: main.number + 1_000, created, owner: 'usr_they', spec };
}

const sameKind = copied((_, main) => anotherOf(main));

/** An older object cannot have been created to replace a later one. */
const forgedSuccessor = copied(
  (_, main) => anotherOf(main, '2001-01-01T00:00:00Z'),
  (main) => metadataOf(main).replace('"applied"', `"replaces":"${main.id}","applied"`),
);

/** What strangers write about themselves stops nobody. */
const strange: Cast = async (setup, main) => {
  const changed = setupWith(setup, [withMetadata(anotherOf(main), '{"edgeform":"managed"}')]);
  const place = placeOf(changed);
  const ran = await run(place, changed);
  const outcome = await finish(place, changed, [ran], { seed: 2 });
  const text = `run ${ran.number} ended with ${ran.exit ?? 'nothing'} because of an object of others`;
  return ran.exit === 0 ? outcome : { ...outcome, violations: [{ oracle: 'claim', text }, ...outcome.violations] };
};

interface Role {
  readonly name: string;
  readonly fits: (kind: Kind, text: string, end: End) => boolean;
  readonly cast: Cast;
  readonly needsJournal?: boolean;
}

const ROLES: readonly Role[] = [
  ...KEEPS_MARKER.map((edit): Role => ({
    name: edit.name,
    fits: (_, text) => fitsText(edit, text),
    cast: harmless(edit),
  })),
  ...BREAKS_MARKER.map((edit): Role => {
    const { name, needsJournal = false } = edit;
    return { name, needsJournal, fits: (_, text) => fitsText(edit, text), cast: harmful(edit) };
  }),
  // Two objects of one address that the manifest does not have any more are both leftovers: nobody can tell them apart.
  { name: 'a copy on an object of the same kind', fits: (_, __, end) => end !== 'goes', cast: sameKind },
  {
    name: 'a copy on an older one that says it replaces this',
    fits: (_, __, end) => end !== 'goes',
    cast: forgedSuccessor,
  },
  { name: 'a stranger of the same kind speaks of us', fits: () => true, cast: strange },
  ...['addr', 'tls', 'https', 'ssh', 'destination'].map((name): Role => {
    const own = { addr: 'reserved_addr', tls: 'tls_edge', https: 'https_edge', ssh: 'ssh_credential' }[name];
    return {
      name: `a copy on their ${name}`,
      fits: (kind) => kind.name !== (own ?? 'event_destination'),
      cast: theirs(name),
    };
  }),
  { name: 'a copy on their route', fits: () => true, cast: theirs('route') },
];

function fitsText({ ofJson, ofLines }: TextEdit, text: string): boolean {
  const isJson = text === 'no text' || text === 'a JSON object';
  return (isJson ? ofJson : ofLines) !== undefined;
}

export const PEOPLE: Family = {
  name: 'people edit metadata',
  weight: 2,
  worlds: () =>
    managedKinds.flatMap((kind) =>
      Object.entries(USER_TEXTS).flatMap(([text, user]) =>
        ENDS.flatMap((end) => {
          const setups = new Map<boolean, Promise<Setup>>();
          const setupOf = (keepsJournal: boolean) => {
            const setup = setups.get(keepsJournal) ?? prepare(scenarioOf(kind, user, end, keepsJournal));
            setups.set(keepsJournal, setup);
            return setup;
          };
          return ROLES.filter(({ fits }) => fits(kind, text, end)).map(
            ({ name, cast, needsJournal = false }): World => ({
              name: `${kind.name} with ${text} that ${end}: ${name}`,
              play: async () => {
                const ready = await setupOf(needsJournal);
                const main = ready.objects.find(
                  (one) => !ready.foreign.has(one.id) && ownAddress(one) === mainAddress(kind),
                );
                if (main === undefined) throw new Error(`there is no ${mainAddress(kind)}`);
                return cast(ready, main, end);
              },
            }),
          );
        }),
      ),
    ),
};
