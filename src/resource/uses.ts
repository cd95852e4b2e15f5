// What an object uses of others: ids that it refers to, and values of theirs that it serves (ADR-0021). One rule for the plan and
// for the write gate.

import { kindByName } from '../catalog/lookup.ts';
import { groupEntries } from '../core/group.ts';
import { perObject } from '../core/lazy.ts';
import { idsIn, servedText, servedValues } from './references.ts';
import type { LiveResource } from './snapshot.ts';
import { uniqueValues } from './uniques.ts';

/** One use of another object. */
export interface Use {
  /** In words, after the name of the user. */
  readonly what: string;
  /** Equal to one of the keys of what is used. */
  readonly key: string;
}

/** An object, and what it uses. */
export interface UseBy {
  readonly user: LiveResource;
  readonly use: Use;
}

export function idKey(id: string): string {
  return `id ${id}`;
}

export function servedKey(text: string): string {
  return `text ${servedText(text)}`;
}

/** What others may use of an object: its id, and values that the service assigned to it. */
export function keysOf(live: LiveResource): string[] {
  return [idKey(live.id), ...servedValues(kindByName(live.kind), live).map((text) => servedKey(text))];
}

export function usesOf(live: LiveResource): Use[] {
  const ids = idsIn(kindByName(live.kind).fields, live.spec);
  const referring = ids.map((id) => ({ what: 'still refers to it', key: idKey(id) }));
  const serving = servedBy(live).map(({ text, isSecret }) => {
    return { what: isSecret ? 'still serves its value' : `still serves ${text}`, key: servedKey(text) };
  });
  return [...referring, ...serving];
}

/** Unique values in the whole service: served values are among them. Found once for each object. */
export const servedBy = perObject(({ kind: name, spec }: Pick<LiveResource, 'kind' | 'spec'>) => {
  const kind = kindByName(name);
  return uniqueValues(kind, spec, undefined).filter(({ field }) => kind.fields[field]?.unique === 'service');
});

/** Every use of an object, by its key. */
export type UsersByKey = ReadonlyMap<string, readonly UseBy[]>;

/** By the key of what is used: every use of it by these objects. */
export const usersByKey = perObject((objects: readonly LiveResource[]): UsersByKey =>
  groupEntries(objects.flatMap((user) => usesOf(user).map((use): [string, UseBy] => [use.key, { user, use }]))),
);
