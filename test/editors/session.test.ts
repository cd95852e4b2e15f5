// What somebody sees who writes a manifest in an editor, with the real language server: one text file to read.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Completion, LanguageServer } from './language-server.ts';
import { startLanguageServer } from './language-server.ts';

const SCHEMA = pathToFileURL(join(import.meta.dirname, '../../schemas/manifest.schema.json')).href;
const OVERLAY = pathToFileURL(join(import.meta.dirname, '../../schemas/overlay.schema.json')).href;
const HEAD = 'version: 1\nstack: shop\n';
const PRESETS =
  'presets:\n  signin: { match_type: path_prefix, oauth: { provider: { github: { client_id: a } } } }\n  guarded: { lifecycle: { prevent_destroy: true } }\n';

/** The cursor is at `¦`; without one, only what is wrong is asked for. */
interface Moment {
  readonly name: string;
  readonly asks?: 'hover' | 'complete';
  readonly text: string;
}

const MOMENTS: readonly Moment[] = [
  { name: 'the keys of a manifest', asks: 'complete', text: `${HEAD}¦\n` },
  { name: 'a first block', asks: 'complete', text: `${HEAD}tls_edges:\n  ¦\n` },
  { name: 'a block that has a choice', asks: 'complete', text: `${HEAD}event_destinations:\n  ¦\n` },
  { name: 'fields of a block', asks: 'complete', text: `${HEAD}tls_edges:\n  db:\n    ¦\n` },
  {
    name: 'fields of a module, half a word',
    asks: 'complete',
    text: `${HEAD}tls_edges:\n  db:\n    tls_termination:\n      te¦\n`,
  },
  {
    name: 'values of a closed set',
    asks: 'complete',
    text: `${HEAD}tls_edges:\n  db:\n    tls_termination:\n      terminate_at: ¦\n`,
  },
  {
    name: 'text that looks like a number',
    asks: 'complete',
    text: `${HEAD}tls_edges:\n  db:\n    tls_termination:\n      min_version: ¦\n`,
  },
  { name: 'a switch', asks: 'complete', text: `${HEAD}tls_edges:\n  db:\n    mutual_tls:\n      enabled: ¦\n` },
  { name: 'a reference', asks: 'complete', text: `${HEAD}tls_edges:\n  db:\n    backend:\n      backend_id: ¦\n` },
  {
    name: 'a reference in a list',
    asks: 'complete',
    text: `${HEAD}event_subscriptions:\n  all:\n    destination_ids:\n      - ¦\n`,
  },
  {
    name: 'a module of a route, which lies in an edge',
    asks: 'complete',
    text: `${HEAD}https_edges:\n  site:\n    routes:\n      admin:\n        match_type: path_prefix\n        match: /\n        oauth:\n          provider:\n            ¦\n`,
  },
  {
    name: 'one of several targets',
    asks: 'complete',
    text: `${HEAD}event_destinations:\n  audit:\n    target:\n      ¦\n`,
  },
  {
    name: 'values of an open set',
    asks: 'complete',
    text: `${HEAD}event_subscriptions:\n  all:\n    sources:\n      - type: ¦\n`,
  },
  { name: 'an output', asks: 'complete', text: `${HEAD}outputs:\n  address: ¦\n` },
  { name: 'lifecycle', asks: 'complete', text: `${HEAD}tls_edges:\n  db:\n    lifecycle:\n      ¦\n` },
  { name: 'a kind', asks: 'hover', text: `${HEAD}tls_¦edges:\n  db: { hostports: [] }\n` },
  { name: 'a name', asks: 'hover', text: `${HEAD}tls_edges:\n  d¦b: { hostports: [] }\n` },
  { name: 'a list', asks: 'hover', text: `${HEAD}tls_edges:\n  db: { host¦ports: [db.example.com:443] }\n` },
  {
    name: 'a closed set',
    asks: 'hover',
    text: `${HEAD}tls_edges:\n  db:\n    tls_termination: { termin¦ate_at: edge }\n`,
  },
  {
    name: 'an open set',
    asks: 'hover',
    text: `${HEAD}event_subscriptions:\n  all:\n    sources:\n      - ty¦pe: ip_policy_created.v0\n`,
  },
  {
    name: 'a secret',
    asks: 'hover',
    text: `${HEAD}event_destinations:\n  d:\n    target: { datadog: { api_¦key: "\${var.key}" } }\n`,
  },
  { name: 'a key of the manifest itself', asks: 'hover', text: `version: 1\nst¦ack: shop\n` },
  { name: 'unknown fields', text: `${HEAD}tls_edgs: {}\ntls_edges:\n  db: { hostport: [db.example.com:443] }\n` },
  {
    name: 'wrong types',
    text: `${HEAD}tls_edges:\n  db:\n    hostports: db.example.com:443\n    description: 7\n    mutual_tls: true\n    tls_termination: { enabled: "yes", min_version: 1.2 }\nhttps_edges: [site]\n`,
  },
  {
    name: 'missing fields',
    text: `${HEAD}https_edges:\n  site:\n    routes:\n      admin: {}\ntls_edges:\n  db:\n    backend: {}\n`,
  },
  {
    name: 'wrong values',
    text: `version: 2\nstack: My Shop\ntls_edges:\n  db:\n    hostports: [db.example.com]\n    tls_termination: { terminate_at: edgy }\n    lifecycle: { id: ra_2abc }\n  "2 db": {}\nevent_subscriptions:\n  all: { sources: [{ type: ip_policy_created }] }\n`,
  },
  {
    name: 'numbers outside their range',
    text: `${HEAD}https_edges:\n  site:\n    routes:\n      a:\n        match_type: path_prefix\n        match: /\n        circuit_breaker: { error_threshold_percentage: 1.5, num_buckets: many }\n`,
  },
  { name: 'two choices', text: `${HEAD}event_destinations:\n  d:\n    target: { datadog: {}, s3: {} }\n` },
  { name: 'a preset', asks: 'complete', text: `${HEAD}presets:\n  ¦\n` },
  { name: 'fields of a preset, half a word', asks: 'complete', text: `${HEAD}presets:\n  signin:\n    oa¦\n` },
  {
    name: 'fields inside a preset',
    asks: 'complete',
    text: `${HEAD}presets:\n  signin:\n    oauth:\n      provider:\n        ¦\n`,
  },
  {
    name: 'fields of a block with a preset, half a word',
    asks: 'complete',
    text: `${HEAD}${PRESETS}https_edges:\n  site:\n    routes:\n      api:\n        preset: signin\n        oa¦\n`,
  },
  { name: 'a use', asks: 'hover', text: `${HEAD}${PRESETS}tls_edges:\n  db:\n    pre¦set: guarded\n` },
  { name: 'a preset', asks: 'hover', text: `${HEAD}presets:\n  signin: { oau¦th: {} }\n` },
  {
    name: 'nothing is missing in a block with a preset',
    text: `${HEAD}${PRESETS}https_edges:\n  site:\n    preset: [guarded]\n    routes:\n      api: { preset: signin, without: [oauth.provider.github.teams], match: /api }\n      admin: { oauth: { provider: {} }, preset: signin, backend: {} }\n`,
  },
  {
    name: 'mistakes inside presets and at their use',
    text: `${HEAD}presets:\n  signin: { oauth: { provder: {}, maximum_duration: long } }\n  edge: { preset: signin, hostports: 7 }\nhttps_edges:\n  site:\n    preset: { a: 1 }\n    without: mutual_tls\n    routes:\n      api: { preset: signin, match_typ: exact_path }\n      admin: { match: / }\n`,
  },
];

const OVERLAY_MOMENTS: readonly Moment[] = [
  { name: 'the keys of an overlay', asks: 'complete', text: `w¦\n` },
  {
    name: 'an overlay says what differs',
    text: `without: [tls_edges.old]\nvariables: { env: { default: prod } }\npresets: { guarded: {} }\nhttps_edges:\n  site:\n    routes:\n      api: { backend: {}, without: [oauth] }\nadd:\n  outputs: { a: b }\n  https_edges: { site: { routes: { new: { match: / } } } }\n`,
  },
  {
    name: 'mistakes in an overlay',
    text: `with: []\ntls_edges:\n  db: { hostport: [], backend: { backend_id: 7 } }\nadd: { tls_edge: {}, without: [a] }\n`,
  },
];

let server: LanguageServer;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'editor-'));
  server = await startLanguageServer(
    folder,
    { schemas: { [SCHEMA]: ['*.yaml'], [OVERLAY]: ['*.yml'] } },
    'edgeform.yaml',
  );
});

afterAll(() => server.end());

test('what somebody sees who writes a manifest', async () => {
  const parts: string[] = [];
  for (const [index, moment] of MOMENTS.entries()) parts.push(await seen(moment, `${index}.yaml`));
  for (const [index, moment] of OVERLAY_MOMENTS.entries()) parts.push(await seen(moment, `${index}.yml`));
  await expect(`${parts.join('\n\n')}\n`).toMatchFileSnapshot('golden/session.txt');
});

async function seen({ name, asks, text }: Moment, path: string): Promise<string> {
  const lines = text.slice(0, text.indexOf('¦')).split('\n');
  const at = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  const flaws = await server.check(path, text.replace('¦', ''));
  const answer =
    asks === 'hover'
      ? (await server.hover(path, at)).replace(/\n*Source: \[.*$/, '').split('\n')
      : asks === 'complete'
        ? (await server.complete(path, at)).map(offer)
        : flaws.map(({ range, message }) => `line ${range.start.line + 1}: ${message}`).sort();
  return [`═══ ${asks ?? 'wrong'}: ${name}`, text.trimEnd(), '───', ...answer].join('\n');
}

/** What is offered, what it writes, and the first line of what it is. */
function offer({ label, insertText = '', documentation }: Completion): string {
  const doc = typeof documentation === 'string' ? documentation : (documentation?.value ?? '');
  const written = insertText.replaceAll('\n', '⏎');
  return [
    label,
    ...(written === label ? [] : [`  writes ${written}`]),
    ...(doc ? [`  ${doc.split('\n')[0]}`] : []),
  ].join('\n');
}
