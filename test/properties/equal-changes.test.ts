// Equal changes are said once, and nothing else is: every change of every resource of every stack is shown with groups as it is
// without them, whatever the plans are. Secrets are never said to be equal.

import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { knownSecrets } from '../../src/core/secrets/known.ts';
import type { Plan, Step } from '../../src/plan/plan.ts';
import { blocksFor, type Block, type Phrase } from '../../src/render/document/blocks.ts';
import { documentOf } from '../../src/render/document/document.ts';
import { renderFleetAs, type FleetOutcome } from '../../src/render/fleet.ts';
import { renderPlanAs } from '../../src/render/formats.ts';
import { alike, factsOfChange, likenessOf } from '../../src/render/view/likeness.ts';
import { planView } from '../../src/render/view/plan.ts';
import { groupStacks, likenessOfStack } from '../../src/render/view/stack-groups.ts';
import type { StackView, View } from '../../src/render/view/view.ts';
import { changeOf, lossOf, plain, planOf, stepOf } from '../render/sample.ts';

const RUNS = 200;

interface Drawn {
  readonly action: Step['action'];
  readonly field: string;
  readonly before: string;
  readonly after: string;
  readonly isSecret: boolean;
}

/** Steps that are often equal, and differ in one thing when they are not. */
const drawnStep: fc.Arbitrary<Drawn> = fc.record({
  action: fc.constantFrom('create', 'update', 'update', 'update', 'delete'),
  field: fc.constantFrom('description', 'metadata'),
  before: fc.constantFrom('a', 'b'),
  after: fc.constantFrom('x', 'y'),
  isSecret: fc.boolean(),
});

function stepFrom({ action, field, before, after, isSecret }: Drawn, index: number): Step {
  const secret = { sensitive: true };
  const change = changeOf({
    path: field,
    before: action === 'create' ? null : isSecret ? secret : before,
    after: isSecret ? secret : after,
    sensitive: isSecret,
  });
  return stepOf({
    id: `s${index}`,
    action,
    address: `tls_edges.e${index}`,
    kind: 'tls_edge',
    live_id: action === 'create' ? null : `edgtls_${index}`,
    reason: { code: 'differs', text: '1 value differs' },
    ...(action === 'delete' && { loss: lossOf({ live_id: `edgtls_${index}` }) }),
    changes: action === 'delete' ? [] : [change],
  });
}

function viewOf(stack: string, steps: readonly Drawn[]): View {
  return planView(planOf({ stack, steps: steps.map(stepFrom) }), plain);
}

/** The same, with nothing grouped. */
function ungrouped({ stacks, items, ...view }: View): View {
  const alone = items.map(({ likeness: _, ...item }) => item);
  const others = stacks?.map(({ likeness: _, view: inner, ...stack }) => ({
    ...stack,
    view: inner && ungrouped(inner),
  }));
  return { ...view, items: alone, ...(others && { stacks: others }) };
}

const textOf = (phrase: Phrase) =>
  phrase.map((one) => (typeof one === 'string' ? one : one.is === 'sign' ? one.sign.word : one.text)).join('');

/** Each change that a document shows: of which stack, of which resource, and its lines. */
function shownIn(blocks: readonly Block[], stacks: readonly string[]): string[] {
  const names = blocks.find(({ is }) => is === 'names');
  const here = names?.is === 'names' ? names.names.map(({ text }) => text) : stacks;
  return blocksFor('html', blocks).flatMap((block) => {
    if (block.is === 'section') {
      const [title = ''] = block.isTarget === true ? block.title.split(': ') : [];
      return shownIn(block.blocks, title === '' || / stacks$/.test(title) ? here : [title]);
    }
    if (block.is !== 'fold') return [];
    const several = block.blocks.find(({ is }) => is === 'names');
    const addresses = several?.is === 'names' ? several.names.map(({ text }) => text) : [textOf(block.phrase.slice(2))];
    const word = textOf(block.phrase.slice(0, 1));
    const lines = block.blocks.flatMap((one) =>
      one.is === 'diff' ? one.lines.map(({ mark, text }) => mark + text) : [],
    );
    return here.flatMap((stack) => addresses.map((address) => [stack, word, address, ...lines].join('|')));
  });
}

const shown = (view: View) => shownIn(documentOf(view), [view.at?.stack ?? '']).sort();

test('a plan shows the same changes with groups and without', () => {
  const property = fc.property(fc.array(drawnStep, { maxLength: 12 }), (steps) => {
    const view = viewOf('shop', steps);
    expect(shown(view)).toEqual(shown(ungrouped(view)));
    expect(shown(view)).toHaveLength(steps.length);
  });
  fc.assert(property, { numRuns: RUNS, seed: 20261127 });
});

function fleetViewOf(plans: readonly (readonly Drawn[])[]): View {
  const stacks = plans.map((steps, index): StackView => {
    const view = viewOf(`web-${index}`, steps);
    const stack = {
      name: `web-${index}`,
      service: 'https://api.example.com/',
      result: 'pending',
      tone: 'warn',
      danger: 2,
    } as const;
    const likeness = likenessOfStack({ ...stack, counts: view.totals, view });
    return { ...stack, counts: view.totals, view, ...(likeness !== undefined && { likeness }) };
  });
  return { ...viewOf('', []), is: 'fleet', stacks };
}

/** Stacks of which many have the same steps. */
const plans = fc
  .array(fc.array(drawnStep, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
  .chain((kinds) => fc.array(fc.constantFrom(...kinds), { maxLength: 8 }));

test('a fleet shows the same changes with groups and without', () => {
  const property = fc.property(plans, (all) => {
    const view = fleetViewOf(all);
    expect(shown(view)).toEqual(shown(ungrouped(view)));
    expect(shown(view)).toHaveLength(all.flat().length);
  });
  fc.assert(property, { numRuns: RUNS, seed: 20261127 });
});

test('stacks with the same steps are one, unless they lose something', () => {
  const property = fc.property(plans, (all) => {
    const distinct = new Set(
      all
        .filter((steps) => steps.every(({ action }) => action !== 'delete'))
        .map((steps) => JSON.stringify(steps.map(stepFrom))),
    );
    const losing = all.filter((steps) => steps.some(({ action }) => action === 'delete'));
    expect(groupStacks(fleetViewOf(all).stacks ?? [])).toHaveLength(distinct.size + losing.length);
  });
  fc.assert(property, { numRuns: RUNS, seed: 20261127 });
});

test('changes of which different items come and go are not one', () => {
  const mask = { sensitive: true };
  const both = { path: 'backends', before: [mask, mask], after: [mask, mask], sensitive: true };
  const places = [[0], [1], [0, 1]];
  const found = places.map((removed) =>
    likenessOf(factsOfChange(changeOf({ ...both, items: { removed, added: removed } }))),
  );
  expect(new Set(found).size).toBe(places.length);
});

test('JSON has every step, and full details have a section for each stack', () => {
  const steps = Array.from({ length: 30 }, (_, index) =>
    stepFrom({ action: 'update', field: 'description', before: 'a', after: 'x', isSecret: false }, index),
  );
  const plan = planOf({ steps });
  expect((JSON.parse(renderPlanAs('json', plan, plain)) as Plan).steps).toHaveLength(30);
  expect(renderPlanAs('text', plan, plain).match(/a → x/g)).toHaveLength(1);
  expect(renderPlanAs('text', plan, { ...plain, detail: 'full' }).match(/a → x/g)).toHaveLength(30);
});

describe('secrets', () => {
  const SECRETS = ['first-secret-of-many', 'other-secret-of-many'];
  afterEach(() => knownSecrets.clear());

  test('that differ are grouped like those that are equal: by what is shown', () => {
    for (const secret of SECRETS) knownSecrets.add(secret);
    const [first = '', second = ''] = SECRETS;
    const step = (after: string, index: number) =>
      stepFrom({ action: 'update', field: 'description', before: 'a', after, isSecret: false }, index);
    const drawn = (texts: readonly string[]) => {
      const stacks = texts.map((text, index) => ({
        name: `web-${index}`,
        stack: `web-${index}`,
        service: 'https://api.example.com/',
        outcome: 'done' as const,
        is: 'planned' as const,
        plan: planOf({ stack: `web-${index}`, steps: [step(text, 0)], summary: { update: 1 } }),
      }));
      const fleet: FleetOutcome = { command: 'plan', outcome: 'done', stacks };
      const plan = planOf({ steps: texts.map(step) });
      return ['text', 'markdown', 'html'].flatMap((format) => {
        const as = format as 'text' | 'markdown' | 'html';
        return [renderFleetAs(as, fleet, plain), renderPlanAs(as, plan, plain)].map((text) => knownSecrets.mask(text));
      });
    };
    expect(drawn([first, second])).toEqual(drawn([first, first]));
    expect(likenessOf(first)).toBe(likenessOf(second));
  });
});

test('what has no likeness is alone', () => {
  const one = {};
  expect(alike([one, one, { likeness: 'a' }, { likeness: 'a' }]).map(({ length }) => length)).toEqual([1, 1, 2]);
});
