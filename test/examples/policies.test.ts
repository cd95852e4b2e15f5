// The examples of policies, and the page about them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { compilePolicies } from '../../src/policy/compile.ts';
import { runExamples } from '../../src/policy/examples.ts';
import { folder } from '../support/cli.ts';
import { run } from '../support/host.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/policies/', import.meta.url));
const read = (name: string) => readFileSync(join(EXAMPLE, name), 'utf8');
const page = readFileSync(new URL('../../docs/policies.md', import.meta.url), 'utf8');

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

test('the policies and the examples of docs/policies.md are right', async () => {
  const blocks = [...page.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, text = '']) => text);
  const nameOf = (text: string, at: number) => `rules-${at}${/^tests:/m.test(text) ? '.test' : ''}.yaml`;
  expect(blocks.length).toBeGreaterThan(2);
  const cwd = folder(Object.fromEntries(blocks.map((text, at) => [nameOf(text, at), text])));
  expect((await run(['policy', 'test', '.'], { cwd })).code).toBe(0);
});
