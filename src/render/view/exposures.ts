// Who can get in after a plan, or since something was changed outside, in one line for each effect: what opens first.

import { truncateMiddle } from '../../core/bounds.ts';
import { groupBy } from '../../core/group.ts';
import { isObject, type Json } from '../../core/json.ts';
import type { Answer } from '../../plan/answers.ts';
import type { Exposure } from '../../plan/exposure.ts';
import type { TextStyle } from '../render-options.ts';
import { inline, isSensitiveMask } from './values/value.ts';

/** One line: an effect, the address and what opens or closes it. */
export interface ExposureLine {
  readonly effect: Exposure['effect'];
  readonly address: string;
  readonly text: string;
}

/** In the order in which a person needs them. */
export const EFFECTS: readonly { readonly effect: Exposure['effect']; readonly tone: TextStyle }[] = [
  { effect: 'opens', tone: 'bad' },
  { effect: 'changes', tone: 'warn' },
  { effect: 'closes', tone: 'good' },
];

const MOST = 160;

export function exposureLines(exposures: readonly Exposure[]): ExposureLine[] {
  const byEffect = groupBy(exposures, ({ effect }) => effect);
  return EFFECTS.flatMap(({ effect }) => byEffect.get(effect) ?? []).map(
    ({ effect, address, path, before, after }) => ({
      effect,
      address,
      text: truncateMiddle(`${path}: ${sidesText(before, after)}`, MOST),
    }),
  );
}

/** Only one side for what comes or goes; of a whole module, that it does: its values stand with the step. */
function sidesText(before: Json, after: Json): string {
  if (before === null && isModule(after)) return 'added';
  if (after === null && isModule(before)) return 'removed';
  if (before === null) return `+ ${shown(after)}`;
  return after === null ? `- ${shown(before)}` : `${shown(before)} → ${shown(after)}`;
}

/** What answers a request is said in words: `/admin answered by https_edges.shop.routes.admin (oauth)`. */
function shown(value: Json): string {
  if (!isAnswer(value)) return inline(value);
  const { selector, answered_by: by, guards } = value;
  return `${inline(selector)} answered by ${inline(by)}${guards.length === 0 ? '' : ` (${guards.join(', ')})`}`;
}

function isModule(value: Json): boolean {
  return isObject(value) && !isAnswer(value) && !isSensitiveMask(value);
}

function isAnswer(value: Json): value is Json & Answer {
  return isObject(value) && 'answered_by' in value;
}
