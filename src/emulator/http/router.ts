// Finds the operation for a method and a path, from the catalogue. Knows no kind by name.

import type { Capability, Kind, Operation } from '../../catalog/kind.ts';

export type Action = 'create' | 'list' | 'get' | 'update' | 'delete' | 'getField' | 'putField' | 'removeField';

/** The target of a request. */
export interface Target {
  readonly action: Action;
  readonly kind: Kind;
  readonly id: string;
  readonly parentId: string | undefined;
  /** Name of the field that the path belongs to. */
  readonly field: string | undefined;
}

/** Returns the target of a request, or undefined for an unknown path. */
export type Router = (method: string, path: string) => Target | undefined;

interface Route {
  readonly method: string;
  /** Of its path, with names in braces. */
  readonly segments: readonly string[];
  readonly action: Action;
  readonly kind: Kind;
  readonly field: string | undefined;
}

/** A router over all kinds; assumed operations whose capability is disabled have no path. */
export function createRouter(kinds: readonly Kind[], disabled: ReadonlySet<Capability>): Router {
  const routes = kinds.flatMap((kind) => routesOf(kind, disabled));
  return (method, path) => {
    const given = path.split('/');
    const route = routes.find((one) => one.method === method && isLike(given, one.segments));
    if (route === undefined) return undefined;
    const partOf = (name: string) => given[route.segments.indexOf(name)];
    const { action, kind, field } = route;
    return { action, kind, id: partOf('{id}') ?? '', parentId: partOf('{parent_id}'), field };
  };
}

/** Operations on a module at its own path; public clients read and replace it there. */
const PART_ACTIONS = [
  ['GET', 'getField'],
  ['PUT', 'putField'],
  ['DELETE', 'removeField'],
] as const;

const ACTIONS = ['create', 'list', 'get', 'update', 'delete'] as const;

function routesOf(kind: Kind, disabled: ReadonlySet<Capability>): Route[] {
  const exists = (operation: Operation | undefined): operation is Operation =>
    operation !== undefined && !(operation.capability && disabled.has(operation.capability));
  const routes = ACTIONS.flatMap((action): Route[] => {
    const operation = kind.operations[action];
    return exists(operation)
      ? [{ method: operation.method, segments: operation.path.split('/'), action, kind, field: undefined }]
      : [];
  });
  const { delete: whole } = kind.operations;
  if (disabled.has('module-delete') || !exists(whole)) return routes;
  const parts = Object.entries(kind.fields).flatMap(([field, { remove }]) =>
    remove === undefined
      ? []
      : PART_ACTIONS.map(([method, action]): Route => {
          return { method, segments: `${whole.path}/${remove}`.split('/'), action, kind, field };
        }),
  );
  return [...routes, ...parts];
}

/** True when the segments are those of a route, with some text for each name in braces. */
function isLike(given: readonly string[], segments: readonly string[]): boolean {
  if (given.length !== segments.length) return false;
  return segments.every((segment, at) => (segment.startsWith('{') ? given[at] !== '' : given[at] === segment));
}
