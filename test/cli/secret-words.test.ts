// A secret of a stranger's object may spell what a document is made of, and a short one of our own may, too: neither stops a run,
// loses a line of the journal, or hides anything. An API key that is a word hides no stack of that name.

import { journalOf } from '../../src/journal/place.ts';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { parseJournal } from '../../src/journal/parse.ts';
import { folder } from '../support/cli.ts';
import { run } from '../support/host.ts';

const MANIFEST = `version: 1
stack: shop
variables: { s: { sensitive: true } }
reserved_addrs: { db: { region: eu, description: the database } }
tls_edges:
  db:
    hostports: ["db.example.com:443"]
https_edges:
  shop:
    hostports: [shop.example.com:443]
    routes:
      api:
        match_type: path_prefix
        match: /api
        webhook_verification: { provider: github, secret: "\${var.s}" }
`;

/** A service with an object of nobody's that holds the secret. */
function strangers(secret: string): Promise<Emulator> {
  const route = {
    id: 'edghtsrt_1',
    match_type: 'path_prefix',
    match: '/',
    webhook_verification: { provider: 'x', secret },
  };
  return startEmulator({
    seed: { https_edges: [{ id: 'edghts_f1', hostports: ['f.example.org:443'], routes: [route] }] },
  });
}

const WORDS = ['edgtls', 'ra_2', '2000', 'edghts', 'https', 'example'];

test.each(['db.example.com:443', 'reserved_addrs'])(
  'a secret %j of a stranger is long enough to be known, and a plan that repeats it is not written',
  async (secret) => {
    const emulator = await strangers(secret);
    try {
      const cwd = folder({ 'edgeform.yaml': MANIFEST });
      const env = {
        EDGEFORM_BASE_URL: emulator.url,
        EDGEFORM_API_KEY: emulator.apiKey,
        EDGEFORM_VAR_s: 'hunter2-0123',
      };
      const saved = await run(['plan', '--out', 'plan.json'], { cwd, env, mayHoldBack: true });
      expect([existsSync(join(cwd, 'plan.json')), saved.stderr]).toEqual([
        false,
        expect.stringContaining('would hold a secret'),
      ]);
    } finally {
      await emulator.close();
    }
  },
);

test.each(WORDS)('a secret %j, of a stranger and our own, stops nothing', async (secret) => {
  const emulator = await strangers(secret);
  try {
    for (const own of secret.length < 8 ? ['hunter2-0123', secret] : ['hunter2-0123']) {
      const cwd = folder({
        'edgeform.yaml': MANIFEST.replace('stack: shop', own === secret ? 'stack: two' : 'stack: one'),
      });
      const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey, EDGEFORM_VAR_s: own };
      const person = { cwd, env };
      const saved = await run(['plan', '--out', 'plan.json'], person);
      expect([saved.code, existsSync(join(cwd, 'plan.json'))], saved.stderr).toEqual([0, true]);
      const apply = await run(['apply', 'plan.json', '--auto-approve', '--settle', '1'], person);
      expect([apply.code, apply.stderr]).toEqual([0, expect.not.stringContaining('could not be written')]);
      const stack = own === secret ? 'two' : 'one';
      const path = join(cwd, journalOf(new URL(emulator.url), stack));
      const entries = parseJournal(readFileSync(path, 'utf8')).value ?? [];
      const count = (name: string) => entries.filter(({ type }) => type === name).length;
      expect(['begin', 'intent', 'outcome', 'end'].map(count)).toEqual([1, 4, 4, 1]);
      expect((await run(['destroy', '--auto-approve', '--allow-deletes', 'all', '--settle', '1'], person)).code).toBe(
        0,
      );
    }
  } finally {
    await emulator.close();
  }
});

test.each(['perf', 'shop', 'edges'])('an API key %j hides neither the stack of that name nor a word', async (key) => {
  const emulator = await startEmulator({ apiKey: key });
  try {
    const cwd = folder({ 'edgeform.yaml': `version: 1\nstack: ${key}\nreserved_addrs: { a: {} }\n` });
    const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: key };
    const { code, stdout, stderr } = await run(['plan', '--format', 'json'], { cwd, env });
    expect([code, stderr, JSON.parse(stdout)]).toEqual([0, '', expect.objectContaining({ stack: key })]);
    expect(stdout).not.toContain('(sensitive)');
  } finally {
    await emulator.close();
  }
});
