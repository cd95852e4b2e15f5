// The file of `drift --known`: findings that people decided to live with.

import { Failure } from '../../core/failure.ts';
import { parseKnown } from '../../drift/known.ts';
import { readInput } from '../options/read-input.ts';
import type { Invocation } from '../shell/invocation.ts';

/** One line is less than a hundred bytes. */
const MAX_KNOWN_BYTES = 4 * 1024 * 1024;

/** The known fingerprints; none without the option. */
export async function readKnown(run: Invocation): Promise<ReadonlySet<string>> {
  const { known: path } = run.settings;
  if (path === undefined) return new Set();
  const text = await readInput({ option: '--known', path, maxBytes: MAX_KNOWN_BYTES }, run);
  const { value, diagnostics } = parseKnown(path, text);
  if (value === undefined) throw new Failure('invalid', diagnostics, new Map([[path, { text, secrets: () => [] }]]));
  return value;
}
