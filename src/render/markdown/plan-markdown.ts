// A plan as Markdown for comments and job summaries: verdict, what needs a person, a table, and each change to unfold.

import { plural } from '../../core/text.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Output, PlanDocument, Problem, StepSection } from '../document.ts';
import { HEADINGS, PROBLEM_GROUPS, planDocument } from '../document.ts';
import { escapeHtml } from '../html/html.ts';
import { clip, code, fenced, firstThatFits, folded, sentence, table } from './markdown.ts';
import { SYMBOLS } from '../text/step.ts';
import type { Style } from '../style.ts';
import type { Line } from '../text/value.ts';

/** Below the 65,536 characters that comments may have, with room for what a pipeline puts around it. */
export const COMMENT_LIMIT = 60_000;

/** How much is shown; the next smaller size is taken when a document would be too long. */
export interface Size {
  readonly changes: boolean;
  readonly rows: number;
  readonly problems: number;
  /** Characters of one text. */
  readonly clip: number;
  /** What is left out, in words. */
  readonly missing: string | undefined;
}

const LEFT_OUT = 'This is too long to show in full.';

export const SIZES = [
  { changes: true, rows: Infinity, problems: Infinity, clip: Infinity, missing: undefined },
  {
    changes: false,
    rows: Infinity,
    problems: Infinity,
    clip: Infinity,
    missing: `${LEFT_OUT} The changes of each step are left out.`,
  },
  { changes: false, rows: 60, problems: 10, clip: 100, missing: `${LEFT_OUT} Most steps and long texts are left out.` },
  { changes: false, rows: 0, problems: 0, clip: 100, missing: `${LEFT_OUT} Only the counts are shown.` },
] as const satisfies readonly Size[];

/** The plan without a final line break, at most `limit` characters long. */
export function planMarkdown(plan: Plan, style: Style, limit = COMMENT_LIMIT): string {
  const said = planDocument(plan, style);
  return firstThatFits(
    limit,
    SIZES.map((size) => () => paragraphs(planParts(said, size))),
  );
}

/** Blocks with an empty line between them; empty blocks are left out. */
export function paragraphs(blocks: readonly (readonly string[])[]): string {
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function planParts(said: PlanDocument, size: Size): string[][] {
  const { verdict, stack, service, problems, steps, outputs, facts } = said;
  return [
    [`**${verdict}**`],
    [placeLine(stack, service, size)],
    missingLines(size),
    ...problemParts(problems, size),
    stepTable(steps, size),
    ...(size.changes ? steps.flatMap(stepParts) : []),
    size.changes ? outputLines(outputs) : [],
    facts.length === 0 ? [] : [facts.join(' ')],
  ];
}

export function placeLine(stack: string, service: string, size: Size): string {
  return `Stack ${code(clip(stack, size.clip))} at ${code(clip(service, size.clip))}`;
}

export function missingLines({ missing }: Size): string[] {
  return missing === undefined ? [] : [`_${missing} The log of the run, or \`--format html\`, has everything._`];
}

/** A heading and a list for each group of problems. */
export function problemParts(problems: readonly Problem[], size: Size): string[][] {
  return PROBLEM_GROUPS.flatMap((group) => {
    const members = problems.filter((problem) => problem.group === group);
    if (members.length === 0) return [];
    const shown = members.slice(0, size.problems);
    const more = members.length - shown.length;
    return [
      [`**${HEADINGS[group]}:**${shown.length === 0 ? ` ${members.length}` : ''}`],
      [
        ...shown.flatMap((problem) => problemItem(problem, size)),
        ...(more > 0 && shown.length > 0 ? [`- and ${more} more`] : []),
      ],
    ];
  });
}

function problemItem({ code: name, text, place, addresses, facts }: Problem, size: Size): string[] {
  const at = place === undefined ? '' : `${code(clip(`${place.file}:${place.line}:${place.column}`, size.clip))}: `;
  const rule = name === undefined ? '' : ` [${code(clip(name, size.clip))}]`;
  const shown = addresses.slice(0, size.problems);
  const more = addresses.length - shown.length;
  const list = shown.map((address) => code(clip(address, size.clip))).join(', ');
  return [
    `- ${at}${sentence(clip(text, size.clip))}${rule}`,
    ...(addresses.length === 0 ? [] : [`  - ${list}${more > 0 ? ` and ${more} more` : ''}`]),
    ...facts.map(({ lead, text: what, isCode }) => `  - ${lead} ${(isCode ? code : sentence)(clip(what, size.clip))}`),
  ];
}

function stepTable(steps: readonly StepSection[], size: Size): string[] {
  const shown = steps.slice(0, size.rows);
  if (shown.length === 0) return [];
  const more = steps.length - shown.length;
  const rows = shown.map((step) => [
    code(SYMBOLS[step.action]),
    step.action,
    nameCell(step.address, step.liveId, size),
    whatCell(step, size),
  ]);
  return [
    ...table(['', 'action', 'address', 'what'], rows),
    ...(more > 0 ? ['', `and ${plural(more, 'more resource')}`] : []),
  ];
}

export function nameCell(address: string, liveId: string | undefined, size: Size): string {
  const id = liveId === undefined ? '' : ` (${code(clip(liveId, size.clip))})`;
  return `${code(clip(address, size.clip))}${id}`;
}

/** More fields than this are counted in the table. */
const MAX_FIELDS = 6;

function whatCell({ why, loses, fields, drifted }: StepSection, size: Size): string {
  const names = (list: readonly string[]) => {
    const rest = list.length > MAX_FIELDS ? ` and ${list.length - MAX_FIELDS} more` : '';
    return `${list
      .slice(0, MAX_FIELDS)
      .map((name) => code(clip(name, size.clip)))
      .join(', ')}${rest}`;
  };
  return [
    ...(why === undefined ? [] : [sentence(clip(why, size.clip))]),
    ...(fields.length === 0 ? [] : [names(fields)]),
    ...(drifted.length === 0 ? [] : [`changed outside: ${names(drifted)}`]),
    ...(loses === undefined ? [] : [`**loses:** ${sentence(clip(loses, size.clip))}`]),
  ].join('<br>');
}

function stepParts({ action, address, meta, lines, requests }: StepSection): string[][] {
  if (lines.length === 0 && requests.length === 0) return [];
  const summary = `${SYMBOLS[action]} ${action} <code>${escapeHtml(address)}</code>`;
  const body = [
    `Step ${code(meta)}`,
    ...(lines.length === 0 ? [] : ['', ...fenced(lines.map(diffLine), 'diff')]),
    ...(requests.length === 0 ? [] : ['', ...fenced(requests, '')]),
  ];
  return [folded(summary, body)];
}

/** A line as readers of diffs colour it: the mark comes first, and `!` is a change in place. */
function diffLine({ mark, depth, text }: Line): string {
  return `${mark === '~' ? '!' : mark} ${'  '.repeat(depth)}${text}`.trimEnd();
}

export function outputLines(outputs: readonly Output[]): string[] {
  if (outputs.length === 0) return [];
  return ['**Outputs:**', '', ...outputs.map(([name, value]) => `- ${code(name)} = ${code(value)}`)];
}
