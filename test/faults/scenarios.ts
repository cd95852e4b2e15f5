// Small stories that faults strike: what a manifest says before and after, and on which service.
// `${foreign:NAME}` stands for the id of somebody else's object, `${first:KIND}` for that of the first object that the
// manifest of before makes, and `${duplicate:KIND}` for that of its double.

import type { Knobs } from './service.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import { makeId } from '../../src/emulator/ids.ts';
import { foreignId, foreignObjects } from './foreign.ts';

export interface Scenario {
  readonly name: string;
  /** Manifest that is applied before anything goes wrong; nothing is owned when missing. */
  readonly before?: string;
  readonly after: string;
  readonly knobs?: Knobs;
  readonly flags?: readonly string[];
  readonly isDestroyed?: boolean;
  readonly deadlineS?: number;
  /** How a run without faults ends; 0 when missing. */
  readonly exit?: number;
  /** An address of before that exists a second time. */
  readonly doubled?: string;
  /** Foreign objects that are taken over; they may change. */
  readonly adopted?: readonly string[];
  /** The journal of what came before is there; it is lost otherwise. */
  readonly keepsJournal?: boolean;
  /** So many objects that only a part of the faults is tried. */
  readonly isLarge?: boolean;
}

/** What the id of a double ends with. */
export const DUPLICATE = 'x';

/** Sensitive variables of every manifest. */
export const SECRETS = ['one', 'two', 'three'] as const;

const HEAD = `version: 1
stack: shop
variables: { ${SECRETS.map((name) => `${name}: { sensitive: true }`).join(', ')} }
`;

export function manifestOf(yaml: string): string {
  const first = (kind: string) => makeId(kindByName(kind).idPrefix, foreignObjects().length + 1);
  return (
    HEAD +
    yaml
      .replace(/\$\{foreign:(\w+)\}/g, (_, name: string) => foreignId(name))
      .replace(/\$\{first:(\w+)\}/g, (_, kind: string) => first(kind))
      .replace(/\$\{duplicate:(\w+)\}/g, (_, kind: string) => `${first(kind)}${DUPLICATE}`)
  );
}

const ROLE = 'auth: { role: { role_arn: "arn:aws:iam::1:role/events" } }';
const kinesis = (auth: string) => `{ kinesis: { stream_arn: "arn:stream", ${auth} } }`;
const keys = (name: string) =>
  `auth: { creds: { aws_access_key_id: AKIA1, aws_secret_access_key: "\${var.${name}}" } }`;
const KEEP = 'failover_backends: { keep: { backends: [bkdhr_2keep] } }\n';

const CHAIN = `failover_backends: { app: { backends: [bkdhr_2a] } }
https_edges:
  shop:
    hostports: [shop.example.com:443]
    routes:
      api:
        match_type: path_prefix
        match: /api
        backend: { backend_id: "\${failover_backends.app.id}" }
        oauth: { provider: { github: { client_id: abc, client_secret: "\${var.one}" } } }
event_destinations: { audit: { target: ${kinesis(ROLE)} } }
event_subscriptions:
  audit: { sources: [{ type: ip_policy_created.v0 }], destination_ids: ["\${event_destinations.audit.id}"] }
reserved_addrs: { db: { region: eu } }
tls_edges: { db: { hostports: ["\${reserved_addrs.db.addr}"], backend: { backend_id: "\${failover_backends.app.id}" } } }
`;

/** Foreign objects that are read and must never be written: one by its marker, one by its id. */
const IMPORTS = `imports:
  app: { stack: shopping, address: failover_backends.app }
  addr: { kind: reserved_addr, id: "\${foreign:addr}" }
outputs: { addr: "\${imports.addr.addr}" }
`;

const USED = `failover_backends: { app: { backends: [bkdhr_2a] } }
tls_edges: { a: { hostports: [a.example.com:443], backend: { backend_id: "\${failover_backends.app.id}" } } }
`;

/** One of each kind that has what cannot be had again. */
const precious = (name: string) => `reserved_addrs: { ${name}: { region: eu } }
agent_ingresses: { ${name}: { domain: a.example.com } }
api_keys: { ${name}: { description: for CI } }
`;

const edges = (...hosts: readonly string[]) =>
  `tls_edges:\n${hosts.map((host, index) => `  e${index}: { hostports: ["${host}.example.com:443"] }\n`).join('')}`;

const breaker = (threshold: number) => `https_edges:
  shop:
    routes:
      api: { match_type: path_prefix, match: /, circuit_breaker: { volume_threshold: ${threshold} } }
`;

const many = (count: number) =>
  `reserved_addrs:\n${Array.from({ length: count }, (_, index) => `  a${index}: { region: eu }\n`).join('')}`;

const KINDS: readonly Scenario[] = [
  { name: 'address: create', after: 'reserved_addrs: { db: { region: eu, description: d }, web: { region: us } }' },
  {
    name: 'address: update',
    before: 'reserved_addrs: { db: { region: eu, description: old } }',
    after: 'reserved_addrs: { db: { region: eu, description: new } }',
  },
  {
    name: 'address: create and update within a deadline',
    before: 'reserved_addrs: { db: { region: eu } }',
    after: 'reserved_addrs: { db: { region: eu, description: new }, web: { region: us } }',
    deadlineS: 60,
  },
  {
    name: 'address: replace',
    before: 'reserved_addrs: { db: { region: eu } }\ntls_edges: { db: { hostports: ["${reserved_addrs.db.addr}"] } }',
    after: 'reserved_addrs: { db: { region: us } }\ntls_edges: { db: { hostports: ["${reserved_addrs.db.addr}"] } }',
    flags: ['--allow-loss', 'reserved_addrs.db'],
  },
  {
    name: 'address: delete',
    before: `${KEEP}reserved_addrs: { db: { region: eu } }`,
    after: `${KEEP}removed: [{ from: reserved_addrs.db, destroy: true }]`,
  },
  {
    name: 'address: delete by a flag',
    before: `${KEEP}reserved_addrs: { db: { region: eu } }`,
    after: KEEP,
    flags: ['--allow-loss', 'reserved_addrs.db'],
  },
  {
    name: 'address: create in two requests',
    after: 'reserved_addrs: { db: { region: eu, endpoint_configuration_id: ec_2abc } }',
  },
  {
    name: 'ssh: create',
    after: 'ssh_credentials: { ci: { public_key: ssh-ed25519 AAAA1, acl: ["bind:a.example.com"] } }',
  },
  {
    name: 'ssh: replace',
    before: 'ssh_credentials: { ci: { public_key: ssh-ed25519 AAAA1 } }',
    after: 'ssh_credentials: { ci: { public_key: ssh-ed25519 AAAA2, description: new } }',
  },
  {
    name: 'ssh: replace under the same key',
    before: 'ssh_credentials: { ci: { public_key: ssh-ed25519 AAAA1, owner_id: usr_1 } }',
    after: 'ssh_credentials: { ci: { public_key: ssh-ed25519 AAAA1, owner_id: usr_2 } }',
  },
  {
    name: 'ingress: create and update',
    before: 'agent_ingresses: { a: { domain: a.example.com } }',
    after: 'agent_ingresses: { a: { domain: a.example.com, description: new }, b: { domain: b.example.com } }',
  },
  {
    name: 'ingress: replace',
    before: 'agent_ingresses: { a: { domain: a.example.com } }',
    after: 'agent_ingresses: { a: { domain: c.example.com } }',
    flags: ['--allow-loss', 'agent_ingresses.a'],
  },
  {
    name: 'backend: update',
    before: 'failover_backends: { a: { backends: [bkdhr_2a] }, b: { backends: [bkdhr_2b] } }',
    after:
      'failover_backends: { a: { backends: [bkdhr_2b, bkdhr_2a] }, b: { backends: ["${failover_backends.a.id}"] } }',
  },
  {
    name: 'backend: describe',
    before: 'failover_backends: { app: { backends: [bkdhr_2a, bkdhr_2b] } }',
    after: 'failover_backends: { app: { backends: [bkdhr_2a, bkdhr_2b], description: new } }',
  },
  {
    name: 'destination: replace under a subscription',
    before: `event_destinations: { a: { target: ${kinesis(ROLE)} } }
event_subscriptions: { s: { sources: [{ type: ip_policy_created.v0 }], destination_ids: ["\${event_destinations.a.id}"] } }`,
    after: `event_destinations: { a: { target: { firehose: { delivery_stream_arn: "arn:f", ${ROLE} } } } }
event_subscriptions: { s: { sources: [{ type: ip_policy_deleted.v0 }], destination_ids: ["\${event_destinations.a.id}"] } }`,
  },
  {
    name: 'destination: rotate a masked secret',
    before: `event_destinations: { a: { target: ${kinesis(keys('one'))} } }`,
    after: `event_destinations: { a: { target: ${kinesis(keys('two'))} } }`,
  },
  {
    name: 'subscription: create and delete',
    before: `event_destinations: { a: { target: ${kinesis(ROLE)} } }
event_subscriptions: { old: { sources: [{ type: ip_policy_created.v0 }], destination_ids: ["\${event_destinations.a.id}"] } }`,
    after: `event_destinations: { a: { target: ${kinesis(ROLE)} } }
event_subscriptions: { new: { sources: [{ type: ip_policy_created.v0 }], destination_ids: ["\${event_destinations.a.id}"] } }`,
  },
  { name: 'key: create', after: 'api_keys: { ci: { description: for CI } }' },
  {
    name: 'key: replace',
    before: 'api_keys: { ci: { description: for CI } }',
    after: 'api_keys: { ci: { description: for CI, owner_id: usr_two } }',
    flags: ['--allow-loss', 'api_keys.ci'],
  },
  {
    name: 'key: create, update and delete',
    before: 'api_keys: { a: { description: a }, b: { description: b } }',
    after: 'api_keys: { a: { description: changed }, c: { description: c } }',
    flags: ['--allow-loss', 'api_keys.b'],
  },
];

/** A route whose secret is left alone. */
const ignoring = (provider: string, secret: string) => `https_edges:
  a:
    hostports: [a.example.com:443]
    routes:
      one:
        match_type: path_prefix
        match: /
        webhook_verification: { provider: ${provider}, secret: "\${var.${secret}}" }
        lifecycle: { ignore_changes: [webhook_verification.secret] }
`;

const EDGES: readonly Scenario[] = [
  {
    name: 'tls edge: create with modules',
    after: `tls_edges:
  a:
    hostports: [a.example.com:443]
    backend: { backend_id: bkdhr_2a }
    mutual_tls: { certificate_authority_ids: [ca_2a] }
    tls_termination: { terminate_at: edge, min_version: "1.2" }`,
  },
  {
    name: 'tls edge: remove a module',
    before:
      'tls_edges: { a: { hostports: [a.example.com:443], ip_restriction: { ip_policy_ids: [ipp_2a] }, description: a } }',
    after: 'tls_edges: { a: { hostports: [a.example.com:443], backend: { backend_id: bkdhr_2a }, description: b } }',
  },
  {
    name: 'tls edge: switch a module off',
    before: 'tls_edges: { a: { hostports: [a.example.com:443], ip_restriction: { ip_policy_ids: [ipp_2a] } } }',
    after: 'tls_edges: { a: { hostports: [a.example.com:443], backend: { backend_id: bkdhr_2a } } }',
    knobs: { disabled: ['module-delete'] },
  },
  {
    name: 'https edge: create with routes',
    after: `https_edges:
  a:
    hostports: [a.example.com:443]
    routes:
      one: { match_type: path_prefix, match: /one, webhook_verification: { provider: github, secret: "\${var.one}" } }
      two: { match_type: exact_path, match: /two, compression: {} }`,
  },
  {
    name: 'https edge: change routes',
    before: `https_edges:
  a:
    hostports: [a.example.com:443]
    routes:
      one: { match_type: path_prefix, match: /one, compression: {} }
      two: { match_type: exact_path, match: /two }`,
    after: `https_edges:
  a:
    hostports: [a.example.com:443]
    routes:
      one: { match_type: path_prefix, match: /uno, websocket_tcp_converter: {} }
      three: { match_type: exact_path, match: /two }`,
  },
  {
    name: 'https edge: delete',
    before: `${KEEP}https_edges: { a: { hostports: [a.example.com:443], routes: { one: { match_type: path_prefix, match: / } } } }`,
    after: KEEP,
  },
  {
    name: 'route: rotate a secret',
    before: `https_edges:
  a:
    hostports: [a.example.com:443]
    routes: { one: { match_type: path_prefix, match: /, webhook_verification: { provider: slack, secret: "\${var.one}" } } }`,
    after: `https_edges:
  a:
    hostports: [a.example.com:443]
    routes: { one: { match_type: path_prefix, match: /, webhook_verification: { provider: slack, secret: "\${var.two}" } } }`,
  },
  {
    name: 'route: an ignored secret goes with its module',
    before: ignoring('slack', 'one'),
    after: ignoring('github', 'two'),
  },
  {
    name: 'route: an ignored secret alone is no change',
    before: ignoring('slack', 'one'),
    after: `${ignoring('slack', 'two')}reserved_addrs: { db: { region: eu } }`,
  },
  { name: 'swap of hostports', before: edges('a', 'b'), after: edges('b', 'a') },
  { name: 'cycle of three hostports', before: edges('a', 'b', 'c'), after: edges('b', 'c', 'a') },
  {
    name: 'a hostport goes to another kind of edge',
    before: 'tls_edges: { a: { hostports: [a.example.com:443, b.example.com:443] } }',
    after:
      'tls_edges: { a: { hostports: [b.example.com:443] } }\nhttps_edges: { a: { hostports: [a.example.com:443] } }',
  },
  {
    name: 'a hostport goes to a new edge, its old one ends',
    before: 'tls_edges: { a: { hostports: [a.example.com:443] } }',
    after: 'tls_edges: { b: { hostports: [a.example.com:443] } }',
  },
];

const STACKS: readonly Scenario[] = [
  { name: 'chain: create', after: CHAIN },
  { name: 'chain: prune', before: CHAIN, after: KEEP, flags: ['--allow-loss', 'reserved_addrs.db'] },
  { name: 'chain: destroy', before: CHAIN, after: CHAIN, isDestroyed: true },
  {
    name: 'rename',
    before: 'tls_edges: { old: { hostports: [a.example.com:443], description: a } }',
    after: `tls_edges: { new: { hostports: [a.example.com:443], description: b } }
moved: [{ from: tls_edges.old, to: tls_edges.new }]`,
  },
  {
    name: 'a rename that was forgotten',
    before: `${KEEP}${precious('old')}`,
    after: `${KEEP}${precious('new')}`,
    exit: 5,
  },
  {
    name: 'a rename of what cannot be had again',
    before: `${KEEP}${precious('old')}`,
    after: `${KEEP}${precious('new').replace('api_keys: { new', 'api_keys: { old')}moved:
  - { from: reserved_addrs.old, to: reserved_addrs.new }
  - { from: agent_ingresses.old, to: agent_ingresses.new }`,
  },
  {
    name: 'the manifest of another team with the same stack',
    before: `${KEEP}${edges('a', 'b')}`,
    after: 'tls_edges: { other: { hostports: [other.example.com:443] } }',
    flags: ['--allow-deletes', '3'],
    exit: 5,
  },
  {
    name: 'adopt',
    after: `tls_edges: { a: { hostports: [theirs.example.com:443], description: ours, lifecycle: { adopt: "\${foreign:tls}" } } }
reserved_addrs: { db: { region: eu, lifecycle: { adopt: "\${foreign:addr}" } } }`,
    adopted: ['tls', 'addr'],
  },
  {
    name: 'exclusive: an edge gets the match of a route that others added',
    before: `${KEEP}https_edges:
  a: { hostports: [www.theirs.example.com:443], lifecycle: { adopt: "\${foreign:https}" } }`,
    after: `${KEEP}https_edges:
  a:
    hostports: [www.theirs.example.com:443]
    routes: { r: { match_type: exact_path, match: / } }
    lifecycle: { adopt: "\${foreign:https}", exclusive: true }`,
    adopted: ['https', 'route'],
  },
  {
    name: 'objects move here from another stack',
    after: `reserved_addrs: { main: { region: eu, description: ours } }
https_edges: { site: { hostports: [site.theirs.example.com:443], routes: { api: { match_type: path_prefix, match: /api } } } }
moved:
  - { from: { stack: acme, address: reserved_addrs.db }, to: reserved_addrs.main }
  - { from: { stack: acme } }`,
    adopted: ['theirs', 'site', 'api'],
  },
  {
    name: 'a foreign edge has the hostport',
    after: 'reserved_addrs: { db: {} }\ntls_edges: { x: { hostports: [theirs.example.com:443] } }',
    exit: 5,
  },
  {
    name: 'a protected edge without its block',
    before: `${KEEP}tls_edges: { a: { hostports: [a.example.com:443], lifecycle: { prevent_destroy: true } } }`,
    after: `${KEEP}tls_edges: { b: { hostports: [b.example.com:443] } }`,
    exit: 5,
  },
  {
    name: 'an edge goes with a route of others in it',
    before: `${KEEP}https_edges: { a: { hostports: [www.theirs.example.com:443], lifecycle: { adopt: "\${foreign:https}" } } }`,
    after: `${KEEP}tls_edges: { b: { hostports: [b.example.com:443] } }`,
    adopted: ['https'],
    exit: 5,
  },
  {
    name: 'a move that would replace what it moves',
    after: `reserved_addrs: { main: { region: us } }
tls_edges: { b: { hostports: [b.example.com:443] } }
moved: [{ from: { stack: acme, address: reserved_addrs.db }, to: reserved_addrs.main }]`,
    exit: 5,
  },
  {
    name: 'an import of what is not there',
    after: `imports: { db: { stack: nobody, address: reserved_addrs.db } }
tls_edges: { a: { hostports: ["\${imports.db.addr}"] }, b: { hostports: [b.example.com:443] } }`,
    exit: 5,
  },
  {
    name: 'values of another stack are imported',
    before: `${IMPORTS}tls_edges: { a: { hostports: [a.example.com:443], backend: { backend_id: "\${imports.app.id}" } } }`,
    after: `${IMPORTS}tls_edges:
  a: { hostports: ["\${imports.addr.addr}"], backend: { backend_id: "\${imports.app.id}" } }
  b: { hostports: [a.example.com:443], backend: { backend_id: "\${imports.app.id}" }, description: "\${imports.addr.addr}" }`,
  },
  {
    name: 'an address is there twice',
    before: 'reserved_addrs: { db: { region: eu } }',
    after: 'reserved_addrs: { db: { region: eu, description: new } }',
    doubled: 'reserved_addrs.db',
    exit: 1,
  },
  ...['first', 'duplicate'].flatMap((which): Scenario[] => [
    {
      name: `an address is there twice, and its ${which} is pinned`,
      before: 'reserved_addrs: { db: { region: eu } }',
      after: `reserved_addrs: { db: { region: eu, description: new, lifecycle: { id: "\${${which}:reserved_addr}" } } }`,
      doubled: 'reserved_addrs.db',
      flags: ['--allow-loss', 'reserved_addrs.db'],
    },
    {
      name: `a backend in use is there twice, and its ${which} is pinned`,
      before: USED,
      after: USED.replace('[bkdhr_2a]', `[bkdhr_2a], lifecycle: { id: "\${${which}:failover_backend}" }`),
      doubled: 'failover_backends.app',
    },
  ]),
  {
    name: 'release',
    before: 'reserved_addrs: { db: { region: eu }, web: { region: us } }',
    after: `reserved_addrs: { web: { region: us, description: new } }
removed: [{ from: reserved_addrs.db, destroy: false }]`,
  },
  {
    name: 'https edges cannot be listed: create',
    after:
      'https_edges: { a: { hostports: [a.example.com:443], routes: { one: { match_type: path_prefix, match: / } } } }',
    knobs: { disabled: ['https-edge-list'] },
  },
  {
    name: 'https edges cannot be listed: a foreign one is adopted',
    after:
      'https_edges: { a: { hostports: [www.theirs.example.com:443], description: ours, lifecycle: { adopt: "${foreign:https}" } } }',
    knobs: { disabled: ['https-edge-list'] },
    adopted: ['https', 'route'],
  },
  {
    name: 'pages of two',
    before: 'reserved_addrs: { a: { region: eu }, b: { region: eu }, c: { region: us } }',
    after:
      'reserved_addrs: { a: { region: eu, description: a }, c: { region: us }, d: { region: us }, e: { region: us } }',
    flags: ['--allow-loss', 'reserved_addrs.b'],
    knobs: { pageSize: 2 },
  },
  { name: '101 addresses and a limit', before: many(100), after: many(101), knobs: { isLimited: true }, isLarge: true },
  { name: '12 addresses at once', after: many(12), isLarge: true },
  { name: 'a service that leaves zeros out', before: breaker(20), after: breaker(0), knobs: { omitsZeros: true } },
  {
    name: 'a service that keeps its default for a zero',
    before: breaker(5),
    after: breaker(0),
    knobs: { keepsDefaults: true },
    keepsJournal: true,
  },
  {
    name: 'a service that spaces requests out',
    before: CHAIN,
    after: `${CHAIN.replace('/api', '/v1').replace('[bkdhr_2a]', '[bkdhr_2b]')}ssh_credentials: { ci: { public_key: ssh-ed25519 AAAA1 } }`,
    knobs: { spacingMs: 150 },
    isLarge: true,
  },
];

export const SCENARIOS: readonly Scenario[] = [...KINDS, ...EDGES, ...STACKS];
