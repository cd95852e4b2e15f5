// Modules and replacements: removed, switched off, carried over, chosen by the service, exclusive; made anew with their cost.

import { describe } from 'vitest';
import { story } from './story.ts';

const route = (modules: string) => `variables: { secret: { sensitive: true, default: abc-123456 } }
https_edges:
  shop:
    hostports: [shop.test:443]
    routes:
      api:
        match_type: path_prefix
        match: /api
${modules
  .trim()
  .split('\n')
  .map((line) => `        ${line}`)
  .join('\n')}`;

const OAUTH = 'oauth: { provider: { github: { client_id: abc, client_secret: "${var.secret}", scopes: [user] } } }';
const OIDC = 'oidc: { issuer: https://accounts.test, client_id: abc, client_secret: "${var.secret}" }';
const off = (module: string) => module.replace('{', '{ enabled: false,');
const BREAKER = 'circuit_breaker: { error_threshold_percentage: 0.2 }';

describe('modules', () => {
  story('modules: removed by their own operation', async ({ given, apply }) => {
    await given(route(`compression: {}\n${BREAKER}`));
    await apply('without the circuit breaker', route('compression: {}'));
  });

  story(
    'modules: switched off where the service cannot remove them',
    async ({ given, apply }) => {
      await given(route(`compression: {}\n${BREAKER}`));
      await apply('without the circuit breaker', route('compression: {}'));
      await apply('and with it again', route(`compression: {}\n${BREAKER}`));
    },
    { disabled: ['module-delete'] },
  );

  story('modules: OAuth gives way to OpenID Connect', async ({ given, apply }) => {
    await given(route(OAUTH));
    await apply('another sign-in', route(OIDC));
  });

  story(
    'modules: OAuth gives way to OpenID Connect where nothing can be removed',
    async ({ given, apply, plan }) => {
      await given(route(OAUTH));
      await plan('another sign-in', route(OIDC));
      await apply('the way out', route(`${off(OAUTH)}\n${OIDC}`));
      await apply('and back', route(`${OAUTH}\n${off(OIDC)}`));
    },
    { disabled: ['module-delete'] },
  );

  story('modules: what the service chose is chosen again', async ({ given, apply }) => {
    await given(route('circuit_breaker: { error_threshold_percentage: 0.2, num_buckets: 5 }'));
    await apply(
      'one value changed, one left to the service',
      route('circuit_breaker: { error_threshold_percentage: 0.3 }'),
    );
  });

  story('modules: an ignored value is carried over into the whole module', async ({ given, apply, outside }) => {
    const edge = (version: string) =>
      `tls_edges:
  db:
    hostports: [db.test:443]
    tls_termination: { terminate_at: edge, min_version: "1.2", enabled: ${version} }
    lifecycle: { ignore_changes: [tls_termination.min_version] }`;
    await given(edge('true'));
    outside('tls_edges', 'tls_edges.db', {
      tls_termination: { enabled: true, terminate_at: 'edge', min_version: '1.3' },
    });
    await apply('another value of the module changes', edge('false'));
  });

  story('modules: a failover backend is always sent its children', async ({ given, apply }) => {
    const backend = (text: string) =>
      `failover_backends: { app: { description: ${text}, backends: [bkdhr_1, bkdhr_2] } }`;
    await given(backend('one'));
    await apply('another description', backend('two'));
  });
});

describe('replacement', () => {
  story('replacement: an address in another region', async ({ given, plan, apply }) => {
    const stack = (region: string) => `reserved_addrs: { db: { region: ${region} } }
tls_edges: { db: { hostports: ["\${reserved_addrs.db.addr}"] } }
outputs: { address: "\${reserved_addrs.db.addr}" }`;
    await given(stack('eu'));
    await plan('without consent', stack('us'));
    await apply('with consent', stack('us'), { allowLoss: ['reserved_addrs.db'] });
  });

  story('replacement: a destination of another kind, re-pointed in between', async ({ given, apply }) => {
    const stack = (target: string) => `event_destinations: { audit: { target: { ${target} } } }
event_subscriptions:
  audit: { sources: [{ type: api_key_created.v0 }], destination_ids: ["\${event_destinations.audit.id}"] }`;
    await given(stack('kinesis: { stream_arn: "arn:1", auth: { role: { role_arn: "arn:2" } } }'));
    await apply(
      'to a log group',
      stack('cloudwatch_logs: { log_group_arn: "arn:3", auth: { role: { role_arn: "arn:2" } } }'),
    );
  });

  story('replacement: a key that stays is deleted first', async ({ given, apply }) => {
    const key = (owner: string) => `ssh_credentials: { ci: { public_key: ssh-ed25519 AAAA, owner_id: ${owner} } }`;
    await given(key('usr_one'));
    await apply('another owner', key('usr_two'));
  });

  story('replacement: refused for one resource', async ({ given, plan }) => {
    const key = (owner: string) =>
      `ssh_credentials: { ci: { public_key: ssh-ed25519 AAAA, owner_id: ${owner}, lifecycle: { on_immutable_change: refuse } } }`;
    await given(key('usr_one'));
    await plan('another owner', key('usr_two'));
  });

  story('replacement: ended between its halves, and finished', async ({ given, plan, apply, post, id, world }) => {
    const domain = (name: string) => `agent_ingresses: { a: { domain: ${name} } }`;
    await given(domain('one.test'));
    const marker = {
      v: 1,
      stack: 'shop',
      address: 'agent_ingresses.a',
      applied: {},
      replaces: id('ingresses', 'agent_ingresses.a'),
    };
    await post('/agent_ingresses', { domain: 'two.test', metadata: JSON.stringify({ edgeform: marker }) });
    world.writes();
    await plan('a marker alone proves nothing', domain('two.test'));
    await apply('the rest of it', domain('two.test'), { allowLoss: ['agent_ingresses.a'] });
  });
});

describe('API keys', () => {
  story('API keys: a token that may not be stored is made anew with consent', async ({ given, plan, apply, post }) => {
    const marker = { v: 1, stack: 'shop', address: 'api_keys.ci', applied: { token: 'pending' } };
    await given('reserved_addrs: { keep: {} }');
    await post('/api_keys', { metadata: JSON.stringify({ edgeform: marker }) });
    const both = 'api_keys: { ci: {} }\nreserved_addrs: { keep: {} }';
    await plan('a marker alone proves nothing', both);
    await apply('rotated with consent', both, { allowLoss: ['api_keys.ci'] });
  });
});
