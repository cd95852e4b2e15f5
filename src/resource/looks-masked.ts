// What a service writes in place of a secret that it does not show (ADR-0009).

import type { ValueObject } from '../core/value.ts';
import type { Kind } from '../catalog/kind.ts';
import { opaquePaths } from '../catalog/secrecy/secrecy.ts';

/** Signs that stand for characters which are not shown; three of them in a row are not in a secret by chance. */
const RUN = /[*•●·∙⋅▪■█]{3,}/u;

/** One sign or letter over and over, or any number of bullets. */
const REPEATED = /^(?:(.)\1{3,}|[•●∙⋅▪■█]+)$/u;

/** What was left out of the middle or the end, such as `sk_l...9f2a` and `shh…`. */
const CUT = /…|\.{3}/u;

/** Words that say of the value that it is not here, at its beginning or its end. */
const STRONG =
  'redacted|hidden|masked|sensitive|omitted|concealed|filtered|obfuscated|suppressed|encrypted|withheld|write[ _-]?only|not[ _-]shown';
const WORD = new RegExp(
  `^[^\\p{L}\\p{N}]*(?:${STRONG})(?![\\p{L}\\p{N}])|(?<![\\p{L}\\p{N}])(?:${STRONG})[^\\p{L}\\p{N}]*$`,
  'iu',
);

/** Words that say so alone only. */
const ALONE = /^[^\p{L}\p{N}]*(?:secret|removed|protected|private)[^\p{L}\p{N}]*$/iu;

/** The same words where texts for people stand: nothing may be beside one but a count, as in `redacted (12 characters)`. */
const BARE_WORD = new RegExp(
  `^[^\\p{L}\\p{N}]*(?:${STRONG})(?:[^\\p{L}\\p{N}]+\\d+(?: *(?:characters?|chars?|bytes?))?)?[^\\p{L}\\p{N}]*$`,
  'iu',
);

/** A hash by its bytes, in hexadecimal digits, with colons as in fingerprints, or in base64. */
const DIGITS = [16, 20, 28, 32, 48, 64]
  .flatMap((bytes) => [
    `[\\da-f]{${2 * bytes}}`,
    `[\\da-f]{2}(?::[\\da-f]{2}){${bytes - 1}}`,
    `[\\w+/-]{${Math.ceil((bytes * 4) / 3)}}={0,2}`,
  ])
  .join('|');

/** A hash or fingerprint by its label, or as password files have it. Behind a label, anything else is a value. */
const HASH = new RegExp(
  `^(?:(?:[a-z]+[-_])?(?:sha[-_]?\\d{1,3}(?:[-/_]\\d{3})?|md5|blake\\d\\w{0,2}|hash|digest|fingerprint)[:=] ?(?:${DIGITS})|\\$(?:\\d[a-z]?|y|argon2\\w{1,2}|scrypt|pbkdf2[\\w-]{0,20})\\$\\S+|\\{S?(?:SHA|MD5)\\d{0,3}\\}\\S+)$`,
  'i',
);

const ANYWHERE = [/^\**$/, RUN, REPEATED, CUT, ALONE];
const FORMS = [...ANYWHERE, WORD, HASH];
const FORMS_OF_TEXT = [...ANYWHERE, BARE_WORD];

/** True for a text that stands for a secret that is not shown: it is empty, asterisks, or has one of the forms above. */
export function looksMasked(text: string): boolean {
  return FORMS.some((form) => form.test(text));
}

/** The same for a text that the catalogue does not call secret; a form that one of the given texts has, too, says nothing. */
export function looksMaskedText(text: string, given: readonly string[] = []): boolean {
  return FORMS_OF_TEXT.some((form) => form.test(text) && !given.some((one) => form.test(one)));
}

/**
 * Dotted paths of texts that are secret and that the service does not show, also where only a marker or a manifest says
 * that they are secret. An empty text in a field that the catalogue knows says that nothing is there.
 */
export function unreadablePaths(kind: Kind, spec: ValueObject): string[] {
  return Object.entries(spec).flatMap(([name, value]) =>
    opaquePaths(value, { field: kind.fields[name], path: [name] }, (text, isNamed) =>
      text === '' ? !isNamed : looksMaskedText(text),
    ),
  );
}
