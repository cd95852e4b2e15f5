// GitHub Actions logs: the text, with a group for each resource's steps and annotations for anything that needs a person. Text
// of unknown origin is escaped earlier, so it cannot begin a line or hold a command.

import { truncateMiddle } from '../../core/bounds.ts';
import type { RenderOptions } from '../render-options.ts';
import { drawText, type Folded } from '../text/text.ts';
import {
  factsOf,
  headline,
  leadOf,
  type Item,
  type Problem,
  type Row,
  type StackView,
  type View,
} from '../view/view.ts';
import type { Writer } from '../writer.ts';

export const format = {
  name: 'github',
  position: 50,
  isLog: true,
  isForForge: true,
  draw: drawGithub,
} as const satisfies Writer;

/** GitHub shows at most this many annotations of one level per step of a job. */
const MAX_ANNOTATIONS = 10;

function drawGithub(view: View, style: RenderOptions): string {
  const text = drawText(view, style, group);
  const notes = allNotesOf(view);
  const ofLevel = (level: Note['level']) => notes.filter((note) => note.level === level).slice(0, MAX_ANNOTATIONS);
  const lines = [...ofLevel('error'), ...ofLevel('warning')].map(annotation);
  return [...(text === '' ? [] : [text]), ...lines].join('\n');
}

function allNotesOf(view: View): Note[] {
  return [...view.rows.filter(({ tone }) => tone === 'bad').map(aboutRow), ...notesOf(view)];
}

function group({ title, head, lines, loses }: Folded): string[] {
  // Losses are visible without unfolding.
  if (loses) return [head, ...lines];
  return [`::group::${escapeData(title)}`, ...lines, '::endgroup::'];
}

interface Note {
  readonly level: 'error' | 'warning';
  readonly title: string;
  readonly lines: readonly string[];
  readonly place: Problem['place'];
}

/** The problems of a run get their annotations where they are printed. */
function notesOf({ is, items, problems, stacks = [] }: View): Note[] {
  if (is === 'fleet') return stacks.flatMap(notesOfStack);
  if (is === 'report') return [];
  return is === 'drift' ? items.map(aboutFinding) : problems.map(aboutProblem);
}

/** The first line names the stack. */
function notesOfStack({ name, view }: StackView): Note[] {
  const notes = view === undefined ? [] : allNotesOf(view);
  return notes.map((note) => ({
    ...note,
    lines: note.lines.map((line, at) => (at === 0 ? `${name}: ${line}` : line)),
  }));
}

function aboutProblem(problem: Problem): Note {
  const { group: name, code, place } = problem;
  const facts = factsOf(problem).map((detail) => `${leadOf(detail)} ${detail.text}`);
  return {
    level: name === 'warning' ? 'warning' : 'error',
    title: code ?? name,
    lines: [headline(problem), ...facts],
    place,
  };
}

/** A step that did not succeed. */
function aboutRow({ status, action, address, said, place }: Row): Note {
  return { level: 'error', title: `${status}: ${action.word} ${address}`, place, lines: [said.join('; ') || status] };
}

function aboutFinding({ word, weight, address, live_id, why, causes, repair }: Item): Note {
  const name = live_id === undefined ? address : `${address} (${live_id})`;
  const said = [
    ...(why === undefined ? [] : [why]),
    ...causes.map(({ words, fields }) => `${words}: ${fields.join(', ')}`),
    ...(repair === undefined ? [] : [`apply ${repair}`]),
  ];
  return {
    level: weight === 'warning' ? 'warning' : 'error',
    title: 'drift',
    place: undefined,
    lines: [`${word}: ${name}`, ...said.map((text) => truncateMiddle(text))],
  };
}

function annotation({ level, title, lines, place }: Note): string {
  const properties = [
    ...(place === undefined ? [] : Object.entries({ file: place.file, line: place.line, col: place.column })),
    ['title', title] as const,
  ].map(([key, value]) => `${key}=${escapeData(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`);
  return `::${level} ${properties.join(',')}::${escapeData(lines.join('\n'))}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
