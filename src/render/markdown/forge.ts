// Where a comment is read: how long it may be there, and what of Markdown is drawn.

export interface Forge {
  readonly name: string;
  /** Most bytes of a comment: below the limit of the place, with room for what a pipeline puts around it. */
  readonly limit: number;
  /** HTML is drawn: what folds, line breaks in a table, comments that nobody sees. */
  readonly hasHtml: boolean;
  /** A quote that begins with `[!CAUTION]` is a red box. */
  readonly hasAlerts: boolean;
  /** Most characters of a diagram; none are drawn at 0. */
  readonly diagram: number;
}

/** The first is the default. Limits of the places: 65,536 characters, 1,000,000, 32,768 and 150,000. */
export const FORGES: readonly [Forge, ...Forge[]] = [
  { name: 'github', limit: 60_000, hasHtml: true, hasAlerts: true, diagram: 50_000 },
  { name: 'gitlab', limit: 250_000, hasHtml: true, hasAlerts: true, diagram: 2_000 },
  { name: 'bitbucket', limit: 32_000, hasHtml: false, hasAlerts: false, diagram: 0 },
  { name: 'azure-devops', limit: 145_000, hasHtml: true, hasAlerts: false, diagram: 0 },
];

export function forgeOf(name: string | undefined): Forge {
  return FORGES.find((forge) => forge.name === name) ?? FORGES[0];
}
