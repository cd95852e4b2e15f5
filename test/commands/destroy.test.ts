// destroy: what is left behind on this machine is named.

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { usePlace } from '../support/place.ts';

const place = usePlace({
  'edgeform.yaml': 'version: 1\nstack: shop\napi_keys: { ci: {} }\nreserved_addrs: { db: {} }\n',
  'kept.yaml': 'version: 1\nstack: shop\nreserved_addrs: { db: {} }\nremoved: [{ from: api_keys.ci, destroy: true }]\n',
});

test.each([
  { line: 'destroy --auto-approve --token-dir tokens' },
  { line: 'apply --auto-approve --token-dir tokens -f kept.yaml' },
])('$line names the token file of the deleted key, and removes none', async ({ line }) => {
  expect((await place.run('apply', '--auto-approve', '--token-dir', 'tokens')).code).toBe(0);
  const file = join(place.cwd, 'tokens/api_keys.ci.token');
  const { code, stderr } = await place.run(...line.split(' '));
  expect([code, stderr.replaceAll(/\s+/g, ' ')]).toEqual([
    0,
    expect.stringMatching(
      /warning: api_keys\.ci: ".*tokens\/api_keys\.ci\.token" still has the token of this key, which was deleted/,
    ),
  ]);
  expect(existsSync(file)).toBe(true);
});

test.each(['--token-dir elsewhere', '--token-dir tokens', ''])(
  'nothing is said without such a file: %s',
  async (flags) => {
    expect((await place.run('apply', '--auto-approve', '--token-dir', 'tokens')).code).toBe(0);
    rmSync(join(place.cwd, 'tokens/api_keys.ci.token'));
    const { code, stderr } = await place.run('destroy', '--auto-approve', ...flags.split(' ').filter(Boolean));
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('token')]);
  },
);
