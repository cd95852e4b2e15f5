// The steps of a plan by resource: which belong together, and what is read first.

import { expect, test } from 'vitest';
import type { Step } from '../../../src/plan/plan.ts';
import { groupSteps } from '../../../src/render/view/group.ts';
import { stepOf } from '../sample.ts';

const step = (id: string, action: Step['action'], name: string, more: Partial<Step> = {}) =>
  stepOf({ id, action, address: `tls_edges.${name}`, kind: 'tls_edge', ...more });

/** `first: all steps` of each group. */
const groups = (...steps: Step[]) =>
  groupSteps(steps).map((group) => `${group.first.id}: ${group.steps.map(({ id }) => id).join(' ')}`);

const detach = step('d', 'update', 'a', { phase: 'detach', live_id: 'edgtls_1' });
const update = step('u', 'update', 'a', { live_id: 'edgtls_1' });

test.each([
  { name: 'no steps are no groups', steps: [], is: [] },
  { name: 'one step is one group', steps: [step('1', 'create', 'a')], is: ['1: 1'] },
  {
    name: 'what takes away comes first, and what lets go last',
    steps: (['release', 'adopt', 'update', 'create', 'delete', 'replace'] as const).map((action) =>
      step(action, action, 'a'),
    ),
    is: ['replace: replace', 'delete: delete', 'create: create', 'update: update', 'adopt: adopt', 'release: release'],
  },
  {
    name: 'equal actions stand by their addresses',
    steps: [step('2', 'create', 'b'), step('1', 'create', 'a')],
    is: ['1: 1', '2: 2'],
  },
  {
    name: 'the two halves of a replacement belong together, told by the new object',
    steps: [step('old', 'replace', 'a', { phase: 'delete' }), step('new', 'replace', 'a', { phase: 'create' })],
    is: ['new: old new'],
  },
  { name: 'a detaching step is told on its own', steps: [detach, update], is: ['d: d', 'u: u'] },
  {
    name: 'each object of an address that is deleted is told on its own',
    steps: [step('1', 'delete', 'a', { live_id: 'edgtls_1' }), step('2', 'delete', 'a', { live_id: 'edgtls_2' })],
    is: ['1: 1', '2: 2'],
  },
  {
    name: 'and so is each that is released',
    steps: [step('1', 'release', 'a', { live_id: 'edgtls_1' }), step('2', 'release', 'a', { live_id: 'edgtls_2' })],
    is: ['1: 1', '2: 2'],
  },
])('$name', ({ steps, is }) => {
  expect(groups(...steps)).toEqual(is);
});
