// Who caused a difference, for every class of field: all combinations of what the manifest says, what was applied and what
// is live. The expected cause follows from six sentences (`expected` below), not from the code under test; the whole table
// is kept as text for people in golden/attribution.txt.

import { describe, expect, test } from 'vitest';
import { readMarker, writeMarker } from '../../src/resource/marker/marker-codec.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import type { Change } from '../../src/plan/plan.ts';
import type { Answers, Body } from '../support/answers.ts';
import { changesIn, metadataOf, planAgainst } from '../support/answers.ts';

/**
 * A value of the field by name: `-` is absent, `D` the known default written out, `A`, `B`, `C` are three others.
 * Live only: `off` is a module that is switched off, `*` a secret that the service does not show.
 */
type Name = '-' | 'D' | 'A' | 'B' | 'C' | 'off' | '*';
/** `?`: the object carries no marker, so it is not known what was applied. */
type Applied = Name | '?';
type Cell = '.' | 'marker' | Change['cause'];

interface FieldClass {
  readonly title: string;
  /** Manifest key; `routes` for a route inside an HTTPS edge. */
  readonly of: string;
  /** `known`: absent and `D` are one; `service`: an absent value is chosen by the service; `none`: absent is a value of its own. */
  readonly absent: 'known' | 'service' | 'none' | 'not possible';
  readonly values: Readonly<Partial<Record<Name, Json>>>;
  /** What the service answers, where that is not what was sent. */
  readonly answers?: Readonly<Partial<Record<Name, Json | undefined>>>;
  /** What manifest and answer hold around the value; an absent value is undefined. */
  readonly spec: (value: Json | undefined) => object;
  readonly body: (value: Json | undefined) => object;
  /** How a difference is put right. */
  readonly effect: Change['effect'];
  /** The value without the field is put right by removing it, which for `no` the service cannot do. */
  readonly removable?: 'yes' | 'no';
  /** A secret; a masked one is not expected to come back. */
  readonly secret?: 'echoed' | 'masked';
  /** The value is part of the text that also holds the marker. */
  readonly inMetadata?: true;
}

const IDS: Readonly<Record<string, string>> = {
  tls_edges: 'edgtls_1',
  routes: 'edghtsrt_1',
  ssh_credentials: 'sshcr_1',
  api_keys: 'ak_1',
  reserved_addrs: 'ra_1',
  failover_backends: 'bkdfo_1',
  event_destinations: 'ed_1',
  event_subscriptions: 'esb_1',
};

const ref = (id: string) => ({ id, uri: `https://api.example.test/${id}` });
const refs = (ids: Json | undefined) => (Array.isArray(ids) ? (ids as string[]).map(ref) : ids);
const member = (name: string) => (value: Json | undefined) => ({ [name]: value });
const inside = (module: string, name: string, rest: object) => (value: Json | undefined) => ({
  [module]: { ...rest, [name]: value },
});
const headers = (value: Json | undefined) => ({ request_headers: { enabled: true, add: value ?? null, remove: [] } });
const ROLE = { role: { role_arn: 'arn:role' } };
const OIDC = { issuer: 'https://accounts.example.com', client_id: 'shop' };
const CHOSEN = { enabled: true, tripped_duration: 10, rolling_window: 10, num_buckets: 10, volume_threshold: 20 };
const keys = (value: Json | undefined) => ({
  target: {
    kinesis: { stream_arn: 'arn:s', auth: { creds: { aws_access_key_id: 'AKIA', aws_secret_access_key: value } } },
  },
});
const datadog = (value: Json | undefined) => ({ target: { datadog: { ddsite: 'eu', api_key: value } } });

const classes: readonly FieldClass[] = [
  {
    title: 'a text with a default: description',
    of: 'tls_edges',
    absent: 'known',
    values: { D: '', A: 'a', B: 'b', C: 'c' },
    spec: member('description'),
    body: member('description'),
    effect: 'update',
  },
  {
    title: 'the user’s own part of the metadata',
    of: 'tls_edges',
    absent: 'known',
    values: { D: '', A: 'a', B: '{"b":1}', C: 'c\n' },
    spec: member('metadata'),
    body: () => ({}),
    effect: 'update',
    inMetadata: true,
  },
  {
    title: 'a list with an order: backends',
    of: 'failover_backends',
    absent: 'known',
    values: { D: [], A: ['bkdhr_1', 'bkdhr_2'], B: ['bkdhr_2', 'bkdhr_1'], C: ['bkdhr_1'] },
    spec: member('backends'),
    body: member('backends'),
    effect: 'update',
  },
  {
    title: 'a list without an order: acl',
    of: 'ssh_credentials',
    absent: 'known',
    values: { D: [], A: ['bind:a', 'bind:b'], B: ['bind:b'], C: ['*'] },
    answers: { A: ['bind:b', 'bind:a'] },
    spec: (value) => ({ public_key: 'ssh-ed25519 AAAA', acl: value }),
    body: (value) => ({ public_key: 'ssh-ed25519 AAAA', acl: value }),
    effect: 'update',
  },
  {
    title: 'a list of objects: sources',
    of: 'event_subscriptions',
    absent: 'known',
    values: { D: [], A: [{ type: 'a.v0' }], B: [{ type: 'b.v0' }], C: [{ type: 'b.v0' }, { type: 'a.v0' }] },
    answers: {
      C: [
        { type: 'a.v0', uri: 'x' },
        { type: 'b.v0', fields: ['x'] },
      ],
    },
    spec: member('sources'),
    body: member('sources'),
    effect: 'update',
  },
  {
    title: 'a map with keys in lower case: request_headers.add',
    of: 'routes',
    absent: 'known',
    values: { D: {}, A: { 'X-A': '1' }, B: { 'X-A': '2' }, C: { 'X-B': '1' } },
    answers: { A: { 'x-a': '1' }, B: { 'x-a': '2' }, C: { 'x-b': '1' } },
    spec: (value) => ({ request_headers: { add: value } }),
    body: headers,
    effect: 'replace-module',
  },
  {
    title: 'a boolean with a default: saml.force_authn',
    of: 'routes',
    absent: 'known',
    values: { D: false, A: true },
    spec: inside('saml', 'force_authn', { idp_metadata: '<a/>' }),
    body: inside('saml', 'force_authn', { idp_metadata: '<a/>', cookie_prefix: 'edge.', entity_id: 'https://x' }),
    effect: 'replace-module',
  },
  {
    title: 'a boolean that the service chooses: saml.allow_idp_initiated',
    of: 'routes',
    absent: 'service',
    values: { A: true, B: false },
    spec: inside('saml', 'allow_idp_initiated', { idp_metadata: '<a/>' }),
    body: inside('saml', 'allow_idp_initiated', {
      idp_metadata: '<a/>',
      cookie_prefix: 'edge.',
      entity_id: 'https://x',
    }),
    effect: 'replace-module',
  },
  {
    title: 'the switch of a module: compression.enabled',
    of: 'routes',
    absent: 'known',
    values: { D: true, A: false },
    spec: inside('compression', 'enabled', {}),
    body: inside('compression', 'enabled', {}),
    effect: 'replace-module',
  },
  {
    title: 'an integer that the service chooses: circuit_breaker.tripped_duration',
    of: 'routes',
    absent: 'service',
    values: { A: 1, B: 2, C: 0 },
    spec: inside('circuit_breaker', 'tripped_duration', { volume_threshold: 5 }),
    body: inside('circuit_breaker', 'tripped_duration', { ...CHOSEN, volume_threshold: 5 }),
    effect: 'replace-module',
  },
  {
    title: 'a text that the service chooses, inside a module: tls_termination.min_version',
    of: 'tls_edges',
    absent: 'service',
    values: { A: '1.1', B: '1.2', C: '1.3' },
    spec: inside('tls_termination', 'min_version', { terminate_at: 'edge' }),
    body: inside('tls_termination', 'min_version', { enabled: true, terminate_at: 'edge' }),
    effect: 'replace-module',
  },
  {
    title: 'a reference: endpoint_configuration_id',
    of: 'reserved_addrs',
    absent: 'none',
    values: { A: 'ec_1', B: 'ec_2', C: 'ec_3' },
    spec: member('endpoint_configuration_id'),
    body: (value) => ({ endpoint_configuration: typeof value === 'string' ? ref(value) : null }),
    effect: 'update',
    removable: 'no',
  },
  {
    title: 'references inside a module: ip_restriction.ip_policy_ids',
    of: 'tls_edges',
    absent: 'known',
    values: { D: [], A: ['ipp_1', 'ipp_2'], B: ['ipp_2'], C: ['ipp_3'] },
    spec: (value) => ({ ip_restriction: { ip_policy_ids: value } }),
    body: (value) => ({ ip_restriction: { enabled: true, ip_policies: refs(value) ?? null } }),
    effect: 'replace-module',
  },
  {
    title: 'a module: backend',
    of: 'tls_edges',
    absent: 'none',
    values: { A: { backend_id: 'bkdhr_1' }, B: { backend_id: 'bkdhr_2' }, C: { backend_id: 'bkdhr_3' } },
    answers: {
      A: { enabled: true, backend: ref('bkdhr_1') },
      B: { enabled: true, backend: ref('bkdhr_2') },
      C: { enabled: true, backend: ref('bkdhr_3') },
      off: { enabled: false, backend: ref('bkdhr_1') },
    },
    spec: member('backend'),
    body: member('backend'),
    effect: 'replace-module',
    removable: 'yes',
  },
  {
    title: 'a module in which the service chooses values: circuit_breaker',
    of: 'routes',
    absent: 'none',
    values: {
      A: { error_threshold_percentage: 0.1 },
      B: { error_threshold_percentage: 0.2, num_buckets: 10 },
      C: { error_threshold_percentage: 0.3 },
    },
    answers: {
      A: { ...CHOSEN, error_threshold_percentage: 0.1 },
      B: { ...CHOSEN, error_threshold_percentage: 0.2 },
      C: { ...CHOSEN, error_threshold_percentage: 0.3 },
      off: { ...CHOSEN, enabled: false, error_threshold_percentage: 0.1 },
    },
    spec: member('circuit_breaker'),
    body: member('circuit_breaker'),
    effect: 'replace-module',
    removable: 'yes',
  },
  {
    title: 'a secret that comes back, or does not: webhook_verification.secret',
    of: 'routes',
    absent: 'none',
    values: { A: 'first', B: 'second', C: 'third' },
    answers: { '*': '****' },
    spec: inside('webhook_verification', 'secret', { provider: 'sns' }),
    body: inside('webhook_verification', 'secret', { enabled: true, provider: 'SNS' }),
    effect: 'replace-module',
    secret: 'echoed',
  },
  {
    title: 'a secret that must be given: oidc.client_secret',
    of: 'routes',
    absent: 'not possible',
    values: { A: 'first', B: 'second', C: 'third' },
    answers: { '*': '' },
    spec: inside('oidc', 'client_secret', OIDC),
    body: inside('oidc', 'client_secret', { ...OIDC, enabled: true, cookie_prefix: '', inactivity_timeout: 0 }),
    effect: 'replace-module',
    secret: 'echoed',
  },
  {
    title: 'a secret that is masked and must be given: aws_secret_access_key',
    of: 'event_destinations',
    absent: 'not possible',
    values: { A: 'first', B: 'second', C: 'third' },
    answers: { '*': '********' },
    spec: keys,
    body: keys,
    effect: 'update',
    secret: 'masked',
  },
  {
    title: 'a secret that is masked and may be left out: datadog.api_key',
    of: 'event_destinations',
    absent: 'none',
    values: { A: 'first', B: 'second', C: 'third' },
    answers: { '*': null },
    spec: datadog,
    body: datadog,
    effect: 'update',
    secret: 'masked',
  },
  {
    title: 'a choice at creation with a default: region',
    of: 'reserved_addrs',
    absent: 'known',
    values: { D: 'us', A: 'eu', B: 'ap', C: 'au' },
    spec: member('region'),
    body: member('region'),
    effect: 'replace-resource',
  },
  {
    title: 'a choice at creation that must be given: public_key',
    of: 'ssh_credentials',
    absent: 'not possible',
    values: { A: 'ssh-ed25519 A', B: 'ssh-ed25519 B', C: 'ssh-ed25519 a' },
    spec: member('public_key'),
    body: member('public_key'),
    effect: 'replace-resource',
  },
  {
    title: 'a choice at creation that the service makes: owner_id',
    of: 'api_keys',
    absent: 'service',
    values: { A: 'usr_1', B: 'usr_2', C: 'bot_1' },
    spec: member('owner_id'),
    body: member('owner_id'),
    effect: 'replace-resource',
  },
  {
    title: 'the kind of a target, fixed at creation: target',
    of: 'event_destinations',
    absent: 'not possible',
    values: {
      A: { kinesis: { stream_arn: 'arn:s', auth: ROLE } },
      B: { firehose: { delivery_stream_arn: 'arn:s', auth: ROLE } },
      C: { cloudwatch_logs: { log_group_arn: 'arn:s', auth: ROLE } },
    },
    spec: member('target'),
    body: (value) => ({
      target: { kinesis: null, firehose: null, cloudwatch_logs: null, s3: null, ...(value as JsonObject) },
    }),
    effect: 'replace-resource',
  },
  {
    title: 'a value inside a target: target.kinesis.stream_arn',
    of: 'event_destinations',
    absent: 'not possible',
    values: { A: 'arn:1', B: 'arn:2', C: 'arn:3' },
    spec: (value) => ({ target: { kinesis: { stream_arn: value ?? null, auth: ROLE } } }),
    body: (value) => ({ target: { kinesis: { stream_arn: value ?? null, auth: { ...ROLE, creds: null } }, s3: null } }),
    effect: 'update',
  },
];

const ZEROS: readonly Json[] = [false, 0, ''];

/**
 * The sentences. Without a difference between manifest and service there is no change, but the marker is renewed when it
 * does not say what the manifest says. Else, when the marker is missing, the
 * cause is unknown; when the manifest is as applied, it is drift; when the service is as applied, config; else both. A secret
 * that the answer does not show can only be compared between manifest and marker. A zero of the manifest, or one that was
 * applied, that the answer leaves out is there.
 */
function expected({ absent, secret, values }: FieldClass, desired: Name, applied: Applied, live: Name): Cell {
  const known = (name: Applied) => (absent === 'known' && name === 'D' ? '-' : name);
  const [wanted, before] = [known(desired), known(applied)];
  // A module that is switched off is no module (ADR-0005); a zero that an answer leaves out is there (ADR-0088).
  const isZero = (name: Applied) => absent !== 'known' && name !== '?' && ZEROS.includes(values[name] ?? null);
  const omitted = [wanted, before].find(isZero);
  const seen = live === '-' && omitted !== undefined && omitted !== '?' && wanted !== '-' ? omitted : known(live);
  const now = live === 'off' ? '-' : seen;
  const asItIs = before === '?' || before === wanted ? '.' : 'marker';
  if (absent === 'service' && wanted === '-') return asItIs;
  if (secret !== undefined && (now === '*' || now === '-')) {
    // Where secrets come back, none in the answer is what a manifest without one asks for.
    if (wanted === before || (wanted === '-' && secret === 'echoed' && now === '-')) return asItIs;
    return before === '?' ? 'unknown' : 'config';
  }
  if (wanted === now) return asItIs;
  if (before === '?') return 'unknown';
  if (wanted === before) return 'drift';
  // What the service chose in place of an absent value is what was applied.
  const asApplied = before === now || (absent === 'service' && before === '-');
  return asApplied ? 'config' : 'both';
}

interface Place {
  readonly field: FieldClass;
  readonly desired: Name;
  readonly applied: Applied;
  readonly live: Name;
}

/** Where the planner says something else than the sentences, and why. An entry that no cell needs any more fails. */
const exceptions: readonly { readonly why: string; readonly holds: (place: Place) => boolean }[] = [
  {
    why: 'digests of secrets are slow, so what the service chose beside one is not tried out',
    holds: ({ field, desired, applied }) => field.title.includes('oidc') && desired !== applied,
  },
];

const namesOf = ({ absent, values }: FieldClass) => [
  ...(absent === 'not possible' ? [] : (['-'] as const)),
  ...(Object.keys(values) as Name[]),
];
const liveNamesOf = (field: FieldClass) => {
  const given = namesOf(field);
  return [...given, ...(Object.keys(field.answers ?? {}) as Name[]).filter((name) => !given.includes(name))];
};

const addressOf = ({ of }: FieldClass) => (of === 'routes' ? 'https_edges.e.routes.x' : `${of}.x`);

function manifest(field: FieldClass, value: Name, pinned = false): Json {
  const given = JSON.parse(JSON.stringify(field.spec(field.values[value]))) as JsonObject;
  const lifecycle = pinned ? { lifecycle: { id: IDS[field.of] ?? '' } } : {};
  const block = { ...given, ...lifecycle };
  const head = { version: 1, stack: 'shop' };
  if (field.of !== 'routes') return { ...head, [field.of]: { x: block } };
  const edge = { ...(pinned && { lifecycle: { id: 'edghts_1' } }) };
  const route = { match_type: 'path_prefix', match: '/', ...block };
  return { ...head, https_edges: { e: { ...edge, routes: { x: route } } } };
}

function answersOf(field: FieldClass, live: Name, texts: ReadonlyMap<string, string>): Answers {
  const value = field.answers && live in field.answers ? field.answers[live] : field.values[live];
  const body: Body = { id: IDS[field.of], metadata: texts.get(addressOf(field)) ?? '', ...field.body(value) };
  if (field.of !== 'routes') return { [field.of]: [body] };
  const route = { match_type: 'path_prefix', match: '/', ...body } as JsonObject;
  return { https_edges: [{ id: 'edghts_1', metadata: texts.get('https_edges.e') ?? '', routes: [route] }] };
}

const recorded = new Map<string, Promise<ReadonlyMap<string, string>>>();
function metadataOnce(applied: Json): Promise<ReadonlyMap<string, string>> {
  const key = JSON.stringify(applied);
  const made = recorded.get(key) ?? metadataOf(applied);
  recorded.set(key, made);
  return made;
}

async function textsOf({ field, applied, live }: Place): Promise<ReadonlyMap<string, string>> {
  if (field.inMetadata !== true) return applied === '?' ? new Map() : metadataOnce(manifest(field, applied));
  if (applied === '?') return new Map([[addressOf(field), String(field.values[live] ?? '')]]);
  // The marker of what was applied, around which somebody exchanged the user's own part.
  const address = addressOf(field);
  const { marker } = readMarker((await metadataOnce(manifest(field, applied))).get(address) ?? '');
  if (marker === undefined) throw new Error('what was applied has no marker');
  return new Map([[address, writeMarker(String(field.values[live] ?? ''), marker)]]);
}

/** The cause that the plan gives, and how it puts the difference right. */
async function planned(place: Place): Promise<{ readonly cause: Cell; readonly effects: readonly Change['effect'][] }> {
  const { field, desired, applied, live } = place;
  const wanted = manifest(field, desired, applied === '?');
  const plan = await planAgainst(wanted, answersOf(field, live, await textsOf(place)));
  const isStuck = field.removable === 'no' && desired === '-' && live !== '-';
  expect(plan.blocked).toMatchObject(isStuck ? [{ address: addressOf(field) }] : []);
  const done = plan.steps.flatMap((step) => (step.address === addressOf(field) ? step.changes : []));
  const changes = [...done, ...plan.blocked.flatMap((one) => one.changes ?? [])];
  const causes = [...new Set(changes.map((change) => change.cause))];
  expect(causes.length).toBeLessThan(2);
  const [step, ...others] = plan.steps.filter(({ action }) => action !== 'adopt');
  if (causes[0] !== undefined) return { cause: causes[0], effects: changes.map((change) => change.effect) };
  if (step === undefined) return { cause: '.', effects: [] };
  // Nothing but taking over an object, and renewing its marker, is done without a change.
  expect(step.reason.text).toContain('not recorded in its marker yet');
  expect([others, step.requests.map(({ body }) => Object.keys(body ?? {}))]).toEqual([[], [alwaysSent(field)]]);
  return { cause: 'marker', effects: [] };
}

/** Names that an update sends, whatever it is about. */
const alwaysSent = ({ of }: FieldClass) => (of === 'failover_backends' ? ['backends', 'metadata'] : ['metadata']);

interface Result extends Place {
  readonly got: Cell;
  readonly wanted: Cell;
  readonly effects: readonly Change['effect'][];
}

const tables = new Map<FieldClass, Promise<readonly Result[]>>();
/** Every combination, once: by manifest, then by what was applied, then by what is live. */
function tableOf(field: FieldClass): Promise<readonly Result[]> {
  const made = tables.get(field) ?? makeTable(field);
  tables.set(field, made);
  return made;
}

async function makeTable(field: FieldClass): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const desired of namesOf(field)) {
    for (const applied of ['?', ...namesOf(field)] as const) {
      for (const live of liveNamesOf(field)) {
        const { cause, effects } = await planned({ field, desired, applied, live });
        const wanted = expected(field, desired, applied, live);
        results.push({ field, desired, applied, live, got: cause, wanted, effects });
      }
    }
  }
  return results;
}

const differing = (results: readonly Result[]) => results.filter(({ got, wanted }) => got !== wanted);
const isException = (place: Place) => exceptions.some(({ holds }) => holds(place));

describe('who caused a difference', () => {
  const named = classes.map((field) => [field.title, field] as const);
  test.each(named)('%s', async (_, field) => {
    const results = await tableOf(field);
    const wrong = differing(results).filter((result) => !isException(result));
    expect(wrong.map(({ desired, applied, live, got, wanted }) => ({ desired, applied, live, got, wanted }))).toEqual(
      [],
    );
  });

  test.each(named)('how it is put right: %s', async (_, field) => {
    for (const { desired, effects } of await tableOf(field)) {
      const effect = field.removable === 'yes' && desired === '-' ? 'remove-module' : field.effect;
      expect(effects.filter((one) => one !== effect)).toEqual([]);
    }
  });

  test.each(exceptions.map(({ why, holds }) => [why, holds] as const))('still so: %s', async (_, holds) => {
    const all = (await Promise.all(classes.map(tableOf))).flat();
    expect(differing(all).filter(holds)).not.toEqual([]);
  });

  test('the whole table', async () => {
    const parts = await Promise.all(classes.map(async (field) => render(field, await tableOf(field))));
    await expect(`${LEGEND}\n${parts.join('\n')}`).toMatchFileSnapshot('golden/attribution.txt');
  });
});

test.each([{ maximum_duration: 120 }, { inactivity_timeout: 60, maximum_duration: 120 }, { cookie_prefix: 'shop.' }])(
  'a module with a secret and %j that leaves the manifest: config',
  async (given) => {
    const { oidc } = classes.find(({ title }) => title.includes('oidc.client_secret'))!.spec('s3cret-of-oidc') as {
      readonly oidc: JsonObject;
    };
    const withRoute = (more: object) => ({
      version: 1,
      stack: 'shop',
      https_edges: { e: { routes: { x: { match_type: 'path_prefix', match: '/', ...more } } } },
    });
    const texts = await metadataOf(withRoute({ oidc: { ...oidc, ...given } }));
    const chosen = { enabled: true, cookie_prefix: 'acme.', inactivity_timeout: 0, maximum_duration: 0 };
    const route = {
      id: 'edghtsrt_1',
      match_type: 'path_prefix',
      match: '/',
      metadata: texts.get('https_edges.e.routes.x') ?? '',
      oidc: { ...chosen, ...oidc, ...given },
    };
    const edge = { id: 'edghts_1', metadata: texts.get('https_edges.e') ?? '', routes: [route] };
    expect(changesIn(await planAgainst(withRoute({}), { https_edges: [edge] }))).toEqual([
      'update https_edges.e.routes.x oidc: config',
    ]);
  },
);

// One marker digest covers a whole module, so two causes inside one module cannot be told apart.
test('a module in which the manifest changed one value and somebody else another: both, for both', async () => {
  const [breaker] = classes.filter(({ title }) => title.includes('tripped_duration'));
  const field = breaker!;
  const texts = await metadataOnce(manifest(field, 'A'));
  const shown = {
    ...field,
    body: () => ({ circuit_breaker: { ...CHOSEN, tripped_duration: 1, volume_threshold: 6 } }),
  };
  const plan = await planAgainst(manifest(field, 'B'), answersOf(shown, 'A', texts));
  expect(plan.steps.flatMap((step) => step.changes)).toMatchObject([
    { path: 'circuit_breaker.tripped_duration', before: 1, after: 2, cause: 'both' },
    { path: 'circuit_breaker.volume_threshold', before: 6, after: 5, cause: 'both' },
  ]);
});

const LEGEND = `Who caused a difference, by what the manifest says, what was applied last and what is live.

-        the value is absent
D        the default, written out
A B C    three other values
off      a module that is switched off
*        a secret that the service does not show
?        no marker: nothing is known of what was applied

.        no change is planned
marker   none but that of the marker, which still says what was applied before
x (y)    the planner says x, the rule would be y
`;

function render(field: FieldClass, results: readonly Result[]): string {
  const lives = liveNamesOf(field);
  const cells = (texts: readonly string[]) =>
    texts
      .map((text) => text.padEnd(18))
      .join('')
      .trimEnd();
  const head = `manifest  applied   ${cells(lives.map((live) => `live ${live}`))}`;
  const rows: string[] = [];
  for (let at = 0; at < results.length; at += lives.length) {
    const row = results.slice(at, at + lives.length);
    const [first] = row;
    const texts = row.map(({ got, wanted }) => (got === wanted ? got : `${got} (${wanted})`));
    if (first?.applied === '?' && at > 0) rows.push('');
    rows.push(`${(first?.desired ?? '').padEnd(10)}${(first?.applied ?? '').padEnd(10)}${cells(texts)}`);
  }
  const values = Object.entries(field.values).map(([name, value]) => `  ${name} = ${JSON.stringify(value)}`);
  return [`== ${field.title}`, ...values, '', head, ...rows, ''].join('\n');
}
