// A small caller of the emulator: real HTTP with fetch, nothing of the client under test.

import type { Json, JsonObject } from '../../src/core/json.ts';
import { isList, isObject } from '../../src/core/json.ts';
import type { Emulator } from '../../src/emulator/http/server.ts';

export interface Reply {
  readonly status: number;
  readonly body: JsonObject;
}

/** Sends one request with good headers; `headers` replace them, '' leaves one out. */
export async function send(
  emulator: Pick<Emulator, 'url' | 'apiKey'>,
  request: string,
  body?: Json,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const [method = '', path = ''] = request.split(' ');
  const all: Record<string, string> = {
    authorization: `Bearer ${emulator.apiKey}`,
    'service-version': '2',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  };
  const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  const url = path.startsWith('http') ? path : emulator.url + path;
  const response = await fetch(url, {
    method,
    headers: kept,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : objectOf(JSON.parse(text)) };
}

/** Creates an object and gives its body; fails the test when it is refused. */
export async function create(emulator: Emulator, path: string, body: JsonObject): Promise<JsonObject> {
  const reply = await send(emulator, `POST ${path}`, body);
  if (reply.status !== 201) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body;
}

export function objectOf(value: unknown): JsonObject {
  if (!isObject(value)) throw new Error('not an object');
  return value;
}

export function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined || !isList(value)) throw new Error('not a list');
  return value;
}

export function idOf(value: Json | undefined): string {
  return String(objectOf(value)['id']);
}
