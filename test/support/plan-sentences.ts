// What a plan says in words: reasons, costs, notes, problems and what to do about them, each with its code and without ids.

import type { Plan, Step } from '../../src/plan/plan.ts';

/** The ids that the emulated service gives. */
const ID = /\b[a-z]+_2\d{9}\w+/g;

export function planSentences(plan: Plan): string[] {
  return [
    ...plan.steps.flatMap(ofStep),
    ...plan.refusals.flatMap(({ rule, message, fix }) => said(rule, message, fix)),
    ...[...plan.blocked, ...plan.diagnostics].flatMap(({ code, message, fix }) => said(code, message, fix)),
  ];
}

function ofStep({ reason, loss, changes }: Step): string[] {
  return [
    ...said(reason.code, reason.text),
    ...(loss === undefined ? [] : said(`loses, ${loss.code}`, loss.cost)),
    ...changes.flatMap(({ note, effect }) => (note === undefined ? [] : said(effect, note))),
  ];
}

/** The sentence, and the fix below it. */
function said(code: string, message: string, fix?: string): string[] {
  const text = fix === undefined ? `${code}: ${message}` : `${code}: ${message}\n  fix: ${fix}`;
  return [text.replaceAll(ID, 'ID')];
}
