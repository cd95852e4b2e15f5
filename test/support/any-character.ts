// Any code point, lone surrogates among them, as a unit of strings. The library's own `binary` first builds a table of all of them, which
// takes longer than the tests that draw from it.

import * as fc from 'fast-check';

export const ANY_CHARACTER = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));
