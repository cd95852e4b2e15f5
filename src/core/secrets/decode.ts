// Undoes escapes: one table of ways to escape a character, each undone wherever it occurs, so that nobody has to know the
// encoder; and one of optional readings, for texts that may not be encoded at all.

import { BASE64, FOLDS } from './base64.ts';
import { plainView, rewritten, type TextRewrite, type View } from './view.ts';

/** One way to write a character. The pattern alone finds the end of a token, so that a text is read in one pass. */
interface Decoder {
  readonly pattern: string;
  /** The decoded token, or the token itself if it does not decode. */
  readonly decode: (token: string) => string;
}

const HEX = '[0-9A-Fa-f]';
const NEXT = `[89ABab]${HEX}`;

/** Pattern for a character as escaped UTF-8 bytes, or for a single byte. */
function bytesBehind(sign: string): string {
  const tail = `(?:${sign}${NEXT})`;
  return `${sign}(?:[CDcd]${HEX}${tail}|[Ee]${HEX}${tail}{2}|[Ff][0-7]${tail}{3}|${HEX}{2})`;
}

/** Decodes as UTF-8 if the bytes are valid, otherwise as Latin-1. */
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

/** A UTF-8 character, each byte in octal. */
const OCTAL = String.raw`\\(?:3[0-3][0-7]\\2[0-7]{2}|3[45][0-7](?:\\2[0-7]{2}){2}|36[0-7](?:\\2[0-7]{2}){3}|[0-3][0-7]{2})`;

function fromOctal(token: string): string {
  return fromBytes(
    token.replace(/\\(\d{3})/g, (_, digits: string) => Number.parseInt(digits, 8).toString(16).padStart(2, '0')),
  );
}

/** UTF-8 bytes that were misread as Latin-1 or as Windows-1252, which has its own signs for some of them. */
const SIGNS = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, index) => 0x80 + index));
const TAIL = `[\x80-\xbf${SIGNS}]`;
const MISREAD = `[\xc2-\xdf]${TAIL}|[\xe0-\xef]${TAIL}{2}|[\xf0-\xf4]${TAIL}{3}`;

function fromMisread(token: string): string {
  const bytes = Array.from(token, (one) => (SIGNS.includes(one) ? 0x80 + SIGNS.indexOf(one) : one.charCodeAt(0)));
  const text = Buffer.from(bytes).toString('utf8');
  return text.includes('\ufffd') ? token : text;
}

/** A letter with its combining marks, or the parts of a Hangul syllable. */
const DECOMPOSED =
  '[\\u1100-\\u1112][\\u1161-\\u1175][\\u11a8-\\u11c2]?|\\P{M}(?:(?!\\p{Default_Ignorable_Code_Point})\\p{M})+';

const fromHex = (token: string) => fromCode(token, 16);
const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Decoders by type of escape, for all languages and formats. */
const DECODERS: Readonly<Record<string, Decoder>> = {
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
  notation: {
    pattern: `U\\+${HEX}{4,6}(?: U\\+${HEX}{4,6})*`,
    decode: (token) => token.split(' ').map(fromHex).join(''),
  },
  byteList: { pattern: `${HEX}{2}(?::${HEX}{2}){3,}`, decode: fromBytes },
  shellQuote: { pattern: `'(?:\\\\'|"'")'`, decode: () => "'" },
  doubled: { pattern: `''|""`, decode: (token) => token.slice(1) },
  misread: { pattern: MISREAD, decode: fromMisread },
  decomposed: { pattern: DECOMPOSED, decode: (token) => token.normalize('NFC') },
  invisible: { pattern: '[\\p{Cf}\\p{Default_Ignorable_Code_Point}]', decode: () => '' },
};

const WAYS = Object.values(DECODERS).map(({ pattern, decode }) => ({
  whole: new RegExp(`^(?:${pattern})$`, 'u'),
  decode,
}));
const tokensOf = (decoders: readonly Decoder[]) => new RegExp(decoders.map(({ pattern }) => pattern).join('|'), 'gu');

function decoded(token: string): string {
  return WAYS.find(({ whole }) => whole.test(token))?.decode(token) ?? token;
}

const ESCAPES: TextRewrite = { tokens: tokensOf(Object.values(DECODERS)), change: decoded };

/** Composes decomposed text. Most text is composed already, and searching it would take longer than everything else. */
const COMPOSED: TextRewrite = {
  tokens: tokensOf(Object.values(DECODERS).filter(({ pattern }) => pattern !== DECOMPOSED)),
  change: decoded,
};

/** Decodings that would spoil other text: `a=12` is an escape only in mail. Each result is searched in addition to the text. */
const READINGS: Readonly<Record<string, TextRewrite>> = {
  quotedPrintable: { tokens: new RegExp(`${bytesBehind('(?:=\\r?\\n)?=')}|=\\r?\\n`, 'g'), change: fromBytes },
  base64: BASE64,
  folds: FOLDS,
};

/** Maximum number of nested escapes or readings; deeper nesting does not happen by accident. */
const DEPTH = 4;
const MOST_READINGS = 3;

/** The text as it is, and after each layer of escapes that was undone. */
export function withoutEscapes(first: View): View[] {
  const views = [first];
  for (let view: View | undefined = first; view !== undefined && views.length <= DEPTH;) {
    view = rewritten(view, view.text.normalize('NFC') === view.text ? COMPOSED : ESCAPES);
    if (view !== undefined) views.push(view);
  }
  return views;
}

/** The same, and each reading of the results. */
export function decodedViews(text: string): View[] {
  return viewsFrom(plainView(text), MOST_READINGS);
}

function viewsFrom(first: View, readings: number): View[] {
  const views = withoutEscapes(first);
  const last = views.at(-1) ?? first;
  if (readings === 0) return views;
  const read = Object.values(READINGS).flatMap((way) => {
    const view = rewritten(last, way);
    return view === undefined ? [] : viewsFrom(view, readings - 1);
  });
  return [...views, ...read];
}

/** Each name, followed by its character. */
const ENTITY_SIGNS =
  'excl! quot" QUOT" num# dollar$ percnt% amp& AMP& apos\' lpar( rpar) ast* plus+ comma, period. sol/ colon: semi; ' +
  'lt< LT< equals= gt> GT> quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] Hat^ lowbar_ grave` lcub{ lbrace{ ' +
  'verbar| vert| rcub} rbrace} euro€ ndash– mdash— hyphen‐ dash‐ lsquo‘ rsquo’ sbquo‚ ldquo“ rdquo” bdquo„ lsaquo‹ ' +
  'rsaquo› hellip… bull• dagger† Dagger‡ permil‰ trade™ OEligŒ oeligœ ScaronŠ scaronš ZcaronŽ zcaronž YumlŸ fnofƒ ' +
  'circˆ tilde˜';

const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot ' +
  'cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml ' +
  'Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig ' +
  'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ' +
  'ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

const FIRST_OF_LATIN_1 = 0xa0;

export const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['Tab', '\t'],
  ['NewLine', '\n'],
  ...ENTITY_SIGNS.split(' ').map((one): [string, string] => [one.slice(0, -1), one.slice(-1)]),
  ...LATIN_1.split(' ').map((name, index): [string, string] => [name, String.fromCharCode(FIRST_OF_LATIN_1 + index)]),
]);
