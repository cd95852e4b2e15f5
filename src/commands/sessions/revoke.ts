// sessions revoke: deletes the given sessions, which must exist, after confirmation.

import { EXAMPLES } from '../../catalog/examples.ts';
import { idForm, isId } from '../../catalog/id.ts';
import type { Kind } from '../../catalog/kind.ts';
import { listedKind } from '../../catalog/lookup.ts';
import { usageError } from '../../core/failure.ts';
import { EXIT_CODES, type RunOutcome } from '../../core/run-outcome.ts';
import { plural } from '../../core/text/text.ts';
import { checkSessions, planRevocation, revokeSessions } from '../../reconcile/sessions.ts';
import { renderRevocationAs } from '../../render/sessions.ts';
import { connectionOf } from '../options/connection.ts';
import { OPTIONS } from '../options/options.ts';
import { flags, group } from './group.ts';
import type { Call, CommandSpec } from '../shell/command.ts';
import { confirm } from '../shell/consent.ts';
import { bareRun } from '../shell/invocation.ts';
import { sayProblems } from '../shell/problems.ts';

/** Asks for confirmation, and prints a line for each deleted session. */
async function revoke({ invocation, args }: Call): Promise<RunOutcome> {
  const { stdout, stderr, settings } = invocation;
  const { kind } = listedKind();
  const ids = checkIds(args, kind);
  const run = bareRun(invocation, await connectionOf(invocation));
  await checkSessions(ids, run);
  const plan = planRevocation(ids, run.connection.baseUrl.href);
  for (const { method, path } of plan.steps.flatMap(({ requests }) => requests)) stderr.write(`${method} ${path}\n`);
  const question = `Revoke ${plural(ids.length, kind.title)} at ${run.connection.baseUrl.href}? Their users must sign in again.`;
  const fix = 'check the ids with `sessions list`, then run the command again with --auto-approve';
  await confirm({ question, fix, on: stdout.isTty ? 'stdout' : 'stderr' }, invocation);
  const { outcome, diagnostics, ...ended } = await revokeSessions(plan, run);
  sayProblems(diagnostics, invocation);
  stdout.write(`${renderRevocationAs(settings.format, { ...ended, exitCode: EXIT_CODES[outcome] }, kind.title)}\n`);
  return outcome;
}

/** Each id once. Invalid ids are not repeated in messages, because they may be anything. */
function checkIds(given: readonly string[], kind: Kind): readonly string[] {
  const wrong = given.findIndex((id) => !isId(kind, id));
  if (wrong < 0) return [...new Set(given)];
  throw usageError(`argument ${wrong + 1} is not ${idForm(kind)}`, 'the ids are listed by `edgeform sessions list`');
}

export const commands: readonly CommandSpec[] = [
  {
    position: 131,
    words: 'sessions revoke <id...>',
    text: 'revoke application sessions',
    above: group,
    flags: { own: [OPTIONS.autoApprove], ...flags },
    help: { examples: EXAMPLES.revoked.map((ids) => `sessions revoke ${ids}`) },
    run: revoke,
  },
];
