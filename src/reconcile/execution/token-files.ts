// Values that the service returns once, at creation (§5): each is stored in one file in a separate folder, and nowhere else.

import { join } from 'node:path';
import type { StepResult } from '../../apply/event.ts';
import type { Recorder } from '../../apply/recorder.ts';
import { parseAddress } from '../../catalog/address.ts';
import { ID } from '../../catalog/fields/common.ts';
import { kindByName } from '../../catalog/lookup.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { Failure } from '../../core/failure.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { Secret } from '../../core/secrets/secret.ts';
import { tryTo } from '../../core/try.ts';
import type { StoredValues } from '../../plan/decide/returned-once.ts';
import type { Plan, Step } from '../../plan/plan.ts';
import { onFileError } from '../../platform/file-error.ts';
import type { Files } from '../../platform/files.ts';
import { failOnFileError } from '../../platform/problem.ts';
import { namesIn } from '../../platform/read.ts';
import { pendingValue, returnedOnceFields } from '../../resource/marker/pending.ts';
import type { Snapshot } from '../../resource/snapshot.ts';
import type { RunInput } from '../run.ts';

interface TokenStore {
  /** Absolute path; undefined without a folder. */
  readonly folder: string | undefined;
  readonly files: Files;
}

export function tokenStoreOf({ options, platform }: RunInput): TokenStore {
  return { folder: options.tokenDir, files: platform.tokenFiles };
}

function creations(plan: Plan): Step[] {
  return plan.steps.filter(
    (step) =>
      (step.action === 'create' || step.phase === 'create') && returnedOnceFields(kindByName(step.kind)).length > 0,
  );
}

/** Handles the answer of every creation. Fails before any write when there is no place for a token. */
export function tokenSink(
  plan: Plan,
  { folder, files }: TokenStore,
  record: Recorder,
): (step: Step, body: JsonObject) => Promise<void> {
  if (creations(plan).length === 0) return () => Promise.resolve();
  if (folder === undefined) throw new Failure('invalid', noPlace(plan, 'error'));
  failOnFileError(() => files.prepareDirectory(folder));
  const inTheWay = failOnFileError(() => filesInTheWay(plan, folder, files));
  if (inTheWay.length > 0) throw new Failure('invalid', inTheWay);
  return async (step, body) => {
    for (const name of returnedOnceFields(kindByName(step.kind))) {
      store(fileOf(folder, step.address), body[name], step, files);
      await record.stored(step.address, String(body[ID]));
    }
  };
}

/** Code of a saved plan's problem that is solved when a folder is given. */
export const NO_PLACE = 'missing-setting';

/** The problem of a plan whose tokens have no folder, which can still be given when the plan is applied. */
export function noPlace(plan: Plan, severity: Diagnostic['severity']): Diagnostic[] {
  const addresses = creations(plan).map((step) => step.address);
  if (addresses.length === 0) return [];
  const message = `${addresses.join(', ')}: the token is returned only once, and there is no place to store it`;
  return [{ code: NO_PLACE, severity, message, fix: 'name a directory with --token-dir DIR' }];
}

/** Code of a saved plan's problem that is solved when a file is moved away. */
export const TOKEN_FILE_TAKEN = 'token-file-taken';

/** What a plan says of the place for its tokens, before apply needs it. A folder that cannot be read is apply's problem. */
export function tokenWarnings(plan: Plan, { folder, files }: TokenStore): Diagnostic[] {
  if (folder === undefined) return noPlace(plan, 'warning');
  const found = onFileError(
    () => filesInTheWay(plan, folder, files),
    () => [],
  );
  return found.map((problem) => ({ ...problem, severity: 'warning' }));
}

/** A new token needs an unused file name; a replacement needs a regular file or none. Throws `FileError`. */
function filesInTheWay(plan: Plan, folder: string, files: Files): Diagnostic[] {
  return creations(plan).flatMap(({ phase, address }): Diagnostic[] => {
    const path = fileOf(folder, address);
    const isFree = () => (phase === undefined ? !files.exists(path) : files.isReplaceable(path));
    if (isFree()) return [];
    const why =
      phase === undefined
        ? 'already exists, and only replacing a key overwrites its token file'
        : 'is not a regular file that can be overwritten';
    const fix = 'move the old file away, or choose another directory';
    return [{ code: TOKEN_FILE_TAKEN, severity: 'error', address, message: `${JSON.stringify(path)} ${why}`, fix }];
  });
}

function store(path: string, value: Json | undefined, step: Step, files: Files): void {
  const again = 'the service does not return it again; the next apply replaces the key';
  if (typeof value !== 'string' || value === '') throw new Error(`the answer had no token; ${again}`);
  try {
    const text = `${new Secret(value).reveal()}\n`;
    failOnFileError(() => {
      if (step.phase === 'create') files.writeAtomic(path, text);
      else files.createPrivate(path, text);
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it could not be written';
    throw new Error(`its token was not stored, ${why}; ${again}`, { cause: error });
  }
}

/** The token files, existing or not, of these addresses, and those left by earlier runs. */
export function tokenFilesToKeep(folder: string | undefined, addresses: readonly string[]): string[] {
  if (folder === undefined) return [];
  // A folder that cannot be listed may still accept tokens.
  const there = (tryTo(() => namesIn(folder)) ?? []).filter((name) => name.endsWith('.token'));
  return [...there.map((name) => join(folder, name)), ...addresses.map((address) => fileOf(folder, address))];
}

function fileOf(folder: string, address: string): string {
  return join(folder, `${address}.token`);
}

export interface TokenPlace {
  readonly address: string;
  /** Id of the token's object. */
  readonly id: string;
  readonly path: string;
}

/** The objects that a run was to create with a token, as far as they exist, each with its file. */
export function tokenFilesOf(
  plan: Plan,
  results: readonly StepResult[],
  { folder }: Pick<TokenStore, 'folder'>,
): readonly TokenPlace[] {
  if (folder === undefined) return [];
  return creations(plan).flatMap(({ id: step, address }) => {
    const id = results.find((one) => one.id === step)?.live_id ?? undefined;
    return id === undefined ? [] : [{ address, id, path: fileOf(folder, address) }];
  });
}

/**
 * Removes the file of an object that was deleted again: its token is useless, and must not be taken for that of another object.
 * Returns a message if that fails.
 */
export function discardToken(address: string, { folder, files }: TokenStore): string | undefined {
  if (folder === undefined) return undefined;
  return onFileError(
    () => {
      files.remove(fileOf(folder, address));
      return undefined;
    },
    ({ message }) => `${message}; remove it, because its token no longer works`,
  );
}

/** Names the files of objects that the run deleted: their tokens no longer work, and would be in the way of new ones. */
export function leftTokens(plan: Plan, results: readonly StepResult[], { folder, files }: TokenStore): Diagnostic[] {
  if (folder === undefined) return [];
  const done = new Set(results.flatMap(({ id, status }) => (status === 'done' ? [id] : [])));
  const deleted = plan.steps.filter(
    ({ id, action, kind }) => action === 'delete' && done.has(id) && returnedOnceFields(kindByName(kind)).length > 0,
  );
  return deleted.flatMap(({ address }): Diagnostic[] => {
    const path = fileOf(folder, address);
    const isThere = onFileError(
      () => files.exists(path),
      () => false,
    );
    if (!isThere) return [];
    const message = `${JSON.stringify(path)} still has the token of this key, which was deleted`;
    return [{ code: 'token-file-left', severity: 'warning', address, message, fix: 'remove the file' }];
  });
}

/** Evidence for stored values: the journal's notes, and the files of objects in doubt. */
export function storedValues(
  ids: ReadonlySet<string>,
  { resources }: Snapshot,
  { folder, files }: TokenStore,
): StoredValues {
  if (folder === undefined) return { ids, files: new Set() };
  // Markers can be written by others, so only a valid address of the kind names a file.
  const doubtful = resources.flatMap(({ kind: name, marker }) => {
    const kind = kindByName(name);
    const isOfKind = marker !== undefined && parseAddress(marker.address)?.kind === kind;
    return isOfKind && pendingValue(kind, marker) !== undefined ? [marker.address] : [];
  });
  return {
    ids,
    files: new Set(failOnFileError(() => doubtful.filter((address) => files.exists(fileOf(folder, address))))),
  };
}
