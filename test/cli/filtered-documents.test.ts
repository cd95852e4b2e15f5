// A secret may be any word, also one that a document is made of: the document still has its published form.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginRun, filterText, publishNames, secretPlace } from '../../src/platform/filter.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import { vocabulary } from '../../src/commands/options/vocabulary.ts';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { documentSchemas } from '../../src/schema/documents.ts';
import { folder } from '../support/cli.ts';
import { run } from '../support/host.ts';

const MANIFEST = `version: 1
stack: shop
reserved_addrs: { db: { region: eu } }
tls_edges: { db: { hostports: ["\${reserved_addrs.db.addr}"], description: first } }
outputs: { address: "\${reserved_addrs.db.addr}" }
`;

let emulator: Emulator;
beforeEach(async () => {
  emulator = await startEmulator();
});
afterEach(() => emulator.close());

/** Name of the schema → a document. */
async function documents(): Promise<ReadonlyMap<string, string>> {
  const cwd = folder({ 'edgeform.yaml': MANIFEST, 'broken.yaml': MANIFEST.replace('region', 'regoin') });
  const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  const json = async (...args: string[]) => (await run([...args, '--format', 'json'], { cwd, env })).stdout;
  return new Map([
    ['diagnostics', await json('validate', '-f', 'broken.yaml')],
    ['error', await json('plan', '-f', 'broken.yaml')],
    ['plan', await json('plan')],
    ['report', await json('apply', '--auto-approve')],
    ['export', await json('export', '--stack', 'shop')],
    ['drift', await json('drift', '-f', 'edgeform.yaml')],
  ]);
}

test('whatever word the secret is, every document keeps to its schema', async () => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  for (const [name, text] of await documents()) {
    const isValid = ajv.compile(documentSchemas.get(name) ?? false);
    expect(isValid(JSON.parse(text)), name).toBe(true);
    const words = new Set(text.match(/[\w.:/-]{4,}/g));
    expect(words.size).toBeGreaterThan(10);
    for (const word of words) {
      const { end } = beginRun();
      publishNames(vocabulary);
      publishNames(() => ['shop', 'reserved_addrs.db', 'tls_edges.db', `${emulator.url}/`]);
      new Secret(word);
      const safe: unknown = JSON.parse(filterText(text, 'test'));
      expect(isValid(safe), `${name}, ${word}: ${JSON.stringify(isValid.errors)}`).toBe(true);
      end();
    }
  }
});

test('whatever word the secret is, events keep their types and keys', async () => {
  const cwd = folder({ 'edgeform.yaml': MANIFEST });
  const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  await run(['apply', '--auto-approve', '--events', 'events'], { cwd, env });
  const text = readFileSync(join(cwd, 'events'), 'utf8');
  const shapeOf = (lines: string) =>
    lines
      .trim()
      .split('\n')
      .map((line) => {
        const event = JSON.parse(line) as Readonly<Record<string, unknown>>;
        return [Object.keys(event), event['type'], event['format'], event['action'], event['status']];
      });
  for (const word of new Set(text.match(/[\w.:/-]{4,}/g))) {
    const { end } = beginRun();
    publishNames(vocabulary);
    new Secret(word);
    expect(shapeOf(filterText(text, 'test')), word).toEqual(shapeOf(text));
    end();
  }
});

test('a secret that is a word of a format keeps no plan from being saved, but for sentences', async () => {
  const plan = (await documents()).get('plan') ?? '';
  const words = [...new Set(vocabulary())].filter((word) => word.length >= 4 && plan.includes(word));
  expect(words).toEqual(expect.arrayContaining(['edgeform', 'applied', 'hostports', 'create', 'tls_edge', 'edges']));
  for (const word of words) {
    const { end } = beginRun();
    publishNames(vocabulary);
    publishNames(() => ['shop', 'reserved_addrs.db', 'tls_edges.db', `${emulator.url}/`]);
    new Secret(word);
    expect(secretPlace(plan) ?? 'reason', word).toMatch(/reason|message$/);
    end();
  }
});
