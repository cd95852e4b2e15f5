// Text patterns that several kinds share. No service could accept other values, so they are rejected before any request.

import { BLANK, codePoint, UNSEEN } from '../../core/text/text.ts';
import { trimEndOf } from '../../core/text/trim.ts';
import type { Field, Pattern } from '../field.ts';
import { DOMAIN_WORDS, HOST_CHARACTER, HOST_WORDS } from '../host.ts';

/** A DNS name or IPv4 address by its characters, perhaps with `*.` in front; the catalogue's forms check the rest. */
const NAME = `(?:\\*\\.)?${HOST_CHARACTER}+`;

/** 1 to 65535, without leading zeros. */
const PORT = '(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])';

export const FORMS = {
  hostport: {
    regex: `^(?:${NAME}|\\[[0-9A-Fa-f:.]+\\]):${PORT}$`,
    words: `host:port, with a port from 1 to 65535 and no leading zeros; a host is ${HOST_WORDS}`,
  },
  host: { regex: `^${NAME}$`, words: `a host without port or path: ${DOMAIN_WORDS}` },
  email: { regex: `^[^\\s@${BLANK}]+@${NAME}$`, words: `NAME@HOST, where a host is ${DOMAIN_WORDS}` },
  /** A path, a host, or both. */
  selector: {
    regex: `^[^\\s${BLANK}]+$`,
    words: `a path that begins with "/", a host, or a host with a path, without spaces; a host is ${HOST_WORDS}`,
  },
  /** A header name (RFC 9110, "token"). */
  headerName: {
    regex: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
    words: 'the name of a header: letters, digits and hyphens, without spaces',
  },
  /** A header value: one line of text (RFC 9110). */
  headerValue: {
    regex:
      '^(?:[^\\s\\u0000-\\u001f\\u007f](?:[^\\u0000-\\u0008\\u000a-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f])?)?$',
    words: 'one line of text, without control characters and without leading or trailing spaces',
  },
} as const satisfies Readonly<Record<string, Pattern>>;

/** Fast path: most texts contain only these characters, which are allowed everywhere. */
const PRINTABLE = /^[\x20-\x7e]*$/;

/** The first character that the field, or any text, must not contain (ADR-0025), as `U+0007`. */
export function forbiddenCharacterIn(text: string, field?: Field): string | undefined {
  if (PRINTABLE.test(text)) return undefined;
  const found = text.match(UNSEEN) ?? text.match(breaksIn(field));
  return found === null ? undefined : codePoint(found[0]);
}

/** Line breaks where none are allowed. Secrets may be keys of several lines; a pattern, a closed set or an id decides for itself, except at the end. */
function breaksIn(field: Field | undefined): RegExp {
  if (field?.type !== 'string' || field.lines === 'many' || field.sensitive === true) return /(?!)/;
  return (field.pattern ?? field.values ?? field.ref) === undefined ? /[\t\n\r]/ : /\r?\n$|\r$/;
}

export function forbiddenCharacterMessage(codePoint: string): string {
  return `the text holds the character ${codePoint}, which is not allowed here`;
}

/** The text without invisible characters (ADR-0025) if it is otherwise valid, and the first such character. */
export function withoutBlanks(
  text: string,
  form: RegExp,
): { readonly text: string; readonly first: string } | undefined {
  const blanks = new RegExp(`(?![\\t\\n\\r])[${BLANK}]`, 'gu');
  const [first] = text.match(blanks) ?? [];
  const left = text.replace(blanks, '');
  return first === undefined || !form.test(left) ? undefined : { text: left, first: codePoint(first) };
}

/** A final line break is rarely intended: YAML blocks and files end in one. */
export const FINAL_BREAK_FIX =
  'remove the line break at the end; a YAML block has none after >- or |-, and one at the end of a file is dropped';

export function withoutFinalBreak(text: string): string {
  return trimEndOf(text, '\r\n');
}
