// A terminal that reads what a program sends to it: a real parser of escape sequences, with a screen that can be looked at.

import xterm from '@xterm/headless';
import type { WriteStream } from 'node:tty';
import { outputOf } from '../../src/commands/shell/streams.ts';

export interface TestTerminal {
  /** What a program writes to. */
  readonly stream: NodeJS.WriteStream & WriteStream;
  /** The lines on the screen, without empty ones at its end. */
  readonly screen: () => Promise<readonly string[]>;
  /** Everything that scrolled away, and then the screen. */
  readonly everything: () => Promise<readonly string[]>;
  readonly cursor: () => Promise<{ readonly column: number; readonly isHidden: boolean; readonly title: string }>;
  readonly resize: (columns: number, rows: number) => Promise<void>;
  /** All that was sent to it. */
  readonly sent: readonly string[];
}

export function createTerminal(columns = 80, rows = 24): TestTerminal {
  const terminal = new xterm.Terminal({
    cols: columns,
    rows,
    convertEol: true,
    scrollback: 20_000,
    allowProposedApi: true,
  });
  const sent: string[] = [];
  const size = { columns, rows };
  let title = '';
  terminal.onTitleChange((text) => (title = text));
  const parsed = () => new Promise<void>((done) => terminal.write('', done));
  const linesFrom = (first: number) => {
    const { active } = terminal.buffer;
    const lines = Array.from({ length: active.length - first }, (_, index) =>
      (active.getLine(first + index)?.translateToString(true) ?? '').trimEnd(),
    );
    return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
  };
  const stream = {
    isTTY: true,
    on: () => undefined,
    write: (text: string, done: () => void) => {
      sent.push(text);
      terminal.write(text);
      done();
    },
    get columns() {
      return size.columns;
    },
    get rows() {
      return size.rows;
    },
  };
  return {
    stream: stream as unknown as NodeJS.WriteStream & WriteStream,
    sent,
    screen: async () => {
      await parsed();
      return linesFrom(terminal.buffer.active.baseY);
    },
    everything: async () => {
      await parsed();
      return linesFrom(0);
    },
    cursor: async () => {
      await parsed();
      const isHidden = /\u001b\[\?25l(?![\s\S]*\u001b\[\?25h)/.test(sent.join(''));
      return { column: terminal.buffer.active.cursorX, isHidden, title };
    },
    resize: async (wide, high) => {
      await parsed();
      Object.assign(size, { columns: wide, rows: high });
      terminal.resize(wide, high);
    },
  };
}

/** A text as a terminal of its own shows it, line by line. */
export async function screenOf(sent: string, columns: number, rows: number): Promise<readonly string[]> {
  const terminal = createTerminal(columns, rows);
  outputOf(terminal.stream).write(sent);
  return terminal.everything();
}
