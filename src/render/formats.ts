// Every output format by name: the one place that knows which renderer makes which. Text without a final line break.

import type { Diagnostic } from '../core/diagnostic.ts';
import type { Plan } from '../plan/plan.ts';
import { renderDiagnostics } from './text/diagnostic.ts';
import type { DriftView } from './text/drift.ts';
import { driftJson, renderDrift } from './text/drift.ts';
import { driftGithub, driftHtml, driftMarkdown } from './drift-formats.ts';
import { diagnosticsGithub, planGithub, reportGithub } from './ci/github.ts';
import { planGitlab } from './ci/gitlab.ts';
import type { Ending } from './json/json.ts';
import { diagnosticsJson, planJson, reportJson } from './json/json.ts';
import { diagnosticsHtml, planHtml, reportHtml } from './html/plan-html.ts';
import { planMarkdown } from './markdown/plan-markdown.ts';
import { renderPlan } from './text/plan-text.ts';
import { diagnosticsMarkdown, reportMarkdown } from './markdown/report-markdown.ts';
import { renderReport } from './text/report.ts';
import type { Style } from './style.ts';

/** Names of all output formats. */
export const FORMATS = ['text', 'json', 'markdown', 'html', 'github', 'gitlab'] as const;
export type Format = (typeof FORMATS)[number];

/** Formats of a log, which grows line by line; the others are one whole document. */
export type LogFormat = Extract<Format, 'text' | 'github' | 'gitlab'>;

/** True for the name of an output format. */
export function isFormat(name: string): name is Format {
  return FORMATS.some((format) => format === name);
}

export function isLog(format: Format): format is LogFormat {
  return format === 'text' || format === 'github' || format === 'gitlab';
}

/** The format itself, or text beside a document. */
export function logOf(format: Format): LogFormat {
  return isLog(format) ? format : 'text';
}

/** A plan, in any format. */
export function renderPlanAs(format: Format, plan: Plan, style: Style): string {
  switch (format) {
    case 'text':
      return renderPlan(plan, style);
    case 'json':
      return planJson(plan);
    case 'markdown':
      return planMarkdown(plan, style);
    case 'html':
      return planHtml(plan, style);
    case 'github':
      return planGithub(plan, style);
    case 'gitlab':
      return planGitlab(plan, style);
    default:
      return format satisfies never;
  }
}

/** How an apply or destroy ended, in any format. */
export function renderReportAs(format: Format, ending: Ending, style: Style): string {
  switch (format) {
    case 'text':
    case 'gitlab':
      return renderReport(ending.results, ending.plan, style, ending.result === 'interrupted');
    case 'json':
      return reportJson({
        ...ending,
        stack: ending.plan.stack,
        converged: ending.exitCode === 0,
        outputs: ending.plan.outputs,
      });
    case 'markdown':
      return reportMarkdown(ending);
    case 'html':
      return reportHtml(ending);
    case 'github':
      return reportGithub(ending, style);
    default:
      return format satisfies never;
  }
}

/** What drift found, in any format. */
export function renderDriftAs(format: Format, view: DriftView, style: Style): string {
  switch (format) {
    case 'text':
    case 'gitlab':
      return renderDrift(view, style);
    case 'json':
      return driftJson(view);
    case 'markdown':
      return driftMarkdown(view, style);
    case 'html':
      return driftHtml(view, style);
    case 'github':
      return driftGithub(view, style);
    default:
      return format satisfies never;
  }
}

/** Problems, and the texts of the files that they point into. */
export interface Found {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string>;
}

/** Problems, in any format. Logs say nothing ('') when there is nothing to say; a document says that. */
export function renderDiagnosticsAs(format: Format, { diagnostics, sources }: Found, style: Style): string {
  switch (format) {
    case 'text':
    case 'gitlab':
      return renderDiagnostics(diagnostics, sources, style);
    case 'json':
      return diagnosticsJson(diagnostics);
    case 'markdown':
      return diagnosticsMarkdown(diagnostics);
    case 'html':
      return diagnosticsHtml(diagnostics);
    case 'github':
      return diagnosticsGithub(diagnostics, sources, style);
    default:
      return format satisfies never;
  }
}
