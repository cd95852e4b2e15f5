// Blocks as HTML: sections with headings, tables, lists, and rows that unfold.

import { groupBy } from '../../core/group.ts';
import { plural } from '../../core/text/text.ts';
import { blocksFor, nameOf, type Block, type BlockOf, type Phrase } from '../document/blocks.ts';
import type { Line } from '../view/values/value.ts';
import { placeText } from '../view/view.ts';
import { element, prose, section, signText, stacked, type Content, type Markup } from './html.ts';

/** How blocks are drawn: the place of each fold on the page, and the level of the next heading. */
interface Page {
  readonly fragments: ReadonlyMap<object | undefined, string>;
  readonly level: number;
}

/** The folds, and the sections that names lead to, in order. */
function targetsIn(block: Block): Block[] {
  if (block.is === 'fold') return [block];
  if (block.is !== 'section') return [];
  return [...(block.isTarget === true ? [block] : []), ...block.blocks.flatMap(targetsIn)];
}

/** The whole page: what is quiet at its end is its footer. */
export function contentOf(all: readonly Block[]): Markup[] {
  const blocks = blocksFor('html', all);
  const targets = groupBy(blocks.flatMap(targetsIn), ({ is }) => (is === 'fold' ? 'step' : 'stack'));
  const fragments = new Map<object | undefined, string>(
    [...targets].flatMap(([name, list]) => list.map((target, index) => [target, `${name}-${index + 1}`] as const)),
  );
  const page = { fragments, level: 2 };
  const end = blocks.findLastIndex(
    (block) => block.is === 'paragraph' && block.tone === 'quiet' && block.phrase.length > 0,
  );
  const last =
    end > 0 && blocks.slice(end).every(({ is }) => is === 'paragraph' || is === 'list') ? end : blocks.length;
  return [
    element('header', blocksMarkup(blocks.slice(0, 1), page)),
    element('main', stacked(blocksMarkup(blocks.slice(1, last), page))),
    ...(last < blocks.length ? [element('footer', blocksMarkup(blocks.slice(last), page))] : []),
  ];
}

/** Folds next to each other are one list. */
function blocksMarkup(blocks: readonly Block[], page: Page): Markup[] {
  const shown = blocksFor('html', blocks);
  const folds = shown.flatMap((block) => (block.is === 'fold' ? [block] : []));
  const rest = shown.filter(({ is }) => is !== 'fold').flatMap((block) => blockMarkup(block, page));
  const rows = folds.map((fold) => element('li', foldMarkup(fold, page)));
  return [...(rows.length === 0 ? [] : [element('ul', stacked(rows), { class: 'rows' })]), ...rest];
}

function blockMarkup(block: Block, page: Page): Markup[] {
  switch (block.is) {
    case 'heading':
      return headingMarkup(block, page);
    case 'paragraph':
      return [paragraphMarkup(block, page)];
    case 'place':
      return placeMarkup(block);
    case 'list':
      return listMarkup(block, page);
    case 'table':
      return [tableMarkup(block, page)];
    case 'names':
      return [namesMarkup(block, page)];
    case 'diff':
      return [element('pre', block.lines.map(diffLine))];
    case 'code':
      return [
        element(
          'pre',
          block.lines.map((line) => element('span', line)),
        ),
      ];
    case 'section':
      return sectionMarkup(block, page);
    case 'fold':
      return [foldMarkup(block, page)];
  }
}

function paragraphMarkup({ lead, phrase, tone }: BlockOf<'paragraph'>, page: Page): Markup {
  const first = lead === undefined ? [] : [element('strong', lead), ' '];
  const tones = tone === undefined ? {} : { class: tone === 'quiet' ? 'calm' : 'loses' };
  return element('p', [first, phraseContent(phrase, page)], tones);
}

/** With more names than this, they are folded. */
const FEW_NAMES = 12;

/** Names in a row, or a line for each where more is known about it. */
function namesMarkup({ noun, phrase, names }: BlockOf<'names'>, page: Page): Markup {
  const items = names.map(({ text, id, meta = [] }) => {
    const name = phraseContent([nameOf(text, id)], page);
    return element(
      'li',
      meta.length === 0 ? name : [name, ' ', element('span', phraseContent(meta, page), { class: 'meta' })],
    );
  });
  const isLong = names.some(({ meta = [] }) => meta.length > 0);
  const list = element('ul', stacked(items), { class: isLong ? 'names long' : 'names' });
  const lead = phrase.length === 0 ? [] : [element('p', [phraseContent(phrase, page), ':'])];
  if (names.length <= FEW_NAMES) return element('div', [...lead, list]);
  const title = phrase.length === 0 ? plural(names.length, noun) : phraseContent(phrase, page);
  return foldedList(title, list);
}

function foldedList(title: Content, list: Markup): Markup {
  return element('details', [element('summary', element('span', title)), list], { class: 'all' });
}

function sectionMarkup(block: BlockOf<'section'>, page: Page): Markup[] {
  const { level, fragments } = page;
  const id = fragments.get(block);
  const parts = blocksMarkup(block.blocks, { ...page, level: level + 1 });
  const tones = block.tone === undefined ? {} : { class: `box ${block.tone}` };
  return section(level, block.title, parts, { ...tones, ...(id !== undefined && { id }) });
}

/** The title of the page; a section has one already. */
function headingMarkup({ at, sentence, advice }: BlockOf<'heading'>, { level }: Page): Markup[] {
  const place =
    at === undefined ? [] : [element('p', ['Stack ', element('code', at.stack), ' at ', element('code', at.service)])];
  const [first = '', ...more] = sentence.split(/(?<=\.) /);
  const title = [first, ...(more.length === 0 ? [] : [' ', element('span', more.join(' '))])];
  const hint = advice === undefined ? [] : [element('p', prose(advice), { class: 'advice' })];
  return [...place, element(level === 2 ? 'h1' : 'p', title), ...hint];
}

function listMarkup({ title, tone, noun, isFolded, entries }: BlockOf<'list'>, page: Page): Markup[] {
  const items = entries.map(({ phrase, blocks = [] }) =>
    element('li', [phraseContent(phrase, page), blocksMarkup(blocks, page)]),
  );
  const list = element('ul', stacked(items));
  if (isFolded === true) return [foldedList(plural(entries.length, noun), list)];
  return title === undefined
    ? [list]
    : section(page.level, title, [list], tone === undefined ? {} : { class: `box ${tone}` });
}

/** With more columns of numbers than this, a table is wide. */
const FEW_NUMBERS = 6;

/** Numbers are on the right, and have their word for a page that is too narrow for columns. */
function tableMarkup({ head, rows }: BlockOf<'table'>, page: Page): Markup {
  const isList = rows.some(({ said }) => said !== undefined);
  const lines = rows.map(({ cells, said }) => {
    const drawn = cells.map((cell, at) =>
      cellMarkup(cell, { head: head[at] ?? [], isName: at === 0 && !isList }, page),
    );
    const texts = said?.map((text) => element('p', prose(text)));
    return element('tr', [drawn, texts === undefined ? [] : element('td', texts)]);
  });
  const isNumber = head.map((_, at) => typeof rows[0]?.cells[at] === 'number');
  const heads = head.map((cell, at) =>
    element('th', phraseContent(cell, page), { scope: 'col', ...(isNumber[at] === true && { class: 'number' }) }),
  );
  const parts = [element('thead', element('tr', heads)), element('tbody', stacked(lines))];
  const numbers = isNumber.filter((is) => is).length;
  return element('table', parts, { class: isList ? 'list' : numbers > FEW_NUMBERS ? 'counts wide' : 'counts' });
}

/** The first cell names its row, unless rows say something. A number that is not there is a blank. */
function cellMarkup(
  cell: Phrase | number,
  { head, isName }: { readonly head: Phrase; readonly isName: boolean },
  page: Page,
): Markup {
  if (typeof cell !== 'number')
    return isName
      ? element('th', phraseContent(cell, page), { scope: 'row' })
      : element('td', phraseContent(cell, page));
  const word = head.map((one) => (typeof one === 'string' ? one : one.is === 'own' ? one.text : '')).join('');
  return cell === 0
    ? element('td', '', { class: 'number none' })
    : element('td', String(cell), { class: 'number', 'data-word': word });
}

function foldMarkup(fold: BlockOf<'fold'>, page: Page): Markup {
  const { phrase, hint, meta, blocks, isOpen } = fold;
  const [sign = '', ...what] = phrase;
  const summary = [
    phraseContent([sign], page),
    element('span', phraseContent(what, page)),
    element('span', phraseContent(hint, page), { class: 'hint' }),
  ];
  const foot = meta.length === 0 ? [] : [element('p', phraseContent(meta, page), { class: 'meta' })];
  const body = element('div', [blocksMarkup(blocks, page), foot], {
    class: 'body',
    id: page.fragments.get(fold) ?? '',
  });
  return element('details', [element('summary', summary), body], isOpen ? { open: '' } : {});
}

function phraseContent(phrase: Phrase, page: Page): Content {
  return phrase.map((span) => spanContent(span, page));
}

function spanContent(span: Phrase[number], { fragments }: Page): Content {
  if (typeof span === 'string') return prose(span);
  if (span.is === 'sign') return signText(span.sign);
  if (span.is === 'own')
    return span.tone === undefined ? span.text : element('span', span.text, { class: `status ${span.tone}` });
  const name = element('code', span.text, { class: 'name' });
  const target = fragments.get(span.to?.());
  const link = target === undefined ? name : element('a', name, { href: `#${target}` });
  return span.id === undefined ? link : element('span', [link, ' ', element('code', span.id, { class: 'meta' })]);
}

function placeMarkup({ place, frame }: BlockOf<'place'>): Markup[] {
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

function diffLine({ mark, depth, text }: Line): Markup {
  const content = `${mark} ${'  '.repeat(depth)}${text}`.trimEnd();
  return element(TAGS[mark], content, mark === '~' ? { class: 'changed' } : {});
}
