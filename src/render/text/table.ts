// Rows of cells in columns.

import { columns, pad } from '../../core/text/columns.ts';
import { escapeControls } from '../../core/text/escape-controls.ts';

/** One line for each row, the titles first. Cells may be any text; an empty one is a dash. */
export function tableLines(titles: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const shown = [titles, ...rows].map((row) => row.map((text) => (text === '' ? '-' : escapeControls(text))));
  const widths = titles.map((_, index) => Math.max(...shown.map((row) => columns(row[index] ?? ''))));
  return shown.map((row) =>
    row
      .map((text, index) => pad(text, widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
