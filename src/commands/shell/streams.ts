// Standard output that is never lost silently: a closed pipe is ignored, a full disk is an error, a slow reader is waited for.

import type { WriteStream } from 'node:tty';
import type { Sink } from './host.ts';
import { cut } from '../../core/text/columns.ts';

interface Output extends Sink {
  readonly show: NonNullable<Sink['show']>;
  readonly flushed: NonNullable<Sink['flushed']>;
}

/** Erases the line that the cursor is in, and moves it to its beginning. */
const ERASE = '\r\u001b[K';

export function outputOf(stream: NodeJS.WriteStream & Partial<WriteStream>): Output {
  let state: 'ok' | 'closed' | 'failed' = 'ok';
  const waiting = new Set<Promise<void>>();
  let drawn = '';
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
    write: (text) => {
      send(`${drawn === '' ? '' : ERASE}${text}`);
      drawn = '';
    },
    // The cursor stays visible at the beginning of the line, so that the terminal is usable however the program ends.
    show: (line) => {
      const shown = cut(line, (stream.columns || 80) - 1);
      if (!stream.isTTY || shown === drawn) return;
      send(shown === '' ? ERASE : `${ERASE}${shown}\r`);
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
