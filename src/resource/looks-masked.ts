// Recognises what a service returns in place of a secret (ADR-0009).

import type { ValueObject } from '../core/value.ts';
import type { Kind } from '../catalog/kind.ts';
import { opaquePaths } from '../catalog/secrecy/secrecy.ts';

/** Masking signs; no secret has three of them in a row by chance. */
const RUN = /[*•●·∙⋅▪■█]{3,}/u;

/** One sign or letter repeated, or any number of bullets. */
const REPEATED = /^(?:(.)\1{3,}|[•●∙⋅▪■█]+)$/u;

/** A mark of omission in the middle or at the end, such as `sk_l...9f2a` and `shh…`. */
const CUT = /…|\.{3}/u;

/** Words at the beginning or end that say that the value is hidden. */
const STRONG =
  'redacted|hidden|masked|sensitive|omitted|concealed|filtered|obfuscated|suppressed|encrypted|withheld|write[ _-]?only|not[ _-]shown';
const WORD = new RegExp(
  `^[^\\p{L}\\p{N}]*(?:${STRONG})(?![\\p{L}\\p{N}])|(?<![\\p{L}\\p{N}])(?:${STRONG})[^\\p{L}\\p{N}]*$`,
  'iu',
);

/** Words that say so only if they are the whole text. */
const ALONE = /^[^\p{L}\p{N}]*(?:secret|removed|protected|private)[^\p{L}\p{N}]*$/iu;

/** The same words for texts for people: only a count may follow, as in `redacted (12 characters)`. */
const BARE_WORD = new RegExp(
  `^[^\\p{L}\\p{N}]*(?:${STRONG})(?:[^\\p{L}\\p{N}]+\\d+(?: *(?:characters?|chars?|bytes?))?)?[^\\p{L}\\p{N}]*$`,
  'iu',
);

/** Lengths of hashes: hexadecimal, with colons as in fingerprints, or base64. */
const DIGITS = [16, 20, 28, 32, 48, 64]
  .flatMap((bytes) => [
    `[\\da-f]{${2 * bytes}}`,
    `[\\da-f]{2}(?::[\\da-f]{2}){${bytes - 1}}`,
    `[\\w+/-]{${Math.ceil((bytes * 4) / 3)}}={0,2}`,
  ])
  .join('|');

/** A hash or fingerprint with a label, or in the format of password files. After a label, anything else is a real value. */
const HASH = new RegExp(
  `^(?:(?:[a-z]+[-_])?(?:sha[-_]?\\d{1,3}(?:[-/_]\\d{3})?|md5|blake\\d\\w{0,2}|hash|digest|fingerprint)[:=] ?(?:${DIGITS})|\\$(?:\\d[a-z]?|y|argon2\\w{1,2}|scrypt|pbkdf2[\\w-]{0,20})\\$\\S+|\\{S?(?:SHA|MD5)\\d{0,3}\\}\\S+)$`,
  'i',
);

const ANYWHERE = [/^\**$/, RUN, REPEATED, CUT, ALONE];
const FORMS = [...ANYWHERE, WORD, HASH];
const FORMS_OF_TEXT = [...ANYWHERE, BARE_WORD];

/** True for a text that replaces a secret: empty, asterisks, or one of the forms above. */
export function looksMasked(text: string): boolean {
  return FORMS.some((form) => form.test(text));
}

/** The same for a text that the catalogue does not call secret. A form that one of the given texts has, too, proves nothing. */
export function looksMaskedText(text: string, given: readonly string[] = []): boolean {
  return FORMS_OF_TEXT.some((form) => form.test(text) && !given.some((one) => form.test(one)));
}

/**
 * Dotted paths of secrets that the service does not return, including those that only a marker or a manifest calls secret. An
 * empty text in a catalogued field means that there is no value.
 */
export function unreadablePaths(kind: Kind, spec: ValueObject): string[] {
  return Object.entries(spec).flatMap(([name, value]) =>
    opaquePaths(value, { field: kind.fields[name], path: [name] }, (text, isNamed) =>
      text === '' ? !isNamed : looksMaskedText(text),
    ),
  );
}
