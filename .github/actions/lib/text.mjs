// Texts that come from variables and answers: each is read once from its beginning to its end, whatever it is.

/** The address without slashes at its end. */
export function withoutSlashes(address) {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}

/** The address of a service as documents have it. */
export function serviceOf(text = '') {
  return URL.canParse(text) ? new URL(text).href : text;
}

/** A name of git as code in Markdown. Git allows the sign that would end it. */
export function asCode(name) {
  return name.includes('`') ? 'another branch' : `\`${name}\``;
}

/** The lines that say something. */
export function lines(text = '') {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The address of the next page in a header `Link`. */
export function nextIn(link) {
  const end = link.search(/>;\s*rel="next"/);
  return end < 0 ? undefined : link.slice(link.lastIndexOf('<', end) + 1, end);
}

const BLANK = /\s/;

/**
 * Words as a shell divides them: by blanks that stand in no quotes. A backslash is one unless a quote, a blank or another follows;
 * a quote that is never closed is one.
 */
export function wordsIn(text = '') {
  const words = [];
  let word;
  for (let at = 0; at < text.length;) {
    const isBlank = BLANK.test(text[at]);
    if (isBlank && word !== undefined) words.push(word);
    const { piece, end } = pieceAt(text, at);
    word = isBlank ? undefined : `${word ?? ''}${piece}`;
    at = end;
  }
  return word === undefined ? words : [...words, word];
}

/** What a word gets from the text at a position, and where that ends. */
function pieceAt(text, at) {
  const sign = text[at];
  const end = sign === '"' ? endOfDouble(text, at) : sign === "'" ? text.indexOf("'", at + 1) : -1;
  if (end > 0) return { piece: inside(sign, text.slice(at + 1, end)), end: end + 1 };
  const isEscape = sign === '\\' && at + 1 < text.length && /[\s"'\\]/.test(text[at + 1]);
  return isEscape ? { piece: text[at + 1], end: at + 2 } : { piece: sign, end: at + 1 };
}

function inside(quote, text) {
  return quote === '"' ? text.replace(/\\(["\\])/g, '$1') : text;
}

/** Where the double quote is closed that opens at a position; a backslash before the only other one stands for itself. */
function endOfDouble(text, at) {
  for (let next = at + 1; next < text.length; next += 1) {
    if (text[next] === '"') return next;
    if (text[next] === '\\' && (text[next + 1] === '"' || text[next + 1] === '\\')) next += 1;
  }
  const last = text.lastIndexOf('"');
  return last > at ? last : -1;
}
