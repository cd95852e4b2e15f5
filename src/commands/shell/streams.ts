// Standard output that is never lost silently: a closed pipe is ignored, a full disk is an error, a slow reader is waited for.

import type { WriteStream } from 'node:tty';
import type { Sink } from './host.ts';
import { createLiveRegion } from '../terminal/live-region.ts';

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
