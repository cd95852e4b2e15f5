// Paths of objects, from the templates of the catalogue. Ids may be real ones or placeholders.

import { BugError } from '../base/diagnostic.ts';
import type { Kind, Operation } from '../catalog/kind.ts';

/** Fills `{id}` and `{parent_id}` of an operation's path. */
export function operationPath(operation: Operation, id: string, parentId: string | undefined): string {
  return operation.path.replace(/\{(id|parent_id)\}/g, (_, name: string) => {
    const value = name === 'id' ? id : parentId;
    if (value === undefined) throw new BugError(`${operation.path} needs a parent id`);
    return value;
  });
}

/** Path of one object. */
export function objectPath(kind: Kind, id: string, parentId: string | undefined): string {
  return operationPath(kind.operations.get, id, parentId);
}

/** Path to which objects of the kind are posted. */
export function createPath(kind: Kind, parentId: string | undefined): string {
  if (kind.operations.create === undefined) throw new BugError(`${kind.name} cannot be created`);
  return operationPath(kind.operations.create, '', parentId);
}

/** What a path is about: an object, or a field of it (`field` is the path's last segment), or a place to create in. */
export interface PathTarget {
  readonly id: string | undefined;
  readonly parentId: string | undefined;
  readonly field: string | undefined;
}

/** Reads a path of the kind back; undefined when it is none. Ids are as they stand in the path, decoded. */
export function parsePath(kind: Kind, path: string): PathTarget | undefined {
  const { create, get } = kind.operations;
  const own = matchPath(`${get.path}{field}`, path);
  if (own !== undefined) return own;
  return create === undefined ? undefined : matchPath(create.path, path);
}

function matchPath(template: string, path: string): PathTarget | undefined {
  const pattern = template
    .replace('{parent_id}', '(?<parentId>[^/]+)')
    .replace('{id}', '(?<id>[^/]+)')
    .replace('{field}', '(?:/(?<field>[^/]+))?');
  const found = new RegExp(`^${pattern}$`, 'u').exec(path)?.groups;
  if (found === undefined && !new RegExp(`^${pattern}$`, 'u').test(path)) return undefined;
  const decoded = (text: string | undefined) => (text === undefined ? undefined : decodeURIComponent(text));
  return { id: decoded(found?.['id']), parentId: decoded(found?.['parentId']), field: decoded(found?.['field']) };
}
