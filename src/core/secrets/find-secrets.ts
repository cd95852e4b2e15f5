// Finds known secrets in a text, in any encoding. Knows nothing of documents.

import { decodedViews } from './decode.ts';
import { createMatcher, merge, type Span } from './matcher.ts';
import { SECRET_MASK, secretsOfRun } from './secret.ts';
import { base64Forms, spellings } from './spellings.ts';
import { plainView, rewritten, type View } from './view.ts';

/** What was derived from one list of secrets. */
interface Knowledge {
  readonly list: readonly string[];
  learned: number;
  readonly exact: ReturnType<typeof createMatcher>;
  /** Secrets with white space, which a renderer may have wrapped or set as code. */
  readonly spaced: ReturnType<typeof createMatcher>;
  hasSpaced: boolean;
}

let ofAll = learnFrom([]);
let ofOurs = learnFrom([]);

/** The text with every known secret masked. For output, use `filterText`. */
export function maskSecrets(text: string): string {
  return maskSpans(text, secretSpans(text));
}

/** Where secrets occur in any text. */
export function secretSpans(text: string): Span[] {
  ofAll = current(ofAll, secretsOfRun().all);
  return spansOf(ofAll, text);
}

/** The same, without secrets that were only seen in objects of unknown ownership. */
export function ownSpans(text: string): Span[] {
  ofOurs = current(ofOurs, secretsOfRun().ours);
  return spansOf(ofOurs, text);
}

function spansOf(knowledge: Knowledge, text: string): Span[] {
  if (knowledge.list.length === 0) return [];
  const views = decodedViews(text);
  const found = views.flatMap((view) => spansIn(knowledge, view).map(view.sourceOf));
  return merge(found).filter((span) => !isMasked(text, span));
}

function spansIn({ exact, hasSpaced, spaced }: Knowledge, { text }: View): Span[] {
  if (!hasSpaced) return exact.find(text);
  const plain = plainView(text);
  const narrow = rewritten(plain, GAPS) ?? plain;
  return [...exact.find(text), ...spaced.find(narrow.text).map(narrow.sourceOf)];
}

/** The mask itself is never a secret, even if one of its words is. */
function isMasked(text: string, { start, end }: Span): boolean {
  const head = SECRET_MASK.slice(0, -1);
  return text.slice(Math.max(0, end - head.length), start + head.length).includes(head);
}

/** The text with each span replaced by the mask. */
export function maskSpans(text: string, spans: readonly Span[]): string {
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
  return { list, learned: 0, exact: createMatcher(), spaced: createMatcher(), hasSpaced: false };
}

/** Brings the knowledge up to date: it is computed when a text is written, not when a secret is made. */
function current(before: Knowledge, list: readonly string[]): Knowledge {
  const knowledge = before.list === list ? before : learnFrom(list);
  for (; knowledge.learned < list.length; knowledge.learned++) {
    const secret = list[knowledge.learned] ?? '';
    for (const form of base64Forms(secret)) knowledge.exact.add(form);
    for (const form of spellings(secret)) {
      knowledge.exact.add(form);
      const narrow = form.trim().replace(GAPS.tokens, ' ');
      if (!GAP.test(form) || narrow.length < MIN_SPACED) continue;
      knowledge.hasSpaced = true;
      knowledge.spaced.add(narrow);
    }
  }
  return knowledge;
}

const GAP = /[\s`]/;
const GAPS = { tokens: /[\s`]+/g, change: () => ' ' };
const MIN_SPACED = 4;
