// Addresses on the command line: one that is nowhere is wrong usage, with the one that was probably meant.

import { parseAddress } from '../../catalog/address.ts';
import { Failure } from '../../core/failure.ts';
import type { ManifestOutline } from '../../manifest/load.ts';
import { unknownAddresses } from '../../reconcile/check-options.ts';
import { notedAddresses } from '../../reconcile/execution/noted.ts';
import { journalPath, type Invocation } from '../shell/invocation.ts';

/** Fails with every address that is not in the manifest. What a manifest that is wrong may have all the same counts as there. */
export function checkAddresses(run: Invocation, { stack, addresses, mayHave }: ManifestOutline): void {
  const { target, allowReplace, resolve } = run.settings;
  const resolved = resolve.map((text) => text.replace(/=.*$/s, ''));
  const open =
    resolved.length === 0 || stack === undefined ? [] : notedAddresses(journalPath(run, stack), run.platform);
  const isOpen = resolved.length > 0 && (stack === undefined || open === undefined);
  const resolutions = isOpen ? [] : resolved.filter((address) => parseAddress(address) !== undefined);
  const problems = unknownAddresses(
    { targets: target, allowReplace, resolutions },
    { addresses, noted: open, mayHave },
    { targets: '--target', allowReplace: '--allow-replace', resolutions: '--resolve' },
  );
  if (problems.length > 0) throw new Failure('usage', problems);
}
