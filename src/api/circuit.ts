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
