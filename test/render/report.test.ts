import { describe, expect, test } from 'vitest';
import type { StepResult, StepStatus } from '../../src/apply/event.ts';
import { documentJson } from '../../src/render/view/documents.ts';
import { renderEvent } from '../../src/render/events.ts';
import { renderReportAs } from '../../src/render/formats.ts';
import { everything, plain, renderReport } from './sample.ts';

const STATUSES: readonly StepStatus[] = ['done', 'failed', 'blocked', 'unknown', 'not_attempted'];
const ERRORS: Readonly<Record<StepStatus, string | null>> = {
  done: null,
  failed: 'PATCH /edges/tls/edgtls_1 was answered with 400: hostports must not be empty',
  blocked: 'waits for s1, which failed',
  unknown: 'no answer to POST /reserved_addrs came within 30 s',
  not_attempted: null,
};

function resultsWith(statusOf: (index: number) => StepStatus): StepResult[] {
  return everything.steps.map(({ id, address, action, live_id }, index) => {
    const status = statusOf(index);
    return { id, address, action, status, live_id, error: ERRORS[status], requests_done: status === 'failed' ? 1 : 0 };
  });
}

describe('renderReport', () => {
  test('a complete run is one sentence', () => {
    const text = renderReport(
      resultsWith(() => 'done'),
      everything,
      plain,
    );
    expect(text).toBe('Applied 9 of 9 steps to stack shop: 9 done.');
  });

  test('a partial run names every step that is not done and what to do next', () => {
    const results = resultsWith((index) => (index < 2 ? 'done' : index < 5 ? 'failed' : 'blocked'));
    const lines = renderReport(results, everything, plain).split('\n');
    const [first = ''] = lines;
    expect(first).toBe('Applied 2 of 9 steps to stack shop: 2 done, 3 failed, 4 blocked.');
    expect(lines.at(-1)).toBe(first);
    expect(lines.at(-2)).toMatch(/^Completed steps are kept\. .* run the same command again\. /);
    // Steps that failed for one reason are one row.
    expect(lines.filter((line) => /^(?:failed|blocked) /.test(line))).toEqual([
      'failed   + create 2 resources',
      'failed   s4 ~ update tls_edges.db (edgtls_1)',
      'blocked  s5 - delete https_edges.legacy (edghts_9)',
      'blocked  s7 » adopt event_destinations.audit (ed_4)',
      'blocked  s8 « release ssh_credentials.old (sshcr_3)',
      'blocked  s9 ~ update failover_backends.spare (bkdfo_7)',
    ]);
    expect(lines).toContain(
      '         failover_backends.app edgeform.yaml:12:3, https_edges.shop.routes.api edgeform.yaml:30:7',
    );
  });

  test('an unknown outcome sends a person to look', async () => {
    const text = renderReport(
      resultsWith((index) => STATUSES[index % 5] ?? 'done'),
      everything,
      plain,
    );
    await expect(`${text}\n`).toMatchFileSnapshot('golden/report.txt');
  });

  test('totals of the JSON report add up to the steps of the plan', () => {
    const results = resultsWith((index) => STATUSES[index % 5] ?? 'done');
    const ending = { plan: everything, result: 'unknown', exitCode: 7, results, diagnostics: [] } as const;
    const document: unknown = JSON.parse(renderReportAs('json', ending, plain));
    expect(document).toMatchObject({
      format: 'edgeform-report/1',
      exit_code: 7,
      totals: { done: 2, failed: 2, blocked: 2, unknown: 2, not_attempted: 1 },
    });
    expect(JSON.parse(documentJson(everything))).toEqual(everything);
  });
});

describe('renderEvent', () => {
  test.each([
    { width: 100, isTerminal: true, hasId: true },
    { width: 40, isTerminal: true, hasId: false },
    { width: 40, isTerminal: false, hasId: true },
  ])('a line has the id of its object, unless it does not fit on a terminal: $width', ({ hasId, ...style }) => {
    const [step] = everything.steps.filter(({ live_id }) => live_id !== null);
    const result = resultsWith(() => 'done').find(({ id }) => id === step?.id);
    if (step === undefined || result === undefined) throw new Error('the sample has no such step');
    const event = { type: 'step-ended', step, result, ms: 10 } as const;
    const line = renderEvent(event, { ...plain, ...style, color: true }) ?? '';
    expect(line.includes(`(${step.live_id})`)).toBe(hasId);
    expect(line).toContain(step.address);
  });

  test('every event is at most one line', async () => {
    const results = resultsWith((index) => STATUSES[index % 5] ?? 'done');
    const lines = [
      renderEvent({ type: 'started', plan: everything }, plain),
      ...everything.steps.flatMap((step, index) => {
        const result = results[index];
        return [
          renderEvent({ type: 'step-started', step }, plain),
          result && renderEvent({ type: 'step-ended', step, result, ms: 61_000 }, plain),
        ];
      }),
      renderEvent({ type: 'finished', results, outputs: {} }, plain),
    ].filter((line) => line !== undefined);
    for (const line of lines) expect(line).not.toContain('\n');
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/events.txt');
  });
});
