// What people type by mistake, and what they are told: each fix is right when it is followed literally.

import { describe, expect, test } from 'vitest';
import { loadManifest } from '../../src/manifest/load.ts';

const told = (text: string, name = 'edgeform.yaml', mayLackValues = true) =>
  loadManifest({
    files: [{ name, text }],
    variables: new Map(),
    env: {},
    readFile: () => ({ diagnostics: [] }),
    mayLackValues,
  }).diagnostics.map(({ severity, message, fix }) => `${severity}: ${message} | ${fix ?? ''}`);

const route = (fields: string) => `https_edges:
  shop:
    hostports: [shop.example.com:443]
    routes:
      api: { match_type: path_prefix, match: /, ${fields} }`;

const BACKENDS = `failover_backends:
  app: { backends: [bkdhr_1] }
  api: { backends: [bkdhr_2] }`;

const DESTINATION = `event_destinations:
  audit: { target: { kinesis: { stream_arn: "arn:a", auth: { role: { role_arn: "arn:b" } } } } }
  logs: { target: { kinesis: { stream_arn: "arn:c", auth: { role: { role_arn: "arn:b" } } } } }`;

const subscription = (ids: string) =>
  `${DESTINATION}\nevent_subscriptions: { s: { sources: [{ type: ip_policy_created.v0 }], destination_ids: [${ids}] } }`;

describe.each<readonly [mistake: string, text: string, problems: readonly string[]]>([
  [
    'a name with two that are as near',
    `${BACKENDS}\ntls_edges: { x: { backend: { backend_id: "\${failover_backends.ap.id}" } } }`,
    [
      'error: no resource has the address failover_backends.ap | did you mean "failover_backends.api" or "failover_backends.app"?',
    ],
  ],
  [
    'a hostport without a port',
    'tls_edges: { x: { hostports: [a.example.com] } }',
    ['error: hostports[0] does not have the right form | write "a.example.com:443"'],
  ],
  [
    'a module that is nothing',
    route('compression:'),
    ['error: compression must be an object | write `compression: {}`'],
  ],
  [
    'a module that is true',
    route('compression: true'),
    ['error: compression must be an object | write `compression: {}`'],
  ],
  [
    'a module with required fields that is true',
    route('webhook_verification: true'),
    ['error: webhook_verification must be an object | write it as a block with provider'],
  ],
  [
    'a variable that is secret',
    'variables: { k: { secret: true } }',
    ['error: unknown field "secret" in variables.k | write sensitive: true'],
  ],
  [
    'a field of a module beside it',
    route('error_threshold_percentage: 0.5'),
    ['error: unknown field "error_threshold_percentage" in https_edges.shop.routes.api | move it into circuit_breaker'],
  ],
  [
    'a field of the edge in a route',
    route('mutual_tls: {}'),
    ['error: unknown field "mutual_tls" in https_edges.shop.routes.api | move it to https_edges.shop'],
  ],
  [
    'a field of a route in the edge',
    'https_edges: { shop: { compression: {} } }',
    ['error: unknown field "compression" in https_edges.shop | move it into an entry of routes'],
  ],
  [
    'a section in a block',
    'reserved_addrs: { db: { outputs: {} } }',
    ['error: unknown field "outputs" in reserved_addrs.db | move it to the top level of the file'],
  ],
  [
    'the name of a resource for its id',
    subscription('audit'),
    ['error: "audit" is not an id that this field takes | did you mean "${event_destinations.audit.id}"?'],
  ],
  [
    'an id of another kind',
    subscription('ra_1'),
    [
      'error: "ra_1" is not an id that this field takes | give the literal id, or refer to "${event_destinations.audit.id}" or "${event_destinations.logs.id}"',
    ],
  ],
  [
    'a reference to another kind',
    `reserved_addrs: { db: {} }\n${subscription('"${reserved_addrs.db.id}"')}`,
    [
      'error: destination_ids does not take reserved_addrs.db.id | refer to "${event_destinations.audit.id}" or "${event_destinations.logs.id}"',
    ],
  ],
  [
    'an id of another kind, where the prefix is assumed',
    route('ip_restriction: { enforcement: allow, ip_policy_ids: [ca_1] }').replace('enforcement: allow, ', ''),
    ['warning: ids that begin with ca_ are of another kind | check that the id belongs here'],
  ],
  [
    'a selector without a slash',
    route('').replace('match: /,', 'match: api'),
    ['warning: "api" is read as a host | for a path, write "/api"'],
  ],
  [
    'an issuer without a scheme',
    `variables: { s: { sensitive: true } }\n${route('oidc: { issuer: accounts.example.com, client_id: a, client_secret: "${var.s}" }')}`,
    ['warning: "accounts.example.com" is not a URL: it has no scheme | write "https://accounts.example.com"'],
  ],
  [
    'a list that is one text with commas',
    'tls_edges: { a: { hostports: "a.example.com:443, b.example.com:443" } }',
    ['error: hostports must be a list | write `hostports: ["a.example.com:443", "b.example.com:443"]`'],
  ],
  [
    'a list without its brackets, which is a field and a key',
    'failover_backends: { app: { backends: bkdhr_1, bkdhr_2 } }',
    [
      'error: backends must be a list | write `backends: ["bkdhr_1", "bkdhr_2"]`',
      'error: unknown field "bkdhr_2" in failover_backends.app | write `backends: ["bkdhr_1", "bkdhr_2"]`',
    ],
  ],
  [
    'a list without its brackets, whose entries look like comments elsewhere',
    route('request_headers: { remove: x-a, x-b }'),
    [
      'error: remove must be a list | write `remove: ["x-a", "x-b"]`',
      'error: unknown field "x-b" in https_edges.shop.routes.api.request_headers | write `remove: ["x-a", "x-b"]`',
    ],
  ],
  [
    'a key without a value behind a list, which is a mistyped field',
    'tls_edges: { a: { hostports: "a.example.com:443", backnd: } }',
    [
      'error: hostports must be a list | write `hostports: ["a.example.com:443"]`',
      'error: unknown field "backnd" in tls_edges.a | did you mean "backend"?',
    ],
  ],
  [
    'no list, which would restrict nothing',
    route('ip_restriction: { ip_policy_ids: "" }'),
    ['error: ip_policy_ids must be a list | write `ip_policy_ids: [VALUE]`, or remove it'],
  ],
  [
    'brackets in quotes',
    'tls_edges: { a: { hostports: "[a.example.com:443, b.example.com:443]" } }',
    ['error: hostports must be a list | write `hostports: ["a.example.com:443", "b.example.com:443"]`'],
  ],
  [
    'a header beside the map of headers',
    route('response_headers: { strict-transport-security: max-age=1 }'),
    [
      'error: unknown field "strict-transport-security" in https_edges.shop.routes.api.response_headers | move it into add',
    ],
  ],
  [
    'a header whose name looks like a comment elsewhere',
    route('request_headers: { x-real-ip: a }'),
    ['error: unknown field "x-real-ip" in https_edges.shop.routes.api.request_headers | move it into add'],
  ],
  [
    'a second name for a field that is there',
    'tls_edges: { a: { hostports: ["a.example.com:443"], hostport: ["b.example.com:443"] } }',
    [
      'error: unknown field "hostport" in tls_edges.a | did you mean "hostports"? if this very block has both, join them',
    ],
  ],
  [
    'a variable whose default is a block',
    'variables: { tags: { default: { a: b } } }',
    [
      'error: default must be a string or a number or true or false or a list | write `default: [VALUE]`, with what stands here between the brackets',
    ],
  ],
  [
    'a block of secrets that is one text',
    'event_destinations: { a: { target: { kinesis: { stream_arn: "arn:a", auth: { creds: hunter2 } } } } }',
    ['error: creds must be an object | write it as a block with aws_access_key_id, aws_secret_access_key'],
  ],
  [
    'a variable that is its value',
    'variables: { k: hunter2 }',
    ['error: k must be an object | write `k: { default: VALUE }`'],
  ],
  [
    'a line deeper than the one above it, behind a comment',
    'reserved_addrs:\n  db:\n    region: eu\n\n    # TEXT\n      description: x',
    [
      'error: line 8 is indented deeper than line 5, which has a value already | begin line 8 in column 5, where the key of line 5 begins',
    ],
  ],
  [
    'a second line of an entry deeper than the first',
    'moved:\n  - from: tls_edges.a\n      to: tls_edges.b',
    [
      'error: line 5 is indented deeper than line 4, which has a value already | begin line 5 in column 5, where the key of line 4 begins',
    ],
  ],
  [
    'a second colon, which is no matter of depth',
    'reserved_addrs:\n  db:\n    description: a: b',
    [
      'error: the line contains a second ": ", which begins another key | put the whole value in quotes if it is text, or put the second key on its own line',
    ],
  ],
])('%s', (_, text, problems) => {
  test('is told so', () => {
    expect(told(`version: 1\nstack: shop\n${text}\n`)).toEqual(problems);
  });
});

const HERE = 'name the manifest with -f PATH, or write a first one with `edgeform init`';

test.each([
  ['a Kubernetes object', 'apiVersion: v1\nkind: Service\nmetadata: { name: x }\n', HERE],
  ['a file of decK', '_format_version: "3.0"\nservices: [{ name: x }]\n', HERE],
  ['a Compose file', 'services: { web: { image: nginx } }\nvolumes: {}\n', HERE],
  [
    'a state of Terraform',
    '{"version": 4, "terraform_version": "1.9.0", "resources": []}',
    'convert it with `edgeform import terraform FILE`',
  ],
  ['a fleet file', 'version: 1\nstacks: [{ name: a, path: a }]\n', 'use the commands of a fleet, such as `fleet plan`'],
])('%s says so, and nothing else', (name, text, fix) => {
  expect(told(text)).toEqual([`error: this is ${name}, not a manifest | ${fix}`]);
});

test('a comment in JSON is told that JSON has none', () => {
  const text = '{ "version": 1, "stack": "a",\n  // the database\n  "reserved_addrs": {} }';
  expect(told(text, 'a.json').join('\n')).toContain(
    'remove the comment: JSON has none, and those of YAML begin with #',
  );
});

test.each([
  ['my-key: {}', 'give it with --var my-key=VALUE'],
  ['my-key: { sensitive: true }', 'give it with --var-file FILE'],
  ['key: {}', 'set EDGEFORM_VAR_key, or give it with --var key=VALUE'],
])('a variable is given as a shell can: %s', (declaration, fix) => {
  const name = declaration.slice(0, declaration.indexOf(':'));
  const text = `variables: { ${declaration} }\nreserved_addrs: { a: { description: "\${var.${name}}" } }`;
  expect(told(`version: 1\nstack: shop\n${text}\n`, 'edgeform.yaml', false)).toEqual([
    `error: variable ${name} has no value | ${fix}`,
  ]);
});
