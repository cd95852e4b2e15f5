// Whether people are told what the JSON of a plan says: every change by its address and path, in every format; and whether what is
// carried out is the plan that was printed.

import { canonicalJson, type Json } from '../../src/core/json.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { PEOPLE, printed, untoldOfPlan } from '../support/told.ts';
import { isSameRequest } from '../faults/planned-requests.ts';
import { plansIn } from './documents.ts';
import { isDisturbed, nameOf, writesOf, type Violation } from './violation.ts';
import type { Outcome, Played } from './play.ts';

/** Text, Markdown and HTML name every change. */
export function namesEveryChange({ runs }: Outcome): Violation[] {
  return runs.flatMap((one, index) => {
    if (one.action.role !== 'show') return [];
    const plan = runs.slice(0, index).findLast(({ action }) => action.role === 'plan');
    const format = PEOPLE.find((name) => one.action.args.includes(name));
    const text = printed(format ?? 'text', one.ran.stdout);
    return plansIn(plan?.document)
      .flatMap((made) => [...untoldOfPlan(made, text), ...wronglyCalm(made, one.ran.stdout)])
      .map((what) => ({ oracle: 'shown', text: `${nameOf(one)} ${format ?? ''} does not tell ${what}` }));
  });
}

/** The calm sentence is about the whole plan. */
function wronglyCalm({ steps }: Plan, text: string): string[] {
  if (!text.includes('Nothing is deleted or replaced.')) return [];
  return steps
    .filter(({ action }) => action === 'delete' || action === 'replace')
    .map(({ action, address }) => `that it has to ${action} ${address}: it says that nothing is deleted or replaced`);
}

/** What apply sends is what the plan before it said, and nothing else, if nothing happened in between. */
export function sendsThePlan(outcome: Outcome): Violation[] {
  if (isDisturbed(outcome)) return [];
  const { runs } = outcome;
  return runs.flatMap((one, index) => {
    if (one.action.role !== 'act' || one.ran.exit !== 0 || one.action.args.includes('destroy')) return [];
    const isOf = ({ action }: Played) => action.role === 'plan' && action.stack === one.action.stack;
    const before = runs.slice(0, index).filter(({ action }) => action.role !== 'show');
    // The plan of each stack, or of each part of the fleet.
    const plans = before.filter(isOf).flatMap(({ document }) => plansIn(document));
    const hasOthers = before.some(
      ({ action, ran }) =>
        action.role === 'act' && outcome.service.log.some(({ run, method }) => run === ran.number && method !== 'GET'),
    );
    // What another stack has done by now may change what there is to do.
    if (plans.length === 0 || hasOthers) return [];
    const requests = plans.flatMap(({ steps }) => steps.flatMap((step) => step.requests));
    const sent = writesOf(outcome, one);
    const extra = sent.filter((entry) => !requests.some((request) => isSameRequest(request, entry)));
    const isWhole = before.filter(isOf).length === 1 && before.at(-1) === before.findLast(isOf);
    const missing = isWhole ? requests.filter((request) => !sent.some((entry) => isSameRequest(request, entry))) : [];
    return [
      ...extra.map(
        ({ method, path, body }) => `sent ${method} ${path} ${canonicalJson(body ?? null)}, which no plan has`,
      ),
      ...missing.map(
        ({ method, path, body }) => `did not send ${method} ${path} ${canonicalJson((body ?? null) as Json)}`,
      ),
    ].map((text) => ({ oracle: 'exact', text: `${nameOf(one)} ${text}` }));
  });
}
