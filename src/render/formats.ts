// Every output format by name, and the views that each can draw. Text has no final line break.

import { MAX_LISTED } from '../core/bounds.ts';
import { BugError } from '../core/diagnostic.ts';
import { escapeTexts } from '../core/text/escape-controls.ts';
import type { Plan } from '../plan/plan.ts';
import type { RenderOptions } from './render-options.ts';
import type { DriftView, ReportView } from './view/documents.ts';
import { driftView } from './view/drift.ts';
import { fromCheckout } from './view/places.ts';
import { planView } from './view/plan.ts';
import { problemsView, type Found } from './view/problems.ts';
import { reportView } from './view/report.ts';
import type { View } from './view/view.ts';
import { writers } from './formats/index.ts';
import type { Writer } from './writer.ts';

export type Format = (typeof writers)[number]['name'];

/** Names of all output formats. */
export const FORMATS: readonly Format[] = [...writers].sort((a, b) => a.position - b.position).map(({ name }) => name);

/** True for the name of an output format. */
export function isFormat(name: string): name is Format {
  return writers.some((one) => one.name === name);
}

function writerOf(format: Format): Writer {
  const writer = writers.find(({ name }) => name === format);
  if (writer === undefined) throw new BugError(`no file draws ${format}`);
  return writer;
}

function hasForm(format: Format, is: View['is']): boolean {
  const { draws } = writerOf(format);
  return draws === undefined || draws.includes(is);
}

/** Names of the formats that can draw this view. */
export function formatsFor(is: View['is']): readonly Format[] {
  return FORMATS.filter((format) => hasForm(format, is));
}

export function isLog(format: Format): boolean {
  return writerOf(format).isLog;
}

/** The format itself, or text if it is a document. */
export function logOf(format: Format): Format {
  return isLog(format) ? format : 'text';
}

/** Documents do not depend on a terminal. */
const DOCUMENT: RenderOptions = { color: false, width: 100, detail: 'changes' };

export function renderPlanAs(format: Format, plan: Plan, style: RenderOptions, limit?: number): string {
  return drawn(format, style, (shown) => planView(plan, shown), limit);
}

/** How an apply or destroy ended, in any format. */
export function renderReportAs(format: Format, ending: ReportView, style: RenderOptions, limit?: number): string {
  return drawn(format, style, (shown) => reportView(ending, shown), limit);
}

export function renderDriftAs(format: Format, found: DriftView, style: RenderOptions, limit?: number): string {
  return drawn(format, style, (shown) => driftView(found, shown), limit);
}

/** Problems, in any format. Without problems, logs are empty ('') and documents say so. */
export function renderDiagnosticsAs(format: Format, found: Found, style: RenderOptions, limit?: number): string {
  return drawn(format, style, (_, most) => problemsView(found, most), limit);
}

/** A log shows at most this many problems of one code and counts the rest. */
const MAX_LOGGED = 20;

/** A view in any format that has a form for it; `most` is how many problems of one code it shows. */
export function drawn(
  format: Format,
  style: RenderOptions,
  viewFor: (style: RenderOptions, most: number) => View,
  limit: number | undefined,
): string {
  const { isLog: isBound, isForForge, draw } = writerOf(format);
  const shown = isBound
    ? style
    : {
        ...DOCUMENT,
        comment: style.comment ?? {},
        command: style.command,
        detail: style.detail,
        checkout: style.checkout,
      };
  const seen = viewFor(shown, isBound ? MAX_LOGGED : MAX_LISTED);
  const isPlaced = isForForge === true && style.checkout !== undefined;
  const view = escaped(isPlaced ? fromCheckout(seen, style.checkout) : seen);
  if (!hasForm(format, view.is)) throw new BugError(`${format} has no form for ${view.is}`);
  return draw(view, shown, limit);
}

/** The view with control characters escaped, except in what is for programs; no writer has to think of them. */
function escaped({ facts, document, subjects, stacks, ...shown }: View): View {
  const others = stacks?.map(({ view, ...stack }) => ({ ...escapeTexts(stack), view: view && escaped(view) }));
  return {
    ...escapeTexts(shown),
    facts,
    document,
    ...(subjects && { subjects: () => escapeTexts(subjects()) }),
    ...(others && { stacks: others }),
  };
}
