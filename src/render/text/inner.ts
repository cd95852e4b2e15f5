// What is below a line as text: paragraphs, places with their source lines, differences and code; and the spans of a line.

import { columns } from '../../core/text/columns.ts';
import { blocksFor, type Block, type BlockOf, type Phrase } from '../document/blocks.ts';
import { paint, type RenderOptions, type TextStyle } from '../render-options.ts';
import type { Line } from '../view/values/value.ts';
import { placeText } from '../view/view.ts';
import { wrap } from './lines.ts';

const PLAIN: RenderOptions = { color: false, width: Infinity, detail: 'full' };

/** What is below an entry or a fold. */
export function innerLines(
  blocks: readonly Block[] | undefined,
  style: RenderOptions,
  margin: string,
  hang = '',
): string[] {
  return blocksFor('text', blocks).flatMap((block) => {
    switch (block.is) {
      case 'paragraph':
        return paragraphLines(block, style, margin, hang);
      case 'place':
        return placeLines(block, style);
      case 'diff':
        // Lines of a new object have no marks.
        return block.lines.map((line) =>
          block.isNew ? `${margin}${'  '.repeat(line.depth)}${line.text}`.trimEnd() : diffLine(line, style, margin),
        );
      case 'code':
        return block.lines.map((line) => `${margin}${paint(style, 'quiet', line)}`);
      default:
        return [];
    }
  });
}

function paragraphLines(
  { lead, phrase, tone }: BlockOf<'paragraph'>,
  style: RenderOptions,
  margin: string,
  hang: string,
): string[] {
  const text = `${hang}${lead === undefined ? '' : `${lead} `}${textOf(phrase)}`;
  const width = style.width - margin.length;
  const indent = ' '.repeat(hang === '' && lead !== undefined ? lead.length + 1 : hang.length);
  return wrap(text, width, indent).map((line) => `${margin}${paint(style, tone, line)}`.trimEnd());
}

export function textOf(phrase: Phrase, style = PLAIN, name?: TextStyle): string {
  const spans = phrase.map((span) => {
    if (typeof span === 'string') return span;
    if (span.is === 'sign') return paint(style, span.sign.tone, `${span.sign.symbol} ${span.sign.word}`);
    if (span.is === 'own') return paint(style, span.tone, span.text);
    return `${paint(style, name, span.text)}${span.id === undefined ? '' : ` (${span.id})`}`;
  });
  return spans.join('');
}

/** The place, the line before it, the line itself and a mark under the text. */
function placeLines({ place, frame }: BlockOf<'place'>, style: RenderOptions): string[] {
  const at = `  --> ${placeText(place)}`;
  if (frame === undefined) return [at];
  const width = String(place.line).length;
  const widthOf = (from: number, to: number) => columns(Array.from(frame.line).slice(from, to).join(''));
  const mark = '^'.repeat(Math.max(1, widthOf(frame.lead, frame.lead + frame.length)));
  const bar = (label: string, text: string) =>
    `${paint(style, 'quiet', ` ${label.padStart(width)} |`)} ${text}`.trimEnd();
  return [
    at,
    bar('', ''),
    ...(frame.before.trim() === '' ? [] : [bar(String(place.line - 1), frame.before)]),
    bar(String(place.line), frame.line),
    bar('', `${' '.repeat(widthOf(0, frame.lead))}${paint(style, 'bad', mark)}`),
  ];
}

const MARK_STYLES: Readonly<Record<Line['mark'], TextStyle | undefined>> = {
  '+': 'good',
  '-': 'bad',
  '~': 'warn',
  ' ': undefined,
};

function diffLine({ mark, depth, text }: Line, style: RenderOptions, margin: string): string {
  const content = `${mark} ${text}`.trimEnd();
  if (content.trim() === '') return '';
  const shown =
    mark === '~' ? `${paint(style, 'warn', mark)}${content.slice(1)}` : paint(style, MARK_STYLES[mark], content);
  return `${margin}${'  '.repeat(depth)}${shown}`;
}
