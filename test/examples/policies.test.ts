// The examples of policies, and the page about them.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { compilePolicies } from '../../src/policy/compile.ts';
import { runExamples } from '../../src/policy/examples.ts';
import { folder } from '../support/cli.ts';
import { run } from '../support/host.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/policies/', import.meta.url));
const read = (name: string) => readFileSync(join(EXAMPLE, name), 'utf8');
const page = readFileSync(new URL('../../docs/policies.md', import.meta.url), 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```/gms)]
    .filter(([, given]) => given === language)
    .map(([, , text = '']) => text);

interface Rules {
  readonly policies: readonly { readonly name: string; readonly expression: string }[];
}

test('ten rules pass their examples', async () => {
  const { code, stdout, stderr } = await run(['policy', 'test', EXAMPLE], { cwd: EXAMPLE });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('examples as expected');
});

const { policies: RULES } = parseYaml(read('rules.yaml')) as Rules;
const examples = [{ name: 'rules.test.yaml', text: read('rules.test.yaml') }];

test.each(RULES)('$name has an example that it passes, and one that it does not', ({ name }) => {
  expect(RULES).toHaveLength(10);
  for (const expression of ['true', 'false']) {
    const policies = RULES.map((one) => (one.name === name ? { ...one, expression } : one));
    const { value } = compilePolicies([{ name: 'rules.json', text: JSON.stringify({ version: 1, policies }) }]);
    const found = value && runExamples(examples, value).diagnostics;
    expect([expression, found?.length]).not.toEqual([expression, 0]);
  }
});

test('the commands of docs/policies.md run, in their order', async () => {
  const [policies = '', examples = ''] = blocks('yaml');
  expect(compilePolicies([{ name: 'page.yaml', text: policies }]).diagnostics).toEqual([]);
  const manifest = 'version: 1\nstack: shop\nhttps_edges: { a: { hostports: [www.shop.example.com:443] } }\n';
  const cwd = folder({ 'edgeform.yaml': manifest });
  mkdirSync(join(cwd, 'policies'));
  writeFileSync(join(cwd, 'policies/rules.yaml'), policies);
  writeFileSync(join(cwd, 'policies/rules.test.yaml'), examples);
  const emulator = await startEmulator();
  try {
    const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
    const lines = blocks('sh').flatMap((text) => text.trim().split('\n'));
    expect(lines.length).toBeGreaterThan(7);
    for (const line of lines) {
      const [program, ...args] = line.split(' ');
      const { code, stderr } = await run(args, { cwd, env });
      expect([program, code], `${line}\n${stderr}`).toEqual(['edgeform', 0]);
    }
    expect(emulator.objects('https_edges')).toHaveLength(1);
  } finally {
    await emulator.close();
  }
});
