// The program in a working directory that was deleted under it: said as any other problem, and only where it matters.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLI, folder } from '../support/cli.ts';

const MANIFEST = join(folder({ 'edgeform.yaml': 'version: 1\nstack: shop\n' }), 'edgeform.yaml');

function inGoneFolder(...args: readonly string[]) {
  const script = 'rmdir "$PWD" && exec "$@"';
  const line = ['-c', script, 'sh', process.execPath, CLI, ...args];
  const { status, stdout, stderr } = spawnSync('sh', line, { cwd: folder({}), encoding: 'utf8', env: process.env });
  return { code: status, stdout, stderr };
}

describe('in a working directory that is gone', () => {
  test.each(['validate', `validate -f ${MANIFEST}`, `plan -f ${MANIFEST}`, 'init', 'export'])('%s says so', (line) => {
    const { code, stdout, stderr } = inGoneFolder(...line.split(' '));
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toMatch(/^error: the working directory no longer exists.*\[file-unreadable\]\n.*= fix: change to/s);
  });

  test('it is said as JSON, where that is asked for', () => {
    const { code, stdout, stderr } = inGoneFolder('validate', '--format', 'json');
    const { diagnostics, exit_code } = JSON.parse(stdout) as { diagnostics: { code: string }[]; exit_code: number };
    expect([code, exit_code, stderr, diagnostics.map((one) => one.code)]).toEqual([4, 4, '', ['file-unreadable']]);
  });

  test.each(['--help', '--version', 'plan --help', 'help', 'schema', 'schema plan', 'explain', 'completion bash'])(
    '%s needs none',
    (line) => {
      const { code, stdout, stderr } = inGoneFolder(...line.split(' '));
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).not.toBe('');
    },
  );
});
