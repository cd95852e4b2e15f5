// Options that consent to something: how many deletions, and what became of a write whose outcome is unknown.

import { parseAddress } from '../../catalog/address.ts';
import { EXAMPLES } from '../../catalog/examples.ts';
import { idForm, isId } from '../../catalog/id.ts';
import { usageError } from '../../core/failure.ts';
import type { Resolution } from '../../reconcile/run.ts';

/** `--allow-deletes`: a number, or all. */
export function parseAllowDeletes(text: string | undefined): number | 'all' | undefined {
  if (text === undefined || text === 'all') return text;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usageError('--allow-deletes takes a number or "all"', 'for example --allow-deletes 5');
}

/** `--resolve ADDRESS=ID`, or `ADDRESS=absent`. */
export function parseResolution(text: string): Resolution {
  const at = text.indexOf('=');
  const address = text.slice(0, Math.max(0, at));
  const what = text.slice(at + 1);
  const kind = parseAddress(at < 0 ? text : address)?.kind;
  if (kind === undefined)
    throw usageError(
      '--resolve takes ADDRESS=ID or ADDRESS=absent',
      `for example --resolve ${EXAMPLES.address}=absent`,
    );
  const fix = `give --resolve ${at < 0 ? text : address}=${kind.idPrefix}…, or =absent when there is no such object`;
  if (at < 0 || what === '') throw usageError(`--resolve ${text} has no id`, fix);
  if (what === 'absent') return { address, as: what };
  if (!isId(kind, what)) throw usageError(`--resolve ${address} takes absent, or ${idForm(kind)}`, fix);
  return { address, as: { id: what } };
}
