// Standard output that is never lost silently: a closed pipe is ignored, a full disk is an error, a slow reader is waited for.

import type { WriteStream } from 'node:tty';
import type { Sink } from './host.ts';
import { cut } from '../../core/text/columns.ts';

const ESC = '\u001b[';

interface Output extends Sink {
  readonly show: NonNullable<Sink['show']>;
  readonly flushed: NonNullable<Sink['flushed']>;
}

export function outputOf(stream: NodeJS.WriteStream & Partial<WriteStream>): Output {
  let state: 'ok' | 'closed' | 'failed' = 'ok';
  const waiting = new Set<Promise<void>>();
  let drawn: readonly string[] = [];
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
  // Never more than was drawn: a terminal that became narrower may have wrapped it, and then a rest stays.
  const erase = () => {
    const up = drawn.length > 1 ? `${ESC}${drawn.length - 1}A` : '';
    return drawn.length === 0 ? '' : `\r${up}${ESC}J`;
  };
  return {
    isTty: stream.isTTY,
    // A terminal may be resized at any time.
    get columns() {
      return stream.columns;
    },
    write: (text) => {
      send(`${erase()}${text}`);
      drawn = [];
    },
    // The cursor stays visible at the beginning of the last line, so that the terminal is usable however the program ends.
    show: (text) => {
      const lines = text === '' ? [] : text.split('\n').slice(-Math.max(1, (stream.rows || 24) - 1));
      const shown = lines.map((line) => cut(line, (stream.columns || 80) - 1));
      if (!stream.isTTY || shown.join('\n') === drawn.join('\n')) return;
      send(`${erase()}${shown.join('\n')}${shown.length === 0 ? '' : '\r'}`);
      drawn = shown;
    },
    flushed: async () => {
      await Promise.all(waiting);
      // The error event comes one tick after the callback of the failed write.
      await new Promise((next) => setImmediate(next));
      return state;
    },
  };
}
