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
