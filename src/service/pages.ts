// Where the next page of a list may be: the same origin and collection only (§2 `next_page_uri`). Pure.

import { describeOrigin } from './http/describe-response.ts';

/** The next page's URL, or why it is not followed. The target's path is not repeated, only its origin. */
export function nextPage(current: URL, next: string): { readonly url: URL } | { readonly problem: string } {
  // Backslashes and control characters are read differently by different URL parsers.
  if (/[\\\u0000-\u0020]/.test(next) || !URL.canParse(next, current.href))
    return { problem: 'next_page_uri is not a URL' };
  const url = new URL(next, current);
  if (url.username !== '' || url.password !== '') return { problem: 'next_page_uri holds a user name' };
  if (url.origin !== current.origin)
    return { problem: `next_page_uri points to another origin (${describeOrigin(next, current.href)})` };
  if (url.pathname !== current.pathname) return { problem: 'next_page_uri points to another collection' };
  return { url };
}
