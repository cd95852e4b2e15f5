// Quoted texts and brackets that nothing closes, so that they are told where they begin.

import type { Document, Node } from 'yaml';
import { visit } from 'yaml';
import { rangeOf } from './nodes.ts';
import type { SyntaxPlace, Unclosed } from './syntax.ts';
import { closerOf } from './syntax.ts';

/** Codes of problems that may come from a quote or bracket that is not closed. */
const MISSING: readonly string[] = ['MISSING_CHAR', 'BAD_INDENT', 'UNEXPECTED_TOKEN'];

interface Found extends Unclosed {
  /** Offsets between which the parser may miss the end. */
  readonly from: number;
  readonly to: number;
}

/** What is not closed where a problem of the document is. */
export function unclosedIn(document: Document.Parsed, text: string): SyntaxPlace['unclosedAt'] {
  if (!document.errors.some(({ code }) => MISSING.includes(code))) return () => undefined;
  const found: Found[] = [];
  visit(document, {
    Scalar: (_, node) => {
      const open = openAt(node, text);
      if (open !== undefined && /^QUOTE/.test(node.type ?? '')) found.push({ ...open, from: open.at });
    },
    Collection: (_, node) => {
      const open = node.flow === true ? openAt(node, text) : undefined;
      if (open !== undefined && closerOf(open.mark) !== undefined) found.push({ ...open, from: open.to });
    },
  });
  // A quote that is open in brackets is why they are.
  found.sort((a, b) => b.at - a.at);
  return ({ code, pos: [at] }) =>
    MISSING.includes(code) ? found.find(({ from, to }) => from <= at && at <= to) : undefined;
}

function openAt(node: Node, text: string): Omit<Found, 'from'> | undefined {
  const [at, to] = rangeOf(node) ?? [0, 0];
  const mark = text.charAt(at);
  const isClosed = to - at > 1 && text.charAt(to - 1) === (closerOf(mark) ?? mark);
  return isClosed ? undefined : { at, mark, to };
}
