// Where a document is read, and what works there.

/** Where a comment is read: its length limit and the Markdown features that work there. */
export interface Forge {
  readonly name: string;
  /** Maximum size of a comment in bytes: below the forge's limit, with room for what a pipeline adds. */
  readonly limit: number;
  /** HTML works: folding, invisible comments. */
  readonly hasHtml: boolean;
  /** A quote that begins with `[!CAUTION]` becomes a red box. */
  readonly hasAlerts: boolean;
}

/** The first is the default. The forges' own limits: 65,536 characters, 1,000,000, 32,768 and 150,000. */
export const FORGES: readonly [Forge, ...Forge[]] = [
  { name: 'github', limit: 60_000, hasHtml: true, hasAlerts: true },
  { name: 'gitlab', limit: 250_000, hasHtml: true, hasAlerts: true },
  { name: 'bitbucket', limit: 32_000, hasHtml: false, hasAlerts: false },
  { name: 'azure-devops', limit: 145_000, hasHtml: true, hasAlerts: false },
];

export function forgeOf(name: string | undefined): Forge {
  return FORGES.find((forge) => forge.name === name) ?? FORGES[0];
}
