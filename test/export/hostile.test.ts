// Values that are hard to write down: each is exported, adopted and plans nothing afterwards, or is left alone by name.

import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { markerTraceIn } from '../../src/resource/marker/marker-codec.ts';
import type { Scenario } from './scenario.ts';
import { exported, loadExport, pending, startScenario, textOf, valuesFor } from './scenario.ts';

let scenario: Scenario | undefined;
afterEach(() => scenario?.close());

async function start(seed: JsonObject): Promise<Scenario> {
  scenario = await startScenario({ seed });
  return scenario;
}

/** Exports, plans, adopts and plans again; gives the exported text. */
async function roundTrip(seed: JsonObject, secrets: JsonObject = {}): Promise<string> {
  const running = await start(seed);
  const made = exported(await running.snapshot());
  const manifest = loadExport(made, valuesFor(made, secrets));
  const plan = await running.apply(manifest);
  const changes = plan.steps.flatMap((step) => step.changes.map((change) => `${step.address} ${change.path}`));
  expect({ actions: new Set(plan.steps.map((step) => step.action)), changes }).toEqual({
    actions: new Set(['adopt']),
    changes: [],
  });
  expect(pending(await running.plan(manifest))).toEqual([]);
  const own = exported(await running.snapshot(), { of: 'stack', stack: 'imported' });
  expect(pending(await running.plan(loadExport(own, valuesFor(own, secrets))))).toEqual([]);
  return textOf(made);
}

const TEXTS = [
  'yes',
  '1.2',
  'null',
  '&anchor',
  '# comment',
  'a: b',
  '- item',
  '${var.secret}',
  '$${literal',
  '${',
  'line one\nline two\n',
  '\n leading\n\n',
  'tab\tand \u200b\ufeff',
  'Ünïcödé 日本語 🦊',
  '{"json": ["[", "it\'s"], "quote": "\\""}',
  '{}',
  '"{[[[',
  '<<',
  'edgeform/v1 {"v":1}',
];

test('a module that is switched off and names nothing', async () => {
  await roundTrip({ tls_edges: [{ id: 'edgtls_1', backend: { enabled: false } }] });
});

test('as description and as metadata', async () => {
  // A marker that cannot be read stops everything, whoever wrote it.
  const metadataOf = (text: string) => (markerTraceIn(text) === undefined ? { metadata: text } : {});
  const keys = TEXTS.map((text, index) => ({ id: `ak_${index + 10}`, description: text, ...metadataOf(text) }));
  await roundTrip({ keys });
});

test('as names and values of headers', async () => {
  const add = Object.fromEntries(TEXTS.filter((text) => text !== '<<').map((text) => [text.toLowerCase(), text]));
  const route = { id: 'edghtsrt_1', match_type: 'exact_path', match: '/', request_headers: { add } };
  await roundTrip({ https_edges: [{ id: 'edghts_1', hostports: ['a.example.com:443'], routes: [route] }] });
});

test('metadata as long as a marker lets it be, as JSON and as text', async () => {
  const json = JSON.stringify({ note: 'x'.repeat(3860), '${': '"' });
  const keys = [
    { id: 'ak_1', metadata: json },
    { id: 'ak_2', metadata: '[{"\' '.repeat(640) },
  ];
  await roundTrip({ keys });
});

test('an object without room for a marker is left out, with what is inside it', async () => {
  const full = { metadata: 'é'.repeat(2048) };
  const route = { id: 'edghtsrt_1', match_type: 'exact_path', match: '/' };
  const text = await roundTrip({
    keys: [{ id: 'ak_1' }, { id: 'ak_2', ...full }],
    https_edges: [{ id: 'edghts_1', hostports: ['a.example.com:443'], routes: [route], ...full }],
  });
  expect(text).toContain(
    '# - ak_2 (API key): its metadata leaves no room for an ownership marker; shorten it by 102 bytes\n',
  );
  expect(text).toContain('# - edghtsrt_1 (HTTPS edge route): its parent edghts_1 is not in this export\n');
});

describe('what a manifest cannot say', () => {
  const onRoute = (more: JsonObject): JsonObject => ({
    https_edges: [{ id: 'edghts_1', routes: [{ id: 'edghtsrt_1', match_type: 'exact_path', match: '/', ...more }] }],
  });
  const edge = (id: string, more: JsonObject) => ({
    id,
    hostports: [`${id.replace('_', '-')}.example.com:443`],
    ...more,
  });

  test.each<[string, JsonObject, string]>([
    ...['\u0000', '\u0007', '\u007f', '\u009b', '\u202e', '\u2028'].flatMap(
      (character): [string, JsonObject, string][] => [
        [
          `${JSON.stringify(character)} in text`,
          { keys: [{ id: 'ak_1', description: `a${character}` }] },
          'description',
        ],
        [`${JSON.stringify(character)} in metadata`, { keys: [{ id: 'ak_1', metadata: `a${character}` }] }, 'metadata'],
      ],
    ),
    [
      'a line break in text of one line',
      onRoute({ saml: { idp_metadata: '<x>\n</x>', authorized_groups: ['a\nb'] } }),
      'saml',
    ],
    ['too long a text', { keys: [{ id: 'ak_1', description: 'x'.repeat(300) }] }, 'description'],
    [
      'text that is too long only with its escapes',
      { keys: [{ id: 'ak_1', metadata: '${'.repeat(1500) }] },
      'metadata',
    ],
    [
      'a name that YAML takes for something else',
      onRoute({ request_headers: { add: { '<<': 'x' } } }),
      'request_headers',
    ],
    ['a number out of range', onRoute({ circuit_breaker: { num_buckets: 129.5 } }), 'circuit_breaker'],
    [
      'an id of unknown form',
      { tls_edges: [edge('edgtls_1', { backend: { backend: { id: 'other_1' } } })] },
      'backend',
    ],
    ['a hostport of unknown form', { tls_edges: [{ id: 'edgtls_1', hostports: ['example.com'] }] }, 'hostports'],
    [
      'a module that breaks a rule',
      { tls_edges: [edge('edgtls_1', { tls_termination: { terminate_at: 'upstream', min_version: '1.2' } })] },
      'tls_termination',
    ],
  ])('%s is left alone', async (_, seed, field) => {
    // The emulator refuses any change of an object that breaks its rules already, so nothing is applied here.
    const running = await start(seed);
    const made = exported(await running.snapshot());
    const text = textOf(made);
    const steps = pending(await running.plan(loadExport(made)));
    expect(steps.map((step) => step.split(' ')).filter((words) => words[0] !== 'adopt' || words.length > 2)).toEqual(
      [],
    );
    expect(text).toMatch(new RegExp(`# ${field} (?:has|contradicts) .*; it is left alone\\.`));
    expect(text).toContain(`ignore_changes: [${field}]`);
  });

  test('a hostport that two edges have is written once', async () => {
    const edges = ['a.example.com:1', 'A.example.com:1'].map((port, index) => ({
      id: `edgtls_${index}`,
      hostports: [port],
    }));
    const running = await start({ tls_edges: edges });
    const made = exported(await running.snapshot());
    expect(loadExport(made).resources.map(({ spec }) => spec['hostports'])).toEqual([['a.example.com:1'], undefined]);
    expect(textOf(made)).toContain(
      '# hostports has a value that tls_edges.a-example-com-1 also has; it is left alone.\n',
    );
  });

  test('a required value leaves the object out', async () => {
    const text = await roundTrip({
      keys: [{ id: 'ak_1' }],
      event_destinations: [{ id: 'ed_1', target: { carrier_pigeon: {} } }],
    });
    expect(text).toContain('# - ed_1 (event destination): target has a value that a manifest cannot express\n');
  });
});

test('values that differ in case only stay two values where case counts', async () => {
  const routes = ['/api', '/API'].map((match, index) => ({ id: `edghtsrt_${index}`, match_type: 'exact_path', match }));
  const text = await roundTrip({ https_edges: [{ id: 'edghts_1', routes }] });
  expect(text).toContain('        match: /api\n');
  expect(text).toContain('        match: /API\n');
});

test('names that are equal after slugging stay apart, by id', async () => {
  const text = await roundTrip({
    keys: ['Ops & Co', 'ops-co', 'OPS  CO 2', '寸', '1st', '', 'x'.repeat(120)].map((description, index) => ({
      id: `ak_${index + 1}`,
      description,
    })),
  });
  const names = [...text.matchAll(/^ {2}([\w-]+):/gm)].map((found) => found[1]);
  expect(names).toEqual(['ops-co', 'ops-co-3', 'ops-co-2', 'ak_4', '_1st', 'ak_6', 'ak_7']);
});

test('backends in a cycle keep one literal id, others become references', async () => {
  const text = await roundTrip({
    backends: [
      { id: 'bkdfo_1', description: 'a', backends: ['bkdfo_2', 'bkdhr_1'] },
      { id: 'bkdfo_2', description: 'b', backends: ['bkdfo_1'] },
    ],
  });
  expect(text).toContain('    backends: ["${failover_backends.b.id}", bkdhr_1]\n');
  expect(text).toContain('    backends: [bkdfo_1]\n');
});

test('a secret that the service hides in its own way becomes a variable where it must exist', async () => {
  const running = await start({
    https_edges: [
      {
        id: 'edghts_1',
        routes: [
          {
            id: 'edghtsrt_1',
            match_type: 'exact_path',
            match: '/a',
            webhook_verification: { provider: 'github', secret: '' },
          },
          {
            id: 'edghtsrt_2',
            match_type: 'exact_path',
            match: '/b',
            webhook_verification: { provider: 'sns', secret: '' },
          },
          {
            id: 'edghtsrt_3',
            match_type: 'exact_path',
            match: '/c',
            oauth: { provider: { gitlab: { client_id: 'x', client_secret: '****' } } },
          },
          {
            id: 'edghtsrt_4',
            match_type: 'exact_path',
            match: '/d',
            oauth: { provider: { github: { client_id: 'x', client_secret: '' } } },
          },
        ],
      },
    ],
  });
  const made = exported(await running.snapshot());
  const text = textOf(made);
  expect([...text.matchAll(/"(\$\{var\..*?)"/g)].map((found) => found[1])).toEqual([
    '${var.a_secret}',
    '${var.c_client_secret}',
    '${var.d_client_secret}',
  ]);
  expect(text.match(/could not be read/g)).toHaveLength(3);
  const manifest = loadExport(made, valuesFor(made, { secret: 'given' }));
  expect(new Set((await running.apply(manifest)).steps.map((step) => step.action))).toEqual(new Set(['adopt']));
});
