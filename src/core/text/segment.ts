// Text that may be one segment of a URL path. Does not know whose ids they are.

/**
 * Only characters that every URL parser reads alike and no encoding changes (RFC 3986, "unreserved"), so that the text that was
 * checked is the text that is sent.
 */
export const SEGMENT_CHARACTER = '[A-Za-z0-9._~-]';
/** Maximum length; no id is longer. */
export const LONGEST_SEGMENT = 200;

const WHOLE = new RegExp(`^${SEGMENT_CHARACTER}{1,${LONGEST_SEGMENT}}$`);

/** True for a whole segment; `.` and `..` are relative steps, not segments. */
export function isSegment(text: string): boolean {
  return WHOLE.test(text) && text !== '.' && text !== '..';
}
