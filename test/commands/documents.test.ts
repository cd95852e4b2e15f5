// Every JSON document that a command prints, in good and in bad cases, follows its published schema, and every field of
// it is described there.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ValidateFunction } from 'ajv';
import { Ajv } from 'ajv';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isList, isObject } from '../../src/core/json.ts';
import type { Emulator, EmulatorOptions } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { folder } from '../support/cli.ts';
import type { Person } from '../support/host.ts';
import { run as runHere } from '../support/host.ts';

const SCHEMAS = fileURLToPath(new URL('../../schemas/', import.meta.url));
const NAMES = [
  'plan',
  'diagnostics',
  'report',
  'drift',
  'accept',
  'error',
  'export',
  'import',
  'render',
  'output',
  'history',
  'stacks',
  'sessions',
  'revoke',
  'init',
];
const formatOf = (name: string) => `edgeform-${name}/1`;

function published(name: string): JsonObject {
  return JSON.parse(readFileSync(join(SCHEMAS, `${name}.schema.json`), 'utf8')) as JsonObject;
}

/** Documents whose values have names that nobody can know. */
const OPEN = ['output', 'sessions'];

/** The schema without room for fields that it does not describe. */
function closed(schema: Json): Json {
  if (isList(schema)) return schema.map(closed);
  if (!isObject(schema)) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return isObject(schema['properties']) && schema['additionalProperties'] === undefined
    ? { ...inner, additionalProperties: false }
    : inner;
}

const seen = new Set<string>();
/** Compiled once for each document. */
const checksOf = new Map<string, readonly ValidateFunction[]>();

function expectDocument(stdout: string, name: string): JsonObject {
  const document: unknown = JSON.parse(stdout);
  const schema = published(name);
  let checks = checksOf.get(name);
  if (checks === undefined) {
    const schemas = OPEN.includes(name) ? [schema] : [schema, closed(schema)];
    checks = schemas.map((one) => new Ajv({ strict: false, allErrors: true }).compile(one as object));
    checksOf.set(name, checks);
  }
  for (const isValid of checks)
    expect(isValid(document), `${name}: ${new Ajv().errorsText(isValid.errors)}\n${stdout}`).toBe(true);
  seen.add(name);
  expect(document).toMatchObject({ format: formatOf(name) });
  return document as JsonObject;
}

const manifest = (description: string) => `version: 1
stack: shop
variables: { secret: { default: hush, sensitive: true } }
reserved_addrs:
  db: { description: ${description} }
tls_edges:
  a: { description: ${description}, hostports: ["\${reserved_addrs.db.addr}"] }
https_edges:
  site:
    routes:
      r: { match_type: exact_path, match: /, webhook_verification: { provider: github, secret: "\${var.secret}" } }
outputs: { address: "\${reserved_addrs.db.addr}", two: "\${tls_edges.a.id} \${reserved_addrs.db.addr}" }
`;
const SESSIONS = ['as_one', 'as_two'].map((id) => ({ id, public_url: 'https://x.example.com' }));

let emulator: Emulator;
let cwd: string;
let env: Record<string, string>;

async function start(options: EmulatorOptions = {}): Promise<void> {
  emulator = await startEmulator({ seed: { application_sessions: SESSIONS }, ...options });
  env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
}
beforeEach(async () => {
  await start();
  cwd = folder({ 'edgeform.yaml': manifest('first') });
});
afterEach(() => emulator.close());

const write = (name: string, text: string) => {
  writeFileSync(join(cwd, name), text);
};
const run = (line: string, person: Partial<Person> = {}) =>
  runHere([...line.split(' '), '--format', 'json'], { cwd, env, ...person });

/** Runs a line and gives the document that it printed, after a look at its schema and the exit code. */
async function document(line: string, name: string, code: number, person?: Partial<Person>): Promise<JsonObject> {
  const ran = await run(line, person);
  expect(ran.code, `${line}\n${ran.stdout}${ran.stderr}`).toBe(code);
  const made = expectDocument(ran.stdout, name);
  if ('exit_code' in made) expect(made['exit_code']).toBe(code);
  return made;
}

test('there is one schema for each document, and `schema` prints it', async () => {
  const kinds = /^(?:manifest|overlay|fleet|fleet-report|policies|[a-z]+(?:_[a-z]+)+)\.schema\.json$/;
  const names = readdirSync(SCHEMAS).filter((name) => !kinds.test(name));
  expect(names.sort()).toEqual(NAMES.map((name) => `${name}.schema.json`).sort());
  for (const name of NAMES) {
    const { code, stdout } = await runHere(['schema', name], { cwd, env: {} });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(published(name));
    expect(published(name)).toMatchObject({
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: `https://edgeform.dev/schemas/${name}.schema.json`,
      properties: { format: { const: formatOf(name) } },
    });
  }
});

test('a name that is nearly that of a document is corrected, and explain knows kinds only', async () => {
  const near = await runHere(['schema', 'reprot'], { cwd, env: {} });
  expect(near).toMatchObject({ code: 64, stderr: expect.stringContaining('did you mean "report"?') });
  const far = await runHere(['schema', 'xyzzyxyzzy'], { cwd, env: {} });
  expect(far.stderr).toMatch(
    /kinds: [^;]*tls_edges[^;]*; documents:\s+manifest, overlay, fleet, policies, plan, [^;]*init/,
  );
  const other = await runHere(['explain', 'report'], { cwd, env: {} });
  expect(other).toMatchObject({ code: 64, stderr: expect.not.stringContaining('documents') });
});

describe('documents of commands', () => {
  test('render', async () => {
    write('edgeform.yaml', 'version: 1\nstack: shop\n');
    const made = await document('render', 'render', 0);
    expect(made).toMatchObject({ stack: 'shop', diagnostics: [], manifest: { version: 1, stack: 'shop' } });
  });

  test('validate', async () => {
    expect(await document('validate', 'diagnostics', 0)).toMatchObject({ ok: true, diagnostics: [] });
    write('edgeform.yaml', 'version: 1\nstack: shop\ntls_edges: { a: { hostport: [], description: 1.5 } }');
    const bad = await document('validate', 'diagnostics', 4);
    expect(bad).toMatchObject({ ok: false, diagnostics: [{ line: 3 }, { line: 3 }] });
    write('edgeform.yaml', '[[[');
    await document('validate', 'diagnostics', 4);
    await document('validate -f nowhere.yaml', 'diagnostics', 4);
  });

  test('plan and show', async () => {
    await document('plan --detailed-exitcode --out p.json', 'plan', 2);
    await document('show p.json', 'plan', 0);
    await document('apply --auto-approve', 'report', 0);
    write('edgeform.yaml', 'version: 1\nstack: shop\n');
    expect(await document('plan --out p.json', 'plan', 5)).toMatchObject({
      refusals: expect.arrayContaining([expect.objectContaining({ rule: 'unrelated-manifest' })]),
    });
    await document('show p.json', 'plan', 5);
    write('p.json', '{}');
    await document('show p.json', 'error', 4);
  });

  test('apply and destroy: done, nothing to do, refused, without consent', async () => {
    expect(await document('apply', 'report', 0, { answer: 'yes' })).toMatchObject({ result: 'done', converged: true });
    await document('apply --auto-approve', 'report', 0);
    write('edgeform.yaml', 'version: 1\nstack: shop\n');
    const steps = expect.arrayContaining([expect.objectContaining({ status: 'not_attempted' })]) as unknown;
    expect(await document('apply --auto-approve', 'report', 5)).toMatchObject({ result: 'refused', steps });
    expect(await document('destroy --auto-approve', 'report', 0)).toMatchObject({ result: 'done' });
    write('edgeform.yaml', manifest('second'));
    await document('apply', 'error', 5);
  });

  test.each([
    ['partial', 3, { match: { method: 'POST', nth: 2 }, action: 'status', status: 400 }],
    ['error', 1, { match: { method: 'POST' }, action: 'status', status: 400 }],
  ] as const)('apply that ends as %s', async (result, code, fault) => {
    await emulator.close();
    await start({ faults: [fault] });
    const made = await document('apply --auto-approve', 'report', code);
    expect(made).toMatchObject({ result, converged: false });
  });

  test('drift: none, pending, changed, missing, unmanaged', async () => {
    await document('apply --auto-approve', 'report', 0);
    expect(await document('drift', 'drift', 0)).toMatchObject({ drifted: false, coverage: 1 });
    const [edge] = emulator.objects('tls_edges');
    emulator.mutate('tls_edges', String(edge?.['id']), {
      description: 'changed',
      metadata: String(edge?.['metadata']),
    });
    write('edgeform.yaml', manifest('second'));
    const found = await document('drift', 'drift', 2);
    expect(found).toMatchObject({ drifted: true, findings: [{ type: 'changed' }], pending: expect.anything() });
    for (const one of emulator.objects('reserved_addrs'))
      emulator.mutate('reserved_addrs', String(one['id']), { metadata: '' });
    expect(await document('drift', 'drift', 2)).toMatchObject({ coverage: expect.any(Number) });
  });

  test('accepted drift', async () => {
    await document('apply --auto-approve', 'report', 0);
    for (const one of emulator.objects('reserved_addrs'))
      emulator.mutate('reserved_addrs', String(one['id']), { description: 'outside' });
    expect(await document('drift --accept all', 'accept', 0)).toMatchObject({
      written: false,
      accepted: [{ path: 'description', change: 'set' }],
      left_out: [],
      files: [{ patch: expect.stringContaining('outside') }],
    });
    for (const one of emulator.objects('reserved_addrs'))
      emulator.mutate('reserved_addrs', String(one['id']), { metadata: '' });
    expect(await document('drift --accept all', 'accept', 2)).toMatchObject({ left_out: [{ reason: 'marker' }] });
    await document('drift --accept nothing', 'error', 64);
  });

  test('export', async () => {
    await document('apply --auto-approve', 'report', 0);
    expect(await document('export --stack shop', 'export', 0)).toMatchObject({ resources: 4, variables: 1 });
    await document('export --all --stack shop', 'export', 0);
    const [edge] = emulator.objects('tls_edges');
    emulator.mutate('tls_edges', String(edge?.['id']), { metadata: 'x'.repeat(4096) });
    const made = await document('export --unmanaged', 'export', 0);
    expect(made).toMatchObject({
      left_out: [{ kind: 'tls_edge' }],
      diagnostics: [{ code: 'not-exported', line: null }],
    });
    await document('export --stack nobody', 'error', 4);
    await document('export', 'error', 64);
  });

  test('import terraform', async () => {
    write('state.json', readFileSync(new URL('../fixtures/terraform/state.json', import.meta.url), 'utf8'));
    const made = await document('import terraform state.json', 'import', 0);
    expect(made).toMatchObject({ resources: { length: 9 }, variables: { length: 2 }, files: { length: 1 } });
    await document('import terraform edgeform.yaml', 'error', 4);
  });

  test('output', async () => {
    expect(await document('output', 'output', 0)).toMatchObject({ address: null, two: null });
    await document('apply --auto-approve', 'report', 0);
    expect(await document('output', 'output', 0)).toMatchObject({ address: expect.any(String) });
    await document('output address', 'output', 0);
    await document('output reserved_addrs.db', 'output', 0);
    await document('output nothing', 'error', 64);
    await document('eval reserved_addrs.db.addr', 'output', 0);
  });

  test('history and stacks', async () => {
    expect(await document('history', 'history', 0)).toMatchObject({ address: null, runs: [], objects: [] });
    expect(await document('stacks', 'stacks', 0)).toMatchObject({ stacks: [] });
    await document('apply --auto-approve', 'report', 0);
    expect(await document('history', 'history', 0)).toMatchObject({ runs: { length: 1 } });
    expect(await document('stacks', 'stacks', 0)).toMatchObject({ stacks: [{ last_run: { exit_code: 0 } }] });
    expect(await document('stacks --orphans', 'stacks', 0)).toMatchObject({ stacks: [] });
    await document('history nothing', 'error', 64);
  });

  test('sessions', async () => {
    expect(await document('sessions list', 'sessions', 0)).toMatchObject({ sessions: [{ edge: null }, {}] });
    await document('sessions revoke as_one as_gone --auto-approve', 'error', 64);
    await document('sessions revoke as_one --auto-approve', 'revoke', 0);
    await document('sessions revoke as_two', 'error', 5);
    await emulator.close();
    await start({ faults: [{ match: { method: 'DELETE' }, action: 'status', status: 403 }] });
    await document('sessions revoke as_one --auto-approve', 'revoke', 1);
    expect(await document('sessions list', 'sessions', 0)).toMatchObject({ format: formatOf('sessions') });
  });

  test('init', async () => {
    await document('init new --ci github', 'init', 0);
    await document('init new', 'error', 4);
  });
});

const COMMANDS = [
  'validate',
  'plan',
  'apply',
  'drift',
  'destroy',
  'show p.json',
  'export --all',
  'output',
  'history',
  'stacks',
  'sessions list',
  'sessions revoke as_one',
  'init',
];

describe('failures before any document', () => {
  test.each(COMMANDS)('%s: wrong usage', async (line) => {
    await document(`${line} --nope`, 'error', 64);
  });

  test.each(COMMANDS.filter((line) => !/^(?:validate|show|init)/.test(line)))('%s: no settings', async (line) => {
    await document(line, 'error', 4, { env: {} });
  });

  test.each(COMMANDS.filter((line) => !/^(?:validate|show|init)/.test(line)))('%s: broken service', async (line) => {
    await emulator.close();
    await start({ faults: [{ match: { method: 'GET' }, action: 'status', status: 500 }] });
    await document(line, 'error', 1);
  });

  test.each(['plan', 'apply', 'drift', 'destroy', 'output'])('%s: wrong manifest', async (line) => {
    write('edgeform.yaml', 'version: 1\nstack: shop\nnope: 1\n');
    const made = await document(line, 'error', 4);
    expect(made).toMatchObject({ diagnostics: [{ code: 'unknown-field', line: 3, column: 1 }] });
  });
});

afterAll(() => {
  // When all tests ran, all documents were there.
  if (seen.size > 5) expect([...seen].sort()).toEqual([...NAMES].sort());
});
