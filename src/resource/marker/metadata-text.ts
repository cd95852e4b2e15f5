// When two texts of a user's metadata are the same text laid out in two ways, as editors and formatters do it around a marker.

import { isObject, tryParseJson } from '../../core/json.ts';

/** True for JSON objects that differ in blanks between their members, and for other texts that differ in line breaks and final blanks. */
export function isOnlyReformatted(one: string, other: string): boolean {
  return one === other || contentOf(one) === contentOf(other);
}

/** An empty object is none: once somebody laid out the text around a marker, the two cannot be told apart. */
function contentOf(text: string): string {
  if (!isObjectText(text)) return text.replaceAll(/\r\n?/g, '\n').trimEnd();
  const bare = withoutBlanks(text);
  return bare === '{}' ? '' : bare;
}

function isObjectText(text: string): boolean {
  return /^[ \t\n\r]*\{/.test(text) && isObject(tryParseJson(text));
}

const BLANKS = ' \t\n\r';

/** JSON text without the blanks outside its strings. */
function withoutBlanks(json: string): string {
  let isInString = false;
  let isEscaped = false;
  let bare = '';
  for (const character of json) {
    if (isInString || !BLANKS.includes(character)) bare += character;
    if (character === '"' && !isEscaped) isInString = !isInString;
    isEscaped = character === '\\' && !isEscaped;
  }
  return bare;
}
