// Asks a checker whether a regular expression can take more than linear time. Knows nothing of where it stands.

import { checkSync } from 'recheck';

// In this process: the package's other engines are a native program and a Java archive.
process.env['RECHECK_SYNC_BACKEND'] = 'pure';

/** The checker tries texts by chance where it cannot decide; the seed makes it try the same ones each time. */
const HOW = { timeout: 120_000, randomSeed: 1 } as const;

const verdicts = new Map<string, string | undefined>();

/** Why it is not linear, with a text that shows it; undefined for a linear one. Each is asked once. */
export function superLinear(source: string, flags: string): string | undefined {
  const key = `/${source}/${flags}`;
  if (!verdicts.has(key)) verdicts.set(key, verdictOn(source, flags));
  return verdicts.get(key);
}

/**
 * A repetition of up to many times. It has no more ways to match than one without an end, which the checker decides without
 * trying texts.
 */
const MANY_TIMES = /\{(\d+),\d\d+\}/g;

function verdictOn(source: string, flags: string): string | undefined {
  const endless = source.replace(MANY_TIMES, (_, least: string) => (least === '0' ? '*' : '+'));
  const found = checkSync(endless, flags, HOW);
  if (found.status === 'safe') return undefined;
  if (found.status === 'unknown') return `not decided: ${found.error.kind}`;
  return `${found.complexity.summary}: ${found.attack.pattern}`;
}
