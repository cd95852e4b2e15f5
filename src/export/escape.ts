// `${` in the text of an object is no expression.

/** The text as a manifest writes it. (In a replacement text `$$` would mean `$`, so it comes from a function.) */
export function escapeReferences(text: string): string {
  return text.replaceAll('${', () => '$${');
}
