// Whether the service is well enough to be written to: not after several failures in a row on different resources.

const FAILURES = 5;

export interface Circuit {
  /** The service broke down over this resource. */
  readonly failed: (isWrite: boolean, resource: string) => void;
  /** The service answered. */
  readonly answered: (isWrite: boolean) => void;
  /** True while nothing should be written. */
  readonly isOpen: () => boolean;
}

/** Reads that succeed prove nothing about writes, so only a write that is answered makes up for writes that failed. */
export function createCircuit(): Circuit {
  const reads = new Set<string>();
  const writes = new Set<string>();
  return {
    failed: (isWrite, resource) => {
      (isWrite ? writes : reads).add(resource);
    },
    answered: (isWrite) => {
      reads.clear();
      if (isWrite) writes.clear();
    },
    isOpen: () => reads.size + writes.size >= FAILURES,
  };
}

/** How often in a row the service gave no answer at all. */
export interface Silence {
  readonly timedOut: (now: number) => void;
  readonly answered: () => void;
  /** True while nothing should be asked; some time later it is tried again. */
  readonly isDeaf: (now: number) => boolean;
}

const SILENT_TIMES = 6;
const REST_MS = 30_000;

/** A service that never answers costs a whole time-out each time, so it is soon left alone. */
export function createSilence(): Silence {
  let times = 0;
  let last = 0;
  return {
    timedOut: (now) => {
      times += 1;
      last = now;
    },
    answered: () => {
      times = 0;
    },
    isDeaf: (now) => times >= SILENT_TIMES && now - last < REST_MS,
  };
}
