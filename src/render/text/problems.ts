// Problems for people: what happened, where, the source lines, what was expected and got, and the fix.

import { columns } from '../../core/text/columns.ts';
import { paint, type RenderOptions, type TextStyle } from '../render-options.ts';
import { placeText, type Problem, type View } from '../view/view.ts';
import { wrap } from './lines.ts';

export function problemBlocks({ problems, more, sentence }: View, style: RenderOptions): string[][] {
  if (problems.length === 0) return [];
  return [
    ...problems.map((one) => problemLines(one, style)),
    ...more.map((line) => [line]),
    [paint(style, 'strong', sentence)],
  ];
}

function problemLines(problem: Problem, style: RenderOptions): string[] {
  const { group, code, text, address, related, details } = problem;
  const tone = group === 'warning' ? 'warn' : 'bad';
  const [first = '', ...rest] = wrap(`${group}: ${text}  [${code ?? ''}]`, style.width, '  ');
  return [
    `${paint(style, tone, `${group}:`)}${first.slice(group.length + 1)}`,
    ...rest,
    ...(address === undefined ? [] : [`  --> ${address}`]),
    ...frameLines(problem, tone, style),
    ...related.flatMap((other) => [`   = ${other.text}`, ...frameLines(other, 'quiet', style)]),
    ...details.flatMap((fact) =>
      wrap(`= ${fact.lead} ${fact.text}`, style.width - 3, '  ').map((line) => `   ${line}`),
    ),
  ];
}

/** The place, the line before it, the line itself and a mark under the text. */
function frameLines(
  { place, frame }: Pick<Problem, 'place' | 'frame'>,
  tone: TextStyle,
  style: RenderOptions,
): string[] {
  if (place === undefined) return [];
  const at = `  --> ${placeText(place)}`;
  if (frame === undefined) return [at];
  const width = String(place.line).length;
  const widthOf = (from: number, to: number) => columns(Array.from(frame.line).slice(from, to).join(''));
  const lead = ' '.repeat(widthOf(0, frame.lead));
  const mark = '^'.repeat(Math.max(1, widthOf(frame.lead, frame.lead + frame.length)));
  const bar = (label: string, text: string) =>
    `${paint(style, 'quiet', ` ${label.padStart(width)} |`)} ${text}`.trimEnd();
  return [
    at,
    bar('', ''),
    ...(frame.before.trim() === '' ? [] : [bar(String(place.line - 1), frame.before)]),
    bar(String(place.line), frame.line),
    bar('', `${lead}${paint(style, tone, mark)}`),
  ];
}
