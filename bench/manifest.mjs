// Manifests like those of a company with many services, of any size and always the same: `node bench/manifest.mjs COUNT` prints one.
import { random } from './random.mjs';
import { toYaml } from './yaml.mjs';

/** Resources of one file; a larger stack is a folder of files. */
const PER_FILE = 1000;
const NAMES = [
  'checkout',
  'billing',
  'search',
  'catalog',
  'login',
  'reports',
  'media',
  'partners',
  'support',
  'ledger',
];
const REGIONS = ['us', 'eu', 'ap', 'au', 'sa', 'jp', 'in'];
const TEAMS = ['payments', 'platform', 'growth', 'data', 'identity'];

/** The files of a stack with so many resources, as values. */
export function manifests(count, stack = 'bench') {
  const chance = random(11);
  const files = [];
  let left = count;
  for (let number = 0; left > 0; number += 1) {
    if (files.length === 0 || files.at(-1).size >= PER_FILE) files.push({ size: 0, manifest: { version: 1, stack } });
    const { manifest } = files.at(-1);
    const taken = service(number, chance)
      .slice(0, left)
      .map(([path, block]) => put(manifest, path, block)).length;
    files.at(-1).size += taken;
    left -= taken;
  }
  return files.map(({ manifest }) => manifest);
}

/** What several blocks have alike. */
const PRESETS = {
  kept: { lifecycle: { prevent_destroy: true } },
  noted: { metadata: 'Made by the platform team' },
  both: { lifecycle: { prevent_destroy: true }, metadata: 'Made by the platform team' },
};

/** The same stack, in which every block of a resource or a route uses one of three presets. */
export function withPresets(count, stack = 'bench') {
  const names = Object.keys(PRESETS);
  let used = 0;
  const using = (block) => ({ preset: names[used++ % names.length], ...block });
  const files = manifests(count, stack).map(({ version, stack: name, ...sections }) => ({
    version,
    stack: name,
    ...mapValues(sections, (section) =>
      mapValues(section, ({ routes, ...block }) =>
        using({ ...block, ...(routes && { routes: mapValues(routes, using) }) }),
      ),
    ),
  }));
  return [{ version: 1, stack, presets: PRESETS }, ...files];
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

/** Only reserved addresses, for a peer that is compared with nothing else. */
export function addresses(count, stack = 'bench') {
  const blocks = Array.from({ length: count }, (_, number) => [`a${number}`, address(number, `address ${number}`)]);
  return [{ version: 1, stack, reserved_addrs: Object.fromEntries(blocks) }];
}

function put(manifest, path, block) {
  const above = path.slice(0, -1).reduce((inner, name) => (inner[name] ??= {}), manifest);
  above[path.at(-1)] = block;
}

/** What one service has: a backend and a site, sometimes a database with an address of its own, and seldom an audit trail. */
function service(number, chance) {
  const name = `${NAMES[number % NAMES.length]}_${String(number).padStart(5, '0')}`;
  const host = `${name.replace('_', '-')}.example.com`;
  const team = chance.pick(TEAMS);
  const backend = '${failover_backends.' + name + '.id}';
  const site = ['https_edges', name];
  const sets = [
    [[['failover_backends', name], failover(number, team)]],
    [[site, edge(host, team, chance)]],
    ['app', chance.pick(['api', 'live']), chance.pick(['admin', 'hooks', 'static'])].map((route) => [
      [...site, 'routes', route],
      ROUTES[route]({ backend, chance }),
    ]),
    number % 2 === 0 ? database(name, number, backend) : [],
    number % 8 === 0 ? audit(name) : [],
  ];
  return sets.flat();
}

function failover(number, team) {
  const standby = number % 3 === 1 ? nameOfStandby(number - 1) : 'bkdhr_2abcStatic';
  return {
    description: `Backends of team ${team}`,
    backends: [`bkdhr_2abc${number}East`, `bkdhr_2abc${number}West`, standby],
  };
}

function nameOfStandby(number) {
  return '${failover_backends.' + `${NAMES[number % NAMES.length]}_${String(number).padStart(5, '0')}` + '.id}';
}

function edge(host, team, chance) {
  return {
    description: `Site of team ${team}`,
    hostports: [`${host}:443`, ...(chance.in(4) ? [`www.${host}:443`] : [])],
    ...(chance.in(2) && { tls_termination: { min_version: chance.pick(['1.2', '1.3']) } }),
    ...(chance.in(10) && { mutual_tls: { certificate_authority_ids: ['ca_2abcPartners'] } }),
  };
}

const ROUTES = {
  app: ({ backend, chance }) => ({
    match_type: 'path_prefix',
    match: '/',
    backend: { backend_id: backend },
    compression: {},
    ...(chance.in(3) && {
      response_headers: { add: { 'x-frame-options': 'DENY', 'referrer-policy': 'same-origin' }, remove: ['server'] },
    }),
  }),
  api: ({ backend }) => ({
    match_type: 'path_prefix',
    match: '/api',
    backend: { backend_id: backend },
    circuit_breaker: { tripped_duration: 10, rolling_window: 30, num_buckets: 10, error_threshold_percentage: 0.25 },
  }),
  live: ({ backend }) => ({
    match_type: 'exact_path',
    match: '/live',
    backend: { backend_id: backend },
    websocket_tcp_converter: {},
  }),
  admin: ({ backend }) => ({
    description: 'Staff only: signed in, from the office',
    match_type: 'path_prefix',
    match: '/admin',
    backend: { backend_id: backend },
    ip_restriction: { ip_policy_ids: ['ipp_2abcOffice'] },
    oauth: { provider: { google: { email_domains: ['example.com'] } }, maximum_duration: 28800 },
  }),
  hooks: ({ backend }) => ({
    match_type: 'exact_path',
    match: '/hooks/events',
    backend: { backend_id: backend },
    webhook_verification: { provider: 'sns' },
  }),
  static: ({ backend }) => ({
    match_type: 'path_prefix',
    match: '/static',
    backend: { backend_id: backend },
    compression: {},
    request_headers: { remove: ['cookie'] },
  }),
};

function address(number, description) {
  return { region: REGIONS[number % REGIONS.length], description };
}

function database(name, number, backend) {
  return [
    [['reserved_addrs', name], address(number, `Database of ${name}`)],
    [
      ['tls_edges', name],
      {
        hostports: ['${reserved_addrs.' + name + '.addr}'],
        backend: { backend_id: backend },
        tls_termination: { terminate_at: 'edge', min_version: '1.2' },
        ip_restriction: { ip_policy_ids: ['ipp_2abcPartners'] },
      },
    ],
  ];
}

function audit(name) {
  const arn = `arn:aws:kinesis:eu-west-1:123456789012:stream/${name}`;
  const role = { role_arn: 'arn:aws:iam::123456789012:role/events' };
  return [
    [
      ['event_destinations', name],
      { description: `Audit trail of ${name}`, target: { kinesis: { stream_arn: arn, auth: { role } } } },
    ],
    [
      ['event_subscriptions', name],
      {
        sources: [{ type: 'ip_policy_created.v0' }, { type: 'ip_policy_updated.v0' }],
        destination_ids: ['${event_destinations.' + name + '.id}'],
      },
    ],
  ];
}

if (import.meta.filename === process.argv[1])
  for (const manifest of manifests(Number(process.argv[2] ?? 100))) console.log(toYaml(manifest));
