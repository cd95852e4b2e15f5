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
  readonly pattern: RegExp;
  readonly action: Action;
  readonly kind: Kind;
  readonly field: string | undefined;
}

/** A router over all kinds; assumed operations whose capability is disabled have no path. */
export function createRouter(kinds: readonly Kind[], disabled: ReadonlySet<Capability>): Router {
  const routes = kinds.flatMap((kind) => routesOf(kind, disabled));
  return (method, path) => {
    for (const route of routes) {
      const found = route.method === method ? route.pattern.exec(path) : null;
      if (found) {
        const { id = '', parent } = found.groups ?? {};
        return { action: route.action, kind: route.kind, id, parentId: parent, field: route.field };
      }
    }
    return undefined;
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
      ? [{ method: operation.method, pattern: patternOf(operation.path), action, kind, field: undefined }]
      : [];
  });
  const { delete: whole } = kind.operations;
  if (disabled.has('module-delete') || !exists(whole)) return routes;
  const parts = Object.entries(kind.fields).flatMap(([field, { remove }]) =>
    remove === undefined
      ? []
      : PART_ACTIONS.map(([method, action]): Route => {
          return { method, pattern: patternOf(`${whole.path}/${remove}`), action, kind, field };
        }),
  );
  return [...routes, ...parts];
}

function patternOf(path: string): RegExp {
  const source = path.replace('{parent_id}', '(?<parent>[^/]+)').replace('{id}', '(?<id>[^/]+)');
  return new RegExp(`^${source}$`, 'u');
}
