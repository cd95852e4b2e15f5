// Reads a list to its end, or fails: every page has the expected shape, is read once, and belongs to the same collection (§2).

import { isObject, type Json, type JsonObject } from '../core/json.ts';
import { ID } from '../catalog/fields/common.ts';
import { attemptOf, type Answer, type ApiRequest } from './http/attempt.ts';
import { unusableError, type Attempt } from './http/failure.ts';
import { describeOrigin } from './http/describe-response.ts';
import type { ClientSettings } from './settings.ts';
import type { ListResult, OnPage } from './transport.ts';

const MAX_PAGES = 10_000;
const NEXT = 'next_page_uri';

/** How lists are read: through `send`, which answers or throws. */
interface Listing {
  readonly settings: ClientSettings;
  readonly send: (target: ApiRequest, isNextPage: boolean) => Promise<Answer>;
  readonly onPage?: OnPage | undefined;
}

/** All items from the first page at `first`. An empty page with a next one is not the end. */
export async function listAll({ settings, send, onPage }: Listing, first: URL, key: string): Promise<ListResult> {
  let url = first;
  const items = new Map<string, JsonObject>();
  let count = 0;
  const seen = new Set<string>();
  for (let requests = 1; requests <= MAX_PAGES; requests++) {
    const attempt = attemptOf(settings, { method: 'GET', url });
    seen.add(url.href);
    const { json } = await send({ method: 'GET', url }, requests > 1);
    const page = readPage(attempt, json, key);
    // An object that moved to a later page during the read is kept once, in its newer version.
    for (const item of page.items) items.set(String(item[ID]), item);
    count += page.items.length;
    onPage?.(page.items.length);
    if (items.size * 2 < count) throw unusableError(attempt, { why: 'the list repeats the same objects' });
    if (page.next === null) return { items: [...items.values()], requests, shifted: items.size < count };
    const next = nextPage(url, page.next);
    if ('problem' in next) throw unusableError(attempt, { why: next.problem });
    if (seen.has(next.url.href)) throw unusableError(attempt, { why: 'the pages of the list form a loop' });
    url = next.url;
  }
  throw unusableError(attemptOf(settings, { method: 'GET', url }), {
    why: `the list has more than ${MAX_PAGES} pages`,
  });
}

function readPage(attempt: Attempt, json: Json, key: string) {
  if (!isObject(json)) throw unusableError(attempt, { why: 'the answer is not an object' });
  const list = Object.hasOwn(json, key) ? (json[key] ?? []) : undefined;
  if (!Array.isArray(list)) throw unusableError(attempt, { why: `the answer has no list under "${key}"` });
  const ids = new Set<string>();
  const items: JsonObject[] = list.map((item: Json, index) => {
    const id = isObject(item) && Object.hasOwn(item, ID) ? item[ID] : undefined;
    if (!isObject(item) || typeof id !== 'string' || id === '')
      throw unusableError(attempt, { why: `${key}.${index} is not an object with an id` });
    if (ids.has(id)) throw unusableError(attempt, { why: `${key}.${index} appears twice on the page` });
    ids.add(id);
    return item;
  });
  const next = json[NEXT];
  if (next === undefined) throw unusableError(attempt, { why: `the page has no ${NEXT}, so there may be more` });
  if (next !== null && typeof next !== 'string')
    throw unusableError(attempt, { why: `${NEXT} is neither a string nor null` });
  return { items, next };
}

/** The next page's URL, if it has the same origin and collection (§2 `next_page_uri`), or a problem with only its origin. */
function nextPage(current: URL, next: string): { readonly url: URL } | { readonly problem: string } {
  // URL parsers disagree about backslashes and control characters.
  if (/[\\\u0000-\u0020]/.test(next) || !URL.canParse(next, current.href))
    return { problem: 'next_page_uri is not a URL' };
  const url = new URL(next, current);
  if (url.username !== '' || url.password !== '') return { problem: 'next_page_uri contains a user name' };
  if (url.origin !== current.origin)
    return { problem: `next_page_uri points to another origin (${describeOrigin(next, current.href)})` };
  if (url.pathname !== current.pathname) return { problem: 'next_page_uri points to another collection' };
  return { url };
}
