// The bench still runs against the program as it is. What it measures is nobody's business here.

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' });

test('it measures a case beside its floor', () => {
  expect(run('bench/main.mjs', '--only', 'version', '--runs', '1')).toMatch(
    /\| `--version` \| [\d.]+ s \([\d.]+ s\) \|/,
  );
});

test.each(['plan.mjs', 'journal.mjs'])('%s measures itself', (name) => {
  expect(JSON.parse(run(`bench/${name}`, '20', '--json'))).toEqual({ cpu: expect.any(Number) as number });
});

test('it counts the requests of a fleet in shards, each stack in one', () => {
  const counted = JSON.parse(run('scripts/run.mjs', 'bench/shards.ts', '100', '2', '10')) as Record<string, unknown>;
  expect(counted).toMatchObject({ stacks: 100, shards: 2, writes: 1, reads: 1 });
});

test('its manifests are valid, and the same every time', () => {
  const manifest = run('bench/manifest.mjs', '200');
  expect(run('bench/manifest.mjs', '200')).toBe(manifest);
  const input = { cwd: ROOT, encoding: 'utf8', input: manifest } as const;
  expect(execFileSync(process.execPath, ['dist/cli.js', 'validate', '-f', '-'], input)).toContain(
    'valid: 200 resources',
  );
});
