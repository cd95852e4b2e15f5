// drift --accept: prints what the manifest has to say so that it asks for what is live, or writes it. Never writes to the service.

import { resolve } from 'node:path';
import { acceptDrift, type Acceptance, type ChangedFile } from '../../accept/accept.ts';
import { selectionOf } from '../../accept/selection.ts';
import type { LeftOut, Reason } from '../../accept/reasons.ts';
import { hasErrors, rangeText, STANDARD_INPUT, type Diagnostic } from '../../core/diagnostic.ts';
import { Failure, usageError } from '../../core/failure.ts';
import type { RunOutcome } from '../../core/run-outcome.ts';
import { knownSecrets } from '../../core/secrets/known.ts';
import { plural } from '../../core/text/text.ts';
import type { MatchedDrift } from '../../drift/drift.ts';
import type { ManifestResult } from '../../manifest/load.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import type { ManifestTexts } from '../../manifest/manifest-texts.ts';
import { descriptorOf, isLink, modeOf } from '../../platform/paths.ts';
import { failOnFileError } from '../../platform/problem.ts';
import { patchOf } from '../../render/patch.ts';
import { documentJson, rows } from '../../render/view/documents.ts';
import type { Invocation } from '../shell/invocation.ts';
import { sayProblems } from '../shell/problems.ts';

/** True for a command line that accepts drift. Fails for one that cannot mean it. */
export function acceptsDrift({ accept, write, format }: Invocation['settings']): boolean {
  if (accept.length === 0) {
    if (write) throw usageError('--write needs --accept', 'say what is accepted: --accept all --write');
    return false;
  }
  if (format === 'text' || format === 'json') return true;
  throw usageError(`--accept has no format ${format}`, 'use text or json; drift without --accept has the others');
}

/** What is accepted, and of what. */
export interface Accepting {
  readonly found: MatchedDrift;
  readonly manifest: Manifest;
  readonly loaded: ManifestTexts & Pick<ManifestResult, 'plain'>;
  /** Further problems to say. */
  readonly problems: readonly Diagnostic[];
  /** True for a file that other stacks read, too. */
  readonly isShared?: (name: string) => boolean;
  /** Addresses that other stacks import. */
  readonly imported?: ReadonlySet<string>;
  /** What is said beside each problem. */
  readonly related?: Diagnostic['related'];
}

/** What of a drift is accepted, and the files that change, as they are on the disk. */
export interface Accepted extends Accepting {
  readonly acceptance: Acceptance;
  readonly changed: readonly ChangedFile[];
}

/** `pending` when something of what was to be accepted is left out. */
export function acceptFindings(accepting: Accepting, run: Invocation): RunOutcome {
  const accepted = acceptOne(accepting, run);
  writeAccepted([accepted], run);
  if (run.settings.format === 'json') run.stdout.write(`${documentJson(acceptDocument(accepted, run))}\n`);
  else printAccepted([accepted], accepting.problems, run);
  return outcomeOfAccepted(accepted);
}

/** `pending` when something is left out. */
export function outcomeOfAccepted({ acceptance: { left } }: Accepted): RunOutcome {
  return left.length > 0 ? 'pending' : 'done';
}

/** Fails for words that name nothing. */
export function acceptOne(accepting: Accepting, run: Invocation): Accepted {
  const { found, manifest, loaded, imported } = accepting;
  const addresses = manifest.resources.map(({ address }) => address);
  const { value: choiceOf, diagnostics } = selectionOf({
    words: run.settings.accept,
    findings: found.drift.findings,
    addresses,
  });
  if (choiceOf === undefined) throw new Failure('usage', diagnostics);
  const judged = (file: ManifestTexts['files'][number]) => ({ ...file, whyKept: whyKept(file, accepting, run) });
  const { document, sourceMap } = loaded.plain;
  const acceptance = acceptDrift({
    found,
    manifest,
    document,
    sourceMap,
    choiceOf,
    imported,
    files: loaded.files.map(judged),
    overlays: loaded.overlays.map(judged),
    reload: loaded.reload,
  });
  return { ...accepting, acceptance, changed: acceptance.files.map((file) => asOnDisk(file, run)) };
}

/** Writes the files, if that is asked for. */
export function writeAccepted(accepted: readonly Accepted[], run: Invocation): void {
  if (!run.settings.write) return;
  for (const file of accepted.flatMap(({ changed }) => changed)) write(file, run);
}

/** The patch of all, or the names of the files that were written. */
export function printAccepted(accepted: readonly Accepted[], problems: readonly Diagnostic[], run: Invocation): void {
  const { settings, stdout, stderr } = run;
  const left = accepted.flatMap(({ acceptance, related }) =>
    acceptance.left.map((one) => ({ ...leftOutProblem(one), ...(related && { related }) })),
  );
  sayProblems([...problems, ...left], run);
  const files = accepted.flatMap(({ changed }) => changed);
  stdout.write(files.map((file) => (settings.write ? `${file.name}\n` : patchOf(file))).join(''));
  const acceptances = accepted.map(({ acceptance }) => acceptance);
  const isNothing = acceptances.every((one) => one.accepted.length + one.left.length === 0);
  // Where something could not be compared, nobody knows that nothing drifted.
  if (!isNothing || !hasErrors(problems)) stderr.write(`${summary(acceptances, settings.write)}\n`);
}

/** Why a file is not written, whatever it says. */
function whyKept(
  { name, text }: { readonly name: string; readonly text: string },
  { isShared = () => false }: Accepting,
  { cwd }: Invocation,
): Reason | undefined {
  const path = resolve(cwd, name);
  if (name === STANDARD_INPUT || descriptorOf(path) !== undefined) return 'standard-input';
  if (isLink(path)) return 'link';
  if (isShared(name)) return 'other-stacks';
  // A mask in it would change what it means.
  return knownSecrets.holds(text) ? 'literal-secret' : undefined;
}

/** With the byte order mark that the reader leaves out. Fails for a file that was changed since it was read. */
function asOnDisk({ name, before, after }: ChangedFile, { platform, cwd }: Invocation): ChangedFile {
  const text = failOnFileError(() => platform.files.read(resolve(cwd, name)));
  const mark = text?.startsWith('\ufeff') === true ? '\ufeff' : '';
  if (text !== mark + before) {
    const message = `${JSON.stringify(name)} was changed while drift was looked for; nothing was written`;
    throw Failure.of('error', 'file-unreadable', message, 'run the command again');
  }
  return { name, before: mark + before, after: mark + after };
}

function write({ name, after }: ChangedFile, { platform, cwd }: Invocation): void {
  const path = resolve(cwd, name);
  // A mask would change what the file means, so that one with a secret is not written.
  failOnFileError(() => platform.files.writeAtomic(path, after, modeOf(path)));
}

function leftOutProblem({ address, path, message, fix, range }: LeftOut): Diagnostic {
  return {
    code: 'not-accepted',
    severity: 'warning',
    message,
    fix,
    ...(range && { range }),
    ...(address !== null && { address }),
    ...(path !== null && { path }),
  };
}

function summary(acceptances: readonly Acceptance[], isWritten: boolean): string {
  const count = (list: keyof Acceptance) => acceptances.reduce((sum, one) => sum + one[list].length, 0);
  const [accepted, left] = [count('accepted'), count('left')];
  if (accepted + left === 0) return 'Nothing of this drifted.';
  const where = `${isWritten ? 'written to' : 'for'} ${plural(count('files'), 'file')}`;
  const missing = left === 0 ? '' : `; ${left} left out`;
  return `${plural(accepted, 'change')} accepted, ${where}${missing}.`;
}

/** The document of one stack. */
export function acceptDocument({ acceptance, changed, found, problems }: Accepted, run: Invocation): object {
  const { accepted, left } = acceptance;
  return {
    format: 'edgeform-accept/1',
    stack: found.drift.stack,
    service: found.drift.service,
    written: run.settings.write && changed.length > 0,
    accepted: accepted.map(({ edit: { finding, inner, value }, file }) => ({
      fingerprint: finding.fingerprint,
      address: finding.address,
      path: inner,
      change: value === undefined ? 'removed' : finding.type === 'foreign-child' ? 'adopted' : 'set',
      file,
    })),
    left_out: left.map(({ range, ...rest }) => ({ ...rest, source: range === undefined ? null : rangeText(range) })),
    files: changed.map((file) => ({ path: file.name, patch: patchOf(file) })),
    diagnostics: rows(problems),
  };
}
