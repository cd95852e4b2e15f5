// The width of a text in a terminal, where a character takes zero, one or two columns.

/** Characters that take two columns: East Asian ones and pictographs. */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;
/** Characters drawn over the previous one: marks, and the parts of a Korean syllable after its first. */
const COMBINING = /[\p{Mn}\p{Me}\u1160-\u11ff\ud7b0-\ud7fb]/u;
/** Escape sequences that only set colours. */
const STYLES = /\u001b\[[\d;]*m/g;

export function columns(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let count = 0;
  for (const character of text.replace(STYLES, '')) count += characterColumns(character);
  return count;
}

function characterColumns(character: string): number {
  return COMBINING.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - columns(text)));
}

/** The text truncated to the width, without escape sequences. */
export function cut(text: string, width: number): string {
  const isWide = columns(text) > width;
  let left = isWide ? width - 1 : width;
  let shown = '';
  for (const [character] of text.matchAll(/\P{Cc}/gu)) {
    left -= characterColumns(character);
    if (left >= 0) shown += character;
  }
  return isWide ? `${shown}…` : shown;
}
