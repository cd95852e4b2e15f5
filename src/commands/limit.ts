// A reader that asks for a bounded number of things at a time. Knows nothing of what is read.

import type { ReadClient } from '../api/transport.ts';

/** The same reader with at most `count` lists and objects under way. */
export function limitReads(client: ReadClient, count: number): ReadClient {
  let free = count;
  const waiting: (() => void)[] = [];
  const inTurn = async <T>(read: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((turn) => waiting.push(turn));
    try {
      return await read();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
  return {
    list: (path, key) => inTurn(() => client.list(path, key)),
    get: (path) => inTurn(() => client.get(path)),
  };
}
