// Lines that stay at the bottom of a terminal: erased before other output and redrawn after it. The cursor stays visible on the
// empty line below, so that the terminal is usable however the program ends.

import { columns, cut } from '../../core/text/columns.ts';

const ESC = '\u001b[';

/** Returns the terminal output for each operation on the lines. */
export function createLiveRegion(size: () => { readonly columns: number; readonly rows: number }) {
  let drawn: readonly string[] = [];
  // A terminal that became narrower has wrapped the lines.
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
    /** Erases the lines; '' when there are none. */
    erase,
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
