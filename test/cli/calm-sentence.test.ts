// "Nothing is deleted or replaced." calms a reviewer, so it is said of a whole plan only, and not of one that may let somebody in.

import { expect, test } from 'vitest';
import { usePlace } from '../support/place.ts';

const CALM = 'Nothing is deleted or replaced.';
const ROUTE = 'match_type: path_prefix, match: /admin';
const GUARDS =
  'saml: { idp_metadata: <x/>, authorized_groups: [ops] }, ip_restriction: { ip_policy_ids: [ipp_1, ipp_2] }';

const manifest = (route: string, edge = 'hostports: [a.example.com:443, b.example.com:443]') => `version: 1
stack: shop
https_edges:
  site:
    ${edge}
    routes:
      admin: { ${route} }
`;

const place = usePlace();
const { run, write } = place;

async function isCalm(...args: string[]): Promise<boolean> {
  const found = await Promise.all(
    ['markdown', 'html'].map(async (format) => (await run('plan', '--format', format, ...args)).stdout.includes(CALM)),
  );
  expect(new Set(found).size).toBe(1);
  return found[0] === true;
}

const GUARDED = `${ROUTE}, ${GUARDS}`;

test.each<{ readonly name: string; readonly then: string; readonly calm: boolean }>([
  { name: 'another description', then: manifest(`${GUARDED}, description: x`), calm: true },
  { name: 'one guard more', then: manifest(`${GUARDED}, webhook_verification: { provider: sns }`), calm: true },
  {
    name: 'a hostport more',
    then: manifest(GUARDED, 'hostports: [a.example.com:443, b.example.com:443, c.example.com:443]'),
    calm: false,
  },
  { name: 'a route without its sign-in', then: manifest(ROUTE), calm: false },
  {
    name: 'a sign-in that is switched off',
    then: manifest(GUARDED.replace('saml: {', 'saml: { enabled: false,')),
    calm: false,
  },
  { name: 'another group', then: manifest(GUARDED.replace('[ops]', '[ops, all]')), calm: false },
  { name: 'an IP policy more', then: manifest(GUARDED.replace('ipp_2', 'ipp_2, ipp_3')), calm: false },
  {
    name: 'a narrower match, which uncovers another route',
    then: manifest(GUARDED.replace('/admin', '/admin/x')),
    calm: false,
  },
  { name: 'a hostport less', then: manifest(GUARDED, 'hostports: [a.example.com:443]'), calm: false },
])('$name: said is $calm', async ({ then, calm }) => {
  write(manifest(GUARDED));
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  write(then);
  expect(await isCalm()).toBe(calm);
});

test('is not said of a part of a plan', async () => {
  write(manifest(GUARDED));
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  write(`${manifest(`${GUARDED}, description: x`)}reserved_addrs: { db: {} }\n`);
  expect(await isCalm()).toBe(true);
  expect(await isCalm('--target', 'reserved_addrs.db')).toBe(false);
});
