// Parses `${…}` in text, the same way for manifests, plans and output: `$${` is a literal `${`, and an expression ends at the
// first `}`. Does not know what an expression may contain.

/** Literal text, or what is between `${` and `}`. `source` is the original spelling. */
export type Token =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'expression'; readonly inner: string; readonly source: string; readonly isClosed: boolean };

const PIECE = /\$\$\{|\$\{([^}]*)(\})?/g;

/** The tokens of a text; never two literal texts in a row. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let literal = '';
  let end = 0;
  const endText = () => {
    if (literal !== '') tokens.push({ is: 'text', text: literal });
    literal = '';
  };
  for (const { 0: source, 1: inner = '', 2: close, index } of text.matchAll(PIECE)) {
    literal += text.slice(end, index);
    end = index + source.length;
    if (source === '$${') literal += '${';
    else {
      endText();
      tokens.push({ is: 'expression', inner, source, isClosed: close !== undefined });
    }
  }
  literal += text.slice(end);
  endText();
  return tokens;
}

/** The text with each expression filled in; an unterminated or empty one stays as it is. */
export function fillTemplate(text: string, fill: (inner: string, source: string) => string): string {
  if (!text.includes('${')) return text;
  return tokensOf(text)
    .map((token) => {
      if (token.is === 'text') return token.text;
      return token.isClosed && token.inner !== '' ? fill(token.inner, token.source) : token.source;
    })
    .join('');
}

/** Writes `${` in user text as `$${`, so that it is never taken for an expression. */
export function escapeText(text: string): string {
  // In a replacement string, `$$` means one dollar sign.
  return text.replaceAll('${', () => '$${');
}

/** In plans, `${$}` is a dollar sign before an expression, because `$${` would be a literal `${`. */
export const DOLLAR = '$';

/** The text as its author meant it; expressions stay. */
export function unescapeText(text: string): string {
  return fillTemplate(text, (inner, source) => (inner === DOLLAR ? DOLLAR : source));
}
