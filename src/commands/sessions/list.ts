// sessions list: objects that are only read and deleted, found through the catalogue. Its client cannot write.

import type { RunOutcome } from '../../core/run-outcome.ts';
import { readSessions } from '../../reconcile/read.ts';
import { renderSessionsAs } from '../../render/sessions.ts';
import { connectionOf } from '../options/connection.ts';
import type { Call, CommandSpec } from '../shell/command.ts';
import { bareRun } from '../shell/invocation.ts';
import { flags, group } from './group.ts';

/** Prints every session of every page. */
async function listSessions({ invocation }: Call): Promise<RunOutcome> {
  const { stdout, stderr, settings } = invocation;
  const { kind, items } = await readSessions(bareRun(invocation, await connectionOf(invocation)));
  if (items.length === 0 && settings.format !== 'json') stderr.write(`There are no ${kind.title}s.\n`);
  else stdout.write(`${renderSessionsAs(settings.format, kind, items)}\n`);
  return 'done';
}

export const commands: readonly CommandSpec[] = [
  {
    position: 130,
    words: 'sessions list',
    text: 'list application sessions; never writes',
    above: group,
    flags: { own: [], ...flags },
    help: { examples: ['sessions list', 'sessions list --format json'] },
    run: listSessions,
  },
];
