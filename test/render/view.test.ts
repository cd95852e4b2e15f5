// A new output format is one file that draws the view: this one knows no plan, and yet shows everything.

import { expect, test } from 'vitest';
import { planView } from '../../src/render/view/plan.ts';
import { driftView } from '../../src/render/view/drift.ts';
import { problemsView } from '../../src/render/view/problems.ts';
import { reportView } from '../../src/render/view/report.ts';
import type { View } from '../../src/render/view/view.ts';
import { drifted } from './drift-sample.ts';
import { everything, plain } from './sample.ts';

/** A writer of tab-separated rows. */
function drawRows({ sentence, problems, items, rows, lists }: View): string[] {
  return [
    sentence,
    ...problems.map(({ group, text }) => `${group}\t${text}`),
    ...items.map(({ word, address, lines }) => `${word}\t${address}\t${lines.length}`),
    ...rows.map(({ action, address, outcome }) => `${action.word}\t${address}\t${outcome}`),
    ...lists.flatMap(({ title, entries }) => entries.map((entry) => `${title}\t${entry}`)),
  ];
}

test('a plan', () => {
  const rows = drawRows(planView(everything, plain));
  expect(rows).toContain('update\ttls_edges.db\t10');
  expect(rows.filter((row) => row.startsWith('refused\t'))).toHaveLength(2);
});

test('a report', () => {
  const results = everything.steps.map(({ id, address, action, live_id }) => ({
    ...{ id, address, action, live_id, error: 'no answer', requests_done: 0 },
    status: 'failed' as const,
  }));
  const ending = { plan: everything, results, result: 'partial', exitCode: 3, diagnostics: [] } as const;
  const rows = drawRows(reportView(ending, plain));
  expect(rows[0]).toBe('Applied 0 of 9 steps to stack shop: 0 done, 9 failed.');
  expect(rows).toContain('adopt\tevent_destinations.audit\tfailed');
});

test('drift', () => {
  const rows = drawRows(driftView(drifted, plain));
  expect(rows).toContain('changed outside\ttls_edges.db\t2');
  expect(rows).toContain('warning\tthe journal is damaged');
});

test('problems', () => {
  const found = { code: 'unknown-field', severity: 'error', message: 'unknown field "x"' } as const;
  expect(drawRows(problemsView({ diagnostics: [found], sources: new Map() }, 20))).toEqual([
    '1 error',
    'error\tunknown field "x"',
  ]);
});
