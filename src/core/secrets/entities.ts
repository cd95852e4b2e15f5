// Named character references of HTML that encoders write: for ASCII signs, for Latin-1 (in code order) and for Windows-1252.

/** Each name, followed by its character. */
const SIGNS =
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
  ...SIGNS.split(' ').map((one): [string, string] => [one.slice(0, -1), one.slice(-1)]),
  ...LATIN_1.split(' ').map((name, index): [string, string] => [name, String.fromCharCode(FIRST_OF_LATIN_1 + index)]),
]);
