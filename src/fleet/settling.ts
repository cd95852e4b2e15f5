// Stacks that have written and wait for the service to show it: who reads when. A read of a service shows every stack there what it
// wrote, so a read that serves many costs as much as one that serves one.
//
// Example: of 800 stacks, 32 write at a time. Each that is done gives its place to the next one and waits here. When 200 of them
// wait, one read serves them all. They look a second time a second later, as a run alone does: together with those that have
// come meanwhile, or when there is nothing else to wait for.

/** The most that wait for a read: each has the files of its journal open. */
const MOST = 256;
/** The share of all stacks that makes a read worth its requests: some eight reads for a run of a thousand. */
const SHARE = 1 / 4;

interface SettlingOptions {
  readonly stacks: number;
  readonly concurrency: number;
  /** Aborted: nobody waits for anybody any more. */
  readonly signal: AbortSignal;
}

export class SettlingStacks {
  readonly #enough: number;
  readonly #signal: AbortSignal;
  #waiting: (() => void)[] = [];
  /** Stacks that have begun and have not ended: those that wait here, those that sleep until a look is worth it, and all that write. */
  #underWay = 0;

  constructor({ stacks, concurrency, signal }: SettlingOptions) {
    this.#enough = Math.min(MOST, Math.max(concurrency, Math.ceil(stacks * SHARE)));
    this.#signal = signal;
    signal.addEventListener('abort', () => {
      this.#readNow();
    });
  }

  /** Resolves when enough others wait, when nothing else is under way, or at once for a stack that others wait for. */
  turnToRead(isWaitedFor: boolean): Promise<void> {
    const turn = new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (isWaitedFor || this.#signal.aborted) this.#readNow();
    else this.#readIfDue();
    return turn;
  }

  /** `underWay`: how many stacks have begun and have not ended, when every one has begun that can. */
  note(underWay: number): void {
    this.#underWay = underWay;
    this.#readIfDue();
  }

  #readIfDue(): void {
    if (this.#waiting.length >= Math.min(this.#enough, this.#underWay)) this.#readNow();
  }

  #readNow(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const read of waiting) read();
  }
}
