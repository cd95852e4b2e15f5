// One step of a plan as lines: what happens, why, what is lost, every difference, and with full detail the requests.

import { groupBy } from '../../core/group.ts';
import type { Action, Cause, Change, Phase, PlannedRequest, Step } from '../../plan/plan.ts';
import { differenceLines } from './difference.ts';
import type { StepGroup } from '../group.ts';
import { columns, printLine, wrap } from './lines.ts';
import { placeOf } from './place.ts';
import type { Style, Tone } from '../style.ts';
import { paint } from '../style.ts';
import type { Line, Place } from './value.ts';
import { valueLines } from './value.ts';
import { visible } from '../../core/visible.ts';

export const SYMBOLS: Readonly<Record<Action, string>> = {
  create: '+',
  update: '~',
  replace: '±',
  delete: '-',
  adopt: '»',
  release: '«',
};

export const ACTION_TONES: Readonly<Record<Action, Tone>> = {
  create: 'good',
  update: 'warn',
  replace: 'bad',
  delete: 'bad',
  adopt: 'rare',
  release: 'rare',
};

const CAUSES: Readonly<Record<Cause, string | undefined>> = {
  config: undefined,
  drift: '[changed outside]',
  both: '[changed outside and in the manifest]',
  unknown: undefined,
};

/** All lines of one resource's steps. */
export function stepLines(group: StepGroup, style: Style): string[] {
  const header = headerLines(group, style);
  if (style.detail === 'names') return header.slice(0, 1);
  const words = wordLines(group, style);
  const changes = group.steps.flatMap((step) => changeLines(step, style)).map((line) => printLine(line, style));
  const requests =
    style.detail === 'full' ? requestLines(group).map((line) => `    ${paint(style, 'quiet', line)}`) : [];
  return [...header, ...words, ...changes, ...requests];
}

function headerLines({ first, steps }: StepGroup, style: Style): string[] {
  const { action } = first;
  const liveId = liveIdOf({ first, steps });
  const name = paint(style, 'strong', visible(first.address));
  const id = liveId === null ? '' : ` (${visible(liveId)})`;
  const head = `${paint(style, ACTION_TONES[action], `${SYMBOLS[action]} ${action}`)} ${name}${id}`;
  if (style.detail === 'names') return [head];
  const meta = groupMeta({ first, steps });
  const length = columns(`${SYMBOLS[action]} ${action} ${visible(first.address)}${id}`);
  if (length + 2 + columns(meta) <= style.width) return [`${head}  ${paint(style, 'quiet', meta)}`];
  return [head, `    ${paint(style, 'quiet', meta)}`];
}

/** The live object that the steps change or delete. */
export function liveIdOf({ steps }: StepGroup): string | null {
  return steps.find((step) => step.live_id !== null)?.live_id ?? null;
}

/** Ids and order of the steps, and the place in the manifest. */
export function groupMeta({ first, steps }: StepGroup): string {
  return [...steps.map(orderText), ...(first.source === null ? [] : [visible(first.source)])].join(' · ');
}

const PHASES: Readonly<Record<Phase, string>> = { create: ' new', delete: ' old', detach: ' aside' };

/** `s3 after s1, s2`; the steps of a replacement say which object they are about. */
function orderText(step: Step): string {
  const phase = step.phase === undefined ? '' : PHASES[step.phase];
  const after = step.depends_on.length === 0 ? '' : ` after ${step.depends_on.join(', ')}`;
  return `${step.id}${phase}${after}`;
}

/** A reason that says no more than the changes below it. */
const COUNT_OF_CHANGES = /^\d+ values? differs?$/;

/** Reason and loss of a step, where they say more than the changes do. */
export interface Words {
  readonly why: string | undefined;
  readonly loses: string | undefined;
}

export function groupWords({ first, steps }: StepGroup): Words {
  const loss = steps.find((step) => step.loss !== undefined)?.loss;
  const isTelling = first.action !== 'create' || first.deleted_outside !== undefined;
  const telling = isTelling && !(first.changes.length > 0 && COUNT_OF_CHANGES.test(first.reason));
  return {
    why: telling ? visible(first.reason) : undefined,
    loses: loss === undefined ? undefined : visible(withoutIds(loss, steps)),
  };
}

function wordLines(group: StepGroup, style: Style): string[] {
  const { why, loses } = groupWords(group);
  const reason = why === undefined ? [] : wrap(`why: ${why}`, style.width - 4, '     ');
  const losing = loses === undefined ? [] : wrap(`loses: ${loses}`, style.width - 4, '       ');
  return [...reason.map((line) => `    ${line}`), ...losing.map((line) => `    ${paint(style, 'bad', line)}`)];
}

/** The header names the object, so `ID is deleted:` need not be said again. */
function withoutIds(loss: string, steps: readonly Step[]): string {
  const prefix = steps.map((step) => `${step.live_id ?? ''} is deleted: `).find((text) => loss.startsWith(text));
  return prefix === undefined ? loss : loss.slice(prefix.length);
}

/** Every difference of a step, not yet printed; the values of a new object have no mark. */
export function changeLines(step: Step, style: Style): Line[] {
  if (isNew(step)) return step.changes.flatMap((change) => newLines(change, placeOf(step.kind, change.path, style)));
  return groupByField(step.changes).flatMap((group) => groupLines(step, group, style));
}

/** True for a step that makes an object where none was. */
export function isNew(step: Step): boolean {
  return step.live_id === null && step.action === 'create';
}

const DEPTH = 2;

function newLines(change: Change, place: Place): Line[] {
  return valueLines(visible(change.path), change.after, { mark: ' ', depth: 1, text: '' }, place);
}

/** Changes below one top-level field are shown together. */
function groupByField(changes: readonly Change[]): Change[][] {
  return [...groupBy(changes, ({ path }) => path.split('.')[0] ?? '').values()];
}

function groupLines(step: Step, changes: readonly Change[], style: Style): Line[] {
  const [only] = changes;
  if (only === undefined) return [];
  const place = (change: Change) => placeOf(step.kind, change.path, style);
  const notes = [...new Set(changes.flatMap((change) => change.note ?? []))].map(noteLine);
  if (changes.length === 1) {
    return [...oneChange(only, { label: only.path, depth: DEPTH, said: [] }, place(only)), ...notes];
  }
  const [name = ''] = only.path.split('.');
  const said = sharedWords(changes);
  const header: Line = { mark: '~', depth: DEPTH, text: withWords(`${visible(name)}:`, said) };
  const lines = changes.flatMap((change) => {
    const label = change.path === name ? name : change.path.slice(name.length + 1);
    return oneChange(change, { label, depth: DEPTH + 1, said }, place(change));
  });
  return [header, ...lines, ...notes];
}

function noteLine(note: string): Line {
  return { mark: ' ', depth: DEPTH + 1, text: `note: ${visible(note)}` };
}

/** How one change is shown; `said` are words that its group has said already. */
interface Showing {
  readonly label: string;
  readonly depth: number;
  readonly said: readonly string[];
}

function oneChange(change: Change, { label, depth, said }: Showing, place: Place): Line[] {
  const words = wordsOf(change).filter((word) => !said.includes(word));
  const { before, after } = change;
  const [first, ...rest] = differenceLines({ label: visible(label), before, after, depth }, place);
  return first === undefined ? [] : [{ ...first, text: withWords(first.text, words) }, ...rest];
}

function wordsOf(change: Change): string[] {
  const words = [change.effect === 'replace-resource' ? '[needs a new object]' : undefined, CAUSES[change.cause]];
  return words.filter((word) => word !== undefined);
}

/** Words that every change of the group has are said once. */
function sharedWords(changes: readonly Change[]): string[] {
  const [first, ...others] = changes.map(wordsOf);
  return (first ?? []).filter((word) => others.every((words) => words.includes(word)));
}

function withWords(text: string, words: readonly string[]): string {
  return words.length === 0 ? text : `${text}${text.endsWith(':') ? ' ' : '  '}${words.join(' ')}`;
}

/** The requests of all steps, each with its body. */
export function requestLines({ steps }: StepGroup): string[] {
  return steps.flatMap((step) => step.requests.flatMap(oneRequest));
}

function oneRequest({ method, path, body }: PlannedRequest): string[] {
  const first = `> ${method} ${visible(path)}`;
  if (body === undefined) return [first];
  return [
    first,
    ...JSON.stringify(body, null, 2)
      .split('\n')
      .map((line) => `  ${visible(line)}`),
  ];
}
