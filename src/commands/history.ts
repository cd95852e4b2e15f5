// history: the runs that wrote to a stack, and the commits in the markers of its objects. Its client cannot write.

import { parseAddress } from '../catalog/address.ts';
import { EXAMPLES } from '../catalog/examples.ts';
import { topLevelKinds } from '../catalog/lookup.ts';
import { usageError } from '../core/failure.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { didYouMean, questionOf } from '../core/text/closest.ts';
import { readHistory } from '../reconcile/history.ts';
import { renderHistoryAs } from '../render/history.ts';
import { MANIFEST, OPTIONS, SERVICE, formatsOf, reading } from './options/options.ts';
import { asName } from './options/usage.ts';
import type { Call, CommandSpec } from './shell/command.ts';
import type { Invocation } from './shell/invocation.ts';
import { tryLoad } from './shell/load.ts';
import { prepareReading } from './shell/prepare.ts';
import { sayProblems } from './shell/problems.ts';

/** Prints the runs, newest first, or the document. */
async function history({ invocation, args: [address] }: Call): Promise<RunOutcome> {
  const { stdout, stderr, settings } = invocation;
  if (address !== undefined && parseAddress(address) === undefined)
    throw usageError(
      `"${asName(address)}" is not the address of a resource`,
      (await meantBy(address, invocation)) ?? `use an address as a plan names it, such as ${EXAMPLES.releasedAddress}`,
    );
  const run = await prepareReading(invocation, { mayLackManifest: true });
  const { stack } = run.manifest;
  const found = await readHistory(run, address);
  if (settings.format !== 'json') sayProblems(found.diagnostics, invocation);
  const isEmpty = found.runs.length + found.objects.length === 0;
  if (isEmpty && settings.format !== 'json') {
    const what =
      address === undefined ? `and it owns no objects` : `that changed ${address}, and it has no object there`;
    stderr.write(`No run of stack ${stack} is on record here${address === undefined ? ', ' : ' '}${what}.\n`);
    return 'done';
  }
  const view = { ...found, stack, service: run.connection.baseUrl.href, address };
  stdout.write(`${renderHistoryAs(settings.format, view)}\n`);
  return 'done';
}

/** More addresses than this are no suggestion. */
const MAX_INSIDE = 3;

/** The address of the manifest that was probably meant: one that is near, or those of the kind; else the same with the kind's right name. */
async function meantBy(text: string, invocation: Invocation): Promise<string | undefined> {
  const { addresses } = (await tryLoad(invocation, { mayLackValues: true, mayLackManifest: true })).outline;
  const inside = addresses.filter((address) => address.startsWith(`${text}.`));
  const rest = text.replace(/^[^.]*/, '');
  const renamed = topLevelKinds.map(({ manifestKey }) => `${manifestKey}${rest}`);
  const isFew = inside.length <= MAX_INSIDE;
  return (
    (isFew ? questionOf(inside.map((address) => `"${address}"`)) : undefined) ??
    didYouMean(text, addresses) ??
    didYouMean(
      text,
      renamed.filter((address) => parseAddress(address) !== undefined),
    )
  );
}

export const commands: readonly CommandSpec[] = [
  {
    position: 112,
    words: 'history [address]',
    text: 'show the runs that wrote: when, who, from which commit; never writes',
    isDocument: true,
    flags: {
      own: [OPTIONS.stackAlone, reading(OPTIONS.journal)],
      manifest: MANIFEST,
      output: formatsOf(['text', 'json']),
      service: SERVICE,
    },
    help: { examples: ['history', `history ${EXAMPLES.releasedAddress}`, 'history --stack shop --format json'] },
    run: history,
  },
];
