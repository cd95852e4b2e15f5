// Makes text of the service safe to show: secrets that we sent are masked, control characters removed, length capped.

import type { Json } from '../base/json.ts';
import { isObject } from '../base/json.ts';
import { SECRET_MASK } from '../base/secret.ts';

const MAX_EXCERPT = 300;

/** Every form in which a secret might be echoed. */
function forms(secret: string): string[] {
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    Buffer.from(secret, 'utf8').toString('base64'),
    Buffer.from(secret, 'utf8').toString('base64url'),
  ];
}

/** The text with every known secret masked. Secrets shorter than four characters cannot be told from other text. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= 4)
    .flatMap(forms)
    .sort((a, b) => b.length - a.length)
    .reduce((masked, form) => masked.replaceAll(form, SECRET_MASK), text);
}

/** What an error body says, in at most 300 characters: code and message when it has the API's form, else its start. */
export function excerpt(body: Json | string, secrets: readonly string[]): string {
  const text = isObject(body) ? describe(body) : typeof body === 'string' ? body : JSON.stringify(body);
  // Masking comes before cutting, so that no half of a secret is left at the edge.
  const masked = maskSecrets(text, secrets).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu, ' ');
  return masked.length > MAX_EXCERPT ? `${masked.slice(0, MAX_EXCERPT)}…` : masked.trim();
}

function describe(body: { readonly [key: string]: Json }): string {
  const { error_code: code, msg } = body;
  const words = [typeof code === 'string' ? code : '', typeof msg === 'string' ? msg : ''].filter(
    (part) => part !== '',
  );
  return words.length > 0 ? words.join(': ') : JSON.stringify(body);
}
