// A second reading of how CI runners find commands in a log, held against everything that is rendered.

import type { Code } from '../../src/core/codes.ts';
import { describe, expect, test } from 'vitest';
import { renderEvent } from '../../src/render/formats.ts';
import { planJson } from '../../src/render/json/json.ts';
import { changeOf, plain, planOf, stepOf, renderDiagnostics, renderPlan, renderReport } from './sample.ts';

const ATTACKS = [
  '::error file=a::pwned',
  'x\n::set-env name=A::B',
  '  ::add-mask::x',
  'a ##[command]ls',
  '##vso[task.setvariable variable=a]b',
  "\n##teamcity[buildStatus text='x']",
  '\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007',
  `${'long words '.repeat(12)}::error::wrapped ##[error]wrapped`,
];

function commandsIn(log: string): string[] {
  return log
    .split(/\r\n|[\r\n\u2028\u2029\u0085]/)
    .filter((line) => line.trimStart().startsWith('::') || /##\w*\[/.test(line));
}

function everyRendering(text: string): string[] {
  const step = stepOf({
    id: 's1',
    action: 'update',
    address: text,
    kind: 'tls_edge',
    live_id: text,
    reason: text,
    source: text,
    loss: text,
    changes: [
      changeOf({ path: 'description', before: 'a', after: text, note: text }),
      changeOf({ path: 'hostports', before: [text], after: ['a', `${text}2`] }),
      changeOf({ path: 'metadata', before: `${text}\nb`, after: `${text}\nc` }),
      changeOf({ path: 'backend', after: { [text]: { [text]: [text] } } }),
    ],
    requests: [{ method: 'PATCH', path: text, body: { [text]: text } }],
  });
  const plan = planOf({
    stack: text,
    service: text,
    steps: [step],
    blocked: [{ address: text, path: text, reason: text }],
    refusals: [{ rule: text as Code, message: text, addresses: [text, text], flag: text }],
    unmanaged: [{ kind: text, id: text, owner: text }],
    outputs: { [text]: text },
    diagnostics: [{ code: text as Code, severity: 'error', message: text, address: text }],
  });
  const result = {
    id: 's1',
    address: text,
    action: 'update',
    status: 'failed',
    live_id: text,
    error: text,
    requests_done: 1,
  } as const;
  const range = { file: text, line: 2, column: 1, endLine: 2, endColumn: 5 };
  const problem = {
    code: text as Code,
    severity: 'error',
    message: text,
    range,
    related: [{ message: text, range }],
    expected: text,
    got: text,
    fix: text,
  } as const;
  const full = { ...plain, detail: 'full' as const };
  return [
    renderPlan(plan, full),
    renderPlan(plan, { ...full, width: 30 }),
    renderReport([result], plan, plain),
    renderReport([{ ...result, status: 'unknown' }], plan, { ...plain, width: 30 }),
    renderEvent({ type: 'step-ended', step, result, ms: 1234 }, plain) ?? '',
    renderEvent({ type: 'started', plan }, plain) ?? '',
    renderDiagnostics([problem], new Map([[text, `a: 1\n${text}\n`]]), { ...plain, width: 30 }),
    planJson(plan),
  ];
}

describe('rendered text', () => {
  test.each(ATTACKS)('%j never becomes a command or a control sequence', (text) => {
    for (const rendering of everyRendering(text)) {
      expect(commandsIn(rendering)).toEqual([]);
      expect(rendering).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    }
  });
});
