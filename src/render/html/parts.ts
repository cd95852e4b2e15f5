// Small parts that sections of a page share.

import { groupBy } from '../../core/group.ts';
import type { Line } from '../view/values/value.ts';
import type { Row, Sign } from '../view/view.ts';
import { element, type Content, type Markup } from './html.ts';

/** For the eye only: what it shows is said in words beside it. */
export const HIDDEN = { 'aria-hidden': 'true' } as const;

/** A section with a heading that names it, or nothing when it has no parts. */
export function section(title: string, parts: readonly Markup[], name = ''): Markup[] {
  if (parts.length === 0) return [];
  return [element('section', [element('h2', title), ...parts], name === '' ? {} : { class: name })];
}

/** A sentence; what stands between back quotes is code. */
export function prose(text: string): Content {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? element('code', part) : part));
}

export function bullets(entries: readonly string[]): Markup[] {
  const items = entries.map((entry) => element('li', prose(entry)));
  return items.length === 0 ? [] : [element('ul', items)];
}

export function signText({ symbol, word, tone }: Sign, phase = ''): Markup {
  const sign = element('span', symbol, { class: 'sym', ...HIDDEN });
  return element('span', [sign, ' ', element('span', `${word}${phase}`)], { class: `act ${tone}` });
}

export function nameText({ address, liveId }: Pick<Row, 'address' | 'liveId'>): Content {
  return [
    element('code', address, { class: 'name' }),
    liveId === undefined ? '' : [' ', element('code', liveId, { class: 'meta' })],
  ];
}

const TAGS = { '+': 'ins', '-': 'del', '~': 'span', ' ': 'span' } as const;

export function diffLine({ mark, depth, text }: Line): Markup {
  const content = `${mark} ${'  '.repeat(depth)}${text}`.trimEnd();
  return element(TAGS[mark], content, mark === '~' ? { class: 'changed' } : {});
}

/** How many there are of each tone as one bar, for the eye only. */
export function toneBar(signs: readonly Pick<Sign, 'tone'>[]): Markup[] {
  const byTone = groupBy(signs, ({ tone }) => tone);
  let at = 0;
  const parts = [...byTone].map(([tone, { length }]) => {
    const part = element('rect', '', { class: tone, x: at, width: length, height: 1 });
    at += length;
    return part;
  });
  const box = { class: 'bar', viewBox: `0 0 ${at} 1`, preserveAspectRatio: 'none', ...HIDDEN };
  return at === 0 ? [] : [element('svg', parts, box)];
}
