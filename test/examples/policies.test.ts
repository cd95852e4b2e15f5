// The examples of policies, and the page about them.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { compilePolicies } from '../../src/policy/compile.ts';
import { folder } from '../support/cli.ts';
import { run } from '../support/host.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/policies/', import.meta.url));
const read = (name: string) => readFileSync(join(EXAMPLE, name), 'utf8');
const page = readFileSync(new URL('../../docs/policies.md', import.meta.url), 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```/gms)]
    .filter(([, given]) => given === language)
    .map(([, , text = '']) => text);

interface Tests {
  readonly tests: readonly { readonly expect: readonly { readonly policy: string }[] }[];
}

test('ten rules pass their examples, each tested both ways', async () => {
  const { policies } = parseYaml(read('rules.yaml')) as { readonly policies: readonly { readonly name: string }[] };
  const { tests } = parseYaml(read('rules.test.yaml')) as Tests;
  expect(policies).toHaveLength(10);
  for (const { name } of policies) {
    const violated = tests.filter((one) => one.expect.some(({ policy }) => policy === name));
    expect([name, violated.length > 0]).toEqual([name, true]);
  }
  const { code, stdout, stderr } = await run(['policy', 'test', EXAMPLE], { cwd: EXAMPLE });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`${tests.length} examples as expected`);
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
