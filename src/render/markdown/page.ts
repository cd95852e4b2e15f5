// What is shown of a document, and how, in the place where it is read.

import type { RenderOptions } from '../render-options.ts';
import type { Forge } from './forge.ts';
import { code, folded, sentence, truncate } from './markdown.ts';

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
