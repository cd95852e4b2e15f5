// Where the known secrets stand in a text, in whatever spelling. Knows nothing of documents.

import type { Matcher, Span } from './matcher.ts';
import { createMatcher, merge } from './matcher.ts';
import { knownSecrets, ownSecrets, SECRET_MASK } from './secret.ts';
import { spellings } from './spelling.ts';

/** What is known of the secrets in one list of them. */
interface Knowledge {
  readonly list: readonly string[];
  learned: number;
  readonly exact: Matcher;
  /** Those with white space, which a renderer may have broken into lines or set apart as code. */
  readonly spaced: Matcher;
  hasSpaced: boolean;
}

let ofAll = learnFrom([]);
let ofOurs = learnFrom([]);

/** The text with every known secret masked. For texts on their way to a sink, use `filterText`. */
export function maskSecrets(text: string): string {
  return masked(text, secretSpans(text));
}

/** Where secrets stand in the text, whatever the text is. */
export function secretSpans(text: string): Span[] {
  ofAll = current(ofAll, knownSecrets());
  return spansOf(ofAll, text);
}

/** The same for those secrets that are not only a value of an object that may be anybody's. */
export function ownSpans(text: string): Span[] {
  ofOurs = current(ofOurs, ownSecrets());
  return spansOf(ofOurs, text);
}

function spansOf({ list, exact, hasSpaced, spaced }: Knowledge, text: string): Span[] {
  if (list.length === 0) return [];
  const found = exact.find(text);
  const across = hasSpaced ? spacedSpans(text, spaced) : [];
  const all = across.length === 0 ? found : merge([...found, ...across]);
  return all.filter((span) => !isMasked(text, span));
}

function spacedSpans(text: string, spaced: Matcher): Span[] {
  const narrow = text.replace(GAPS, ' ');
  const found = spaced.find(narrow);
  if (found.length === 0) return [];
  // Position in the narrow text → position in the text.
  const origin: number[] = [];
  let at = 0;
  for (const gap of text.matchAll(GAPS)) {
    for (; at < gap.index; at++) origin.push(at);
    origin.push(at);
    at += gap[0].length;
  }
  for (; at <= text.length; at++) origin.push(at);
  return found.map(({ start, end }) => ({ start: origin[start] ?? 0, end: (origin[end - 1] ?? text.length) + 1 }));
}

/** The mask is no secret, also when a secret is a word of it. */
function isMasked(text: string, { start, end }: Span): boolean {
  const head = SECRET_MASK.slice(0, -1);
  return text.slice(Math.max(0, end - head.length), start + head.length).includes(head);
}

/** The text with a mask in place of each part. */
export function masked(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    parts.push(text.slice(from, start), SECRET_MASK);
    from = end;
  }
  return [...parts, text.slice(from)].join('');
}

function learnFrom(list: readonly string[]): Knowledge {
  return {
    list,
    learned: 0,
    exact: createMatcher(),
    spaced: createMatcher(),
    hasSpaced: false,
  };
}

/** What is known now: secrets are learned when a text is written, not when they are made. */
function current(before: Knowledge, list: readonly string[]): Knowledge {
  const knowledge = before.list === list ? before : learnFrom(list);
  for (; knowledge.learned < list.length; knowledge.learned++) {
    for (const form of spellings(list[knowledge.learned] ?? '')) {
      knowledge.exact.add(form);
      const narrow = squeezed(form);
      if (!GAP.test(form) || narrow.length < MIN_SPACED) continue;
      knowledge.hasSpaced = true;
      knowledge.spaced.add(narrow);
    }
  }
  return knowledge;
}

const GAP = /[\s`]/;
const GAPS = /[\s`]+/g;
const MIN_SPACED = 4;

function squeezed(text: string): string {
  return text.trim().replace(GAPS, ' ');
}
