// The objects of the emulator in a file: read at start, replaced as a whole after every write.

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Json } from '../base/json.ts';
import { isList, isObject, parseJson } from '../base/json.ts';
import { findKind } from '../catalog/lookup.ts';
import type { Stored } from './store.ts';

const VERSION = 1;

/** The saved objects, or undefined when there is no file yet. */
export function loadState(file: string): Stored[] | undefined {
  if (!existsSync(file)) return undefined;
  const state = parseJson(readFileSync(file, 'utf8'));
  if (!isObject(state) || state['version'] !== VERSION || !isList(state['objects'])) {
    throw new Error(`${file} is not a state file of the emulator`);
  }
  return state['objects'].map((item) => readStored(item, file));
}

/** Flushed and renamed over the old file: a crash leaves one of the two whole. It holds tokens, so only its owner reads it. */
export function saveState(file: string, objects: readonly Stored[]): void {
  const fresh = `${file}.tmp`;
  const descriptor = openSync(fresh, 'w', 0o600);
  try {
    writeFileSync(descriptor, `${JSON.stringify({ version: VERSION, objects })}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(fresh, file);
}

function readStored(item: Json, file: string): Stored {
  if (!isObject(item)) throw new Error(`${file} holds something that is not an object`);
  const { kind, id, parentId, number, created, owner, spec, once } = item;
  if (typeof kind !== 'string' || findKind(kind) === undefined)
    throw new Error(`${file} holds an object of no known kind`);
  if (
    typeof id !== 'string' ||
    typeof number !== 'number' ||
    typeof created !== 'string' ||
    typeof owner !== 'string' ||
    !isObject(spec)
  ) {
    throw new Error(`${file} holds an incomplete object`);
  }
  return {
    kind,
    id,
    parentId: typeof parentId === 'string' ? parentId : undefined,
    number,
    created,
    owner,
    spec,
    once: texts(once),
  };
}

function texts(value: Json | undefined): Readonly<Record<string, string>> {
  const entries: readonly [string, Json][] = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
