// Somebody sets a value to what the manifest says later, and back again: from the apply in between on, that is drift.

import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import type { Drift } from '../../src/drift/drift.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { usePlace } from '../support/place.ts';

const place = usePlace();

const { run } = place;
const manifest = (rest: string) => {
  place.write(`version: 1\nstack: shop\n${rest}`);
};
const apply = async (rest: string) => {
  manifest(rest);
  const { code, stderr } = await run('apply', '--auto-approve');
  expect([code, stderr]).toEqual([0, expect.anything()]);
};
const idOf = (list: string) => String(place.emulator.objects(list)[0]?.['id']);
const planned = async () => JSON.parse((await run('plan', '--format', 'json')).stdout) as Plan;
async function drift() {
  const { code, stdout } = await run('drift', '--format', 'json');
  const { findings, pending } = JSON.parse(stdout) as Drift;
  return { code, causes: findings.map(({ address, cause }) => `${address ?? '?'} ${cause ?? ''}`), pending };
}

const patchRoute = async (body: object) => {
  const [edge] = place.emulator.objects('https_edges');
  const [home] = edge!['routes'] as readonly { readonly id: string }[];
  const answer = await fetch(`${place.emulator.url}/edges/https/${idOf('https_edges')}/routes/${home!.id}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${place.emulator.apiKey}`,
      'service-version': '2',
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
};
const route = (modules: string) =>
  `https_edges: { web: { hostports: ["w.test:443"], routes: { home: { match: /, match_type: path_prefix, ${modules} } } } }\n`;
const WEB = 'https_edges.web.routes.home';

const IGNORING = 'lifecycle: { ignore_changes: [ip_restriction.enabled] }';

interface Case {
  readonly name: string;
  readonly address: string;
  readonly list: string;
  /** The manifest before and after. */
  readonly first: string;
  readonly second: string;
  /** What somebody sets: the value of the second manifest, and back to that of the first. */
  readonly there: Readonly<Record<string, Json>>;
  readonly back: Readonly<Record<string, Json>>;
  readonly named: string;
}

const cases: readonly Case[] = [
  {
    name: 'the metadata',
    address: 'tls_edges.a',
    list: 'tls_edges',
    first: 'tls_edges: { a: { metadata: v1 } }\n',
    second: 'tls_edges: { a: { metadata: v2 } }\n',
    there: { metadata: 'v2' },
    back: { metadata: 'v1' },
    named: 'metadata',
  },
  {
    name: 'a value beside one that is ignored',
    address: 'tls_edges.a',
    list: 'tls_edges',
    first: `tls_edges: { a: { ip_restriction: { enabled: true, ip_policy_ids: [ipp_1] }, ${IGNORING} } }\n`,
    second: `tls_edges: { a: { ip_restriction: { enabled: false, ip_policy_ids: [ipp_2] }, ${IGNORING} } }\n`,
    there: { ip_restriction: { enabled: true, ip_policy_ids: ['ipp_2'] } },
    back: { ip_restriction: { enabled: true, ip_policy_ids: ['ipp_1'] } },
    named: 'ip_restriction',
  },
  {
    name: 'a text',
    address: 'tls_edges.a',
    list: 'tls_edges',
    first: 'tls_edges: { a: { description: v1 } }\n',
    second: 'tls_edges: { a: { description: v2 } }\n',
    there: { description: 'v2' },
    back: { description: 'v1' },
    named: 'description',
  },
  {
    name: 'a text that the manifest left out at first',
    address: 'tls_edges.a',
    list: 'tls_edges',
    first: 'tls_edges: { a: {} }\n',
    second: 'tls_edges: { a: { description: v2 } }\n',
    there: { description: 'v2' },
    back: { description: '' },
    named: 'description',
  },
  {
    name: 'a module that is added',
    address: 'tls_edges.a',
    list: 'tls_edges',
    first: 'tls_edges: { a: {} }\n',
    second: 'tls_edges: { a: { backend: { backend_id: bkdhr_1 } } }\n',
    there: { backend: { enabled: true, backend_id: 'bkdhr_1' } },
    back: { backend: null },
    named: 'backend',
  },
  {
    name: 'a module that is switched off',
    address: 'tls_edges.a',
    list: 'tls_edges',
    first: 'tls_edges: { a: { backend: { backend_id: bkdhr_1 } } }\n',
    second: 'tls_edges: { a: {} }\n',
    there: { backend: { enabled: false, backend_id: 'bkdhr_1' } },
    back: { backend: { enabled: true, backend_id: 'bkdhr_1' } },
    named: 'backend',
  },
  {
    name: 'a module in which the service chooses values beside a secret',
    address: WEB,
    list: 'https_edges',
    first: route('oidc: { issuer: "https://a.test", client_id: v1, client_secret: s3cret-one }'),
    second: route('oidc: { issuer: "https://a.test", client_id: v2, client_secret: s3cret-one }'),
    there: { oidc: { issuer: 'https://a.test', client_id: 'v2', client_secret: 's3cret-one' } },
    back: { oidc: { issuer: 'https://a.test', client_id: 'v1', client_secret: 's3cret-one' } },
    named: 'oidc',
  },
];

describe.each(cases)('$name', ({ address, list, first, second, there, back, named }) => {
  /** Somebody edits the text and leaves the marker in it. */
  const withMarker = (text: string) => ({
    metadata: String(place.emulator.objects(list)[0]?.['metadata']).replace(/^v\d/, text),
  });
  const set = async (patch: Readonly<Record<string, Json>>) => {
    if (address === WEB) await patchRoute(patch);
    else place.emulator.mutate(list, idOf(list), 'metadata' in patch ? withMarker(String(patch['metadata'])) : patch);
  };

  test('there, apply, and back: drift, exit 2', async () => {
    await apply(first);
    await set(there);
    await apply(second);
    expect(await drift()).toEqual({ code: 0, causes: [], pending: [] });
    await set(back);
    expect(await drift()).toMatchObject({ code: 2, causes: [`${address} drift`], pending: [] });
  });

  test('the plan in between says what it writes and why, and is empty afterwards', async () => {
    await apply(first);
    await set(there);
    manifest(second);
    const plan = await planned();
    const text = `already as in the manifest, but not recorded in its marker yet: ${named}`;
    const reason = { code: 'not-recorded', text };
    expect(plan.summary).toMatchObject({ update: 1, drifted: 0 });
    expect(plan.steps).toMatchObject([{ action: 'update', address, reason, changes: [] }]);
    expect(plan.steps.flatMap(({ requests }) => requests.flatMap(({ body = {} }) => Object.keys(body)))).toEqual([
      'metadata',
    ]);
    expect((await run('plan')).stdout.replaceAll(/\s+/g, ' ')).toContain(text);
    expect(await drift()).toMatchObject({ code: 0, causes: [], pending: [{ address, action: 'update', reason }] });
    await apply(second);
    expect((await planned()).steps).toEqual([]);
  });
});

const terminating = (version: string) =>
  `tls_edges: { a: { tls_termination: { terminate_at: edge${version === '' ? '' : `, min_version: "${version}"`} } } }\n`;

test.each(['what the service has chosen', 'another value, by hand'])('the manifest writes out %s', async (how) => {
  await apply(terminating(''));
  const [edge] = place.emulator.objects('tls_edges');
  const before = edge?.['tls_termination'] as JsonObject;
  const version = how.startsWith('what') ? String(before['min_version']) : '1.3';
  const outside = (min_version: string) => {
    place.emulator.mutate('tls_edges', String(edge?.['id']), { tls_termination: { ...before, min_version } });
  };
  outside(version);
  await apply(terminating(version));
  expect((await planned()).steps).toEqual([]);
  outside('1.0');
  expect((await run('drift')).code).toBe(2);
});

describe('nothing is written', () => {
  test('where the metadata of a creation was not known while it was sent', async () => {
    const text = 'reserved_addrs: { db: {} }\ntls_edges: { a: { metadata: "at ${reserved_addrs.db.addr}" } }\n';
    await apply(text);
    expect((await planned()).steps).toEqual([]);
  });

  test('where only the value that is ignored is another in the manifest', async () => {
    await apply('tls_edges: { a: { description: v1, lifecycle: { ignore_changes: [description] } } }\n');
    manifest('tls_edges: { a: { description: v2, lifecycle: { ignore_changes: [description] } } }\n');
    expect((await planned()).steps).toEqual([]);
  });
});
