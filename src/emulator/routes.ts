// Which operation a method and path mean, from the operations of the catalogue (§4).

import type { Capability, Kind, Operation } from '../catalog/kind.ts';
import { kinds } from '../catalog/kinds/index.ts';

export type OperationName = 'create' | 'list' | 'get' | 'update' | 'delete' | 'remove-field';

export interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly kind: Kind;
  readonly operation: OperationName;
  /** The field that `remove-field` takes off. */
  readonly field: string;
  readonly capability: Capability | undefined;
}

export interface Found {
  readonly route: Route;
  readonly id: string;
  readonly parentId: string | undefined;
}

/** Every route of the service. */
export const routes: readonly Route[] = kinds.flatMap(routesOf);

function routesOf(kind: Kind): Route[] {
  const { create, list, get, update, delete: remove } = kind.operations;
  const usual: (Route | undefined)[] = [
    create && route(kind, create, 'create'),
    list && route(kind, list, 'list'),
    route(kind, get, 'get'),
    update && route(kind, update, 'update'),
    route(kind, remove, 'delete'),
  ];
  const removals = Object.entries(kind.fields).flatMap(([name, field]) => {
    if (field.remove === undefined) return [];
    const operation = { ...get, method: 'DELETE', path: `${get.path}/${field.remove}`, capability: 'module-delete' } as const;
    return [route(kind, operation, 'remove-field', name)];
  });
  return [...usual.filter((one) => one !== undefined), ...removals];
}

function route(kind: Kind, operation: Operation, name: OperationName, field = ''): Route {
  const source = operation.path.replace('{id}', '(?<id>[^/]+)').replace('{parent_id}', '(?<parent>[^/]+)');
  return { method: operation.method, pattern: new RegExp(`^${source}$`), kind, operation: name, field, capability: operation.capability };
}

/** The route of a request, or undefined when the service has none. */
export function findRoute(method: string, path: string, disabled: readonly Capability[]): Found | undefined {
  for (const candidate of routes) {
    if (candidate.method !== method) continue;
    const groups = candidate.pattern.exec(path)?.groups;
    if (groups === undefined && !candidate.pattern.test(path)) continue;
    if (candidate.capability !== undefined && disabled.includes(candidate.capability)) return undefined;
    return { route: candidate, id: groups?.['id'] ?? '', parentId: groups?.['parent'] };
  }
  return undefined;
}

