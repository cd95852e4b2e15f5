// Generates ids and tokens from a counter, so that the same requests give the same ids. Knows no kind.

import { createHash } from 'node:crypto';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const COUNTER_LENGTH = 9;
const FILLER_LENGTH = 17;
const TOKEN_LENGTH = 32;

/** Prefix and 27 base62 characters; later objects have greater ids in code-unit order. */
export function makeId(prefix: string, number: number): string {
  return `${prefix}2${base62(number).padStart(COUNTER_LENGTH, '0')}${scramble(`${prefix}${number}`, FILLER_LENGTH)}`;
}

/** A bearer token that cannot be guessed without the seed. Its first half repeats the id. */
export function makeToken(id: string, seed: string): string {
  return `${id.slice(id.indexOf('_') + 1)}_${scramble(`${seed}\n${id}`, TOKEN_LENGTH)}`;
}

function base62(number: number): string {
  let rest = number;
  let text = '';
  do {
    text = (DIGITS[rest % 62] ?? '') + text;
    rest = Math.floor(rest / 62);
  } while (rest > 0);
  return text;
}

function scramble(text: string, length: number): string {
  const bytes = createHash('sha256').update(text, 'utf8').digest();
  return [...bytes.subarray(0, length)].map((byte) => DIGITS[byte % 62]).join('');
}
