// Trims other characters than blanks. A regular expression such as `/x+$/` takes the square of a run that does not stand at the
// end, because it is tried again from each of its characters (record 0041).

/** The text without the given characters at its end. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** The text without the given characters at its beginning. */
export function trimStartOf(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start += 1;
  return text.slice(start);
}

/** The text without the given characters at its beginning and at its end. */
export function trimOf(text: string, characters: string): string {
  return trimStartOf(trimEndOf(text, characters), characters);
}
