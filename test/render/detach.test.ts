// An object that lets go of a value before its update: a step of its own, and one resource in every count.

import { expect, test } from 'vitest';
import { formatsFor, renderPlanAs, renderReportAs } from '../../src/render/formats.ts';
import { changeOf, planOf, stepOf } from './sample.ts';

const of = (name: string) => ({
  address: `tls_edges.${name}`,
  kind: 'tls_edge',
  live_id: `edgtls_${name}`,
  action: 'update' as const,
  changes: [changeOf({ path: 'hostports', before: ['x'], after: ['y'] })],
});
const plan = planOf({
  steps: [
    stepOf({ ...of('a'), id: 's1', phase: 'detach' }),
    stepOf({ ...of('b'), id: 's2', depends_on: ['s1'] }),
    stepOf({ ...of('a'), id: 's3', depends_on: ['s1', 's2'] }),
  ],
});
const style = { width: 100, color: false, detail: 'changes' } as const;
const results = plan.steps.map(({ id, action, address, live_id }) => ({
  ...{ id, action, address, live_id },
  status: 'done' as const,
  error: null,
  requests_done: 1,
}));
const report = { plan, results, result: 'done', exitCode: 0, diagnostics: [] } as const;

test.each(formatsFor('plan'))('%s counts it once', (format) => {
  const drawn = renderPlanAs(format, plan, style);
  expect(drawn).not.toMatch(/\b3 (?:to update|resources)|3 to update<|<b>3<\/b>/);
  if (format === 'markdown') expect(drawn).toMatch(/<b>2 to update<\/b>/);
  if (format === 'html') expect(drawn).toContain('>2 to update<');
});

test.each(formatsFor('report'))('%s does not call it an old object', (format) => {
  expect(renderReportAs(format, report, style)).not.toContain('old object');
});

test('a run names the steps of one resource apart', () => {
  const drawn = renderReportAs('junit', report, style);
  for (const name of ['tls_edges.a update (detach)', 'tls_edges.a update']) expect(drawn).toContain(`name="${name}"`);
});
