// Lines on a page: the source lines of a place, and differences.

import type { BlockOf } from '../document/blocks.ts';
import type { Line } from '../view/values/value.ts';
import { placeText } from '../view/view.ts';
import { element, type Content, type Markup } from './html.ts';

export function placeMarkup({ place, frame }: BlockOf<'place'>): Markup[] {
  const name = element('p', element('code', placeText(place)), { class: 'meta' });
  if (frame === undefined) return [name];
  const letters = Array.from(frame.line);
  const [from, to] = [frame.lead, frame.lead + frame.length];
  const marked = element('mark', letters.slice(from, to).join('') || ' ');
  const line = [letters.slice(0, from).join(''), marked, letters.slice(to).join('')];
  const numbered = (at: number, content: Content) =>
    element('span', [
      element('span', String(at).padStart(String(place.line).length), { class: 'meta' }),
      '  ',
      content,
    ]);
  const before = place.line > 1 ? [numbered(place.line - 1, frame.before)] : [];
  return [name, element('pre', [...before, numbered(place.line, line)], { class: 'frame' })];
}

const TAGS = { '+': 'ins', '-': 'del', '~': 'span', ' ': 'span' } as const;

export function diffLine({ mark, depth, text }: Line): Markup {
  const content = `${mark} ${'  '.repeat(depth)}${text}`.trimEnd();
  return element(TAGS[mark], content, mark === '~' ? { class: 'changed' } : {});
}
