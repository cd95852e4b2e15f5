// What stands in the way, with the lines of files that it is about.

import {
  headline,
  HEADINGS,
  placeText,
  PROBLEM_GROUPS,
  type Frame,
  type Problem,
  type SourcePlace,
  type View,
} from '../view/view.ts';
import { element, stacked, type Content, type Markup } from './html.ts';
import { bullets, prose, section } from './parts.ts';

/** A section for each group, in their order. */
export function problemSections({ problems, more }: View): Markup[] {
  const sections = PROBLEM_GROUPS.flatMap((group) => {
    const members = problems.filter((problem) => problem.group === group);
    const list = members.length === 0 ? [] : [element('ul', stacked(members.map(problemItem)))];
    return section(HEADINGS[group], list, `problems ${group === 'warning' ? 'warn' : 'bad'}`);
  });
  return [...sections, ...bullets(more)];
}

function problemItem(problem: Problem): Markup {
  const { code, place, frame, addresses, related, details } = problem;
  const names = addresses.map((address) => element('li', element('code', address)));
  return element('li', [
    prose(headline(problem)),
    code === undefined ? '' : [' ', element('code', code, { class: 'meta' })],
    placeParts(place, frame),
    names.length === 0 ? '' : element('ul', names),
    related.map((other) => [element('p', ['see also: ', prose(other.text)]), placeParts(other.place, other.frame)]),
    details.map(({ lead, text, isCode }) =>
      element('p', [element('span', lead, { class: 'meta' }), ' ', isCode ? element('code', text) : prose(text)]),
    ),
  ]);
}

function placeParts(place: SourcePlace | undefined, frame: Frame | undefined): Content {
  if (place === undefined) return '';
  const name = element('p', element('code', placeText(place)), { class: 'meta' });
  return frame === undefined ? name : [name, frameBlock(place.line, frame)];
}

/** The line and the one before it, with their numbers and the part that is meant. */
function frameBlock(number: number, { before, line, lead, length }: Frame): Markup {
  const letters = Array.from(line);
  const marked = [
    letters.slice(0, lead).join(''),
    element('mark', letters.slice(lead, lead + length).join('') || ' '),
    letters.slice(lead + length).join(''),
  ];
  const numbered = (at: number, content: Content) =>
    element('span', [element('span', String(at).padStart(String(number).length), { class: 'meta' }), '  ', content]);
  return element('pre', [...(number > 1 ? [numbered(number - 1, before)] : []), numbered(number, marked)], {
    class: 'frame',
  });
}
