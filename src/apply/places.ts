// Places for what runs side by side: a task that only waits gives its place away, and gets one again when it goes on.

/** The place of a running task, which has it when it starts. */
export interface Place {
  /** From now on the task only waits and reads: another one may have its place. */
  readonly leave: () => void;
  /** Resolves once the task has a place again; those that return go before those that have not started. */
  readonly enter: () => Promise<void>;
}

export class Places {
  #free: number;
  readonly #returning: (() => void)[] = [];
  readonly #onLeft: () => void;

  /** `onLeft` is called when a place is free that nobody who returned wanted. */
  constructor(count: number, onLeft: () => void) {
    this.#free = count;
    this.#onLeft = onLeft;
  }

  hasFree(): boolean {
    return this.#free > 0;
  }

  /** A free place. */
  take(): Place {
    this.#free -= 1;
    let isHeld = true;
    return {
      leave: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#free += 1;
        const enter = this.#returning.shift();
        if (enter === undefined) this.#onLeft();
        else enter();
      },
      enter: () =>
        new Promise((resolve) => {
          const enter = () => {
            this.#free -= 1;
            isHeld = true;
            resolve();
          };
          if (isHeld) resolve();
          else if (this.#free > 0) enter();
          else this.#returning.push(enter);
        }),
    };
  }
}
