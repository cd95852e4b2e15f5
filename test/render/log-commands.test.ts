// A second reading of how CI runners find commands in a log, held against everything that is rendered.

import { describe, expect, test } from 'vitest';
import { renderEvent } from '../../src/render/events.ts';
import { documentJson } from '../../src/render/view/documents.ts';
import { everywhere } from './everywhere.ts';
import { plain, renderDiagnostics, renderPlan, renderReport } from './sample.ts';
import { quoting } from '../support/quoting.ts';

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
  const { plan, result, problem } = everywhere(text);
  const full = { ...plain, detail: 'full' as const };
  return [
    renderPlan(plan, full),
    renderPlan(plan, { ...full, width: 30 }),
    renderReport([result], plan, plain),
    renderReport([{ ...result, status: 'unknown' }], plan, { ...plain, width: 30 }),
    ...plan.steps.map((step) => renderEvent({ type: 'step-ended', step, result, ms: 1234 }, plain) ?? ''),
    renderEvent({ type: 'started', plan }, plain) ?? '',
    renderDiagnostics([problem], quoting(text, `a: 1\n${text}\n`), { ...plain, width: 30 }),
    documentJson(plan),
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
