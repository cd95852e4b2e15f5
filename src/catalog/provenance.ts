// How we know each fact about the API: stated in the specification, assumed by us, or left open.

export type Provenance =
  /** The specification states it. */
  | { readonly level: 'documented'; readonly section: string }
  /** The specification is silent, and we chose. */
  | { readonly level: 'assumed'; readonly adr: string }
  /** The specification names it without its values. */
  | { readonly level: 'unspecified'; readonly section: string };

/** The specification says so in the given section, for example `documented('§2')`. */
export function documented(section: string): Provenance {
  return { level: 'documented', section };
}

/** The specification is silent and we chose, for the reasons in the given record, for example `assumed('ADR-0004')`. */
export function assumed(adr: string): Provenance {
  return { level: 'assumed', adr };
}

/** The specification names the thing but not its values; any well-formed value is accepted. */
export function unspecified(section: string): Provenance {
  return { level: 'unspecified', section };
}
