// Compares service addresses that may be spelled in several ways.

import { trimEndOf } from './text/trim.ts';

/** True when both texts address the same service; trailing slashes do not matter. */
export function isSameService(one: string, other: string): boolean {
  return one === other || withoutSlash(one) === withoutSlash(other);
}

/** The address without trailing slashes, except for a bare origin. */
export function withoutSlash(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.pathname = trimEndOf(url.pathname, '/');
  return url.href;
}
