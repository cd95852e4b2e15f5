// Lays a unified diff of one file into its text, exactly: each line that it names must be where it says. Names in it are not read.

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const NO_BREAK = '\\ No newline at end of file';

/** The text with the patch in it. Fails for a patch of another text. */
export function applyPatch(text, patch) {
  const lines = linesOf(text);
  const made = [];
  let at = 0;
  for (const { start, before, after } of hunksOf(patch)) {
    if (start < at || !before.every((line, index) => lines[start + index] === line))
      throw new Error(`it does not fit line ${start + 1}, which another change or a secret that is masked may explain`);
    made.push(...lines.slice(at, start), ...after);
    at = start + before.length;
  }
  return [...made, ...lines.slice(at)].join('');
}

/** The hunks: from which line on, and the lines that stand there before and after. */
function hunksOf(patch) {
  const [from = '', to = '', ...rest] = linesOf(patch);
  if (!from.startsWith('--- ') || !to.startsWith('+++ ')) throw new Error('it is no patch');
  const hunks = [];
  for (let at = 0; at < rest.length;) {
    const { hunk, end } = hunkAt(rest, at);
    hunks.push(hunk);
    at = end;
  }
  if (hunks.length === 0) throw new Error('it changes nothing');
  return hunks;
}

/** The counts in its head say where a hunk ends, whatever its lines look like. */
function hunkAt(lines, from) {
  const found = HUNK.exec(lines[from]);
  if (found === null) throw new Error('it is no patch');
  const [line, old, , made] = found.slice(1).map((digits) => Number(digits ?? 1));
  const hunk = { start: old === 0 ? line : line - 1, before: [], after: [] };
  let at = from + 1;
  for (; hunk.before.length < old || hunk.after.length < made; at += 1) {
    const mark = lines[at]?.[0];
    if (mark !== ' ' && mark !== '-' && mark !== '+') throw new Error('it is no patch');
    const isLast = lines[at + 1]?.trimEnd() === NO_BREAK;
    const text = isLast ? lines[at].slice(1).replace(/\n$/, '') : lines[at].slice(1);
    if (mark !== '+') hunk.before.push(text);
    if (mark !== '-') hunk.after.push(text);
    if (isLast) at += 1;
  }
  if (hunk.before.length !== old || hunk.after.length !== made) throw new Error('it is no patch');
  return { hunk, end: at };
}

/** With their line breaks. */
function linesOf(text) {
  return text.split(/(?<=\n)/).filter((line) => line !== '');
}
