// The emulator's objects in a file: read at start, replaced as a whole after every write.

import type { Json } from '../../core/json.ts';
import { isList, isObject, readJson } from '../../core/json.ts';
import { findKind } from '../../catalog/lookup.ts';
import { withFileError } from '../../platform/file-error.ts';
import { pathTypeAt, throughLinks } from '../../platform/paths.ts';
import { readText } from '../../platform/read.ts';
import { replaceFile } from '../../platform/write.ts';
import type { Stored } from './store.ts';

const VERSION = 1;
const MAX_BYTES = 256 * 1024 * 1024;

/** The saved objects, or undefined when there is no file yet. */
export function loadState(file: string): Stored[] | undefined {
  if (withFileError(file, 'read', () => pathTypeAt(file)) === 'nothing') return undefined;
  const reading = readJson(readText(file, { maxBytes: MAX_BYTES }));
  if (reading.problem !== undefined) throw new Error(`${file} ${reading.why}`);
  const { json: state } = reading;
  if (!isObject(state) || state['version'] !== VERSION || !isList(state['objects'])) {
    throw new Error(`${file} is not a state file of the emulator`);
  }
  return state['objects'].map((item) => readStored(item, file));
}

/** A crash leaves either the old file or the complete new one. It contains tokens, so only its owner may read it. */
export function saveState(file: string, objects: readonly Stored[]): void {
  withFileError(file, 'written', () => {
    replaceFile(throughLinks(file), `${JSON.stringify({ version: VERSION, objects })}\n`);
  });
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
