// Checks what the options of a command name, as far as they depend on the manifest: addresses, and files that it must not overwrite.

import { resolve } from 'node:path';
import { parseAddress } from '../../catalog/address.ts';
import { Failure } from '../../core/failure.ts';
import { journalOf } from '../../journal/place.ts';
import type { ManifestOutline } from '../../manifest/load.ts';
import { unknownAddresses } from '../../reconcile/check-options.ts';
import { notedAddresses } from '../../reconcile/execution/noted.ts';
import { tokenFilesToKeep } from '../../reconcile/execution/token-files.ts';
import { serviceOf } from '../options/connection.ts';
import { checkOutputs } from '../files/check-outputs.ts';
import type { Invocation } from './invocation.ts';

/** Checks that the command writes neither to files that it reads nor to token files. */
export function checkFiles(run: Invocation, { stack, addresses }: ManifestOutline, read: readonly string[]): void {
  const kept = [
    ...read.map((path) => ({ name: 'a file of the manifest', path })),
    ...tokenFilesToKeep(tokenFolder(run), addresses).map((path) => ({ name: 'a token of --token-dir', path })),
  ];
  checkOutputs(run, kept, stack === undefined ? run.settings.journal : journalPath(run, stack, serviceOf(run)));
}

/** Fails with every address that is not in the manifest. An address that an invalid manifest may contain counts as present. */
export function checkAddresses(run: Invocation, { stack, addresses, mayHave }: ManifestOutline): void {
  const { targets, allowLoss, allowOpening, given } = run.settings;
  const resolved = [given.resolutions ?? []].flat().map((text) => String(text).replace(/=.*$/s, ''));
  const noted = resolved.length === 0 ? [] : addressesInJournal(run, stack);
  // Where the journal is not known, nor is what may be resolved.
  const resolutions = noted === undefined ? [] : resolved.filter((address) => parseAddress(address) !== undefined);
  const problems = unknownAddresses(
    { targets, allowLoss, allowOpening, resolutions },
    { addresses, noted, mayHave },
    { targets: '--target', allowLoss: '--allow-loss', allowOpening: '--allow-opening', resolutions: '--resolve' },
  );
  if (problems.length > 0) throw new Failure('usage', problems);
}

function addressesInJournal(run: Invocation, stack: string | undefined): readonly string[] | undefined {
  const journal = stack === undefined ? undefined : journalPath(run, stack, serviceOf(run));
  return journal === undefined ? undefined : notedAddresses(journal, run.platform);
}

/** The file of `--journal`, or the default one at the service, which is undefined while no service is known. */
export function journalPath(
  { settings, cwd }: Pick<Invocation, 'settings' | 'cwd'>,
  stack: string,
  service: URL | undefined,
): string | undefined {
  const path = settings.journal ?? (service && journalOf(service, stack));
  return path === undefined ? undefined : resolve(cwd, path);
}

export function tokenFolder({ settings: { tokenDir }, cwd }: Invocation): string | undefined {
  return tokenDir === undefined ? undefined : resolve(cwd, tokenDir);
}
