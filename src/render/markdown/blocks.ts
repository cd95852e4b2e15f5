// Blocks as Markdown, in parts that may be left out. Text of unknown origin becomes plain words or code.

import { partition } from '../../core/group.ts';
import { plural } from '../../core/text/text.ts';
import { blocksFor, nameOf, own, RANKS, type Block, type BlockOf, type Phrase } from '../document/blocks.ts';
import type { Line } from '../view/values/value.ts';
import { placeText } from '../view/view.ts';
import { code, fenced, htmlCode, sentence, truncate } from './markdown.ts';
import type { Part } from './parts.ts';

/** How a document is drawn: the maximum length of its texts, and the sections around a block. */
interface Page {
  readonly longest: number;
  readonly depth: number;
  /** What the sections add to the rank of a block. */
  readonly base: number;
}

/** Of many stacks: what is left out later than anything else of their sections, so that every change is shown before one is twice. */
const FLEET_RANKS = { distinct: 60, problem: 70, loss: 80 } as const;

/** The rank of a block in its section. */
function rankIn({ base }: Page, rank: number | undefined): number {
  if (rank === undefined) return base === 0 ? Infinity : base + 9;
  if (base > 0 && rank === RANKS.loss) return FLEET_RANKS.loss;
  return base > 0 && rank === RANKS.problem ? FLEET_RANKS.problem : base + rank;
}

export function partsOf(blocks: readonly Block[] | undefined, page: Page): Part[] {
  return blocksFor('markdown', blocks).map((block) => partOf(block, page));
}

function partOf(block: Block, page: Page): Part {
  const rank = rankIn(page, block.rank);
  const leaf = (text: string, noun: string): Part => ({ text, rank, noun });
  switch (block.is) {
    case 'heading':
      return { parts: headingLines(block, page).map((line) => leaf(line, 'heading')), separator: '\n\n' };
    case 'list':
      return listPart(block, page, rank);
    case 'table': {
      const rows = block.rows.map(({ cells, said, rank: own = rank }): Part => {
        const last = said === undefined ? [] : [said.map((text) => prose(text, page)).join('; ')];
        const text = rowText([...cells.map((cell) => cellText(cell, page)), ...last]);
        return { text, rank: own, noun: block.noun };
      });
      const head = [rowText(block.head.map((cell) => cellText(cell, page))), rowText(block.head.map(() => '---'))];
      const wrap = (inner: string, left: number) => [...head, inner, ...moreOf(left, block.noun)].join('\n');
      return { parts: rows, separator: '\n', wrap };
    }
    case 'fold':
      return foldPart(block, page, rank);
    case 'section': {
      const inner = { ...page, depth: page.depth + 1, base: page.base + 10 * (block.rank ?? 0) };
      return block.tone === undefined
        ? sectionPart(block, partsOf(block.blocks, inner), page.depth)
        : lossPart(block, page);
    }
    case 'names':
      return namesPart(block, page, rank);
    default:
      return leaf(innerText(block, page), block.is === 'code' ? block.noun : 'sentence');
  }
}

/** The end of a table or of a group of folds. */
function moreOf(left: number, noun: string): string[] {
  return left > 0 ? [`\nand ${plural(left, `more ${noun}`)}`] : [];
}

/** A section that unfolds, or has a heading. */
function sectionPart({ title, fold, blocks }: BlockOf<'section'>, parts: readonly Part[], depth: number): Part {
  const [first] = blocks;
  const wrap = (all: string, left: number) => {
    const inner = [all, ...(first?.is === 'fold' ? moreOf(left, first.noun) : [])].join('\n');
    return fold !== undefined
      ? foldText(`<b>${sentence(title, htmlCode)}</b>`, inner, fold === 'open')
      : `${'#'.repeat(Math.min(6, 4 + depth))} ${sentence(title)}\n\n${inner}`;
  };
  return { parts, separator: '\n\n', wrap };
}

/** Text that unfolds. Its summary is HTML. */
function foldText(summary: string, body: string, isOpen = false): string {
  return `${isOpen ? '<details open>' : '<details>'}\n<summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

/** Within a section, its title stands for the first line. */
function headingLines({ of, at, sentence: whole, advice }: BlockOf<'heading'>, page: Page): string[] {
  const isMember = page.depth > 0;
  // That of a report names its stack, which may contain anything.
  const [first = '', ...more] = of === 'report' || isMember ? [whole] : whole.split(/(?<=\.) /);
  const stack = at === undefined ? '' : `${prose(at.stack, page)}: `;
  return [
    ...(isMember && of === 'problems' ? [] : [isMember ? sentence(first) : `### ${stack}${sentence(first)}`]),
    ...(more.length === 0 ? [] : [sentence(more.join(' '))]),
    ...(at === undefined ? [] : [`Stack ${codeOf(at.stack, page)} at ${codeOf(at.service, page)}`]),
    ...(advice === undefined ? [] : [sentence(advice)]),
  ];
}

/** Longer than any name in a manifest with its section. */
const MAX_NAME = 300;

/** What is below the entries goes first. */
function listPart({ title, noun, entries }: BlockOf<'list'>, page: Page, rank: number): Part {
  const parts = entries.map(({ lead, phrase, blocks }): Part => {
    const below = blocksFor('markdown', blocks).map((one) => ({
      text: innerText(one, page),
      rank: rank - 0.5,
      noun: 'detail',
    }));
    const separator = lead === undefined ? ' · ' : '\n  - ';
    return { parts: [{ text: `- ${phraseText(phrase, page)}`, rank, noun }, ...below], separator };
  });
  const head = title === undefined ? [] : [`**${title}:**`, ''];
  const wrap = (inner: string, left: number) => [...head, inner, ...moreLines(left)].join('\n');
  return { parts, separator: '\n', wrap };
}

function moreLines(left: number): string[] {
  return left > 0 ? [`- and ${left} more`] : [];
}

/** What is lost is quoted and never folded. The names are not cut, and are left out last. */
function lossPart({ title, blocks }: BlockOf<'section'>, page: Page): Part {
  const parts = blocks.flatMap((block) => (block.is === 'fold' ? [lossEntry(block, page)] : []));
  const wrap = (inner: string, left: number) =>
    ['[!CAUTION]', `**${title}:**`, '', inner, ...moreLines(left)].join('\n').replace(/^/gm, '> ').replace(/ $/gm, '');
  return { parts, separator: '\n', wrap };
}

/** A line with what it costs; below it, the values. */
function lossEntry({ phrase, inside = [], meta, blocks }: BlockOf<'fold'>, page: Page): Part {
  const rank = rankIn(page, RANKS.loss);
  const named = { ...page, longest: Math.max(page.longest, MAX_NAME) };
  const [said, values] = partition(blocksFor('markdown', blocks), ({ is }) => is === 'paragraph');
  const children = inside.flatMap((name, at) => [own(at === 0 ? ' with ' : ', '), nameOf(name)]);
  const details = [
    ...phrase.flatMap((one) => (isNamed(one) ? [codeOf(one.id, page)] : [])),
    ...said.flatMap((one) => (one.is === 'paragraph' ? [phraseText(one.phrase, page)] : [])),
    ...(meta.length === 0 ? [] : [phraseText(meta, page)]),
  ].map((text) => ({ text, rank: rank - 0.5, noun: 'detail' }));
  const name = phraseText([...phrase.map((one) => (isNamed(one) ? nameOf(one.text) : one)), ...children], named);
  const line = { parts: [{ text: `- ${name}`, rank, noun: 'loss' }, ...details], separator: ' · ' };
  const below = values.map((one) => ({
    text: innerText(one, page).replace(/^/gm, '  '),
    rank: rankIn(page, RANKS.note) + 0.5,
    noun: 'difference',
  }));
  return { parts: [line, ...below], separator: '\n\n' };
}

function isNamed(span: Phrase[number]): span is { is: 'name'; text: string; id: string } {
  return typeof span !== 'string' && span.is === 'name' && span.id !== undefined;
}

/** Names without their ids as one span of code, after what they are. */
function namesPart({ noun, phrase, names }: BlockOf<'names'>, page: Page, rank: number): Part {
  const parts = names.map((name): Part => ({ text: truncate(name.text, page.longest), rank, noun }));
  const lead = phrase.length === 0 ? '' : `${phraseText(phrase, page)}: `;
  const wrap = (inner: string, left: number) => `${lead}${code(inner)}${left > 0 ? ` and ${left} more` : ''}`;
  return { parts, separator: ', ', wrap };
}

/** A line that unfolds; a line of a list when there is too little room for what is below. Of many stacks, each change is shown once. */
function foldPart({ phrase, hint, meta, blocks, noun, isRepeated }: BlockOf<'fold'>, page: Page, rank: number): Part {
  const whole = [...phrase, ...(hint.length === 0 ? [] : [own(': '), ...hint])];
  const line = phraseText(whole, page);
  const isFirst = page.base > 0 && isRepeated !== true;
  const ranks = isFirst
    ? { line: FLEET_RANKS.distinct, body: FLEET_RANKS.distinct, names: FLEET_RANKS.distinct - 1 }
    : { line: rank, body: rankIn(page, RANKS.detail), names: rankIn(page, RANKS.detail) - 0.1 };
  const shown = blocksFor('markdown', blocks);
  const others = shown.filter(({ is }) => is !== 'names' && is !== 'list');
  const listed = (is: Block['is']) =>
    shown.filter((one) => one.is === is).map((one) => partOf({ ...one, rank: ranks.names - page.base }, page));
  const inner = [...others.map((one) => innerText(one, page)), phraseText(meta, page)];
  const body = inner.filter((text) => text !== '').join('\n\n');
  const parts: Part[] = [
    { text: line, rank: ranks.line, noun },
    ...listed('names'),
    ...(body === '' ? [] : [{ text: body, rank: ranks.body, noun: 'difference' }]),
    ...listed('list'),
  ];
  const wrap = (all: string) =>
    all === line ? `- ${line}` : foldText(phraseText(whole, page, htmlCode), all.slice(line.length + 2));
  return { parts, separator: '\n\n', wrap };
}

function rowText(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function cellText(cell: Phrase | number, page: Page): string {
  if (typeof cell === 'number') return cell === 0 ? '' : String(cell);
  return phraseText(cell, page);
}

/** What may be below an entry or a fold. */
function innerText(block: Block, page: Page): string {
  switch (block.is) {
    case 'paragraph':
      return `${block.lead === undefined ? '' : `**${block.lead}** `}${phraseText(block.phrase, page)}`;
    case 'place':
      return codeOf(placeText(block.place), page);
    case 'diff':
      return fenced(diffLines(block, page), 'diff');
    case 'code':
      return fenced(block.lines, '');
    default:
      return '';
  }
}

function phraseText(phrase: Phrase, page: Page, span = code): string {
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

function codeOf(whole: string, { longest }: Page, span = code): string {
  return span(truncate(whole, longest));
}

function prose(whole: string, { longest }: Page, span = code): string {
  return sentence(truncate(whole, longest), span);
}

/** In a document that is too long, no difference has more lines. */
const MOST_LINES = 40;

function diffLines({ lines }: BlockOf<'diff'>, { longest }: Page): string[] {
  const left = longest === Infinity ? 0 : Math.max(0, lines.length - MOST_LINES);
  return [
    ...lines.slice(0, lines.length - left).map(diffLine),
    ...(left > 0 ? [`  … ${plural(left, 'more line')}`] : []),
  ];
}

/** A line in diff syntax, for colours: the mark comes first, and `!` is a change in place. */
function diffLine({ mark, depth, text: shown }: Line): string {
  return `${mark === '~' ? '!' : mark} ${'  '.repeat(depth)}${shown}`.trimEnd();
}
