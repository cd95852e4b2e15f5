// What a service writes in place of a secret that it does not show (ADR-0009).

import type { ValueObject } from '../base/value.ts';
import type { Kind } from '../catalog/kind.ts';
import { opaquePaths } from '../catalog/secrecy.ts';

/** Signs that stand for characters which are not shown; three of them in a row are not in a secret by chance. */
const RUN = /[*•●·∙⋅▪■█]{3,}/u;

/** A word that says of the value that it is not here. */
const WORDS = [
  'redacted',
  'hidden',
  'masked',
  'sensitive',
  'secret',
  'omitted',
  'removed',
  'protected',
  'private',
  'concealed',
  'filtered',
  'obfuscated',
  'suppressed',
  'encrypted',
  'withheld',
  'write[ _-]?only',
  'not[ _-]shown',
];
const WORD = new RegExp(`^[^\\p{L}\\p{N}]*(?:${WORDS.join('|')})[^\\p{L}\\p{N}]*$`, 'iu');

/**
 * A text stands for a secret that is not shown when it is empty or only asterisks, when it has a run of three or more
 * of the signs that hide characters, or when it is one of the words for that, alone or in brackets.
 */
export function isMask(text: string): boolean {
  return /^\**$/.test(text) || RUN.test(text) || WORD.test(text);
}

/**
 * Dotted paths of texts that are secret and that the service does not show, also where only a marker or a manifest says
 * that they are secret. An empty text in a field that the catalogue knows says that nothing is there.
 */
export function unshownIn(kind: Kind, spec: ValueObject): string[] {
  return Object.entries(spec).flatMap(([name, value]) =>
    opaquePaths(value, { field: kind.fields[name], path: [name] }, (text, isNamed) =>
      text === '' ? !isNamed : isMask(text),
    ),
  );
}
