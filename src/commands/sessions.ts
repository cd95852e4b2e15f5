// sessions list and sessions revoke: objects that are only read and deleted, found through the catalogue.

import { createReadClient, createWriteClient } from '../service/client.ts';
import { revokeAll } from '../apply/revoke.ts';
import { usageError } from '../core/failure.ts';
import { plural } from '../core/text/text.ts';
import { idForm, isId } from '../catalog/id.ts';
import type { Kind } from '../catalog/kind.ts';
import { listedKind } from '../catalog/lookup.ts';
import { revokeJson, revokeLine, revokeSummary, sessionsJson, sessionsTable } from '../render/sessions.ts';
import { confirm } from './shell/consent.ts';
import { connectionOf } from './options/connection.ts';
import { EXIT_CODES, type RunOutcome } from '../core/run-outcome.ts';
import { readList } from '../reconcile/read.ts';
import { judgeRevocation } from '../reconcile/run-report.ts';
import { clientPorts } from '../reconcile/run.ts';
import { bareRun, refuseWrongUsage, type Invocation } from './shell/invocation.ts';
import { sayProblems } from './shell/problems.ts';
import type { CommandSpec } from './shell/command.ts';
import { FLAGS } from './options/flags.ts';
import { EXAMPLES } from '../catalog/examples.ts';

/** Prints every session of every page. */
async function listSessions(invocation: Invocation): Promise<RunOutcome> {
  refuseWrongUsage(invocation);
  const { stdout, stderr, settings } = invocation;
  const { kind, list } = listedKind();
  const run = bareRun(invocation, await connectionOf(invocation));
  const items = await readList(createReadClient(run.connection, clientPorts(run)), list, run);
  if (settings.format === 'json') stdout.write(`${sessionsJson(kind, items)}\n`);
  else if (items.length === 0) stderr.write(`There are no ${kind.title}s.\n`);
  else stdout.write(`${sessionsTable(kind, items)}\n`);
  return 'done';
}

/** Deletes the sessions, each once; one that is gone already counts as done. */
async function revokeSessions(given: readonly string[], invocation: Invocation): Promise<RunOutcome> {
  refuseWrongUsage(invocation);
  const { stdout, settings } = invocation;
  const { kind } = listedKind();
  const ids = checkIds(given, kind);
  const run = bareRun(invocation, await connectionOf(invocation));
  const question = `Revoke ${plural(ids.length, kind.title)} at ${run.connection.baseUrl.href}? Their users must sign in again.`;
  const fix = 'check the ids with `sessions list`, then run the command again with --auto-approve';
  await confirm({ question, fix, on: stdout.isTty ? 'stdout' : 'stderr' }, invocation);
  const results = await revokeAll({
    ...run,
    client: createWriteClient(run.connection, clientPorts(run)),
    kind,
    ids,
    onResult: (result) => {
      if (settings.format === 'text') stdout.write(`${revokeLine(result)}\n`);
    },
  });
  const { result, outcome, diagnostics } = judgeRevocation(results, run);
  sayProblems(diagnostics, invocation);
  const document = () => revokeJson(results, result, EXIT_CODES[outcome]);
  stdout.write(`${settings.format === 'json' ? document() : revokeSummary(results, kind.title)}\n`);
  return outcome;
}

/** Each id once. Words that are no ids are not repeated, for they may be anything. */
function checkIds(given: readonly string[], kind: Kind): readonly string[] {
  const wrong = given.findIndex((id) => !isId(kind, id));
  if (wrong < 0) return [...new Set(given)];
  throw usageError(`argument ${wrong + 1} is not ${idForm(kind)}`, 'the ids are listed by `edgeform sessions list`');
}

const SESSIONS = { name: 'sessions', text: 'list or revoke application sessions' };

export const commands: readonly CommandSpec[] = [
  {
    position: 130,
    words: 'sessions list',
    text: 'list application sessions; never writes',
    above: SESSIONS,
    flags: { own: [], output: FLAGS.textOrJson, service: FLAGS.service, hidden: [FLAGS.settle] },
    help: { examples: ['sessions list', 'sessions list --format json'] },
    run: ({ invocation }) => listSessions(invocation),
  },
  {
    position: 131,
    words: 'sessions revoke <id...>',
    text: 'revoke application sessions',
    above: SESSIONS,
    flags: { own: [FLAGS.approve], output: FLAGS.textOrJson, service: FLAGS.service, hidden: [FLAGS.settle] },
    help: { examples: EXAMPLES.revoked.map((ids) => `sessions revoke ${ids}`) },
    run: ({ invocation, args }) => revokeSessions(args, invocation),
  },
];
