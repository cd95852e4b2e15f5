// Pages for a browser: a plan with much in it, drift, a report, problems, and a plan of 2,000 steps.

import { format as html } from '../../src/render/formats/html.ts';
import { renderDiagnosticsAs, renderDriftAs, renderPlanAs, renderReportAs } from '../../src/render/formats.ts';
import { renderFleetAs } from '../../src/render/fleet.ts';
import { applied, checked, driftedStacks, equalFleet, planned } from '../render/fleet-sample.ts';
import { drifted } from '../render/drift-sample.ts';
import { changeOf, everything, plain, planOf, stepOf } from '../render/sample.ts';
import { itemOf, PLACE, problemOf, rowOf, viewOf } from '../render/view-sample.ts';
import { quoting } from '../support/quoting.ts';

const LONG = 'x'.repeat(300);
const range = { file: 'edgeform.yaml', line: 2, column: 8, endLine: 2, endColumn: 12 };
const results = everything.steps.map(({ id, address, action, live_id }, index) => {
  const status = (['done', 'failed', 'blocked'] as const)[index % 3] ?? 'done';
  return { id, address, action, status, live_id, error: status === 'done' ? null : LONG, requests_done: 0 };
});

export const PAGES = {
  plan: renderPlanAs('html', everything, { ...plain, detail: 'full' }),
  drift: renderDriftAs('html', drifted, plain),
  report: renderReportAs('html', { plan: everything, results, result: 'partial', exitCode: 3, diagnostics: [] }, plain),
  problems: renderDiagnosticsAs(
    'html',
    {
      diagnostics: [{ code: 'unknown-field', severity: 'error', message: LONG, range, fix: 'mend it' }],
      sources: quoting('edgeform.yaml', `version: 1\nstack: ${LONG}\n`),
    },
    plain,
  ),
} as const;

/** A plan of five stacks, two of them with steps. */
export const FLEET = renderFleetAs('html', planned, plain);

/** Pages about several stacks. */
export const FLEETS = {
  'fleet plan': FLEET,
  'fleet plan of equal stacks': renderFleetAs('html', equalFleet, plain),
  'fleet drift': renderFleetAs('html', driftedStacks, plain),
  'fleet apply': renderFleetAs('html', applied, plain),
  'fleet validate': renderFleetAs('html', checked, plain),
} as const;

export const STEPS = 2_000;

/** A page of 2,000 steps of eight kinds, every tenth of them changed outside; without long steps in a row. */
function largePage(): string {
  const steps = Array.from({ length: STEPS }, (_, index) =>
    stepOf({
      id: `s${index}`,
      action: index % 4 === 0 ? 'create' : 'update',
      address: `tls_edges.edge_${index}`,
      kind: `kind_${index % 8}`,
      live_id: index % 4 === 0 ? null : `edgtls_${index}`,
      depends_on: index % 10 === 0 ? [] : [`s${index - 1}`],
      changes: Array.from({ length: 6 }, (_value, field) =>
        changeOf({
          path: `field_${field}`,
          before: index % 4 === 0 ? null : `old ${index}`,
          after: `new ${index} ${field}`,
          cause: index % 10 === 1 ? 'drift' : 'config',
        }),
      ),
    }),
  );
  return renderPlanAs('html', planOf({ steps, summary: { create: STEPS / 4, update: (3 * STEPS) / 4 } }), plain);
}

export const LARGE = largePage();

export function pageOf(text: string): string {
  const step = { id: text, after: ['s2'], phase: text };
  const frame = { before: text, line: text, lead: 1, length: 5 };
  const item = itemOf({
    ...{ word: text, symbol: text, address: text, live_id: text, fingerprint: text },
    ...{ why: text, loses: text, fields: [text], notes: [text], requests: [text], repair: text },
    causes: [{ words: text, fields: [text] }],
    lines: [{ mark: '+', depth: 1, text }],
    steps: [step],
    place: { ...PLACE, file: text },
  });
  return html.draw(
    viewOf({
      sentence: text,
      at: { stack: text, service: text },
      advice: text,
      items: [item, itemOf({ steps: [{ id: 's2', after: [text], phase: '' }] })],
      rows: [rowOf({ address: text, outcome: text, said: [text], phase: text, live_id: text }), rowOf()],
      problems: [problemOf({ text, code: text, addresses: [text], place: { ...PLACE, file: text }, frame })],
      more: [text],
      lists: [{ title: text, entries: [text] }],
      outputs: [[text, text]],
      rest: { text, entries: [text] },
    }),
  );
}
