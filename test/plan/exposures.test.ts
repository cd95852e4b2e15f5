// Every module and field that decides who gets in, in every direction: made from the catalogue, so that a new one has to say what it is.

import { describe, expect, test } from 'vitest';
import type { Field, Fields } from '../../src/catalog/field.ts';
import type { Kind } from '../../src/catalog/kind.ts';
import { managedKinds } from '../../src/catalog/lookup.ts';
import { isList, isObject, type Json, type JsonObject } from '../../src/core/json.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { applyOn, createDirect, planOn } from '../support/in-process.ts';
import { fieldPaths, manifestWith, sample, specsWith, without, type FieldPath } from '../support/samples.ts';
import { manifest } from './sample.ts';

type Effect = Plan['exposures'][number]['effect'];

interface Place extends FieldPath {
  readonly kind: Kind;
  readonly name: string;
}

/** Top-level fields that decide who gets in, and everything inside them. */
const places: readonly Place[] = managedKinds.flatMap((kind) =>
  fieldPaths(kind.fields)
    .filter(({ chain: [top] }) => top?.access !== undefined)
    .map((one) => ({ ...one, kind, name: `${kind.name} ${one.path.join('.')}` })),
);

function isModule({ field }: Place): boolean {
  return field.module === true;
}

/** A value that is compared alone: no module, no object of fields, no switch, and no secret. */
function isLeaf({ field, path }: Place): boolean {
  return field.type !== 'object' && path.at(-1) !== 'enabled' && field.sensitive !== true;
}

/** What the catalogue says of it; inside a module that decides it, a field that says nothing decides it, too. */
function accessOf({ field, path }: Place): string {
  return field.access ?? (path.length > 1 ? 'either' : 'none');
}

/** With a variable in place of each secret, and modules switched on. */
function asUsed(fields: Fields, spec: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(spec).map(([name, value]) => {
      const field = fields[name];
      if (field?.sensitive === true) return [name, '${var.s}'];
      if (name === 'enabled') return [name, true];
      return [name, field?.type === 'object' && isObject(value) ? asUsed(field.fields, value) : value];
    }),
  );
}

function setAt(spec: JsonObject, [head = '', ...rest]: readonly string[], value: Json): JsonObject {
  const inner = spec[head];
  return { ...spec, [head]: rest.length === 0 ? value : setAt(isObject(inner) ? inner : {}, rest, value) };
}

/** A valid object that holds this value there, beside what is required. */
function holding({ kind, ...target }: Place, value: Json): JsonObject {
  const specs = specsWith(kind, target, 0).map((spec) => asUsed(kind.fields, setAt(spec, target.path, value)));
  return specs.find((spec) => isValid(kind, spec)) ?? {};
}

/** An object that has the module with all that it needs. */
function withModule({ kind, ...target }: Place): JsonObject {
  const specs = specsWith(kind, target, 0).map((spec) => asUsed(kind.fields, spec));
  return specs.find((spec) => isValid(kind, spec)) ?? {};
}

function isValid(kind: Kind, spec: JsonObject): boolean {
  try {
    return manifest(contentOf(kind, spec)).resources.length > 0;
  } catch {
    return false;
  }
}

function contentOf(kind: Kind, spec: JsonObject): JsonObject {
  const { stack: _stack, version: _version, ...content } = manifestWith(kind, spec);
  return content;
}

/** What a plan says of a field that is changed from one value to the other. */
async function effectsOf(place: Place, before: JsonObject, after: JsonObject): Promise<readonly Effect[]> {
  const direct = createDirect();
  await applyOn(direct, await planOn(direct, manifest(contentOf(place.kind, before))));
  const { plan } = await planOn(direct, manifest(contentOf(place.kind, after)));
  const own = place.path.join('.');
  return plan.exposures.filter(({ path }) => path === own || path === `${own}.enabled`).map(({ effect }) => effect);
}

describe.each(places.filter(isModule))('module $name', (place) => {
  const [opens, closes] = place.field.access === 'guard' ? ['opens', 'closes'] : ['changes', 'changes'];
  const on = withModule(place);
  const off = setAt(on, [...place.path, 'enabled'], false);
  const none = without(on, place.path);

  test.each<readonly [string, JsonObject, JsonObject, readonly (string | undefined)[]]>([
    ['is added', none, on, [closes]],
    ['is removed', on, none, [opens]],
    ['is disabled', on, off, [opens]],
    ['is enabled', off, on, [closes]],
    ['is added switched off', none, off, []],
    ['is removed switched off', off, none, []],
  ])('%s', async (_, before, after, effects) => {
    expect(await effectsOf(place, before, after)).toEqual(effects);
  });
});

/** Two values of a field, and what the step from the first to the second does, and the one back. */
type Step = readonly [before: Json, after: Json, forth: readonly Effect[], back: readonly Effect[]];

function listSteps(access: string, field: Field & { readonly type: 'list' }): readonly Step[] {
  const [a, b] = [sample(field.items, 0, 'main'), sample(field.items, 1, 'main')];
  const exchanged: Step = [[a], [b], ['opens', 'closes'], ['opens', 'closes']];
  switch (access) {
    case 'neutral':
      return [[[a], [b], [], []]];
    case 'reach':
      return [[[a], [a, b], ['opens'], ['closes']], exchanged, [[], [a], ['opens'], ['closes']]];
    case 'admits':
      return [
        [[a], [a, b], ['opens'], ['closes']],
        exchanged,
        // What an empty list means is not said everywhere: then a filled one is never called stricter.
        [[], [a], [field.whenEmpty === 'everyone' ? 'closes' : 'changes'], ['opens']],
      ];
    default:
      return [
        [[a], [b], ['changes'], ['changes']],
        [[a], [a, b], ['changes'], ['changes']],
        [[], [a], ['changes'], ['opens']],
      ];
  }
}

function stepsFor(place: Place): readonly Step[] {
  const { field } = place;
  const access = accessOf(place);
  if (field.type === 'list') return listSteps(access, field);
  const [a, b] = [sample(field, 0, 'main'), sample(field, 1, 'main')];
  const [up, down]: readonly [Effect, Effect] = access === 'less' ? ['closes', 'opens'] : ['opens', 'closes'];
  if (access === 'neutral') return [[a, b, [], []]];
  if (access !== 'more' && access !== 'less') return a === b ? [] : [[a, b, ['changes'], ['changes']]];
  if (field.type === 'boolean') return [[false, true, [up], [down]]];
  if (field.type === 'string')
    return [
      ['1.2', '1.10', [up], [down]],
      ['modern', '1.3', ['changes'], ['changes']],
    ];
  return [
    [60, 3_600, [up], [down]],
    // A 0 may mean no limit.
    [0, 60, ['changes'], ['changes']],
  ];
}

const fields = places.filter((place) => !isModule(place) && isLeaf(place) && place.field.write !== 'create');

describe.each(fields)('$name', (place) => {
  test.each(stepsFor(place))('%j → %j %j, and back %j', async (before, after, forth, back) => {
    const [one, other] = [holding(place, before), holding(place, after)];
    expect(await effectsOf(place, one, other)).toEqual(forth);
    expect(await effectsOf(place, other, one)).toEqual(back);
  });
});

test('the fields are those that were judged', () => {
  expect(
    places.filter((place) => isModule(place) || isLeaf(place)).map((place) => `${place.name} ${accessOf(place)}`),
  ).toMatchSnapshot();
});

test('a list of them has different values to try', () => {
  expect(fields.filter(({ field }) => isList(sample(field, 0, 'main'))).length).toBeGreaterThan(10);
});
