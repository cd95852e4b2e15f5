// Limits on output: how many problems and how much of a long text are shown, and how much was left out (ADR-0019).

import { sortDiagnostics, type Diagnostic } from './diagnostic.ts';
import { mapObject } from './json.ts';
import { knownSecrets } from './secrets/known.ts';

/** Maximum length of one text of a problem, which may quote what the user or the service wrote. */
const MAX_TEXT = 1_000;
/** Maximum number of related places of one problem. */
const MAX_RELATED = 5;
/** Maximum number of problems with the same code in one document. */
export const MAX_LISTED = 1_000;

/** The text, or its beginning and its end. Masks secrets before it cuts, so that no half of one remains. */
export function truncateMiddle(text: string, most = MAX_TEXT): string {
  if (text.length <= most) return text;
  const safe = knownSecrets.mask(text);
  if (safe.length <= most) return safe;
  const tail = Math.floor(most / 4);
  const head = safe.slice(0, most - tail).replace(/[\ud800-\udbff]$/, '');
  const end = safe.slice(safe.length - tail).replace(/^[\udc00-\udfff]/, '');
  return `${head} … (${safe.length - head.length - end.length} characters left out) … ${end}`;
}

interface Folded {
  /** Sorted by place, a limited number of each code, with truncated texts. */
  readonly shown: readonly Diagnostic[];
  /** How many more problems of a code there are. */
  readonly more: readonly {
    readonly code: Diagnostic['code'];
    readonly severity: Diagnostic['severity'];
    readonly count: number;
  }[];
}

/** At most `most` problems of each code. */
export function fold(diagnostics: readonly Diagnostic[], most: number): Folded {
  const counts = new Map<Diagnostic['code'], number>();
  const left = new Map<Diagnostic['code'], Diagnostic['severity']>();
  const shown = sortDiagnostics(diagnostics).filter(({ code, severity }) => {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    if (count > most && left.get(code) !== 'error') left.set(code, severity);
    return count <= most;
  });
  const more = [...left].map(([code, severity]) => ({ code, severity, count: (counts.get(code) ?? 0) - most }));
  return { shown: shown.map(bounded), more };
}

/** Problems as a document lists them. If a code has too many, its last entry says how many more there are. */
export function listed(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const { shown, more } = fold(diagnostics, MAX_LISTED);
  return [
    ...shown,
    ...more.map(({ code, severity, count }): Diagnostic => ({
      code,
      severity,
      message: `there are ${count} more problems of this kind, which are not listed`,
      fix: 'correct the listed ones, then run the command again',
    })),
  ];
}

function bounded(diagnostic: Diagnostic): Diagnostic {
  const { message, address, expected, got, fix, related = [] } = diagnostic;
  return {
    ...diagnostic,
    ...mapObject({ address, expected, got, fix }, (text) => text && truncateMiddle(text)),
    message: truncateMiddle(message),
    ...(related.length > 0 && { related: boundedPlaces(related) }),
  };
}

function boundedPlaces(related: NonNullable<Diagnostic['related']>): NonNullable<Diagnostic['related']> {
  const left = related.length - MAX_RELATED;
  return related.slice(0, MAX_RELATED).map(({ message, range }, index) => {
    const rest = left > 0 && index === MAX_RELATED - 1 ? `; and ${left} more places` : '';
    return { message: `${truncateMiddle(message)}${rest}`, range };
  });
}
