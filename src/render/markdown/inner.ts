// What is below a line as Markdown: paragraphs, places, differences and code; and the spans of a line.

import type { Block, Phrase } from '../document/blocks.ts';
import type { Line } from '../view/values/value.ts';
import { placeText } from '../view/view.ts';
import { code, fenced, sentence, truncate } from './markdown.ts';
import type { Forge } from './page.ts';

/** How a document is drawn: the maximum length of its texts, and the sections around a block. */
export interface Page {
  readonly forge: Forge;
  readonly longest: number;
  readonly depth: number;
  /** What the sections add to the rank of a block. */
  readonly base: number;
}

/** What may be below an entry or a fold. */
export function innerText(block: Block, page: Page): string {
  switch (block.is) {
    case 'paragraph':
      return `${block.lead === undefined ? '' : `**${block.lead}** `}${phraseText(block.phrase, page)}`;
    case 'place':
      return codeOf(placeText(block.place), page);
    case 'diff':
      return fenced(block.lines.map(diffLine), 'diff');
    case 'code': {
      const isTooLong = block.language !== undefined && block.lines.join('\n').length > page.forge.diagram;
      return isTooLong ? '' : fenced(block.lines, block.language ?? '');
    }
    default:
      return '';
  }
}

export function phraseText(phrase: Phrase, page: Page, span = code): string {
  const text = phrase.map((one) => spanText(one, page, span)).join('');
  return text.trim();
}

function spanText(one: Phrase[number], page: Page, span: typeof code): string {
  if (typeof one === 'string') return prose(one, page, span);
  if (one.is === 'sign') return `${span(one.sign.symbol)} ${one.sign.word}`;
  if (one.is === 'name')
    return `${codeOf(one.text, page, span)}${one.id === undefined ? '' : ` (${codeOf(one.id, page, span)})`}`;
  return span === code && (one.tone === 'bad' || one.tone === 'warn') ? `**${one.text}**` : one.text;
}

export function codeOf(whole: string, { longest }: Page, span = code): string {
  return span(truncate(whole, longest));
}

export function prose(whole: string, { longest }: Page, span = code): string {
  return sentence(truncate(whole, longest), span);
}

/** A line in diff syntax, for colours: the mark comes first, and `!` is a change in place. */
function diffLine({ mark, depth, text: shown }: Line): string {
  return `${mark === '~' ? '!' : mark} ${'  '.repeat(depth)}${shown}`.trimEnd();
}
