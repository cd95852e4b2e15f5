// Finds members and ends of values in JSON text without parsing it. Sees both of two members with the same name, of which a
// parser keeps only the last.

const BLANK = ' \t\n\r';

/** One member of an object: from its name to the end of its value. */
export interface Member {
  readonly name: string;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** The members of the JSON object that begins at the first brace; the text must be valid from there to its end. */
export function membersOf(text: string): Member[] {
  const members: Member[] = [];
  let at = skipBlank(text, text.indexOf('{') + 1);
  while (text[at] === '"') {
    const nameEnd = endOfString(text, at);
    const valueStart = skipBlank(text, skipBlank(text, nameEnd) + 1);
    const end = endOfValue(text, valueStart) ?? text.length;
    members.push({ name: String(JSON.parse(text.slice(at, nameEnd))), start: at, valueStart, end });
    at = skipBlank(text, end);
    if (text[at] === ',') at = skipBlank(text, at + 1);
  }
  return members;
}

/**
 * The name of a list that one object of a JSON document has twice, at any depth; a parser keeps only the last one. `null` in the
 * place of a list counts.
 */
export function repeatedList(text: string): string | undefined {
  /** The lists of each object around the place; undefined for a list around it. */
  const around: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '{') around.push(new Set());
    else if (sign === '[') around.push(undefined);
    else if (sign === '}' || sign === ']') around.pop();
    if (sign !== '"') continue;
    const end = endOfString(text, at);
    const name = nameOfList(text, at, end);
    if (name !== undefined && around.at(-1)?.has(name) === true) return name;
    if (name !== undefined) around.at(-1)?.add(name);
    at = end - 1;
  }
  return undefined;
}

/** The name of a member whose value is a list or `null`; undefined for other strings. */
function nameOfList(text: string, start: number, end: number): string | undefined {
  const colon = skipBlank(text, end);
  if (text[colon] !== ':') return undefined;
  const value = text[skipBlank(text, colon + 1)];
  return value === '[' || value === 'n' ? String(JSON.parse(text.slice(start, end))) : undefined;
}

/** Where the value that begins at `start` ends; undefined when a brace or a quote is not closed. */
export function endOfValue(text: string, start: number): number | undefined {
  if (text[start] === '"') return closed(text, endOfString(text, start));
  if (text[start] !== '{' && text[start] !== '[') return endOfWord(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') at = endOfString(text, at) - 1;
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function closed(text: string, end: number): number | undefined {
  return end <= text.length ? end : undefined;
}

/** The position after the closing quote, or past the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1))
    if (!isEscaped(text, quote)) return quote + 1;
  return text.length + 1;
}

/** A quote behind an odd number of backslashes. */
function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text[first - 1] === '\\') first -= 1;
  return (quote - first) % 2 === 1;
}

function endOfWord(text: string, start: number): number {
  let at = start;
  while (at < text.length && !`${BLANK},]}`.includes(text[at] ?? '')) at += 1;
  return at;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length && BLANK.includes(text[at] ?? '')) at += 1;
  return at;
}
