// Which command can print which format: what is offered in help and accepted, and what is refused, with who has it.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { FORMATS } from '../../src/render/formats.ts';
import { folder } from '../support/cli.ts';
import { run as runIn } from '../support/host.ts';

const EVERYWHERE = ['text', 'json', 'markdown', 'html', 'github', 'gitlab'];

const OFFERED: Readonly<Record<string, readonly string[]>> = {
  validate: [...EVERYWHERE, 'sarif', 'junit', 'codequality'],
  plan: [...EVERYWHERE, 'sarif', 'junit'],
  'show plan.json': [...EVERYWHERE, 'sarif', 'junit'],
  drift: [...EVERYWHERE, 'sarif', 'junit', 'codequality'],
  'apply --auto-approve': [...EVERYWHERE, 'junit'],
  'destroy --auto-approve': [...EVERYWHERE, 'junit'],
  'export --all': ['text', 'json'],
  output: ['text', 'json'],
};

const MANIFEST = 'version: 1\nstack: shop\nreserved_addrs: { a: { description: one } }\n';

let emulator: Emulator;
let cwd: string;
beforeAll(async () => {
  emulator = await startEmulator();
  cwd = folder({ 'edgeform.yaml': MANIFEST, 'broken.yaml': 'version: 1\nstack: shop\nnope: 1\n' });
  await run('plan', '--out', 'plan.json');
});
afterAll(() => emulator.close());

function run(...args: string[]) {
  return runIn(args, { cwd, env: { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey } });
}

const rows = Object.entries(OFFERED).flatMap(([command, formats]) =>
  FORMATS.map((format) => ({ command, format, isOffered: formats.includes(format) })),
);

test.each(rows)('$command --format $format: $isOffered', async ({ command, format, isOffered }) => {
  const ran = await run(...command.split(' '), '--format', format);
  if (isOffered) {
    expect([0, 2]).toContain(ran.code);
    return;
  }
  expect(ran.code).toBe(64);
  const [name = ''] = command.split(' ');
  const said = ran.stdout + ran.stderr;
  expect(said).toMatch(/is not a format of this command/);
  const others = Object.keys(OFFERED).filter((other) => OFFERED[other]?.includes(format));
  for (const other of others) expect(said).toContain(other.split(' ')[0]);
  expect(said).not.toMatch(new RegExp(`\\b${name}\\b[^;]* can print`));
});

describe('help and completion', () => {
  test.each(Object.entries(OFFERED))('%s offers what it can print', async (command, formats) => {
    const [name = ''] = command.split(' ');
    const { stdout } = await run(name, '--help');
    const words = /--format <format> +([\s\S]*?)\(default:/.exec(stdout)?.[1]?.split(/[\s,]+|\bor\b/) ?? [];
    expect(words.filter(Boolean)).toEqual(formats);
    const { stdout: script } = await run('completion', 'bash');
    expect(script).toContain(`' ${name} --format') offers='${formats.join(' ')}'`);
  });
});

describe('a format with a form for problems has the failure in its document', () => {
  test.each([
    ['sarif', 'plan', /"executionSuccessful": false|"ruleId": "unknown-field"/],
    ['junit', 'drift', /name="edgeform drift"[^]*<failure type="unknown-field"/],
    ['junit', 'apply', /name="edgeform apply"[^]*<failure type="unknown-field"/],
    ['junit', 'destroy', /name="edgeform destroy"[^]*<failure type="unknown-field"/],
    ['codequality', 'drift', /"check_name": "unknown-field"/],
  ])('%s of %s', async (format, command, words) => {
    const { code, stdout } = await run(command, '-f', 'broken.yaml', '--format', format);
    expect([code, stdout]).toEqual([4, expect.stringMatching(words)]);
    const wrong = await run(command, '--format', format, '--nope');
    expect([wrong.code, wrong.stdout]).toEqual([64, expect.stringContaining('bad-usage')]);
  });

  test.each(['failure', 'rules'])('a secret that is %j breaks none', async (secret) => {
    const text = `version: 1\nstack: shop\nvariables: { s: { sensitive: true, default: ${secret} } }\nnope: "${secret} x"\n`;
    const place = folder({ 'edgeform.yaml': text });
    const env = { EDGEFORM_API_KEY: secret };
    const shown = async (format: string) =>
      (await runIn(['validate', '--format', format], { cwd: place, env, mayHoldBack: true })).stdout;
    expect(await shown('junit')).toMatch(/^<\?xml[^]*<testcase [^]*<failure type="unknown-field"[^]*<\/testsuites>\n$/);
    expect(JSON.parse(await shown('sarif'))).toMatchObject({ runs: [{ results: [{ ruleIndex: 0 }] }] });
    expect(JSON.parse(await shown('codequality'))).toMatchObject([{ check_name: 'unknown-field' }]);
  });
});

test('an unknown format names those of the command', async () => {
  const { code, stderr } = await run('validate', '--format', 'yaml');
  expect(code).toBe(64);
  expect(stderr).toContain('use text, json, markdown, html, github, gitlab, sarif, junit or codequality');
});
