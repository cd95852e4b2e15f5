// sessions list and sessions revoke: objects that are only read and deleted, found through the catalogue.

import { createReadClient, createWriteClient } from '../service/client.ts';
import { ApiError } from '../service/transport.ts';
import type { RevokeResult } from '../apply/revoke.ts';
import { revokeAll } from '../apply/revoke.ts';
import { BugError } from '../core/diagnostic.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { plural } from '../core/text.ts';
import { idForm, isId } from '../catalog/id.ts';
import type { Kind, ListOperation } from '../catalog/kind.ts';
import { unmanagedKinds } from '../catalog/lookup.ts';
import { renderDiagnosticsAs } from '../render/formats.ts';
import type { RevokeReport } from '../render/sessions.ts';
import { revokeJson, revokeLine, revokeSummary, sessionsJson, sessionsTable } from '../render/sessions.ts';
import { confirm } from './shell/consent.ts';
import { checkUsage } from './options/check-usage.ts';
import { connectionOf } from './options/connection.ts';
import type { ExitCode } from './shell/exit.ts';
import { EXIT } from './shell/exit.ts';
import { CommandFailure } from './shell/failure.ts';
import type { Host } from './shell/host.ts';
import type { RawOptions } from './options/options.ts';
import { formatOf, styleOf, usage } from './options/options.ts';
import { earlyEnd, unlessStopped } from './run/early-end.ts';
import { clientPorts, withDeadline } from './run/stop.ts';

function sessionKind(): Kind & { readonly operations: { readonly list: ListOperation } } {
  const [kind] = unmanagedKinds;
  if (kind?.operations.list === undefined) throw new BugError('the catalogue has no kind that is only listed');
  const { list } = kind.operations;
  return { ...kind, operations: { ...kind.operations, list } };
}

/** Prints every session of every page. */
export async function listSessions(raw: RawOptions, outer: Host): Promise<ExitCode> {
  checkUsage(raw, outer);
  const host = withDeadline(raw, outer);
  const kind = sessionKind();
  const client = createReadClient(await connectionOf(raw, host), clientPorts(raw, host));
  const { path, key } = kind.operations.list;
  try {
    const { items } = await unlessStopped(client.list(path, key), host);
    if (formatOf(raw) === 'json') host.stdout.write(`${sessionsJson(kind, items)}\n`);
    else if (items.length === 0) host.stderr.write(`There are no ${kind.title}s.\n`);
    else host.stdout.write(`${sessionsTable(kind, items)}\n`);
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, message, fix } = error;
    throw new CommandFailure(EXIT.error, [{ code, severity: 'error', message, ...(fix !== undefined && { fix }) }]);
  }
}

/** Deletes the sessions, each once; one that is gone already counts as done. */
export async function revokeSessions(given: readonly string[], raw: RawOptions, outer: Host): Promise<ExitCode> {
  checkUsage(raw, outer);
  const host = withDeadline(raw, outer);
  const kind = sessionKind();
  const ids = checkIds(given, kind);
  const settings = await connectionOf(raw, host);
  const question = `Revoke ${plural(ids.length, kind.title)} at ${settings.baseUrl.href}? Their users must sign in again.`;
  await confirm({ question, fix: 'check the ids with `sessions list`, then give --auto-approve' }, raw, host);
  const results = await revokeAll({
    client: createWriteClient(settings, clientPorts(raw, host)),
    kind,
    ids,
    signal: host.signal,
    abandon: host.abandon,
    onResult: (result) => {
      if (formatOf(raw) === 'text') host.stdout.write(`${revokeLine(result)}\n`);
    },
  });
  const { report, why } = judge(results, host);
  if (why.length > 0)
    host.stderr.write(
      `${renderDiagnosticsAs('text', { diagnostics: why, sources: new Map() }, styleOf(raw, host, host.stderr))}\n`,
    );
  host.stdout.write(formatOf(raw) === 'json' ? `${revokeJson(report)}\n` : `${revokeSummary(results, kind.title)}\n`);
  return report.exitCode;
}

/** Each id once. Words that are no ids are not repeated, for they may be anything. */
function checkIds(given: readonly string[], kind: Kind): readonly string[] {
  const wrong = given.findIndex((id) => !isId(kind.idPrefix, id));
  if (wrong < 0) return [...new Set(given)];
  throw usage(
    `argument ${wrong + 1} is not ${idForm(kind.idPrefix)}`,
    'the ids are listed by `edgeform sessions list`',
  );
}

interface Verdict {
  readonly report: RevokeReport & { readonly exitCode: ExitCode };
  readonly why: readonly Diagnostic[];
}

function judge(results: readonly RevokeResult[], host: Host): Verdict {
  const has = (...wanted: RevokeResult['status'][]) => results.some((one) => wanted.includes(one.status));
  const failures = results.flatMap(({ id, status, error }): Diagnostic[] =>
    error === null || status === 'not_attempted'
      ? []
      : [{ code: 'revoke-failed', severity: 'error', message: `${id}: ${error}` }],
  );
  if (!has('failed', 'unknown', 'not_attempted'))
    return { report: { result: 'done', exitCode: EXIT.done, results }, why: [] };
  const late = has('unknown') ? EXIT.unknown : has('done', 'gone') ? EXIT.partial : EXIT.error;
  const result = has('unknown') ? 'unknown' : has('done', 'gone') ? 'partial' : 'error';
  if (!host.signal.aborted) return { report: { result, exitCode: late, results }, why: failures };
  const { exitCode, why } = earlyEnd(host, late);
  const ended = host.signalName() === undefined ? result : 'interrupted';
  return { report: { result: ended, exitCode, results }, why: [...failures, why] };
}
