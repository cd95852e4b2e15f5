// Blocks as HTML: sections with headings, tables, lists, and rows that unfold.

import { groupBy } from '../../core/group.ts';
import { blocksFor, type Block, type BlockOf, type Phrase } from '../document/blocks.ts';
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

function sectionMarkup(block: BlockOf<'section'>, page: Page): Markup[] {
  const { level, fragments } = page;
  const id = fragments.get(block);
  const parts = blocksMarkup(block.blocks, { ...page, level: level + 1 });
  return section(level, block.title, parts, id === undefined ? {} : { id });
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

function listMarkup({ title, tone, entries }: BlockOf<'list'>, page: Page): Markup[] {
  const items = entries.map(({ phrase, blocks = [] }) =>
    element('li', [phraseContent(phrase, page), blocksMarkup(blocks, page)]),
  );
  const list = element('ul', stacked(items));
  return title === undefined
    ? [list]
    : section(page.level, title, [list], tone === undefined ? {} : { class: `box ${tone}` });
}

/** Numbers are on the right; the first column names the rows, unless these say something. */
function tableMarkup({ head, rows }: BlockOf<'table'>, page: Page): Markup {
  const isList = rows.some(({ said }) => said !== undefined);
  const lines = rows.map((row) => {
    const cells = row.cells.map((cell, at) => {
      if (typeof cell === 'number')
        return element('td', String(cell), { class: cell === 0 ? 'number none' : 'number' });
      const content = phraseContent(cell, page);
      return at === 0 && !isList ? element('th', content, { scope: 'row' }) : element('td', content);
    });
    const said =
      row.said === undefined
        ? []
        : [
            element(
              'td',
              row.said.map((text) => element('p', prose(text))),
            ),
          ];
    return element('tr', [cells, said]);
  });
  const heads = head.map((cell) => element('th', phraseContent(cell, page), { scope: 'col' }));
  const parts = [element('thead', element('tr', heads)), element('tbody', stacked(lines))];
  return element('table', parts, { class: isList ? 'list' : 'counts' });
}

function foldMarkup(fold: BlockOf<'fold'>, page: Page): Markup {
  const { phrase, hint, meta, blocks, isOpen } = fold;
  const summary = [phraseContent(phrase, page), element('span', phraseContent(hint, page), { class: 'hint' })];
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
