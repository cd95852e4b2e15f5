// Forms of text that several kinds share. No value of them could be accepted by any service: they are refused before one is asked.

import { BLANK, codePoint, UNSEEN } from '../../core/text/text.ts';
import type { Field, Pattern } from '../field.ts';

/** A character of a host: what would end it, or could not be seen, is none. */
const HOST = `[^\\s/:${BLANK}]`;

/** 1 to 65535, without leading zeros. */
const PORT = '(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])';

export const FORMS = {
  hostport: {
    regex: `^(?:${HOST}+|\\[[0-9A-Fa-f:.]+\\]):${PORT}$`,
    words: 'host:port, with a port from 1 to 65535 and no leading zeros',
  },
  domain: {
    regex: `^${HOST}*[^\\s/:.${BLANK}]$`,
    words: 'a domain name without port, path or final dot',
  },
  /** A path, a host, or both. */
  selector: {
    regex: `^[^\\s${BLANK}]+$`,
    words: 'a path, host, or host with path, without spaces',
  },
  /** A name of a header (RFC 9110, "token"). */
  headerName: {
    regex: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
    words: 'the name of a header: letters, digits and hyphens, without spaces',
  },
  /** A value of a header: text of one line (RFC 9110). */
  headerValue: {
    regex:
      '^(?:[^\\s\\u0000-\\u001f\\u007f](?:[^\\u0000-\\u0008\\u000a-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f])?)?$',
    words: 'one line of text, without control characters and without leading or trailing spaces',
  },
} as const satisfies Readonly<Record<string, Pattern>>;

/** Most texts: nothing of them is forbidden anywhere. */
const PRINTABLE = /^[\x20-\x7e]*$/;

/** The first character that text of the field, or any text, cannot hold (ADR-0025), as `U+0007`. */
export function forbiddenCharacterIn(text: string, field?: Field): string | undefined {
  if (PRINTABLE.test(text)) return undefined;
  const found = text.match(UNSEEN) ?? text.match(breaksIn(field));
  return found === null ? undefined : codePoint(found[0]);
}

/** What breaks a line where none may be broken: secrets may be keys of several lines; a pattern, a set of values and ids say themselves what fits before the end. */
function breaksIn(field: Field | undefined): RegExp {
  if (field?.type !== 'string' || field.lines === 'many' || field.sensitive === true) return /(?!)/;
  return (field.pattern ?? field.values ?? field.ref) === undefined ? /[\t\n\r]/ : FINAL_BREAK.pattern;
}

/** What is told of a character that a text cannot hold. */
export function forbiddenCharacterMessage(codePoint: string): string {
  return `the text holds the character ${codePoint}, which is not allowed here`;
}

/** The text without what cannot be seen (ADR-0025), when only that keeps it from its form, and the first such character. */
export function withoutBlanks(
  text: string,
  form: RegExp,
): { readonly text: string; readonly first: string } | undefined {
  const blanks = new RegExp(`(?![\\t\\n\\r])[${BLANK}]`, 'gu');
  const [first] = text.match(blanks) ?? [];
  const left = text.replace(blanks, '');
  return first === undefined || !form.test(left) ? undefined : { text: left, first: codePoint(first) };
}

/** A line break at the end is seldom meant: blocks of YAML and files end in one. */
export const FINAL_BREAK = {
  pattern: /[\r\n]+$/,
  fix: 'remove the line break at the end; a YAML block has none when it begins with >- or |-',
} as const;
