// `${…}` in text, read in one way by manifests, plans and what is shown of them: `$${` is a literal `${`, and an expression
// ends at the first `}`. What an expression may say is not known here.

/** Text as it is meant, or what stands between `${` and `}`. `source` is how it is written. */
export type Token =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'expression'; readonly inner: string; readonly source: string; readonly isClosed: boolean };

const PIECE = /\$\$\{|\$\{([^}]*)(\})?/g;

/** Never two neighbouring texts. */
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

/** The text with each expression filled; one that does not end, or says nothing, is left as it is. */
export function fillTemplate(text: string, fill: (inner: string, source: string) => string): string {
  if (!text.includes('${')) return text;
  return tokensOf(text)
    .map((token) => {
      if (token.is === 'text') return token.text;
      return token.isClosed && token.inner !== '' ? fill(token.inner, token.source) : token.source;
    })
    .join('');
}

/** `${` in somebody's own text is written `$${`, so that it is never taken for an expression. */
export function escapeText(text: string): string {
  // In a replacement text `$$` would stand for one dollar.
  return text.replaceAll('${', () => '$${');
}

/** In plans `${$}` stands for one dollar, where an expression follows it: `$${` would be read as a literal `${`. */
export const DOLLAR = '$';

/** Text as its author meant it; expressions stay. */
export function unescapeText(text: string): string {
  return fillTemplate(text, (inner, source) => (inner === DOLLAR ? DOLLAR : source));
}
