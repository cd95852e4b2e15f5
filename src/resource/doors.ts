// Which object answers a request: the doors of one parent, such as the routes of an edge. Pure (record 0101).
//
// Of the doors that match, one with a host comes before one without, an exact path before a prefix, and a longer prefix before a
// shorter one. The specification names no order; record 0101 says what was assumed.
//
//   doors       /  ·  /admin  ·  =/admin/health  ·  api.example.com/
//   /admin/x               the prefix /admin
//   /admin/health          the exact path
//   api.example.com/admin  the host

import type { Door } from '../catalog/kind.ts';
import type { ValueObject } from '../core/value.ts';

/** An object that answers what matches its selector, under the name that people know it by: its address, or its id. */
export interface DoorObject {
  readonly name: string;
  readonly spec: ValueObject;
}

/** A place where requests come in; without a host, any. */
export interface Point {
  readonly host: string;
  readonly path: string;
}

/** A selector in its parts. */
export interface Selector extends Point {
  readonly isExact: boolean;
}

/** Undefined for an object without a selector, or with one that is not known yet. */
export function selectorOf(spec: ValueObject, door: Door): Selector | undefined {
  const [text, form] = [spec[door.selector], spec[door.form]];
  if (typeof text !== 'string') return undefined;
  const slash = text.indexOf('/');
  const host = slash < 0 ? text : text.slice(0, slash);
  const path = slash < 0 ? '' : text.slice(slash);
  return { host: host.toLowerCase(), path, isExact: form === door.exact };
}

/** As it is written in a manifest. */
export function selectorText({ host, path }: Point): string {
  return `${host}${path}`;
}

interface DoorsOfHost<T> {
  readonly exact: Map<string, T>;
  readonly prefixes: Map<string, T>;
}

/** Doors by host, kind of match and path: a lookup costs as many steps as the path is long. */
export class Doors<T extends DoorObject> {
  readonly #byHost = new Map<string, DoorsOfHost<T>>();

  constructor(objects: readonly T[], door: Door) {
    for (const object of objects) {
      const selector = selectorOf(object.spec, door);
      if (selector === undefined) continue;
      const { host, path, isExact } = selector;
      const ofHost = this.#byHost.get(host) ?? { exact: new Map<string, T>(), prefixes: new Map<string, T>() };
      this.#byHost.set(host, ofHost);
      const doors = isExact ? ofHost.exact : ofHost.prefixes;
      // Two with one selector cannot be at the service.
      if (!doors.has(path)) doors.set(path, object);
    }
  }

  /** The object that answers there; undefined where none does. */
  at({ host, path }: Point): T | undefined {
    const own = host === '' ? undefined : this.#in(host.toLowerCase(), path);
    return own ?? this.#in('', path);
  }

  #in(host: string, path: string): T | undefined {
    const doors = this.#byHost.get(host);
    if (doors === undefined) return undefined;
    const exact = doors.exact.get(path) ?? (path === '/' ? doors.exact.get('') : undefined);
    if (exact !== undefined) return exact;
    for (let length = path.length; length >= 0; length--) {
      const found = doors.prefixes.get(path.slice(0, length));
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** Stands for what no selector names: whatever comes below a prefix and has no door of its own. */
const BELOW = '\uffff';

/** A point of each region that the selector of an object makes: its own path, and below a prefix all that nothing else matches. */
export function pointsOf({ host, path, isExact }: Selector): Point[] {
  const own = { host, path: path === '' ? '/' : path };
  return isExact ? [own] : [own, { host, path: `${path}${BELOW}` }];
}
