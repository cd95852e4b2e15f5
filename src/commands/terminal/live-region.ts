// Lines that stay below everything else on a terminal: they are taken away before anything is written, and drawn again after
// it. The cursor rests on the empty line below them and is never hidden, so that whatever ends the program leaves it usable.

import { columns, cut } from '../../core/text/columns.ts';

const ESC = '\u001b[';

/** What is to be sent to the terminal for each thing that happens to the lines. */
export function createLiveRegion(size: () => { readonly columns: number; readonly rows: number }) {
  let drawn: readonly string[] = [];
  // A terminal that became narrower has broken the lines.
  const up = () => {
    const { columns: width } = size();
    const rows = drawn.reduce((total, line) => total + Math.max(1, Math.ceil(columns(line) / width)), 0);
    return rows === 0 ? '' : `\r${ESC}${rows}A`;
  };
  const erase = () => {
    const start = up();
    drawn = [];
    return start === '' ? '' : `${start}${ESC}J`;
  };
  return {
    /** Takes the lines away; '' when there are none. */
    erase,
    /** Puts these lines in the place of the last ones. */
    draw: (given: readonly string[]) => {
      const { columns: width, rows } = size();
      const lines = given.slice(0, Math.max(0, rows - 1)).map((line) => cut(line, width));
      if (lines.length === 0) return erase();
      if (lines.length === drawn.length && lines.every((line, index) => line === drawn[index])) return '';
      const text = `${up()}${lines.map((line) => `${line}${ESC}K\n`).join('')}${ESC}J`;
      drawn = lines;
      return text;
    },
  };
}
