// RFC 3339 timestamps.

import { compareText } from './json.ts';

/** Compares two instants to the millisecond, for `sort`; anything that is not an instant is compared as text. */
export function compareInstants(a: string, b: string): number {
  const [first, second] = [Date.parse(a), Date.parse(b)];
  return Number.isNaN(first) || Number.isNaN(second) ? compareText(a, b) : first - second;
}
