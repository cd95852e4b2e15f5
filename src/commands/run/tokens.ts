// Values that the service shows once, at creation (§5): each goes to one file under --token-dir, and nowhere else.

import { join, resolve } from 'node:path';
import type { StepResult } from '../../apply/event.ts';
import type { Recorder } from '../../apply/ports.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { Secret } from '../../core/secrets/secret.ts';
import { parseAddress } from '../../catalog/address.ts';
import { ID } from '../../catalog/fields/common.ts';
import { FileError } from '../../platform/error.ts';
import type { Files } from '../../platform/files.ts';
import { namesIn } from '../../platform/read.ts';
import { kindByName } from '../../catalog/lookup.ts';
import type { StoredValues } from '../../plan/decide/once.ts';
import { onceFields, pendingValue } from '../../plan/decide/once.ts';
import type { Snapshot } from '../../resource/snapshot.ts';
import type { Plan, Step } from '../../plan/plan.ts';
import { EXIT } from '../shell/exit.ts';
import { CommandFailure } from '../shell/failure.ts';
import { orFail, prepareDirectory, writeAtomic, writeOnce } from '../shell/file.ts';
import type { Host } from '../shell/host.ts';
import type { RawOptions } from '../options/options.ts';
import { missing } from '../options/options.ts';
import { portsOf } from '../shell/ports.ts';
import type { Named } from '../shell/same-file.ts';

function creations(plan: Plan): Step[] {
  return plan.steps.filter(
    (step) => (step.action === 'create' || step.phase === 'create') && onceFields(kindByName(step.kind)).length > 0,
  );
}

/** What to do with the answer of every creation. Fails before any write when there is no place for a token. */
export function tokenSink(
  plan: Plan,
  raw: RawOptions,
  host: Host,
  record: Recorder,
): (step: Step, body: JsonObject) => Promise<void> {
  const wanted = creations(plan);
  if (wanted.length === 0) return () => Promise.resolve();
  const addresses = wanted.map((step) => step.address).join(', ');
  if (raw.tokenDir === undefined) {
    throw missing(
      `${addresses}: the token is shown once, and there is no place to put it`,
      'name a directory with --token-dir DIR',
    );
  }
  const folder = folderOf(raw.tokenDir, host);
  const { tokenFiles: files } = portsOf(host);
  prepareDirectory(folder, files);
  orFail(() => {
    for (const step of wanted) checkRoom(fileOf(folder, step.address), step, files);
  });
  return (step, body) => {
    for (const name of onceFields(kindByName(step.kind))) {
      store(fileOf(folder, step.address), secretOf(body[name]), { step, files });
      record.stored(step.address, String(body[ID]));
    }
    return Promise.resolve();
  };
}

/** A new token needs a name that is free; one that takes the place of another needs a regular file, or nothing. */
function checkRoom(path: string, { phase }: Step, files: Files): void {
  const isFree = phase === undefined ? !files.exists(path) : files.isReplaceable(path);
  if (isFree) return;
  const why =
    phase === undefined
      ? 'exists already, and a token is never written over another'
      : 'is no regular file to write over';
  const message = `${JSON.stringify(path)} ${why}`;
  throw new CommandFailure(EXIT.invalid, [
    { code: 'output-failed', severity: 'error', message, fix: 'move the old file away, or choose another directory' },
  ]);
}

interface Storing {
  readonly step: Step;
  readonly files: Files;
}

/** The value, known as a secret from now on. */
function secretOf(value: Json | undefined): Secret | undefined {
  return typeof value === 'string' ? new Secret(value) : undefined;
}

function store(path: string, value: Secret | undefined, { step, files }: Storing): void {
  const again = 'it is not shown again; the next apply makes a new key in its place';
  if (value === undefined) throw new Error(`the answer had no token; ${again}`);
  try {
    (step.phase === 'create' ? writeAtomic : writeOnce)(path, `${value.reveal()}\n`, files);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it could not be written';
    throw new Error(`its token was not stored, ${why}; ${again}`, { cause: error });
  }
}

function folderOf(tokenDir: string, host: Host): string {
  return resolve(host.cwd, tokenDir);
}

/** The files of tokens, there or not: of these addresses, and those that earlier runs have left. */
export function keptTokens({ tokenDir }: RawOptions, host: Host, addresses: readonly string[]): Named[] {
  if (tokenDir === undefined) return [];
  const folder = folderOf(tokenDir, host);
  const there = namesOf(folder).filter((name) => name.endsWith('.token'));
  const paths = [...there.map((name) => join(folder, name)), ...addresses.map((address) => fileOf(folder, address))];
  return paths.map((path) => ({ name: 'a token of --token-dir', path }));
}

/** A folder that cannot be listed may take tokens all the same. */
function namesOf(folder: string): string[] {
  try {
    return namesIn(folder);
  } catch {
    return [];
  }
}

function fileOf(folder: string, address: string): string {
  return join(folder, `${address}.token`);
}

/** The objects that a run was to create with a token, as far as they are there, and the file of each. */
export function tokenPlaces(
  plan: Plan,
  results: readonly StepResult[],
  { tokenDir }: RawOptions,
  host: Host,
): { readonly address: string; readonly id: string; readonly path: string }[] {
  if (tokenDir === undefined) return [];
  const folder = folderOf(tokenDir, host);
  return creations(plan).flatMap(({ id: step, address }) => {
    const id = results.find((one) => one.id === step)?.live_id ?? undefined;
    return id === undefined ? [] : [{ address, id, path: fileOf(folder, address) }];
  });
}

/** Removes the file of an object that was deleted again: its token is of no use, and must not pass for that of another object. */
export function discardToken(address: string, raw: RawOptions, host: Host): void {
  const { tokenFiles: files } = portsOf(host);
  if (raw.tokenDir === undefined) return;
  const path = fileOf(folderOf(raw.tokenDir, host), address);
  try {
    files.remove(path);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    host.stderr.write(`warning: ${error.message}; remove it, for its token is of no use any more\n`);
  }
}

/** What proves that values shown once are held: what the journal noted, and the files of objects in doubt. */
export function storedValues(
  ids: ReadonlySet<string>,
  { resources }: Snapshot,
  raw: RawOptions,
  host: Host,
): StoredValues {
  const { tokenDir } = raw;
  if (tokenDir === undefined) return { ids, files: new Set() };
  const { tokenFiles: files } = portsOf(host);
  const folder = folderOf(tokenDir, host);
  // What is no address of the kind names no file: anybody may write a marker.
  const doubtful = resources.flatMap(({ kind: name, marker }) => {
    const kind = kindByName(name);
    const isOfKind = marker !== undefined && parseAddress(marker.address)?.kind === kind;
    return isOfKind && pendingValue(kind, marker) !== undefined ? [marker.address] : [];
  });
  return { ids, files: new Set(orFail(() => doubtful.filter((address) => files.exists(fileOf(folder, address))))) };
}
