// A fleet file in memory, with paths that exist as told.

import type { Diagnostic } from '../../src/core/diagnostic.ts';
import type { FleetInput } from '../../src/fleet/fleet-document.ts';
import { parseFleet } from '../../src/fleet/fleet-file.ts';

/** What a test says about the surroundings of a fleet file. */
export interface Around extends Partial<Omit<FleetInput, 'text'>> {
  /** Pattern → what it matches. */
  readonly matches?: Readonly<Record<string, readonly string[]>>;
}

export function fleetOf(text: string, { matches = {}, ...around }: Around = {}) {
  return parseFleet({
    name: 'edgeform.fleet.yaml',
    cwd: '/repo',
    env: {},
    stacksLike: (pattern) => matches[pattern] ?? [],
    isAllowed: (path) => !path.startsWith('..') && !path.startsWith('/'),
    ...around,
    text,
  });
}

/** `code line:column`. */
export function placed({ code, range }: Diagnostic): string {
  return `${code} ${range === undefined ? '-' : `${range.line}:${range.column}`}`;
}
