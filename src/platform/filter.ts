// The output filter: every text for a stream or a file passes it. It searches bytes for known secrets and knows no formats,
// names or words; a match is either our bug, or a secret that is also a common word (ADR-0019).

import { knownSecrets } from '../core/secrets/known.ts';
import { FileError, HOLDS_SECRET } from './file-error.ts';

/** The runs under way in this process. */
const runs = new Set<{ heldBack: boolean }>();

/** Forgets the secrets of earlier runs, unless another run is under way in this process: then both share their secrets. */
export function beginRun() {
  if (runs.size === 0) knownSecrets.clear();
  const run = { heldBack: false };
  runs.add(run);
  return {
    /** True when a secret was masked since then. */
    heldBack: () => run.heldBack,
    end: () => {
      runs.delete(run);
    },
  };
}

export function filtered(text: string): string {
  const safe = knownSecrets.mask(text);
  if (safe !== text) for (const run of runs) run.heldBack = true;
  return safe;
}

/** A text that we read back: it is written byte for byte or not at all. */
export function sealed(text: string, path: string): string {
  if (knownSecrets.holds(text)) throw new FileError(path, HOLDS_SECRET);
  return text;
}
