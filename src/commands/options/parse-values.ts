// Values of options that have a form of their own.

import { usageError } from '../../core/failure.ts';

export function nameAndValue(pair: string): readonly [string, string] {
  const at = pair.indexOf('=');
  // The text may be a secret, so it is not repeated.
  if (at <= 0) throw usageError('--var takes NAME=VALUE', 'for example --var env=prod');
  return [pair.slice(0, at), pair.slice(at + 1)];
}

/** Which part it is: `auto` is looked up when the fleet is loaded. */
export function shardName(text: string | undefined): string | undefined {
  if (text === undefined || text === 'auto') return text;
  const [, index = 0, count = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= count) return text;
  throw usageError('--shard takes INDEX/COUNT, with an index from 1 to COUNT, or auto', 'for example --shard 1/4');
}
