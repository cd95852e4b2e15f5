// How far the lists of a service lag behind what is written there, as measured with what was created. It is the service's, so that
// runs side by side measure it together, as one run does with all of its objects.

export class ListLag {
  /** Longest time until an object was first listed after a read missed it. */
  #late = 0;
  /** Shortest time after which an object was found by the first read. */
  #prompt = Infinity;

  /** An object was first listed this long after its creation; `wasMissed` by a read before. */
  note(ms: number, wasMissed: boolean): void {
    if (wasMissed) this.#late = Math.max(this.#late, ms);
    else this.#prompt = Math.min(this.#prompt, ms);
  }

  /** The lag in milliseconds; infinite before anything was listed. */
  measured(): number {
    return this.#late > 0 ? this.#late : this.#prompt;
  }
}
