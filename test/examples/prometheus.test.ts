// The alerts: they match the series that the program writes, and promtool finds nothing wrong, where it is there.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { metricsText } from '../../src/render/metrics/metrics.ts';
import { drifted } from '../render/drift-sample.ts';

const FOLDER = 'examples/prometheus';
const RULES = readFileSync(`${FOLDER}/edgeform.rules.yaml`, 'utf8');

test('every alert is about series that a check writes, alone or for a fleet', () => {
  const { groups } = parse(RULES) as { groups: readonly [{ rules: readonly { expr: string }[] }] };
  const ended = { outcome: 'pending', took: 1, at: 1_800_000_000 } as const;
  const stack = { labels: { stack: 'shop' }, content: drifted, result: 'refused' } as const;
  const written = ['drift', 'fleet drift'].map((command) => metricsText({ command, ...ended }, [stack]));
  for (const { expr } of groups[0].rules)
    for (const [, name = ''] of expr.matchAll(/\b(edgeform_\w+)/g))
      for (const text of written) expect(text).toContain(`\n${name}{`);
  expect(RULES).not.toMatch(/command="drift"/);
});

test.skipIf(spawnSync('promtool', ['--version']).status !== 0)('promtool (where it is installed) agrees', () => {
  for (const args of [
    ['check', 'rules', 'edgeform.rules.yaml'],
    ['test', 'rules', 'edgeform.rules.test.yaml'],
  ])
    expect(spawnSync('promtool', args, { cwd: FOLDER, encoding: 'utf8' })).toMatchObject({ status: 0 });
});
