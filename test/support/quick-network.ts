// The network for runs that wait: time stands still while a request is under way, or a file is read or written, and goes to the
// next sleeper otherwise.

import type { Clock } from '../../src/platform/clock.ts';
import type { Exchange } from '../../src/service/http/exchange.ts';
import { createExchange } from '../../src/service/http/undici-exchange.ts';
import { createVirtualClock } from './virtual-clock.ts';

const real = createExchange({ maxBytes: 1 << 24 });
let underWay = 0;

export const network: Exchange = async (asked) => {
  underWay += 1;
  try {
    return await real(asked);
  } finally {
    underWay -= 1;
  }
};

/** Time for whoever asks `network`, alone or at once. */
export const networkClock: Clock = createVirtualClock(0, () => underWay > 0 || usesFiles());

/** Files of a busy machine take longer than a step of a run: another machine in this process must not stop waiting meanwhile. */
function usesFiles(): boolean {
  return process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
}
