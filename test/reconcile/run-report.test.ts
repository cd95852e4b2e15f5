// What a run says that did not end where its plan said: always something, and never a list of nothing.

import { expect, test } from 'vitest';
import { judgeResults, notConverged } from '../../src/reconcile/run-report.ts';
import type { StepResult } from '../../src/apply/event.ts';
import type { Diagnostic } from '../../src/core/diagnostic.ts';
import { planOf, stepOf } from '../render/sample.ts';
import { resultOf } from './sample.ts';

const problem = { code: 'duplicate-marker', severity: 'error', message: 'tls_edges.a is there twice' } as const;
const results = [{ status: 'done' }] as unknown as readonly StepResult[];

const cases: readonly (readonly [string, Parameters<typeof planOf>[0], readonly Diagnostic[], readonly RegExp[]])[] = [
  ['only a problem of the plan', { diagnostics: [{ ...problem, address: 'tls_edges.a' }] }, [], [/is there twice/]],
  ['only a problem of what was done', {}, [problem], [/is there twice/]],
  [
    'a step that is left',
    { steps: [stepOf({ id: 's1', action: 'update', address: 'tls_edges.a', kind: 'tls_edge' })] },
    [],
    [/still differ from the manifest: tls_edges\.a$/],
  ],
  [
    'what cannot be done',
    {
      blocked: [
        { code: 'cannot-remove', severity: 'error', address: 'tls_edges.a', path: 'backend', message: 'no operation' },
      ],
    },
    [],
    [/still differ from the manifest: tls_edges\.a\.backend \(no operation\)$/],
  ],
  [
    'what is refused',
    { refusals: [{ rule: 'value-kept', message: 'kept', addresses: ['tls_edges.a'], flag: null }] },
    [],
    [/still differ from the manifest: tls_edges\.a$/],
  ],
];

test.each(cases)('%s', (_, after, found, wanted) => {
  for (const done of [results, []]) {
    const messages = notConverged(planOf(after), done, found).diagnostics.map(({ message }) => message);
    expect(messages).toHaveLength(wanted.length);
    if (done.length > 0) expect(messages).toEqual(wanted.map((words): unknown => expect.stringMatching(words)));
    expect(messages.filter((message) => /(?::|change)\s*$/.test(message))).toEqual([]);
  }
});

test('a step that ended between its requests is told with what was accepted', () => {
  const stop = { signal: new AbortController().signal, hardCancel: new AbortController().signal };
  const judge = (requests_done: number, live_id: string | null = 'edgtls_1') =>
    judgeResults([resultOf('s1', { status: 'failed', error: 'no; DELETE /x', requests_done, live_id })], stop as never);
  expect(judge(1)).toMatchObject({
    result: 'partial',
    diagnostics: [{ code: 'changed-in-part', severity: 'error', address: 'tls_edges.a' }],
  });
  expect(judge(1)?.diagnostics[0]?.message).toContain('DELETE /x');
  expect(judge(0)).toMatchObject({ result: 'error', diagnostics: [] });
  expect(judge(1, null)).toMatchObject({ result: 'partial', diagnostics: [] });
});
