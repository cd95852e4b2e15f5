// The steps of a plan by resource: which belong together, and what is read first.

import { expect, test } from 'vitest';
import type { Step } from '../../../src/plan/plan.ts';
import { renderPlanAs } from '../../../src/render/formats.ts';
import { changeOf, plain, planOf, stepOf } from '../sample.ts';

const step = (id: string, action: Step['action'], name: string, more: Partial<Step> = {}) =>
  stepOf({ id, action, address: `tls_edges.${name}`, kind: 'tls_edge', ...more });

/** The line of each group, without its object. */
const groups = (steps: readonly Step[]) =>
  renderPlanAs('text', planOf({ steps }), plain)
    .split('\n')
    .filter((line) => / tls_edges\.[ab] /.test(line))
    .map((line) => line.replace(/ \(edgtls_\d\)/, ''));

const named = changeOf({ path: 'description', after: 'b' });
const detach = step('s1', 'update', 'a', { phase: 'detach', live_id: 'edgtls_1' });
const update = step('s2', 'update', 'a', { live_id: 'edgtls_1' });

test.each([
  { name: 'no steps are no groups', steps: [], is: [] },
  { name: 'one step is one group', steps: [step('s1', 'create', 'a')], is: ['+ create tls_edges.a  s1'] },
  {
    name: 'what takes away comes first, and what lets go last',
    steps: (['release', 'adopt', 'update', 'create', 'delete', 'replace'] as const).map((action, index) =>
      step(`s${index}`, action, 'a'),
    ),
    is: [
      '± replace tls_edges.a  s5',
      '- delete tls_edges.a  s4',
      '+ create tls_edges.a  s3',
      '~ update tls_edges.a  s2',
      '» adopt tls_edges.a  s1',
      '« release tls_edges.a  s0',
    ],
  },
  {
    name: 'equal actions stand by their addresses',
    steps: [step('s2', 'create', 'b', { changes: [named] }), step('s1', 'create', 'a')],
    is: ['+ create tls_edges.a  s1', '+ create tls_edges.b  s2'],
  },
  {
    name: 'the two halves of a replacement belong together',
    steps: [step('s1', 'replace', 'a', { phase: 'delete' }), step('s2', 'replace', 'a', { phase: 'create' })],
    is: ['± replace tls_edges.a  s1 old · s2 new'],
  },
  {
    name: 'a detaching step is told on its own',
    steps: [detach, update],
    is: ['~ update tls_edges.a  s1 detach', '~ update tls_edges.a  s2'],
  },
  {
    name: 'each object of an address that is deleted is told on its own',
    steps: [step('s1', 'delete', 'a', { live_id: 'edgtls_1' }), step('s2', 'delete', 'a', { live_id: 'edgtls_2' })],
    is: ['- delete tls_edges.a  s1', '- delete tls_edges.a  s2'],
  },
  {
    name: 'and so is each that is released',
    steps: [step('s1', 'release', 'a', { live_id: 'edgtls_1' }), step('s2', 'release', 'a', { live_id: 'edgtls_2' })],
    is: ['« release tls_edges.a  s1', '« release tls_edges.a  s2'],
  },
])('$name', ({ steps, is }) => {
  expect(groups(steps)).toEqual(is);
});

test('a replacement is told by its new object', () => {
  const half = (phase: 'delete' | 'create') =>
    step(`${phase}s`, 'replace', 'a', { phase, reason: { code: 'not-in-service', text: `it ${phase}s` } });
  const shown = renderPlanAs('text', planOf({ steps: [half('delete'), half('create')] }), plain);
  expect(shown.match(/why: .*/g)).toEqual(['why: it creates']);
});
