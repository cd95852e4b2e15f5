// Logs of GitHub Actions: the text, with a group for each resource's steps and annotations for what needs a person.
// Text of unknown origin is visible before it comes here, so it begins no line and holds no command.

import type { Diagnostic } from '../../core/diagnostic.ts';
import type { Plan } from '../../plan/plan.ts';
import { renderDiagnostics } from '../text/diagnostic.ts';
import type { Problem } from '../document.ts';
import { diagnosticProblems, planProblems, runDocument } from '../document.ts';
import type { Ending } from '../json/json.ts';
import type { Block } from '../text/plan-text.ts';
import { renderPlan } from '../text/plan-text.ts';
import { renderReport } from '../text/report.ts';
import type { Style } from '../style.ts';

/** GitHub shows no more annotations of one level for one step of a job. */
const MAX_ANNOTATIONS = 10;

export function planGithub(plan: Plan, style: Style): string {
  return [renderPlan(plan, style, group), ...annotations(planProblems(plan))].join('\n');
}

function group({ title, head, lines, loses }: Block): string[] {
  // What takes something away is read without unfolding.
  if (loses) return [head, ...lines];
  return [`::group::${escapeData(title)}`, ...lines, '::endgroup::'];
}

/** The report; a step that did not end well is an annotation. */
export function reportGithub(ending: Ending, style: Style): string {
  const { rows } = runDocument(ending);
  const failed = rows
    .filter(({ status }) => status === 'failed' || status === 'unknown')
    .map(({ action, address, status, error, place }): Problem => ({
      group: 'error',
      code: `${status}: ${action} ${address}`,
      text: error ?? status,
      place,
      addresses: [],
      facts: [],
    }));
  const text = renderReport(ending.results, ending.plan, style, ending.result === 'interrupted');
  return [text, ...annotations(failed)].join('\n');
}

export function diagnosticsGithub(
  diagnostics: readonly Diagnostic[],
  sources: ReadonlyMap<string, string>,
  style: Style,
): string {
  if (diagnostics.length === 0) return '';
  return [renderDiagnostics(diagnostics, sources, style), ...annotations(diagnosticProblems(diagnostics))].join('\n');
}

/** Problems as workflow commands, the first of each level. */
export function annotations(problems: readonly Problem[]): string[] {
  const errors = problems.filter((problem) => problem.group !== 'warning');
  const warnings = problems.filter((problem) => problem.group === 'warning');
  return [
    ...errors.slice(0, MAX_ANNOTATIONS).map((problem) => annotation('error', problem)),
    ...warnings.slice(0, MAX_ANNOTATIONS).map((problem) => annotation('warning', problem)),
  ];
}

function annotation(level: 'error' | 'warning', { code, text, place, facts, group: name }: Problem): string {
  const properties = [
    ...(place === undefined
      ? []
      : [
          ['file', place.file],
          ['line', String(place.line)],
          ['col', String(place.column)],
        ]),
    ['title', code ?? name],
  ].map(([key = '', value = '']) => `${key}=${escapeProperty(value)}`);
  return `::${level} ${properties.join(',')}::${escapeData([text, ...facts.map((fact) => `${fact.lead} ${fact.text}`)].join('\n'))}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
