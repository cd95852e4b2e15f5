// The forms in which a secret may appear once all escapes are undone: as it is, in lower case, decoded, in base64, in
// hexadecimal, and line by line.

import { withoutEscapes } from './decode.ts';
import { plainView } from './view.ts';

const PLAIN = /^[\w.-]+$/;
/** Shorter lines of a secret may be any word. */
const MIN_LINE = 8;
const MIN_BYTES = 4;
const MIN_BASE64 = 4;

/** All forms without repetitions, the secret itself first. */
export function spellings(secret: string): string[] {
  // Most secrets contain nothing that an encoder would escape.
  if (PLAIN.test(secret)) return [...new Set([secret, ...lowerForms(secret), ...hexForms(secret)])];
  // Half a surrogate pair has no UTF-8 form; it is written as U+FFFD.
  const whole = Buffer.from(secret, 'utf8').toString('utf8');
  const found = new Set([secret, whole, whole.trim(), ...lowerForms(whole)]);
  // Forms write a blank as a plus sign.
  for (const text of [...found]) found.add(text.replaceAll(' ', '+'));
  // If the secret looks escaped, undoing the escapes of a text changes the secret as well.
  for (const text of [...found])
    for (const view of withoutEscapes(plainView(text))) if (isLongEnough(view.text)) found.add(view.text);
  for (const text of new Set([whole, whole.trim()])) for (const coded of hexForms(text)) found.add(coded);
  for (const line of linesOf(whole)) for (const one of spellings(line)) found.add(one);
  return [...found];
}

function isLongEnough(text: string): boolean {
  return text.trim() !== '' && Buffer.byteLength(text) >= MIN_BYTES;
}

/** The lines of a multi-line secret, without frames such as `-----BEGIN PRIVATE KEY-----`, which many files have. */
function linesOf(text: string): string[] {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return lines.length < 2 ? [] : lines.filter((line) => line.length >= MIN_LINE && !/^-+[A-Z0-9 ]+-+$/.test(line));
}

/** The service may return names in lower case; a shorter text may be any word. */
function lowerForms(text: string): string[] {
  return text.length < MIN_LINE ? [] : [text.toLowerCase()];
}

function hexForms(text: string): string[] {
  const hex = Buffer.from(text, 'utf8').toString('hex');
  return [hex, hex.toUpperCase()];
}

/** The base64 characters that depend on the secret alone, for each offset inside other bytes. */
export function base64Forms(secret: string): string[] {
  const whole = Buffer.from(secret, 'utf8').toString('utf8');
  const texts = new Set([whole, whole.trim(), ...linesOf(whole)]);
  return [...new Set([...texts].flatMap((text) => coresOf(Buffer.from(text, 'utf8'))))];
}

function coresOf(bytes: Buffer): string[] {
  const forms = [0, 1, 2].flatMap((offset) => {
    const coded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const core = coded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return forms.filter((core) => core.length >= MIN_BASE64);
}
