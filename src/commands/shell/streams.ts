// Standard output that is never lost silently: a closed pipe is ignored, a full disk is an error, a slow reader is waited for.

import type { WriteStream } from 'node:tty';
import type { Sink } from './host.ts';
import { columns, cut } from '../../core/text/columns.ts';

interface Output extends Sink {
  readonly show: NonNullable<Sink['show']>;
  readonly flushed: NonNullable<Sink['flushed']>;
}

export function outputOf(stream: NodeJS.WriteStream & Partial<WriteStream>): Output {
  let state: 'ok' | 'closed' | 'failed' = 'ok';
  const waiting = new Set<Promise<void>>();
  const region = createLiveRegion(() => ({ columns: stream.columns || 80, rows: stream.rows || 24 }));
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (state === 'ok') state = error.code === 'EPIPE' ? 'closed' : 'failed';
  });
  const send = (text: string) => {
    if (state !== 'ok' || text === '') return;
    const one: Promise<void> = new Promise((done) => {
      stream.write(text, () => done());
    });
    waiting.add(one);
    void one.then(() => waiting.delete(one));
  };
  return {
    isTty: stream.isTTY,
    // A terminal may be resized at any time.
    get columns() {
      return stream.columns;
    },
    get rows() {
      return stream.rows;
    },
    write: (text) => send(`${region.erase()}${text}`),
    show: (lines) => {
      if (stream.isTTY) send(region.draw(lines));
    },
    flushed: async () => {
      await Promise.all(waiting);
      // The error event comes one tick after the callback of the failed write.
      await new Promise((next) => setImmediate(next));
      return state;
    },
  };
}

const ESC = '\u001b[';

/**
 * Lines that stay at the bottom of a terminal: erased before other output and redrawn after it. The cursor stays visible on the
 * empty line below, so that the terminal is usable however the program ends.
 */
function createLiveRegion(size: () => { readonly columns: number; readonly rows: number }) {
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
