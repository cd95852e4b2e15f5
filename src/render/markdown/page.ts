// What is shown of a document, and how, in the place where it is read.

import type { RenderOptions } from '../render-options.ts';
import { code, folded, sentence, truncate } from './markdown.ts';

/** Where a comment is read: how long it may be there, and what of Markdown is drawn. */
interface Forge {
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

/** How much is shown; the next smaller size is taken when a document would be too long. */
export interface Size {
  readonly changes: boolean;
  readonly rows: number;
  readonly problems: number;
  /** Characters of one text. */
  readonly maxTextLength: number;
  /** How many of the objects that are lost are named. */
  readonly names: number;
  /** What that costs is told of each object, of each kind, or not at all. */
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
