// How a run ended, and what validation found, as Markdown.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { plural } from '../../core/text.ts';
import type { ResultRow, RunDocument } from '../document.ts';
import { totals } from '../text/diagnostic.ts';
import { diagnosticProblems, runDocument } from '../document.ts';
import type { Ending } from '../json/json.ts';
import { clip, code, firstThatFits, sentence, table } from './markdown.ts';
import type { Size } from './plan-markdown.ts';
import {
  COMMENT_LIMIT,
  missingLines,
  nameCell,
  outputLines,
  paragraphs,
  placeLine,
  problemParts,
  SIZES,
} from './plan-markdown.ts';
import { phaseWords, WORDS } from '../text/report.ts';
import { SYMBOLS } from '../text/step.ts';

/** The report without a final line break, at most `limit` characters long. */
export function reportMarkdown(ending: Ending, limit = COMMENT_LIMIT): string {
  const said = runDocument(ending);
  return firstThatFits(
    limit,
    SIZES.map((size) => () => paragraphs(reportParts(said, size))),
  );
}

function reportParts({ sentence: counts, stack, service, advice, problems, rows, outputs }: RunDocument, size: Size) {
  return [
    [`**${sentence(counts)}**`],
    [placeLine(stack, service, size)],
    missingLines(size),
    advice === undefined ? [] : [advice],
    ...problemParts(problems, size),
    resultTable(rows, size),
    size.changes ? outputLines(outputs) : [],
  ];
}

function resultTable(rows: readonly ResultRow[], size: Size): string[] {
  const shown = rows.slice(0, size.rows);
  if (shown.length === 0) return [];
  const more = rows.length - shown.length;
  const cells = shown.map(({ action, address, liveId, phase, status, error }) => [
    code(SYMBOLS[action]),
    `${action}${phaseWords(phase)}`,
    nameCell(address, liveId, size),
    status === 'done' ? WORDS[status] : `**${WORDS[status]}**`,
    error === undefined ? '' : sentence(clip(error, size.clip)),
  ]);
  return [
    ...table(['', 'action', 'address', 'outcome', 'why'], cells),
    ...(more > 0 ? ['', `and ${plural(more, 'more step')}`] : []),
  ];
}

/** Problems as lists, at most `limit` characters long; says so when there are none. */
export function diagnosticsMarkdown(diagnostics: readonly Diagnostic[], limit = COMMENT_LIMIT): string {
  const problems = diagnosticProblems(diagnostics);
  const counts = `**${totals(diagnostics) || 'No problems found'}.**`;
  return firstThatFits(
    limit,
    SIZES.map((size) => () => paragraphs([[counts], missingLines(size), ...problemParts(problems, size)])),
  );
}
