// Text that may stand as one segment of a URL path. Knows nothing of whose ids they are.

/**
 * Only characters that no URL parser reads as anything else and no encoding changes (RFC 3986, "unreserved"), so that what
 * was checked is what is sent.
 */
export const SEGMENT_CHARACTER = '[A-Za-z0-9._~-]';
/** Most characters: an id is no message. */
export const LONGEST_SEGMENT = 200;

const WHOLE = new RegExp(`^${SEGMENT_CHARACTER}{1,${LONGEST_SEGMENT}}$`);

/** True for one whole segment; `.` and `..` are steps, not segments. */
export function isSegment(text: string): boolean {
  return WHOLE.test(text) && text !== '.' && text !== '..';
}
