// Paths of objects, from the templates of the catalogue: the only place that puts an id into a path (ADR-0020). An id is
// checked whole; a plan's placeholder stays until the request is sent, and is then filled in with a checked id.

import { BugError } from '../core/diagnostic.ts';
import { isSegment } from '../core/text/segment.ts';
import type { Kind, Operation } from './kind.ts';

const PLACEHOLDER = /^\$\{[A-Za-z0-9_.-]+\}$/;

/** One segment of a path. Input was checked at the border, so anything else is a bug of ours. */
export function pathSegment(text: string): string {
  if (!isSegment(text)) throw new BugError('an id that is not a valid path segment was about to be sent');
  return encodeURIComponent(text);
}

function operationPath(operation: Operation, id: string, parentId: string | undefined): string {
  return operation.path.replace(/\{(id|parent_id)\}/g, (_, name: string) => {
    const value = name === 'id' ? id : parentId;
    if (value === undefined) throw new BugError(`${operation.path} needs a parent id`);
    return PLACEHOLDER.test(value) ? value : pathSegment(value);
  });
}

export function objectPath(kind: Kind, id: string, parentId: string | undefined): string {
  return operationPath(kind.operations.get, id, parentId);
}

/** Path of a module of an object, from the last segment in the catalogue. */
export function modulePath(kind: Kind, { id, parentId }: ObjectLocation, module: string): string {
  return `${objectPath(kind, id, parentId)}/${pathSegment(module)}`;
}

interface ObjectLocation {
  readonly id: string;
  readonly parentId: string | undefined;
}

export function createPath(kind: Kind, parentId: string | undefined): string {
  if (kind.operations.create === undefined) throw new BugError(`${kind.name} cannot be created`);
  return operationPath(kind.operations.create, '', parentId);
}

/** The target of a path: an object, a field of it (`field` is the last segment), or a collection to create in. */
interface PathTarget {
  readonly id: string | undefined;
  readonly parentId: string | undefined;
  readonly field: string | undefined;
}

/** Parses a path of the kind; undefined for any other text. */
export function parsePath(kind: Kind, path: string): PathTarget | undefined {
  const { create, get } = kind.operations;
  const templates = [get.path, `${get.path}/{field}`, ...(create === undefined ? [] : [create.path])];
  return templates.map((template) => matchPath(template, path)).find((target) => target !== undefined);
}

function matchPath(template: string, path: string): PathTarget | undefined {
  const expected = template.split('/');
  const segments = path.split('/');
  if (segments.length !== expected.length) return undefined;
  const isLike = segments.every((segment, at) => segment === expected[at] || isFilled(expected[at] ?? '', segment));
  const partOf = (name: string) => segments[expected.indexOf(name)];
  return isLike ? { id: partOf('{id}'), parentId: partOf('{parent_id}'), field: partOf('{field}') } : undefined;
}

/** True for a segment in the place of a name in braces. */
function isFilled(expected: string, segment: string): boolean {
  return expected.startsWith('{') && isSegment(segment);
}
