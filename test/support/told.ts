// What a document for people leaves untold of the JSON that it was drawn from: each change by its address and path, the items that come
// and go, masked ones by their number, and every refusal and problem. It reads the printed bytes and the JSON, and nothing of the program.

import { canonicalJson, isList, isObject, type Json } from '../../src/core/json.ts';
import type { Drift } from '../../src/drift/drift.ts';
import type { Change, Plan, Step } from '../../src/plan/plan.ts';

export const PEOPLE = ['text', 'markdown', 'html'] as const;
type ForPeople = (typeof PEOPLE)[number];

/** A line of differences: its mark, a blank where it has none, and how deep it is. */
interface Line {
  readonly mark: string;
  readonly depth: number;
  readonly text: string;
}

/** What is said of one resource, or of several alike. */
interface Entry {
  readonly words: string;
  readonly lines: readonly Line[];
}

/** A printed document, taken apart. */
export interface Printed {
  /** All of it in one line, without what only forms it. */
  readonly words: string;
  readonly entries: readonly Entry[];
}

export function printed(format: ForPeople, document: string): Printed {
  const { heads, endsAt, linesOf } = READERS[format];
  const parts: string[][] = [];
  let isOpen = false;
  for (const line of document.split('\n')) {
    if (heads.test(line)) parts.push([]);
    else if (endsAt.test(line)) isOpen = false;
    isOpen ||= heads.test(line);
    if (isOpen) parts.at(-1)?.push(line);
  }
  const entries = parts.map((part) => ({ words: wordsOf(part.join('\n')), lines: linesOf(part) }));
  return { words: wordsOf(document), entries };
}

interface Reader {
  /** The first line of an entry, and what ends the last one. */
  readonly heads: RegExp;
  readonly endsAt: RegExp;
  readonly linesOf: (part: readonly string[]) => Line[];
}

const READERS: Readonly<Record<ForPeople, Reader>> = {
  text: { heads: /^[±+~»«!-] \w/, endsAt: /^\S/, linesOf: (part) => part.flatMap(textLine) },
  markdown: {
    heads: /^(?:> )?(?:<summary><code>|- `)[±+~»«!-]/,
    endsAt: /^(?:#|\*\*[A-Z])/,
    linesOf: (part) => {
      const plain = part.map((line) => line.replace(/^> {0,3}/, ''));
      const from = plain.findIndex((line) => /^`{3,}diff$/.test(line));
      const to = plain.findIndex((line, index) => index > from && /^`{3,}$/.test(line));
      return from < 0 ? [] : plain.slice(from + 1, to).map(markedLine);
    },
  },
  html: {
    heads: /<summary>/,
    endsAt: /^<section/,
    linesOf: (part) =>
      [...part.join('\n').matchAll(/<(?:span class="changed"|del|ins|span)>([-+~ ] [^<]*)<\//g)].map(([, line = '']) =>
        markedLine(decoded(line)),
      ),
  },
};

/** Below the head, four columns to the right: the mark, or the text itself. */
function textLine(line: string): Line[] {
  const [, blanks = '', mark = ' ', text = ''] = /^ {4}( *)(?:([-+~]) )?(\S.*)$/.exec(line) ?? [];
  return text === '' ? [] : [{ mark, depth: Math.floor(blanks.length / 2), text }];
}

function markedLine(line: string): Line {
  const [, mark = ' ', blanks = '', text = ''] = /^([-+~! ]) ( *)(.*)$/.exec(line) ?? [];
  return { mark: mark === '!' ? '~' : mark, depth: blanks.length / 2, text };
}

function decoded(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** Words alone: what breaks lines, escapes, quotes or marks code differs between formats. */
function wordsOf(text: string): string {
  return decoded(text.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/[\\`*>|\s]+/g, '');
}

/** What the document leaves out of a plan. */
export function untoldOfPlan(plan: Plan, document: Printed): string[] {
  const { steps, exposures, refusals, blocked, diagnostics, foreign_children: added = [] } = plan;
  const says = (text: string) => document.words.includes(wordsOf(text));
  return [
    ...steps.flatMap((step) => untoldOfStep(step, document)),
    ...exposures.filter(({ effect, address, path }) => !says(`${effect} ${address} ${path}:`)).map(inWords),
    ...refusals.flatMap(({ rule, message, addresses, flag, fix = '' }) =>
      [rule, message, ...addresses, flag ?? '', fix].filter((text) => !says(text)),
    ),
    ...blocked.filter(({ address, path, message }) => !says(`${address} ${path}: ${message}`)).map(inWords),
    ...diagnostics.filter(({ message, code, fix = '' }) => ![message, code, fix].every(says)).map(inWords),
    ...added.filter(({ live_id }) => !says(live_id)).map(inWords),
  ];
}

function inWords(value: object): string {
  return JSON.stringify(value).slice(0, 300);
}

function untoldOfStep(
  { action, phase, address, live_id, changes, loss, deletes = [], reason }: Step,
  { entries }: Printed,
): string[] {
  const isNew = action === 'create' && live_id === null;
  const own = entries.filter(({ words }) => namesIn(words, address) && words.includes(action));
  if (own.length === 0) return [`${action} ${address}`];
  const says = (text: string) => own.some(({ words }) => words.includes(wordsOf(text)));
  return [
    // Ids of what stays are not said where several objects are said together.
    ...(loss === undefined ? [] : [live_id ?? '', loss.cost].filter((text) => !says(text))),
    // Both halves of a replacement have the reason of the first.
    ...(action === 'update' || isNew || phase === 'delete' || says(reason.text) ? [] : [reason.text]),
    ...deletes.filter((one) => !says(one.address)).map((one) => `that ${one.address} goes, too`),
    ...changes
      .filter((change) => !own.some(({ lines }) => tells(lines, change, isNew)))
      .map((change) => `of ${action} ${address}: ${inWords(change)}`),
  ];
}

/** Whole, and not as the beginning of another address. */
function namesIn(words: string, address: string): boolean {
  return (
    new RegExp(`(?<![\\w.-])${address.replaceAll('.', '\\.')}(?![\\w-]*\\.[a-z_]+\\.)`).test(words) ||
    words.includes(address)
  );
}

/** What the document leaves out of a drift. */
export function untoldOfDrift({ findings, pending }: Drift, plan: Plan, document: Printed): string[] {
  const says = (text: string) => document.words.includes(wordsOf(text));
  const problems = [...plan.refusals, ...plan.diagnostics.filter(({ severity }) => severity === 'error')];
  return [
    ...findings.flatMap((finding) => {
      const { type, kind, address, live_id, evidence = '', changes, parent_stack } = finding;
      // The drift of the stack around it names it.
      if (type === 'unmanaged')
        return parent_stack !== undefined || says(`${kind} ${live_id}`) ? [] : [inWords(finding)];
      const own = document.entries.filter(
        ({ words }) => words.includes(wordsOf(address ?? kind)) && words.includes(live_id ?? ''),
      );
      if (!own.some(({ words }) => words.includes(wordsOf(evidence)))) return [inWords(finding)];
      return changes
        .map((change) => asDrift(change))
        .filter((change) => !own.some(({ lines }) => tells(lines, change, false)))
        .map((change) => `of drift ${address}: ${inWords(change)}`);
    }),
    ...pending.filter(({ action, address, reason }) => !says(`${action} ${address}: ${reason.text}`)).map(inWords),
    ...problems.filter(({ message }) => !says(message)).map(inWords),
  ];
}

/** The manifest's value is the old one. */
function asDrift({ before, after, items, ...rest }: Change): Change {
  return {
    ...rest,
    before: after,
    after: before,
    ...(items && { items: { removed: items.added, added: items.removed } }),
  };
}

/** Whether these lines have the difference: its path, its mark, its values, and each item that comes or goes. */
function tells(lines: readonly Line[], change: Change, isNew: boolean): boolean {
  return lines.some(({ depth, text }, index) => {
    if (depth !== 0 || !text.startsWith(`${change.path}:`)) return false;
    const end = lines.findIndex((line, at) => at > index && line.depth === 0);
    return tellsChange(lines.slice(index, end < 0 ? undefined : end), change, isNew);
  });
}

function tellsChange([first, ...below]: readonly Line[], { before, after, items }: Change, isNew: boolean): boolean {
  const all = [first, ...below].map((line) => line?.text ?? '').join('\n');
  if (isNew || before === null) return (isNew || first?.mark === '+') && tellsValue(all, after);
  if (after === null) return first?.mark === '-' && tellsValue(all, before);
  if (first?.mark !== '~') return false;
  if (isMask(before) || isMask(after)) return all.includes('(sensitive');
  if (isList(before) && isList(after)) return tellsItems(below, { before, after, items });
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.every(
      (key) => canonicalJson(before[key] ?? null) === canonicalJson(after[key] ?? null) || all.includes(key),
    );
  }
  return [before, after].every((value) => tellsValue(all, value));
}

const isMask = (value: Json) => isObject(value) && value['sensitive'] === true;
const countOf = (text: string, part: string) => text.split(part).length - 1;

/** Words that need no quotes are there, and as many masks as values are masked. */
function tellsValue(text: string, value: Json): boolean {
  const { words, masks } = leavesOf(value);
  return words.every((word) => text.includes(word)) && countOf(text, '(sensitive') >= masks;
}

function leavesOf(value: Json): { readonly words: readonly string[]; readonly masks: number } {
  if (isMask(value)) return { words: [], masks: 1 };
  const inner = isList(value) ? value : isObject(value) ? Object.values(value) : undefined;
  if (inner === undefined) return { words: isWord(value) ? [String(value)] : [], masks: 0 };
  const leaves = inner.map(leavesOf);
  return { words: leaves.flatMap(({ words }) => words), masks: leaves.reduce((sum, { masks }) => sum + masks, 0) };
}

function isWord(value: Json): boolean {
  return typeof value === 'string' ? /^[A-Za-z][\w.:-]*$/.test(value) : value !== null;
}

interface Lists {
  readonly before: readonly Json[];
  readonly after: readonly Json[];
  readonly items: Change['items'] | undefined;
}

/** As many items go and come as the lists differ in; what need not be there twice is one that only moves. */
function tellsItems(below: readonly Line[], { before, after, items }: Lists): boolean {
  const marked = (mark: string) =>
    below.filter((line) => line.depth === 1 && line.mark === mark).map(({ text }) => text);
  const [gone, come] = [marked('-'), marked('+')];
  if (gone.length + come.length === 0 || come.length - gone.length !== after.length - before.length) return false;
  if (items !== undefined)
    return (
      gone.length === items.removed.length &&
      come.length === items.added.length &&
      items.removed.every((at) => tellsValue(gone.join('\n'), before[at] ?? null)) &&
      items.added.every((at) => tellsValue(come.join('\n'), after[at] ?? null))
    );
  const less = (list: readonly Json[], other: readonly Json[]) => {
    const rest = other.map(canonicalJson);
    return list.filter((item) => {
      const at = rest.indexOf(canonicalJson(item));
      if (at >= 0) rest.splice(at, 1);
      return at < 0;
    });
  };
  const tellsAll = (shown: readonly string[], list: readonly Json[]) =>
    shown.length >= list.length && list.every((item) => tellsValue(shown.join('\n'), item));
  return tellsAll(gone, less(before, after)) && tellsAll(come, less(after, before));
}
