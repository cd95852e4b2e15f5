// What is lost, in a plan that is compared with a revision: the sentence that calms is about all of it, and what a flag of this run
// allows is the doing of this run.

import { beforeEach, expect, test } from 'vitest';
import { run } from '../support/host.ts';
import { usePlace } from '../support/place.ts';
import { commit, GIT_ENV, put, startRepository } from '../support/repository.ts';

const manifest = (region: string, description: string) => `version: 1
stack: shop
reserved_addrs: { db: { region: ${region} } }
failover_backends: { app: { backends: [bkdhr_1], description: ${description} } }
`;

const place = usePlace();
const inPlace = (...args: string[]) => run(args, { cwd: place.cwd, env: { ...GIT_ENV, ...place.env } });
const CALM = 'Nothing is deleted or replaced.';
const LOSS = '--allow-loss reserved_addrs.db';
const HEAD = ['--base', 'HEAD'];

beforeEach(async () => {
  startRepository(place.cwd, { 'edgeform.yaml': manifest('eu', 'first') });
  expect((await inPlace('apply', '--auto-approve')).code).toBe(0);
  // A replacement was merged and refused since.
  commit(place.cwd, { 'edgeform.yaml': manifest('us', 'first') });
  put(place.cwd, { 'edgeform.yaml': manifest('us', 'second') });
});

interface Shown {
  readonly steps: readonly { readonly address: string; readonly origin: string; readonly allowed_by?: string[] }[];
}

test('nothing calms above a replacement that was pending', async () => {
  for (const format of ['markdown', 'html']) {
    const { stdout } = await inPlace('plan', ...HEAD, '--format', format);
    expect(stdout).toContain('that were pending already');
    expect(stdout).not.toContain(CALM);
  }
});

test('a loss that a flag of this run allows is of this change, and named with the flag', async () => {
  const { stdout } = await inPlace('plan', ...HEAD, ...LOSS.split(' '), '--format', 'json');
  const { steps } = JSON.parse(stdout) as Shown;
  expect(steps.filter(({ address }) => address === 'reserved_addrs.db')).toMatchObject([
    { origin: 'this-change', allowed_by: [LOSS] },
    { origin: 'this-change', allowed_by: [LOSS] },
  ]);
  expect(steps.find(({ address }) => address === 'failover_backends.app')).not.toHaveProperty('allowed_by');
  for (const format of ['text', 'markdown', 'html']) {
    const shown = (await inPlace('plan', ...HEAD, ...LOSS.split(' '), '--format', format)).stdout;
    expect(shown.replaceAll(/<[^>]*>|`/g, '').replaceAll(/\s+/g, ' ')).toContain(`allowed by ${LOSS}`);
    expect(shown).not.toContain('pending already');
  }
});

test('a flag that nothing needs is named nowhere', async () => {
  put(place.cwd, { 'edgeform.yaml': manifest('eu', 'second') });
  const { stdout } = await inPlace('plan', ...HEAD, ...LOSS.split(' '), '--allow-deletes', '9', '--format', 'json');
  for (const step of (JSON.parse(stdout) as Shown).steps) expect(step).not.toHaveProperty('allowed_by');
  // Nor is one that does not allow what is refused.
  put(place.cwd, { 'edgeform.yaml': manifest('us', 'second') });
  const refused = await inPlace('plan', ...HEAD, '--allow-deletes', '9', '--format', 'json');
  expect(refused.code).toBe(5);
  for (const step of (JSON.parse(refused.stdout) as Shown).steps) expect(step).not.toHaveProperty('allowed_by');
});

test('deletions over the budget, and what was saved and is shown', async () => {
  const many = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`e${at}`, {}]));
  const stack = { version: 1, stack: 'shop', reserved_addrs: { db: { region: 'eu' } }, tls_edges: many };
  put(place.cwd, { 'edgeform.yaml': JSON.stringify(stack) });
  expect((await inPlace('apply', '--auto-approve', '--allow-deletes', 'all')).code).toBe(0);
  commit(place.cwd, { 'edgeform.yaml': JSON.stringify({ ...stack, tls_edges: {} }) });
  await inPlace('plan', ...HEAD, '--allow-deletes', 'all', '--out', 'p.json');
  const { steps } = JSON.parse((await inPlace('show', 'p.json', '--format', 'json')).stdout) as Shown;
  expect(steps).toHaveLength(6);
  for (const step of steps) expect(step).toMatchObject({ origin: 'this-change', allowed_by: ['--allow-deletes all'] });
});
