// `plan --base REV` on the built program, in repositories of git.

import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { edgeform, folder } from '../support/cli.ts';
import { usePlace } from '../support/place.ts';
import { commit, git, GIT_ENV, put, startRepository } from '../support/repository.ts';

const manifest = (...blocks: string[]) => `version: 1\nstack: shop\nreserved_addrs:\n${blocks.join('')}`;
const addr = (name: string, description = name) => `  ${name}: { description: "${description}" }\n`;
const A = addr('a');
const B = addr('b');

const place = usePlace();
const plan = (...args: string[]) => edgeform(['plan', ...args], { cwd: place.cwd, env: { ...GIT_ENV, ...place.env } });
const apply = (...args: string[]) =>
  edgeform(['apply', '--auto-approve', ...args], { cwd: place.cwd, env: { ...GIT_ENV, ...place.env } });

interface Found {
  readonly origins: Readonly<Record<string, unknown>>;
  readonly gone: readonly string[];
  readonly base: JsonObject & { readonly status: string };
  readonly warnings: readonly string[];
}

interface PlanDocument {
  readonly base: Found['base'] & { readonly no_longer_planned: readonly { action: string; address: string }[] };
  readonly steps: readonly { action: string; address: string; origin?: string }[];
  readonly diagnostics: readonly { code: string; message: string }[];
}

/** What a plan says of its base: `ACTION ADDRESS` and the origin of each step. */
async function compared(...args: string[]): Promise<Found> {
  const { code, stdout, stderr } = await plan('--format', 'json', ...args);
  expect(code, stderr).toBe(0);
  const { base, steps, diagnostics } = JSON.parse(stdout) as PlanDocument;
  return {
    base,
    origins: Object.fromEntries(steps.map(({ action, address, origin }) => [`${action} ${address}`, origin])),
    gone: base.no_longer_planned.map(({ action, address }) => `${action} ${address}`),
    warnings: diagnostics.map(({ message }) => message),
  };
}

const THIS = 'this-change';
const PENDING = 'already-pending';

describe('each step is of this change or was pending already', () => {
  beforeEach(async () => {
    startRepository(place.cwd, { 'edgeform.yaml': manifest(A, B) });
    await apply();
  });

  test('a change, what was merged and not applied, and what is no longer planned', async () => {
    commit(place.cwd, { 'edgeform.yaml': manifest(addr('a', 'merged'), B, addr('c'), addr('d')) });
    put(place.cwd, { 'edgeform.yaml': manifest(addr('a', 'merged'), addr('b', 'mine'), addr('c'), addr('e')) });
    const { origins, gone, base } = await compared('--base', 'HEAD');
    expect(origins).toEqual({
      'update reserved_addrs.a': PENDING,
      'update reserved_addrs.b': THIS,
      'create reserved_addrs.c': PENDING,
      'create reserved_addrs.e': THIS,
    });
    expect(gone).toEqual(['create reserved_addrs.d']);
    expect(base).toMatchObject({ rev: 'HEAD', commit: git(place.cwd, 'rev-parse', 'HEAD'), status: 'compared' });
    const text = await plan('--base', 'HEAD');
    expect(text.stdout).toContain(
      'This change: 1 to create, 1 to update. Already pending: 1 to create, 1 to update. No longer planned: 1 to create.',
    );
  });
});
