// The usual five operations of a resource (§4), so that a kind's file states only its path and list key.

import type { Capability, Kind, Operation } from './kind.ts';
import { documented } from './provenance.ts';

/** Create, list, get, update and delete under one path, all documented (§4). */
export function crud(path: string, key: string): Required<Kind['operations']> {
  const source = documented('§4');
  return {
    create: { method: 'POST', path, source },
    list: { method: 'GET', path, key, source },
    get: { method: 'GET', path: `${path}/{id}`, source },
    update: { method: 'PATCH', path: `${path}/{id}`, source },
    delete: { method: 'DELETE', path: `${path}/{id}`, source },
  };
}

/** What users can do if the service lacks a capability. */
export function capabilityHint(capability: Capability): string {
  return `switch it off with EDGEFORM_CAPABILITIES=-${capability}`;
}

/** The capability that a request needs; undefined when the specification shows its operation. */
export function capabilityFor(kind: Kind, method: Operation['method'], isPart: boolean): Capability | undefined {
  if (isPart) return 'module-delete';
  const { create, get, update, delete: whole } = kind.operations;
  return { POST: create, GET: get, PATCH: update, DELETE: whole }[method]?.capability;
}
