// Regular expressions for the catalogue's patterns, each compiled once.

const known = new Map<string, RegExp>();

/** The pattern as JSON Schema understands it: by code points. The source must be one of our constants. */
export function patternOf(source: string): RegExp {
  let made = known.get(source);
  if (made === undefined) {
    made = new RegExp(source, 'u');
    known.set(source, made);
  }
  return made;
}
