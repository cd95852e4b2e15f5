// Differences between two sequences of text, in order (longest common subsequence) or as sets.

/** One entry of the merged sequence: in both (' '), only in the first ('-') or only in the second ('+'). */
export interface Entry {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** Above this many comparisons the middle part is shown as removed and added, which is correct but less precise. */
const MAX_CELLS = 1_000_000;

/** The shortest way from `before` to `after`, entry by entry, order kept. */
export function sequenceDiff(before: readonly string[], after: readonly string[]): Entry[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const a = before.slice(start, before.length - end);
  const b = after.slice(start, after.length - end);
  const middle = a.length * b.length > MAX_CELLS ? [...entries('-', a), ...entries('+', b)] : middleDiff(a, b);
  return [...entries(' ', before.slice(0, start)), ...middle, ...entries(' ', before.slice(before.length - end))];
}

function entries(mark: Entry['mark'], texts: readonly string[]): Entry[] {
  return texts.map((text) => ({ mark, text }));
}

function middleDiff(a: readonly string[], b: readonly string[]): Entry[] {
  const lengths = commonLengths(a, b);
  const found: Entry[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const left = a[i];
    const right = b[j];
    if (left !== undefined && left === right) {
      found.push({ mark: ' ', text: left });
      i++;
      j++;
    } else if (
      right === undefined ||
      (left !== undefined && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))
    ) {
      found.push({ mark: '-', text: left ?? '' });
      i++;
    } else {
      found.push({ mark: '+', text: right });
      j++;
    }
  }
  return found;
}

/** `result[i][j]`: length of the longest common subsequence of `a` from i on and `b` from j on. */
function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, () => 0)];
  for (let i = a.length - 1; i >= 0; i--) {
    const below = rows[0] ?? [];
    const row = Array.from({ length: b.length + 1 }, () => 0);
    for (let j = b.length - 1; j >= 0; j--) {
      row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
    rows.unshift(row);
  }
  return rows;
}

/** What only one of the two has, removed first, and how many both have. Order has no meaning. */
export function setDiff(before: readonly string[], after: readonly string[]): { entries: Entry[]; equal: number } {
  const rest = [...after];
  const removed: string[] = [];
  for (const text of before) {
    const at = rest.indexOf(text);
    if (at === -1) removed.push(text);
    else rest.splice(at, 1);
  }
  return { entries: [...entries('-', removed), ...entries('+', rest)], equal: before.length - removed.length };
}
