// What messages repeat of an answer: the text of an error in the API's form, bounded and without known secrets; of anything
// else only its type.

import { knownSecrets } from '../../core/secrets/known.ts';
import type { JsonObject } from '../../core/json.ts';

const MAX_WORDS = 300;
const MAX_NAME = 100;

/** Code and message of an error body, in at most 300 characters of one line. */
export function describeError({ error_code: code, msg }: JsonObject): string {
  const words = [code, msg].filter((part) => typeof part === 'string' && part.trim() !== '');
  // Masks before it cuts, so that no half of a secret remains.
  const text = knownSecrets
    .mask(words.join(': '))
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu, ' ')
    .trim();
  if (text === '') return 'it does not say why';
  return text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS)}…` : text;
}

/** The media type of a content type, if valid. Masked in its original form, because secrets are not recognised in lower case. */
export function mediaType(contentType: string): string {
  const media = knownSecrets.mask(contentType).split(';')[0]?.trim().toLowerCase() ?? '';
  if (media === '') return 'of no stated type';
  return /^[\w.+-]+\/[\w.+-]+$/.test(media) && media.length <= MAX_NAME ? media : 'of a type that cannot be read';
}

/**
 * The origin of a URL from the service. Masked in its original form, because the URL parser normalises hosts; a host that it
 * changed is not shown.
 */
export function describeOrigin(address: string, base: string): string {
  const safe = knownSecrets.mask(address);
  const url = URL.canParse(safe, base) ? new URL(safe, base) : undefined;
  if (url === undefined || url.origin === 'null') return 'nowhere';
  if (url.origin !== new URL(base).origin && !safe.includes(url.host)) return 'a host in an unusual spelling';
  return url.origin.length > MAX_NAME ? `${url.origin.slice(0, MAX_NAME)}…` : url.origin;
}

/** The names in a query, without their values. */
export function namesIn(query: string): string {
  const names = new Set(new URLSearchParams(knownSecrets.mask(query)).keys());
  return [...names].map(encodeURIComponent).join('&').slice(0, MAX_NAME);
}
