// What a document shows, and how, depending on the forge and the size limit.

import type { RenderOptions } from '../render-options.ts';
import { code, folded, sentence, truncate } from './markdown.ts';

/** Where a comment is read: its length limit and the Markdown features that work there. */
interface Forge {
  readonly name: string;
  /** Maximum size of a comment in bytes: below the forge's limit, with room for what a pipeline adds. */
  readonly limit: number;
  /** HTML works: folding, line breaks in tables, invisible comments. */
  readonly hasHtml: boolean;
  /** A quote that begins with `[!CAUTION]` becomes a red box. */
  readonly hasAlerts: boolean;
  /** Maximum length of a diagram; 0 for no diagrams. */
  readonly diagram: number;
}

/** The first is the default. The forges' own limits: 65,536 characters, 1,000,000, 32,768 and 150,000. */
export const FORGES: readonly [Forge, ...Forge[]] = [
  { name: 'github', limit: 60_000, hasHtml: true, hasAlerts: true, diagram: 50_000 },
  { name: 'gitlab', limit: 250_000, hasHtml: true, hasAlerts: true, diagram: 2_000 },
  { name: 'bitbucket', limit: 32_000, hasHtml: false, hasAlerts: false, diagram: 0 },
  { name: 'azure-devops', limit: 145_000, hasHtml: true, hasAlerts: false, diagram: 0 },
];

export function forgeOf(name: string | undefined): Forge {
  return FORGES.find((forge) => forge.name === name) ?? FORGES[0];
}

/** How much is shown; a document that is too long uses the next smaller size. */
export interface Size {
  readonly changes: boolean;
  readonly rows: number;
  readonly problems: number;
  readonly maxTextLength: number;
  /** Maximum number of lost objects named. */
  readonly names: number;
  /** Whether losses are described per object, per kind, or not at all. */
  readonly costs: 'object' | 'kind' | 'none';
  /** What is left out, in words. */
  readonly missing?: string;
}

export interface Page {
  readonly size: Size;
  readonly forge: Forge;
  readonly comment: NonNullable<RenderOptions['comment']>;
}

export function text(whole: string, { size }: Page): string {
  return code(truncate(whole, size.maxTextLength));
}

export function prose(whole: string, { size }: Page): string {
  return sentence(truncate(whole, size.maxTextLength));
}

export function names(list: readonly string[], most: number, page: Page): string {
  const shown = list.slice(0, most).map((name) => text(name, page));
  return `${shown.join(', ')}${list.length > shown.length ? ` and ${list.length - shown.length} more` : ''}`;
}

export function section(
  title: string,
  body: readonly string[],
  { page, isOpen }: { readonly page: Page; readonly isOpen: boolean },
): string[] {
  return page.forge.hasHtml ? folded(`<b>${title}</b>`, body, isOpen) : [`#### ${title}`, '', ...body];
}
