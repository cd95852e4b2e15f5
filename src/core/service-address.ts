// The address of a service as an identity: whatever is written in several ways is one.

/** True when both texts are the address of one service; a slash at the end makes no other. */
export function isSameService(one: string, other: string): boolean {
  return one === other || withoutSlash(one) === withoutSlash(other);
}

/** The address without slashes at its end, but for that of an origin alone. */
export function withoutSlash(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url.href;
}
