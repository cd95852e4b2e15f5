// What is lost, what happens to each object and how each step ended: by name, in tables, and in sections that unfold.

import { groupBy } from '../../core/group.ts';
import { escapeMarkup } from '../../core/text/escape-markup.ts';
import { plural, withoutChildren } from '../../core/text/text.ts';
import type { Line } from '../view/values/value.ts';
import type { Item, Row, View } from '../view/view.ts';
import { code, fenced, folded, table, truncate } from './markdown.ts';
import { names, prose, section, text, type Page } from './page.ts';
import { stepGraph } from './step-graph.ts';

/** Never folded: what is deleted or replaced, by name, and what is lost with it. */
export function dangerLines(lost: readonly Item[], page: Page): string[] {
  if (lost.length === 0) return [];
  const shown = lost.slice(0, page.size.names);
  const lines =
    page.size.costs === 'object' ? shown.map((item) => lostLine(item, page)) : lostByKind(lost, shown.length, page);
  const more = lost.length - shown.length;
  return [
    page.forge.hasAlerts ? '[!CAUTION]' : '**Caution**',
    `${plural(lost.length, 'object')} ${lost.length === 1 ? 'loses' : 'lose'} something when this is applied:`,
    '',
    ...lines,
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].map((line) => `> ${line}`.trimEnd());
}

/** Longer than any name in a manifest with its section. */
const MAX_NAME = 300;

function lostName(name: string, { size }: Page): string {
  return code(truncate(name, Math.max(size.maxTextLength, MAX_NAME)));
}

function lostLine({ word, address, liveId, loses }: Item, page: Page): string {
  const cost = loses === undefined ? '' : `: ${prose(withoutChildren(loses).cost, page)}`;
  const inside = withoutChildren(loses ?? '').names.map((name) => lostName(name, page));
  const children = inside.length === 0 ? '' : `; its children are deleted, too: ${inside.join(', ')}`;
  return `- **${word}** ${lostName(address, page)}${liveId === undefined ? '' : ` (${text(liveId, page)})`}${cost}${children}`;
}

/** Little more than names: each kind and its loss is mentioned once. */
function lostByKind(lost: readonly Item[], most: number, page: Page): string[] {
  const named = new Set(lost.slice(0, most));
  const groups = groupBy(lost, ({ word, kind }) => JSON.stringify([word, kind]));
  return [...groups.values()].flatMap((members) => {
    const [{ word, kind }] = members;
    const head = `- **${word}** ${members.length} ${code(kind)}`;
    const costs = new Set(members.flatMap(({ loses }) => (loses === undefined ? [] : withoutChildren(loses).cost)));
    const told = page.size.costs === 'none' || costs.size === 0 ? '' : `: ${prose([...costs].join('; '), page)}`;
    const list = members.flatMap((item) => (named.has(item) ? namesOf(item, page) : []));
    return [`${head}${told}`, ...(list.length === 0 ? [] : [`  ${list.join(', ')}`])];
  });
}

function namesOf({ address, loses = '' }: Item, page: Page): string {
  const [own = '', ...inside] = [address, ...withoutChildren(loses).names].map((name) => lostName(name, page));
  return inside.length === 0 ? own : `${own} (with ${inside.join(', ')})`;
}

/** The number of objects per action, the result of each step, and what happens to each object. */
export function itemBlocks(view: View, page: Page): string[][] {
  return [countLines(view), ...rowBlocks(view.rows, page), ...groupBlocks(view, page)];
}

/** The number of objects of each kind by action, and how many of them were changed or deleted outside. */
function countLines({ is, counts, items }: View): string[] {
  if (counts.length === 0) return [];
  const words = [...new Set(items.map(({ word }) => word))];
  const rows = counts.map(({ kind, byWord, drifted }) => [
    code(kind),
    ...words.map((word) => String(byWord.get(word) ?? '')),
    ...(is === 'drift' ? [] : [drifted === 0 ? '' : String(drifted)]),
  ]);
  return table(['kind', ...words, ...(is === 'drift' ? [] : ['changed outside'])], rows);
}

/** With more rows than this, they are folded. */
const FEW = 10;

/** Shows what needs a person; folds what is done. */
function rowBlocks(rows: readonly Row[], page: Page): string[][] {
  const shown = rows.slice(0, page.size.rows);
  const head = ['', 'action', 'address', 'outcome', 'why'];
  const cellsOf = (row: Row) => rowCells(row, page);
  const cells = (list: readonly Row[]) => table(head, list.map(cellsOf));
  const open = shown.filter(({ status }) => status !== 'done');
  const done = shown.filter(({ status }) => status === 'done');
  return [
    open.length === 0 ? [] : cells(open),
    done.length === 0 ? [] : section(`${done.length} done`, cells(done), { page, isOpen: done.length <= FEW }),
    moreLines(rows.length - shown.length, 'step', page),
  ];
}

function rowCells(row: Row, page: Page): string[] {
  const { action, phase, status, outcome, said } = row;
  const why = said.length === 0 ? '' : prose(said.join('; '), page);
  const shown = status === 'done' ? outcome : `**${outcome}**`;
  return [code(action.symbol), `${action.word}${phase}`, nameCell(row, page), shown, why];
}

function moreLines(more: number, noun: string, { size }: Page): string[] {
  return more > 0 && size.rows > 0 ? [`and ${plural(more, `more ${noun}`)}`] : [];
}

/** What happens to each object, grouped by action, then its differences. */
function groupBlocks({ is, items, totals }: View, page: Page): string[][] {
  const shown = items.slice(0, page.size.rows);
  const blocks = [...groupBy(shown, ({ word }) => word)].map(([word, members]) => {
    const rows = members.map((item) => [nameCell(item, page), whatCell(item, page)]);
    const changes = page.size.changes ? members.flatMap((item) => changeBlock(item, page)) : [];
    const body = [...table(['address', 'what'], rows), ...changes];
    const title = `${totals.get(word) ?? 0} ${is === 'drift' ? '' : 'to '}${word}`;
    return section(title, body, { page, isOpen: members.length <= FEW });
  });
  const more = items.slice(page.size.rows).filter(({ isAside }) => isAside !== true).length;
  return [...blocks, moreLines(more, 'resource', page)];
}

function nameCell({ address, liveId }: Pick<Item, 'address' | 'liveId'>, page: Page): string {
  return `${text(address, page)}${liveId === undefined ? '' : ` (${text(liveId, page)})`}`;
}

/** With more fields than this, the table shows only their number. */
const MAX_FIELDS = 6;

function whatCell({ why, repair, fields, causes, notes }: Item, page: Page): string {
  return [
    ...(why === undefined ? [] : [prose(why, page)]),
    ...(fields.length === 0 ? [] : [names(fields, MAX_FIELDS, page)]),
    ...causes.map((cause) => `${cause.words}: ${names(cause.fields, MAX_FIELDS, page)}`),
    ...(repair === undefined ? [] : [`**apply** ${prose(repair, page)}`]),
    ...notes.map((note) => prose(note, page)),
  ].join(page.forge.hasHtml ? '<br>' : '; ');
}

function changeBlock({ symbol, word, address, meta, lines, requests }: Item, page: Page): string[] {
  if (lines.length === 0 && requests.length === 0) return [];
  const blocks = [
    meta === '' ? [] : [`Step ${code(meta)}`],
    lines.length === 0 ? [] : fenced(lines.map(diffLine), 'diff'),
    requests.length === 0 ? [] : fenced(requests, ''),
  ];
  const body = blocks
    .filter((block) => block.length > 0)
    .flatMap((block, index) => (index === 0 ? block : ['', ...block]));
  if (!page.forge.hasHtml) return ['', `${code(symbol)} ${word} ${code(address)}`, '', ...body];
  return ['', ...folded(`${symbol} ${word} <code>${escapeMarkup(address)}</code>`, body)];
}

/** A line in diff syntax, for colours: the mark comes first, and `!` is a change in place. */
function diffLine({ mark, depth, text: shown }: Line): string {
  return `${mark === '~' ? '!' : mark} ${'  '.repeat(depth)}${shown}`.trimEnd();
}

export function graphBlocks(items: readonly Item[], page: Page): string[][] {
  const lines = page.size.rows < items.length ? [] : stepGraph(items, page.forge.diagram);
  if (lines.length === 0) return [];
  return [section('Dependencies between steps', fenced(lines, 'mermaid'), { page, isOpen: false })];
}

/** Fingerprints, folded, for copying. */
export function fingerprintLines(items: readonly Item[], page: Page): string[] {
  const lines = items.flatMap(({ fingerprint, address }) =>
    fingerprint === undefined ? [] : [`${fingerprint} ${address}`],
  );
  if (lines.length === 0 || !page.size.changes) return [];
  return section('Fingerprints, for the ignore file', fenced(lines, ''), { page, isOpen: false });
}
