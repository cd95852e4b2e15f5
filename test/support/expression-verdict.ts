// Asks a checker whether a regular expression can take more than linear time. Knows nothing of where it stands.

import { checkSync } from 'recheck';

// In this process: the package's other engines are a native program and a Java archive.
process.env['RECHECK_SYNC_BACKEND'] = 'pure';

/**
 * The checker tries texts by chance where it cannot decide. The seed makes it try the same ones each time, and only steps count: a
 * limit of time would call an expression slow because the machine is busy.
 */
const HOW = {
  randomSeed: 1,
  timeout: null,
  seedingTimeout: null,
  incubationTimeout: null,
  attackTimeout: null,
  maxAttackStringSize: 50_000,
  // The square of that length is more by far.
  attackLimit: 100_000_000,
} as const;

interface Verdict {
  /** Why it is not linear, with a text that shows it; undefined for a linear one. */
  readonly why: string | undefined;
  /** True when the checker could not decide, and found no text that takes long. */
  readonly isTried: boolean;
}

const verdicts = new Map<string, Verdict>();

/** What the checker says of an expression; each is asked once. */
export function verdictOf(source: string, flags: string): Verdict {
  const key = `/${source}/${flags}`;
  const verdict = verdicts.get(key) ?? verdictOn(source, flags);
  verdicts.set(key, verdict);
  return verdict;
}

/** Why it is not linear, with a text that shows it; undefined for a linear one. */
export function superLinear(source: string, flags: string): string | undefined {
  return verdictOf(source, flags).why;
}

/**
 * A repetition of up to many times. It has no more ways to match than one without an end, which the checker decides without
 * trying texts.
 */
const MANY_TIMES = /\{(\d+),\d\d+\}/g;

function verdictOn(source: string, flags: string): Verdict {
  const endless = source.replace(MANY_TIMES, (_, least: string) => (least === '0' ? '*' : '+'));
  // A sticky expression is tried at one place only.
  const isSticky = flags.includes('y');
  const found = checkSync(isSticky ? `^(?:${endless})` : endless, flags.replace('y', ''), HOW);
  if (found.status === 'safe') return { why: undefined, isTried: found.checker === 'fuzz' };
  if (found.status === 'unknown') return { why: `not decided: ${found.error.kind}`, isTried: false };
  return { why: `${found.complexity.summary}: ${found.attack.pattern}`, isTried: false };
}
