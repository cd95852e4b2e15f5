// What drift found, for people and programs. Text without a final line break.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { plural } from '../../core/text.ts';
import type { Drift, Finding } from '../../drift/drift.ts';
import type { Pending } from '../../drift/pending.ts';
import type { Change } from '../../plan/plan.ts';
import { differenceLines } from './difference.ts';
import { documentJson, rows } from '../json/json.ts';
import { printLine, wrap } from './lines.ts';
import { placeOf } from './place.ts';
import type { Style, Tone } from '../style.ts';
import { paint } from '../style.ts';
import { visible } from '../../core/visible.ts';

/** Findings that count, and those that an entry of the ignore file accepts. */
export interface DriftView {
  readonly drift: Drift;
  readonly ignored: readonly {
    readonly finding: Finding;
    readonly ignore: { readonly reason: string; readonly expires: string };
  }[];
  readonly diagnostics: readonly Diagnostic[];
}

export function driftJson({ drift, ignored, diagnostics }: DriftView): string {
  return documentJson({
    ...drift,
    ignored: ignored.map(({ finding, ignore }) => ({
      fingerprint: finding.fingerprint,
      address: finding.address,
      live_id: finding.live_id,
      reason: ignore.reason,
      expires: ignore.expires,
    })),
    diagnostics: rows(diagnostics),
  });
}

/** The sentence that says how it stands. */
export function driftSentence({ drift, ignored }: DriftView): string {
  const count = (type: Finding['type']) => drift.findings.filter((finding) => finding.type === type).length;
  const facts = [
    [count('changed'), 'changed outside'],
    [count('missing'), 'missing'],
    [count('duplicate'), 'there more than once'],
  ] as const;
  const found = facts.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`);
  const start = found.length === 0 ? 'No drift.' : `Drift: ${found.join(', ')}.`;
  const rest = ignored.length === 0 ? '' : ` ${plural(ignored.length, 'finding')} ignored.`;
  const pending =
    drift.pending.length === 0 ? '' : ` ${plural(drift.pending.length, 'change')} of the manifest pending.`;
  return `${start}${pending}${rest} Coverage: ${percent(drift.coverage)}.`;
}

function percent(share: number): string {
  return `${(Math.floor(share * 1000) / 10).toFixed(1)} % of the objects belong to a stack`;
}

export function renderDrift(view: DriftView, style: Style): string {
  const { drift, ignored, diagnostics } = view;
  const counted = drift.findings.filter((finding) => finding.type !== 'unmanaged');
  const unmanaged = drift.findings.filter((finding) => finding.type === 'unmanaged');
  const blocks = [
    [`Stack ${visible(drift.stack)} at ${visible(drift.service)}`, paint(style, 'strong', driftSentence(view))],
    ...counted.map((finding) => findingLines(finding, style)),
    section(
      'Not in any stack:',
      unmanaged.map((one) => `${visible(one.kind)} ${visible(one.live_id ?? '')}`),
    ),
    section('Pending, because the manifest changed:', drift.pending.map(pendingLine)),
    section('Ignored:', ignored.map(ignoredLine)),
    diagnostics.map(({ severity, message }) => paint(style, 'warn', `${severity}: ${visible(message)}`)),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function pendingLine({ action, address, reason }: Pending): string {
  return `${action} ${visible(address)}: ${visible(reason)}`;
}

function ignoredLine({ finding, ignore }: DriftView['ignored'][number]): string {
  return `${visible(finding.address ?? finding.live_id ?? '')}: ${visible(ignore.reason)} (until ${ignore.expires})`;
}

function section(title: string, entries: readonly string[]): string[] {
  return entries.length === 0 ? [] : [title, ...entries.map((entry) => `  ${entry}`)];
}

const WORDS: Readonly<Record<Finding['type'], { readonly mark: string; readonly text: string; readonly tone: Tone }>> =
  {
    changed: { mark: '~', text: 'changed', tone: 'warn' },
    missing: { mark: '-', text: 'missing', tone: 'bad' },
    duplicate: { mark: '!', text: 'doubled', tone: 'bad' },
    unmanaged: { mark: '?', text: 'unmanaged', tone: 'quiet' },
  };

const CAUSES: Readonly<Record<Change['cause'], string>> = {
  config: 'changed in the manifest',
  drift: 'changed outside',
  both: 'changed outside and in the manifest',
  unknown: 'nobody knows by whom',
};

/** One finding: what, where, by whom, and every value. `before` is what is live, `after` what the manifest says. */
export function findingLines(finding: Finding, style: Style): string[] {
  const { mark, text, tone } = WORDS[finding.type];
  const id = finding.live_id === null ? '' : ` (${visible(finding.live_id)})`;
  const name = paint(style, 'strong', visible(finding.address ?? finding.kind));
  const why = whyOf(finding);
  const evidence = why === undefined ? [] : wrap(`why: ${visible(why)}`, style.width - 4, '     ');
  const lines =
    style.detail === 'names' ? [] : finding.changes.flatMap((change) => changeLines(finding.kind, change, style));
  return [
    `${paint(style, tone, `${mark} ${text}`)} ${name}${id}`,
    ...evidence.map((line) => `    ${line}`),
    ...lines,
    ...(finding.consequences ?? []).map((one) => `    then: ${pendingLine(one)}`),
    `    ${paint(style, 'quiet', `fingerprint: ${finding.fingerprint}`)}`,
  ];
}

function whyOf({ type, cause, evidence }: Finding): string | undefined {
  return type === 'missing' && cause === 'drift' && evidence !== undefined ? `deleted outside: ${evidence}` : evidence;
}

function changeLines(kind: string, change: Change, style: Style): string[] {
  // Seen from the manifest: what it says was there before, what is live came after.
  const shown = { label: visible(change.path), before: change.after, after: change.before, depth: 2 };
  const [first, ...rest] = differenceLines(shown, placeOf(kind, change.path, style));
  const said = first === undefined ? [] : [{ ...first, text: `${first.text}  [${CAUSES[change.cause]}]` }];
  return [...said, ...rest].map((line) => printLine(line, style));
}
