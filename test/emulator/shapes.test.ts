// Responses of the emulator held to bodies typed by hand from the specification.

import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isList, isObject } from '../../src/core/json.ts';
import { kinds } from '../../src/catalog/kinds/index.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { seedProblems } from '../../src/emulator/state/seed-check.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { receive } from '../../src/resource/receive.ts';
import { create, idOf, listOf, objectOf, send } from './support.ts';

const FOLDER = new URL('../fixtures/spec/', import.meta.url);

interface Example {
  readonly name: string;
  readonly request?: JsonObject;
  readonly created?: JsonObject;
  readonly read?: JsonObject;
  readonly update?: JsonObject;
  readonly updated?: JsonObject;
}

interface Fixture {
  readonly needs?: readonly { readonly path: string; readonly body: JsonObject }[];
  readonly create?: string;
  readonly examples: readonly Example[];
  readonly list?: { readonly path: string; readonly key: string };
}

function fixtureOf(kind: string): Fixture {
  const fixture: Fixture = JSON.parse(readFileSync(new URL(`${kind}.json`, FOLDER), 'utf8'));
  return fixture;
}

/** Types instead of values: what a fixture and a response must have in common. */
function shape(value: Json): Json {
  if (isList(value)) return value.map(shape);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shape(item)]));
  return value === null ? 'null' : typeof value;
}

function fill(value: Json, ids: readonly string[]): Json {
  const text = JSON.stringify(value).replace(/\$(\d)/g, (_, place: string) => ids[Number(place) - 1] ?? '');
  const json: Json = JSON.parse(text);
  return json;
}

const examples = kinds.flatMap(({ name }) =>
  fixtureOf(name).examples.map((example) => ({ kind: name, name: example.name, example })),
);
const sessions = fixtureOf('application_session').examples.map((example) => objectOf(example.read));

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ seed: { application_sessions: sessions } });
});
afterAll(() => emulator.close());

test('every kind of the catalogue has a fixture, and every fixture a kind', () => {
  const named = readdirSync(FOLDER).map((file) => file.replace(/\.json$/, ''));
  expect(named.sort()).toEqual(kinds.map(({ name }) => name).sort());
});

describe('responses have the shape of the specification', () => {
  test.each(examples.filter(({ example }) => example.request))('$kind: $name', async ({ kind, example }) => {
    const fixture = fixtureOf(kind);
    const ids: string[] = [];
    for (const [index, need] of (fixture.needs ?? []).entries()) {
      const fresh = JSON.stringify(need.body).replaceAll(
        'routes.',
        `routes-${example.name.replaceAll(/\W/g, '-')}-${index}.`,
      );
      ids.push(idOf(await create(emulator, need.path, objectOf(JSON.parse(fresh)))));
    }
    const made = await create(
      emulator,
      String(fill(fixture.create ?? '', ids)),
      objectOf(fill(example.request ?? {}, ids)),
    );
    expect(shape(made)).toEqual(shape(example.created ?? {}));
    const path = String(made['uri']);
    const read = await send(emulator, `GET ${path}`);
    expect(shape(read.body)).toEqual(shape(example.read ?? example.created ?? {}));
    if (example.update) {
      const updated = await send(emulator, `PATCH ${path}`, example.update);
      expect(shape(updated.body)).toEqual(shape(example.updated ?? {}));
    }
  });

  test.each(sessions.map((body) => [idOf(body), body]))(
    'application session %s comes back as seeded',
    async (id, body) => {
      const reply = await send(emulator, `GET /app/sessions/${id}`);
      expect(reply).toEqual({ status: 200, body: { ...body, uri: `${emulator.url}/app/sessions/${id}` } });
    },
  );
});

describe('values that requests give come back as they were given', () => {
  const computed = ['id', 'uri', 'created_at', 'edge_id', 'token', 'addr', 'owner_id'];
  const plain = (value: Json): Json => {
    if (isList(value)) return value.map(plain);
    if (!isObject(value))
      return typeof value === 'string' ? value.replace(/^https?:.*/, 'URL').replace(/^ed(ghts)?_\w+$/, 'ID') : value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]));
  };
  const strip = (body: JsonObject): Json =>
    plain(Object.fromEntries(Object.entries(body).filter(([name]) => !computed.includes(name))));

  test.each(
    examples.filter(({ example, kind }) => example.created && kind !== 'agent_ingress' && kind !== 'https_edge_route'),
  )('$kind: $name', ({ kind, example }) => {
    const all = emulator.objects(fixtureOf(kind).list?.key ?? '').map(strip);
    const wanted = strip(example.updated ?? example.read ?? example.created ?? {});
    expect(all.map((body) => JSON.stringify(sorted(body)))).toContain(JSON.stringify(sorted(wanted)));
  });
});

function sorted(value: Json): Json {
  if (isList(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name] ?? null)]),
  );
}

describe('list envelopes', () => {
  test.each(kinds.flatMap(({ name }) => fixtureOf(name).list ?? []))('$path', async ({ path, key }) => {
    const reply = await send(emulator, `GET ${path}`);
    expect(Object.keys(reply.body).sort()).toEqual([key, 'next_page_uri', 'uri'].sort());
    expect(listOf(reply.body[key]).length).toBeGreaterThan(0);
    expect(reply.body).toMatchObject({ uri: emulator.url + path, next_page_uri: null });
  });
});

describe('the reader of responses takes every fixture', () => {
  const bodies = examples.flatMap(({ kind, example }) =>
    [example.created, example.read, example.updated].flatMap((body) =>
      body ? [{ kind, name: example.name, body }] : [],
    ),
  );
  test.each(bodies)('$kind: $name', ({ kind, body }) => {
    expect(receive(kindByName(kind), body)).toMatchObject({ kind, id: body['id'] });
  });
});

test('all that it answers is a seed of which nothing is wrong', () => {
  const keys = kinds.flatMap(({ parent, operations }) => (parent === undefined ? (operations.list?.key ?? []) : []));
  const seed = Object.fromEntries(keys.map((key): [string, Json] => [key, [...emulator.objects(key)]]));
  expect(Object.values(seed).filter((items) => isList(items) && items.length === 0)).toEqual([]);
  expect(seedProblems(seed)).toEqual([]);
});
