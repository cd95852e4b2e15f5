// Texts without the escapes that any encoder may have written: one table of ways to escape, each undone wherever it stands,
// whatever else it stands among, so that nobody has to know which encoder it was.

import { ENTITIES } from './entities.ts';
import type { View } from './view.ts';
import { plainView, rewritten } from './view.ts';

/** One way to write a character. Ends of tokens are found by the pattern alone, so that a text is read in one pass. */
interface Decoder {
  readonly pattern: string;
  /** What the token says; the token itself when it says nothing. */
  readonly decode: (token: string) => string;
}

const HEX = '[0-9A-Fa-f]';
const NEXT = `[89ABab]${HEX}`;

/** A character as its bytes in UTF-8, or a single byte. */
function bytesBehind(sign: string): string {
  const tail = `(?:${sign}${NEXT})`;
  return `${sign}(?:[CDcd]${HEX}${tail}|[Ee]${HEX}${tail}{2}|[Ff][0-7]${tail}{3}|${HEX}{2})`;
}

/** UTF-8 where the bytes are that, and Latin-1 where they are not. */
function fromBytes(token: string): string {
  const bytes = Buffer.from(token.replace(/[^0-9A-Fa-f]/g, ''), 'hex');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') && !bytes.equals(REPLACEMENT) ? bytes.toString('latin1') : text;
}

const REPLACEMENT = Buffer.from('\ufffd', 'utf8');

function fromCode(token: string, base: number): string {
  const code = Number.parseInt(token.replace(base === 10 ? /\D/g : /^(?:\\[uU]|%u|&#[xX])|[^0-9A-Fa-f]/g, ''), base);
  return code <= 0x10ffff ? String.fromCodePoint(code) : token;
}

/** A character of UTF-8, byte for byte in octal. */
const OCTAL = String.raw`\\(?:3[0-3][0-7]\\2[0-7]{2}|3[45][0-7](?:\\2[0-7]{2}){2}|36[0-7](?:\\2[0-7]{2}){3}|[0-3][0-7]{2})`;

function fromOctal(token: string): string {
  return fromBytes(
    token.replace(/\\(\d{3})/g, (_, digits: string) => Number.parseInt(digits, 8).toString(16).padStart(2, '0')),
  );
}

/** Only what a sign of equality itself, or a character beyond ASCII, is written as: `a=12` is none. */
const PRINTABLE = '=(?:3D|[CD][0-9A-F]=[89AB][0-9A-F]|E[0-9A-F](?:=[89AB][0-9A-F]){2}|F[0-7](?:=[89AB][0-9A-F]){3})';

/** A letter and its marks, or the parts of a syllable of Hangul. */
const DECOMPOSED =
  '[\\u1100-\\u1112][\\u1161-\\u1175][\\u11a8-\\u11c2]?|\\P{M}(?:(?!\\p{Default_Ignorable_Code_Point})\\p{M})+';

const fromHex = (token: string) => fromCode(token, 16);
const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** The ways, for languages that have them; a percent sign and an entity are the same in all. */
export const DECODERS: Readonly<Record<string, Decoder>> = {
  unit: { pattern: `\\\\u${HEX}{4}`, decode: fromHex },
  codePoint: { pattern: `\\\\u\\{${HEX}{1,6}\\}`, decode: fromHex },
  longUnit: { pattern: `\\\\U${HEX}{8}`, decode: fromHex },
  byte: { pattern: bytesBehind('\\\\x'), decode: fromBytes },
  octal: { pattern: OCTAL, decode: fromOctal },
  control: { pattern: '\\\\[bfnrtv]', decode: (token) => CONTROLS[token.slice(1)] ?? token },
  sign: { pattern: '\\\\[!-\\/:-@\\[-`\\{-~]', decode: (token) => token.slice(1) },
  percent: { pattern: bytesBehind('%'), decode: fromBytes },
  percentUnit: { pattern: `%u${HEX}{4}`, decode: fromHex },
  decimal: { pattern: '&#[0-9]{1,12};?', decode: (token) => fromCode(token, 10) },
  hexadecimal: { pattern: `&#[xX]${HEX}{1,12};?`, decode: fromHex },
  entity: { pattern: '&[A-Za-z][A-Za-z0-9]{1,9};', decode: (token) => ENTITIES.get(token.slice(1, -1)) ?? token },
  quotedPrintable: { pattern: PRINTABLE, decode: fromBytes },
  softBreak: { pattern: '=\\r?\\n', decode: () => '' },
  decomposed: { pattern: DECOMPOSED, decode: (token) => token.normalize('NFC') },
  invisible: { pattern: '[\\p{Cf}\\p{Default_Ignorable_Code_Point}]', decode: () => '' },
};

const WAYS = Object.values(DECODERS).map(({ pattern, decode }) => ({
  whole: new RegExp(`^(?:${pattern})$`, 'u'),
  decode,
}));
const TOKENS = new RegExp(
  Object.values(DECODERS)
    .map(({ pattern }) => pattern)
    .join('|'),
  'gu',
);

function decoded(token: string): string {
  return WAYS.find(({ whole }) => whole.test(token))?.decode(token) ?? token;
}

/** A text in an escape in an escape in another: deeper ones nobody writes by accident. */
const DEPTH = 4;

/** The text as it is, and with one layer of escapes after the other undone, as long as there are any. */
export function decodedViews(text: string): View[] {
  const views = [plainView(text)];
  for (let view = views[0]; view !== undefined && views.length <= DEPTH;) {
    view = rewritten(view, TOKENS, decoded);
    if (view !== undefined) views.push(view);
  }
  return views;
}
