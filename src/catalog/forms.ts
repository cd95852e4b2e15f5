// Forms of text that several kinds share. No value of them could be accepted by any service: they are refused before one is asked.

import { codePoint, UNSEEN } from '../base/text.ts';
import type { Field, Pattern } from './field.ts';

/** Control characters, as the inside of a class. */
const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';

/** A character of a host: what would end it, or could not be seen, is none. */
const HOST = `[^\\s/:${CONTROL}]`;

/** 1 to 65535, without leading zeros. */
const PORT = '(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])';

export const HOSTPORT: Pattern = {
  regex: `^(?:${HOST}+|\\[[0-9A-Fa-f:.]+\\]):${PORT}$`,
  words: 'host:port, with a port from 1 to 65535 and no leading zeros',
};

export const DOMAIN: Pattern = {
  regex: `^${HOST}*[^\\s/:.${CONTROL}]$`,
  words: 'a domain name without port, path or final dot',
};

/** A path, a host, or both. */
export const SELECTOR: Pattern = {
  regex: `^[^\\s${CONTROL}]+$`,
  words: 'a path, host, or host with path, without spaces',
};

/** A name of a header (RFC 9110, "token"). */
export const HEADER_NAME: Pattern = {
  regex: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
  words: 'the name of a header: letters, digits and hyphens, without spaces',
};

/** A value of a header: text of one line (RFC 9110). */
export const HEADER_VALUE: Pattern = {
  regex:
    '^(?:[^\\s\\u0000-\\u001f\\u007f](?:[^\\u0000-\\u0008\\u000a-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f])?)?$',
  words: 'text of one line, without control characters, and without spaces at its ends',
};

/** The first character that text of the field, or any text, cannot hold (ADR-0025), as `U+0007`. */
export function strangeIn(text: string, field?: Field): string | undefined {
  const found = text.match(UNSEEN) ?? (mayHaveLines(field) ? null : text.match(/[\t\n\r]/));
  return found === null ? undefined : codePoint(found[0]);
}

/** Secrets may be keys of several lines; a pattern says itself what fits, and so do values and ids. */
function mayHaveLines(field: Field | undefined): boolean {
  if (field?.type !== 'string') return true;
  const { lines, sensitive, pattern, values, ref } = field;
  return lines === 'many' || sensitive === true || (pattern ?? values ?? ref) !== undefined;
}
