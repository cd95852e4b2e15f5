// A state becomes a manifest: which resources, under which names, and what is said of the rest.

import { describe, expect, test } from 'vitest';
import { importState } from '../../src/migrate/import.ts';
import { readState } from '../../src/migrate/state.ts';
import { SECRETS, STATE } from './fixture.ts';

function imported(text: string, stack = 'shop') {
  const { value, diagnostics } = readState(text);
  expect(diagnostics).toEqual([]);
  const { exported, ...rest } = importState(value ?? [], stack);
  return { ...exported, ...rest };
}

interface Given {
  readonly type?: string;
  readonly name?: string;
  readonly values?: object;
  readonly marks?: unknown;
  readonly more?: object;
}

const ROUTE = { match_type: 'path_prefix', match: '/api', region: null };

/** A state with these resources. */
function stateOf(...resources: readonly Given[]): string {
  const all = resources.map(({ type = 'ngrok_reserved_addr', name = 'db', values = {}, marks = {}, more }, index) => ({
    address: `${type}.${name}`,
    mode: 'managed',
    type,
    name,
    values: { id: `ra_${index}`, region: 'eu', ...values },
    sensitive_values: marks,
    ...more,
  }));
  return JSON.stringify({ format_version: '1.0', values: { root_module: { resources: all } } });
}

const leftOut = (...resources: readonly Given[]) => imported(stateOf(...resources)).leftOut;

test('the manifest of a whole state', async () => {
  const made = imported(STATE);
  const text = made.files.map((file) => file.text).join('');
  for (const secret of SECRETS) expect(text).not.toContain(secret);
  await expect(text).toMatchFileSnapshot('golden/edgeform.yaml');
  expect(made.taken).toContainEqual({
    from: 'module.net["eu"].module.agents.ngrok_agent_ingress.this["a.b"]',
    address: 'agent_ingresses.net-eu-agents-this-a-b',
    id: 'agin_2this',
  });
  expect(made.leftOut.map(({ from }) => from)).toContain('ngrok_event_destination.azure');
  expect(JSON.stringify(made.leftOut)).not.toContain('clear-text');
});

test('every resource is either in the manifest or in the list', () => {
  const made = imported(STATE);
  const told = new Set([...made.taken, ...made.leftOut].map(({ from }) => from));
  const { value = [] } = readState(STATE);
  expect(value.filter(({ address, type }) => !told.has(address) && !told.has(type))).toEqual([]);
});

describe('what is left out', () => {
  test.each<{ readonly given: Given; readonly why: RegExp }>([
    { given: { more: { mode: 'data' } }, why: /data source/ },
    { given: { more: { tainted: true } }, why: /tainted/ },
    { given: { more: { deposed_key: '1f' } }, why: /deposed/ },
    { given: { values: { id: 'tls_1' } }, why: /its id is not that of a reserved address/ },
    { given: { values: { id: null } }, why: /its id/ },
    { given: { values: { region: ['eu'] } }, why: /region is a list, and not a text/ },
    { given: { values: { size: 3 } }, why: /no field for size/ },
    { given: { values: JSON.parse('{"__proto__":{"a":1}}') as object }, why: /no field for __proto__/ },
    { given: { marks: { region: true }, values: {} }, why: /calls region sensitive, but/ },
    { given: { marks: { metadata: true }, values: { metadata: 'x' } }, why: /calls metadata sensitive, but/ },
    { given: { type: 'ngrok_ip_policy', values: { id: 'ipp_1' } }, why: /1 resource of a type that edgeform does not/ },
    { given: { type: 'ngrok_application_session', values: { id: 'as_1' } }, why: /of a type/ },
    { given: { type: 'ngrok_https_edge_route', values: { id: 'edghtsrt_1' } }, why: /does not say which HTTPS edge/ },
    {
      given: { type: 'ngrok_https_edge_route', values: { ...ROUTE, id: 'edghtsrt_1', edge_id: 'edghts_1' } },
      why: /its parent edghts_1 is not in this export/,
    },
  ])('$why', ({ given, why }) => {
    const [found] = leftOut(given);
    expect(found?.why).toMatch(why);
  });

  test('unset attributes without a field are not worth a word', () => {
    expect(leftOut({ values: { a: null, b: '', c: [], d: false, e: 0 } })).toEqual([]);
  });

  test('a value that a manifest cannot express is left alone, and a comment says so', () => {
    const text = imported(stateOf({ values: { region: 'nowhere' } })).files[0]?.text;
    expect(text).toContain('# region has a value that a manifest cannot express; it is left alone.');
    expect(text).toContain('ignore_changes: [region]');
  });

  test('one object is taken once', () => {
    const twice = { values: { id: 'ra_same' } };
    expect(leftOut(twice, { ...twice, name: 'again' })).toEqual([
      { from: 'ngrok_reserved_addr.again', why: 'it is the same object as ngrok_reserved_addr.db' },
    ]);
  });

  test('an object of another stack is only mentioned', () => {
    const metadata = '{"edgeform":{"v":1,"stack":"other","address":"reserved_addrs.db","applied":{}}}';
    expect(leftOut({ values: { metadata } })[0]?.why).toMatch(/stack other owns it/);
    const own = imported(stateOf({ values: { metadata } }), 'other');
    expect([own.taken.length, own.files[0]?.text.includes('adopt')]).toEqual([1, false]);
  });
});

describe('types and shapes of other releases', () => {
  test.each(['ngrok_tcp_address', 'other_ngrok_reserved_addr', 'ngrok_api_key', '__proto__', ''])(
    'a %s with the id of a reserved address is one',
    (type) => {
      expect(imported(stateOf({ type })).taken).toMatchObject([{ address: 'reserved_addrs.db', id: 'ra_0' }]);
    },
  );

  test('nested attributes are blocks', () => {
    const kinesis = {
      auth: { creds: { aws_access_key_id: 'AKIA', aws_secret_access_key: 'clear-text-3x' }, role: null },
    };
    const target = {
      datadog: null,
      kinesis: { ...kinesis, stream_arn: 'arn:aws:kinesis:eu-west-1:123456789012:stream/a' },
    };
    const marks = { target: { kinesis: { auth: { creds: { aws_secret_access_key: true } } } } };
    const made = imported(
      stateOf({ type: 'ngrok_event_destination', values: { id: 'ed_1', region: null, target }, marks }),
    );
    expect([made.leftOut, made.variables]).toEqual([[], ['db_aws_secret_access_key']]);
    expect(made.files[0]?.text).not.toContain('clear-text-3x');
    expect(made.files[0]?.text).toContain('stream_arn: arn:aws:kinesis:eu-west-1:123456789012:stream/a');
  });

  test('routes are inside their edge, whether they are resources or in an attribute of it', () => {
    const edge = {
      type: 'ngrok_https_edge',
      name: 'shop',
      values: { id: 'edghts_1', region: '', hostports: ['a.example.com:443'] },
    };
    const route = {
      type: 'ngrok_https_edge_route',
      name: 'api',
      values: { ...ROUTE, id: 'edghtsrt_1', edge_id: 'edghts_1' },
    };
    const own = imported(stateOf(route, edge));
    expect(own.leftOut).toEqual([]);
    expect(own.taken.map(({ address }) => address).sort()).toEqual(['https_edges.shop', 'https_edges.shop.routes.api']);
    const routes = [
      { ...ROUTE, id: 'edghtsrt_1' },
      { ...ROUTE, match: '/b' },
    ];
    const held = imported(stateOf({ ...edge, values: { ...edge.values, routes } }));
    expect(held.taken.map(({ from, address }) => [from, address])).toEqual([
      ['ngrok_https_edge.shop', 'https_edges.shop'],
      ['ngrok_https_edge.shop.routes[0]', 'https_edges.shop.routes.api'],
    ]);
    expect(held.leftOut).toEqual([
      {
        from: 'ngrok_https_edge.shop.routes[1]',
        why: expect.stringMatching(/its id is not that of an HTTPS edge route/),
      },
    ]);
  });
});

describe('names and secrets', () => {
  test.each([
    { more: { name: 'db', index: 0 }, name: 'db-0' },
    { more: { name: 'db', index: 'a.b/c' }, name: 'db-a-b-c' },
    { more: { name: '9' }, name: '_9' },
    { more: { name: 'é' }, name: '_' },
    { more: { name: '__proto__' }, name: '_proto' },
    { more: { name: 'constructor' }, name: 'constructor' },
  ])('$name', ({ more, name }) => {
    expect(imported(stateOf({ more })).taken[0]?.address).toBe(`reserved_addrs.${name}`);
  });

  test('two resources of one name', () => {
    const found = imported(stateOf({}, {})).taken.map(({ address }) => address);
    expect(found).toEqual(['reserved_addrs.db', 'reserved_addrs.db-2']);
  });

  test.each(['ngrok_reserved_addr', 'random_password'])(
    'what the state calls sensitive in a %s is in no text and in no name of another resource',
    (type) => {
      const holder = {
        type,
        values: { id: 'sshcr_9', inner: [{ result: 'clear-text-2x' }] },
        marks: { inner: [{ result: true }] },
      };
      const repeating = { name: 'clear-text-2x', values: { id: 'ra_2', description: 'is clear-text-2x' } };
      const made = imported(stateOf(repeating, holder));
      expect(made.taken.map(({ address }) => address)).toEqual(['reserved_addrs.ra_2']);
      expect(made.files[0]?.text.split('#')[0]).not.toContain('clear-text-2x');
      expect(made.files[0]?.text).toContain('ignore_changes: [description]');
    },
  );

  test('a mark on a list, on one item and on a block', () => {
    const values = {
      id: 'sshcr_1',
      public_key: 'ssh-ed25519 AAAA1',
      acl: ['bind:secret-one', 'bind:two'],
      region: null,
    };
    const one = imported(stateOf({ type: 'ngrok_ssh_credential', values, marks: { acl: [true, false] } }));
    expect(one.variables).toHaveLength(1);
    expect(one.files[0]?.text).not.toContain('secret-one');
    expect(one.files[0]?.text).toContain('bind:two');
    const all = imported(stateOf({ type: 'ngrok_ssh_credential', values, marks: { acl: true, public_key: true } }));
    expect(all.variables).toHaveLength(3);
    expect(all.files[0]?.text).not.toContain('AAAA1');
  });
});
