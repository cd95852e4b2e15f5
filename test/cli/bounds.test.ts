// Bounded output: long lines, long words on the command line, and secrets among them.

import { expect, test } from 'vitest';
import { edgeform, folder } from '../support/cli.ts';
import { pageBody } from '../render/sample.ts';
import { run } from '../support/host.ts';

const MB = 1024 * 1024;

test.each(['text', 'json', 'markdown', 'html', 'github', 'gitlab'])(
  'one error on a line of 1 MB, as %s',
  async (format) => {
    const cwd = folder({
      'edgeform.yaml': `version: 1\nstack: shop\ntls_edges: { db: { description: "${'x'.repeat(MB)}", hostprts: [] } }\n`,
    });
    const { code, stdout, stderr } = await run(['validate', '--format', format], { cwd });
    expect(code).toBe(4);
    expect(pageBody(stdout).length + stderr.length).toBeLessThan(10_000);
    expect(stdout + stderr).toContain('hostprts');
  },
);

const LONG = 'x'.repeat(100_000);

test.each([[`--${LONG}`], [`-${LONG}`], [LONG], ['validate', `--format=${LONG}`], ['show', LONG], ['explain', LONG]])(
  'a long word on the command line',
  async (...args) => {
    const { code, stdout, stderr } = await run(args, { cwd: folder({}) });
    expect([4, 64]).toContain(code);
    expect(stdout.length + stderr.length).toBeLessThan(5_000);
    expect(stderr).toMatch(/^error: /);
  },
);

test.each([
  ['plan', '--api.key=SuperSecretToken12345'],
  ['plan', '-k-SuperSecretToken12345'],
  ['plan', '--Bearer:SuperSecretToken12345='],
  ['plan', "--api-kye=ab'SuperSecretToken12345"],
  ['plan', '--SuperSecretToken12345'],
  ["ab'SuperSecretToken12345"],
  ['SuperSecret'],
  ['completion', 'SuperSecretToken12345'],
  ['graph', '--format', 'SuperSecret'],
  ['plan', '--detail', 'SuperSecret'],
  ['plan', '--color=SuperSecret'],
])('what was typed in the place of a name is not repeated: %s %s', async (...args) => {
  for (const format of [[], ['--format', 'json']]) {
    const { code, stdout, stderr } = await run([...args, ...format], { cwd: folder({}) });
    expect([code, stdout + stderr]).toEqual([64, expect.not.stringContaining('Super')]);
  }
});

test.each([
  { given: 'SuperSecret!x', said: '--format "…" is not a format' },
  { given: 'markdwon', said: '--format "markdwon" is not a format' },
])('of a format that there is not, only a plausible name is repeated: $given', async ({ given, said }) => {
  const { stderr } = await run(['validate', '--format', given], { cwd: folder({}) });
  expect(stderr).toContain(said);
});

test('a mistyped name is repeated, with the one that was meant', async () => {
  const { stderr } = await run(['plan', '--foramt'], { cwd: folder({}) });
  expect(stderr).toBe("error: unknown option '--foramt'\n(Did you mean --format?)\n");
});

test('a value behind a wrong option is not repeated, and help is whole', async () => {
  const wrong = await edgeform(['validate', '--tokn=hunter2'], { cwd: folder({}) });
  expect([wrong.code, wrong.stderr]).toEqual([64, "error: unknown option '--tokn=…'\n"]);
  const help = await edgeform([], { cwd: folder({}) });
  expect(help.stderr).toContain('completion <shell>');
});
