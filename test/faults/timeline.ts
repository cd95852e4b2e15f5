// Virtual time: whoever waits is woken in time order, and waiting costs nothing. Knows nothing of what is simulated.

interface Entry {
  readonly at: number;
  readonly order: number;
  readonly wake: () => void;
}

/**
 * How often a program may do nothing that this clock sees before it counts as hanging. A module that is loaded late takes real time, and on a
 * busy machine much of it; what never ends costs some seconds.
 */
const MOST_IDLE_TURNS = 5_000;

export class Timeline {
  now = 0;
  readonly #waiting: Entry[] = [];
  readonly #mostIdle: number;
  #order = 0;

  /** A program that waits for something real, such as another process, is given more turns. */
  constructor(mostIdle = MOST_IDLE_TURNS) {
    this.#mostIdle = mostIdle;
  }

  /** Calls back after so many milliseconds of virtual time, equal times in the order of the calls; gives what cancels it. */
  after(ms: number, wake: () => void): () => void {
    const entry = { at: this.now + Math.max(0, ms), order: this.#order++, wake };
    const list = this.#waiting;
    let index = list.length;
    // Latest first, so that the next one is popped from the end.
    while (index > 0 && comesLater(entry, list[index - 1]!)) index -= 1;
    list.splice(index, 0, entry);
    return () => {
      const found = list.lastIndexOf(entry);
      if (found >= 0) list.splice(found, 1);
    };
  }

  /** Lets time pass until `isOver` says so; false when nothing waits any more and it still does not, or time is up. */
  async run(isOver: () => boolean, latest = Infinity): Promise<boolean> {
    let idle = 0;
    for (;;) {
      // Everything that promises can do without waiting happens before this resumes.
      await new Promise(setImmediate);
      if (isOver()) return true;
      const next = this.#waiting.at(-1);
      if (next === undefined) {
        idle += 1;
        if (idle > this.#mostIdle) return false;
        await new Promise((resolve) => setTimeout(resolve, 1));
        continue;
      }
      idle = 0;
      if (next.at > latest) return false;
      this.#waiting.pop();
      this.now = next.at;
      next.wake();
    }
  }

  /** Lets everything happen that is still to come. */
  async drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.run(() => this.#waiting.length === 0);
    }
  }

  /** Lets time pass without anybody noticing before it has passed. */
  async pass(ms: number): Promise<void> {
    let isOver = false;
    this.after(ms, () => (isOver = true));
    await this.run(() => isOver);
  }
}

function comesLater(one: Entry, other: Entry): boolean {
  return one.at > other.at || (one.at === other.at && one.order > other.order);
}
