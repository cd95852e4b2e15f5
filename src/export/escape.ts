// `${` in the text of an object is no expression.

/** The text as a manifest writes it. */
export function escapeReferences(text: string): string {
  return text.replaceAll('${', '$${');
}
