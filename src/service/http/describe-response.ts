// What is repeated of an answer in a message: the words of an error in the API's form, bounded and without the secrets
// that are known; of everything else only what kind of thing it is.

import { maskSecrets } from '../../core/secrets/find-secrets.ts';
import type { JsonObject } from '../../core/json.ts';

const MAX_WORDS = 300;
const MAX_NAME = 100;

/** Code and message of an error body, in at most 300 characters of one line. */
export function describeError({ error_code: code, msg }: JsonObject): string {
  const words = [code, msg].filter((part) => typeof part === 'string' && part.trim() !== '');
  // Masking comes before cutting, so that no half of a secret is left at the edge.
  const text = maskSecrets(words.join(': '))
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu, ' ')
    .trim();
  if (text === '') return 'it does not say why';
  return text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS)}…` : text;
}

/** The media type of a content type, when it is one. Masked as it came: in lower case a secret is not found any more. */
export function mediaType(contentType: string): string {
  const media = maskSecrets(contentType).split(';')[0]?.trim().toLowerCase() ?? '';
  if (media === '') return 'of no stated type';
  return /^[\w.+-]+\/[\w.+-]+$/.test(media) && media.length <= MAX_NAME ? media : 'of a type that cannot be read';
}

/**
 * Where an address of the service leads: its origin. It is masked as it came, because the parser of URLs writes hosts anew,
 * and a host that it had to write in another way is not shown.
 */
export function describeOrigin(address: string, base: string): string {
  const safe = maskSecrets(address);
  const url = URL.canParse(safe, base) ? new URL(safe, base) : undefined;
  if (url === undefined || url.origin === 'null') return 'nowhere';
  if (url.origin !== new URL(base).origin && !safe.includes(url.host)) return 'a host in an unusual spelling';
  return url.origin.length > MAX_NAME ? `${url.origin.slice(0, MAX_NAME)}…` : url.origin;
}

/** The names in a query; its values are not repeated. */
export function namesIn(query: string): string {
  const names = new Set(new URLSearchParams(maskSecrets(query)).keys());
  return [...names].map(encodeURIComponent).join('&').slice(0, MAX_NAME);
}
