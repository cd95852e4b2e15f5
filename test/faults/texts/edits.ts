// What people, programs and adversaries do to a text: each edit takes its choices from numbers, so that the same numbers give the
// same text. Edits that repeat something take how often, so that a case can be tried at twice the size.

/** Lines that a manifest has once: its version and its stack. */
const HEAD_LINES = 2;

/** A number from 0 to 1. */
export type Chance = () => number;

/** `times` is how often a repeated part stands there. */
export type Edit = (text: string, chance: Chance, times: number) => string;

const ODD = [
  '\u0007',
  '\u0000',
  '\u200b',
  '\ufeff',
  '\u2028',
  '\ud800',
  '😀',
  '\t',
  '\r',
  '\u00a0',
  '%',
  '&a',
  '*a',
  '!x',
  '<<',
  '|',
  '>',
  '`',
  '@',
];
const MARKS = ['{', '}', '[', ']', '"', "'", ':', ',', '#', '-', '? ', '${', '}', '\\', '{{', '---\n', '...\n'];
const DEEP = ['[', '{a: ', '- ', '{"a":', '? ', '[[', '"', "'", '${', '${var.'];

function pick<T>(list: readonly T[], chance: Chance): T | undefined {
  return list[Math.floor(chance() * list.length)];
}

function at(text: string, chance: Chance): number {
  return Math.floor(chance() * (text.length + 1));
}

function insert(text: string, where: number, added: string): string {
  return text.slice(0, where) + added + text.slice(where);
}

/** The lines, one or a few of which an edit takes. */
function onLines(text: string, edit: (lines: string[], from: number, to: number) => string[], chance: Chance): string {
  const lines = text.split('\n');
  const from = Math.floor(chance() * lines.length);
  const to = Math.min(lines.length, from + 1 + Math.floor(chance() * 3));
  return edit(lines, from, to).join('\n');
}

/** A text with everything below its first lines so many times. */
export function repeatBody(text: string, times: number, isSame: boolean): string {
  const lines = text.split('\n');
  const [head, body] = [lines.slice(0, HEAD_LINES), lines.slice(HEAD_LINES, lines.at(-1) === '' ? -1 : undefined)];
  const copies = Array.from({ length: times }, (_, n) => body.map((line) => numbered(line, n, isSame)));
  return [...head, ...copies.flat(), ''].join('\n');
}

/** A number in a line takes the number of its copy, so that copies can differ. */
function numbered(line: string, index: number, isSame: boolean): string {
  return isSame ? line : line.replace(/([A-Za-z_]+)(\d*)/, (_, word: string) => `${word}${index}`);
}

export const EDITS: Readonly<Record<string, Edit>> = {
  'repeat lines': (text, chance, times) => {
    const isSame = chance() < 0.5;
    return onLines(
      text,
      (lines, from, to) => {
        const part = lines.slice(from, to);
        const copies = Array.from({ length: times }, (_, n) => part.map((line) => numbered(line, n, isSame)));
        return [...lines.slice(0, from), ...copies.flat(), ...lines.slice(to)];
      },
      chance,
    );
  },
  'repeat a piece on its line': (text, chance, times) => {
    const start = at(text, chance);
    return insert(
      text,
      start,
      text
        .slice(start, start + 1 + Math.floor(chance() * 12))
        .replaceAll('\n', ' ')
        .repeat(times),
    );
  },
  'repeat a mark': (text, chance, times) => {
    const gap = pick(['', ' ', '\n', '\n  '], chance) ?? '';
    return insert(text, at(text, chance), `${pick([...MARKS, ...ODD], chance) ?? ''}${gap}`.repeat(times));
  },
  'nest deeply': (text, chance, times) => insert(text, at(text, chance), (pick(DEEP, chance) ?? '').repeat(times)),
  'empty lines': (text, chance, times) => insert(text, at(text, chance), '\n'.repeat(times)),
  'comments of Windows': (text, _, times) => `${'# x\r\n'.repeat(times)}${text}`,
  'line ends of Windows': (text) => text.replaceAll(/\r?\n/g, '\r\n'),
  'line ends of old': (text) => text.replaceAll('\n', '\r'),
  cut: (text, chance) => text.slice(0, at(text, chance)),
  'cut out': (text, chance) => {
    const start = at(text, chance);
    return text.slice(0, start) + text.slice(start + Math.floor(chance() * 40));
  },
  indent: (text, chance) => {
    const blanks = ' '.repeat(1 + Math.floor(chance() * 4));
    return onLines(
      text,
      (lines, from, to) => lines.map((line, n) => (n >= from && n < to ? blanks + line : line)),
      chance,
    );
  },
  outdent: (text, chance) =>
    onLines(text, (lines, from, to) => lines.map((line, n) => (n >= from && n < to ? line.trimStart() : line)), chance),
  'swap lines': (text, chance) =>
    onLines(
      text,
      (lines, from, to) => [...lines.slice(0, from), ...lines.slice(from, to).reverse(), ...lines.slice(to)],
      chance,
    ),
  'move a line': (text, chance) => {
    const target = chance();
    return onLines(
      text,
      (lines, from) => {
        const [line = ''] = lines.splice(from, 1);
        lines.splice(Math.floor(target * lines.length), 0, line);
        return lines;
      },
      chance,
    );
  },
  'one long line': (text) => text.replaceAll('\n', ' '),
  'an odd character': (text, chance) => insert(text, at(text, chance), pick(ODD, chance) ?? ''),
  'a mark': (text, chance) => insert(text, at(text, chance), pick(MARKS, chance) ?? ''),
  'a doubled key': (text, chance) =>
    onLines(text, (lines, from) => [...lines.slice(0, from), lines[from] ?? '', ...lines.slice(from)], chance),
  'a wrong word': (text, chance) => {
    const start = at(text, chance);
    const rest = text.slice(start);
    return text.slice(0, start) + rest.replace(/\w(\w)(\w)/, '$2$1');
  },
  'another value': (text, chance) => {
    const start = at(text, chance);
    const value =
      pick(['null', '1', '-0', '1e999', 'true', '[]', '{}', '""', '"${var.x}"', '.inf', '0x1f'], chance) ?? '';
    return text.slice(0, start) + text.slice(start).replace(/(: ?|- )[^\n]*/, (_, mark: string) => `${mark}${value}`);
  },
};

const NAMES = Object.keys(EDITS);

/** Names of one to three edits. */
export function drawEdits(chance: Chance): readonly string[] {
  return Array.from({ length: 1 + Math.floor(chance() * 3) }, () => pick(NAMES, chance) ?? 'cut');
}
