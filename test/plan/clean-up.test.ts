// The second plan of a run: its later objects go, what refers to them is re-pointed first, and nothing else is written.

import { beforeEach, describe, expect, test } from 'vitest';
import { emptyHistory, noteCreation } from '../../src/apply/gate/run-history.ts';
import { parseAddress } from '../../src/catalog/address.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import { createPath } from '../../src/catalog/path.ts';
import type { Diagnostic } from '../../src/core/diagnostic.ts';
import { Failure } from '../../src/core/failure.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import { cleanUpPlan } from '../../src/plan/clean-up.ts';
import { markRedundant } from '../../src/plan/match/redundant-duplicates.ts';
import type { UserPolicies } from '../../src/plan/policies/user-policies.ts';
import { writeMarker } from '../../src/resource/marker/marker-codec.ts';
import type { Direct } from '../support/in-process.ts';
import { applyOn, createDirect, snapshotOf } from '../support/in-process.ts';
import { load } from '../support/world.ts';
import { journal } from './sample.ts';

const POOL = 'failover_backends.pool';
const ADDR = 'reserved_addrs.db';
const EDGE = 'tls_edges.a';
const base = { version: 1, stack: 'shop', failover_backends: { pool: {} } };
const withEdge = load({ ...base, tls_edges: { a: { backend: { backend_id: `\${${POOL}.id}` } } } });

let direct: Direct;
beforeEach(() => {
  direct = createDirect();
});

const kindOf = (address: string) => parseAddress(address)?.kind.name ?? '';

/** An object of the address; its id. */
function make(address: string, spec: JsonObject = {}, marker: JsonObject = {}): string {
  const metadata = writeMarker('', { v: 1, stack: 'shop', address, applied: {}, ...marker });
  const path = createPath(kindByName(kindOf(address)), undefined);
  const { status, body } = direct.ask('POST', path, { ...spec, metadata });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return String((body as JsonObject)['id']);
}

const served = (id: string) => String((direct.ask('GET', `/reserved_addrs/${id}`).body as JsonObject)['addr']);

/** Cleans up what a run created, and says what it wrote. */
async function cleaned(created: Readonly<Record<string, string>>, manifest: Manifest, policies?: UserPolicies) {
  const history = emptyHistory('r1');
  for (const [id, address] of Object.entries(created))
    noteCreation(history, { kind: kindOf(address), address }, { id, parentId: undefined, at: 0 });
  const objects = Object.entries(created).map(
    ([id, address]) => [id, { address, createdHere: true as const, isFresh: true }] as const,
  );
  const runs = new Set(['r1']);
  const view = { ...journal({}), objects: new Map(objects), runs, unfinished: runs };
  const snapshot = markRedundant(await snapshotOf(direct), manifest, view);
  const going = snapshot.resources.filter(({ isRedundant }) => isRedundant === true);
  const options = { destroy: false, allowDeletes: 0, allowLoss: [], targets: [], capabilities: direct.capabilities };
  const plan = cleanUpPlan({ manifest, snapshot, service: 'http://service.test', options, policies }, going);
  direct.sent.length = 0;
  if (plan.refusals.length === 0) await applyOn(direct, { manifest, snapshot, plan, history });
  return { plan, writes: direct.sent.map(({ method, path }) => `${method} ${path.split('/').at(-1) ?? ''}`) };
}

describe('of two objects of one address', () => {
  test('that of this run is deleted when it is the later one, whatever the budget says', async () => {
    make(POOL);
    const ours = make(POOL);
    const { plan, writes } = await cleaned({ [ours]: POOL }, load(base));
    expect([writes, plan.summary.delete, plan.refusals]).toEqual([[`DELETE ${ours}`], 1, []]);
  });

  test('nothing goes when this run made the earlier one, or a protected one', async () => {
    const ours = make(POOL);
    make(POOL);
    expect((await cleaned({ [ours]: POOL }, load(base))).writes).toEqual([]);
    const later = make(ADDR, {}, { protect: true });
    make(ADDR);
    expect((await cleaned({ [later]: ADDR }, load(base))).writes).toEqual([]);
  });
});

describe('policies of the user', () => {
  type Judged = Parameters<UserPolicies['judge']>[0];
  const judging = (judge: UserPolicies['judge']): UserPolicies => ({ digest: 'sha256:0', judge });
  const says = (message: string, address?: string): Diagnostic => ({
    code: 'policy/no-deletions',
    severity: 'error',
    message,
    ...(address !== undefined && { address }),
  });

  test('judge exactly what the clean-up does', async () => {
    const theirs = make(POOL);
    const ours = make(POOL);
    make(EDGE, { backend: { backend_id: ours }, description: 'left alone' });
    const judged: Judged[] = [];
    const manifest = load({ ...base, tls_edges: { a: { backend: { backend_id: `\${${POOL}.id}` } }, new: {} } });
    await cleaned(
      { [ours]: POOL },
      manifest,
      judging((plan) => (judged.push(plan), [])),
    );
    const [plan] = judged;
    expect(plan?.drafts.map(({ action, live }) => [action, live?.id === theirs])).toEqual([
      ['update', false],
      ['delete', false],
    ]);
    expect(plan?.drafts[0]?.changes.map(({ path }) => path)).toEqual(['backend.backend_id']);
    expect(plan?.pairs.map(({ desired }) => desired.address).sort()).toEqual([POOL, EDGE]);
    expect(plan?.summary).toMatchObject({ create: 0, update: 1, delete: 1 });
  });

  test('keep both objects where they forbid it', async () => {
    make(POOL);
    const ours = make(POOL);
    const { plan, writes } = await cleaned(
      { [ours]: POOL },
      load(base),
      judging(() => [says('no deletions', POOL)]),
    );
    expect([writes, plan.refusals.map(({ message }) => message)]).toEqual([[], ['no deletions']]);
  });

  test('that cannot be evaluated never pass', async () => {
    make(POOL);
    const ours = make(POOL);
    const failing = judging(() => {
      throw new Failure('invalid', [says('cannot be evaluated')]);
    });
    const { plan } = await cleaned({ [ours]: POOL }, load(base), failing);
    expect(plan.refusals.map(({ message }) => message)).toEqual(['cannot be evaluated']);
  });

  test('that only warn let it pass', async () => {
    make(POOL);
    const ours = make(POOL);
    const warning = judging(() => [{ ...says('careful', POOL), severity: 'warning' }]);
    const { plan, writes } = await cleaned({ [ours]: POOL }, load(base), warning);
    expect([writes, plan.diagnostics.map(({ message }) => message)]).toEqual([[`DELETE ${ours}`], ['careful']]);
  });
});

describe('what refers to the object that goes', () => {
  test('is pointed to the one that stays, first, and nothing else is changed', async () => {
    const theirs = make(POOL, { description: 'another manifest' });
    const ours = make(POOL);
    const edge = make(EDGE, { backend: { backend_id: ours }, description: 'left alone' });
    const { writes } = await cleaned({ [ours]: POOL }, withEdge);
    expect(writes).toEqual([`PATCH ${edge}`, `DELETE ${ours}`]);
    expect(direct.store.get(edge)?.spec).toMatchObject({ backend: { backend_id: theirs }, description: 'left alone' });
    expect(direct.store.get(theirs)?.spec['description']).toBe('another manifest');
  });

  test.each([
    { name: 'differs in a field that cannot be changed', region: 'us', lifecycle: {} },
    { name: 'is wanted by a field that is ignored', region: 'eu', lifecycle: { ignore_changes: ['hostports'] } },
    { name: 'is also wanted by one', region: 'eu', lifecycle: { ignore_changes: ['backend'] } },
  ])('is pointed to the one that stays when that $name', async ({ region, lifecycle }) => {
    const block = { hostports: [`\${${ADDR}.addr}`], backend: { backend_id: `\${${POOL}.id}` }, lifecycle };
    const wanted = load({ ...base, reserved_addrs: { db: { region: 'eu' } }, tls_edges: { a: block } });
    const [pool, addr, ownPool, ownAddr] = [
      make(POOL),
      make(ADDR, { region }),
      make(POOL),
      make(ADDR, { region: 'eu' }),
    ];
    const edge = make(EDGE, { hostports: [served(ownAddr)], backend: { backend_id: ownPool } });
    const { writes } = await cleaned({ [ownPool]: POOL, [ownAddr]: ADDR }, wanted);
    expect(direct.store.get(edge)?.spec).toMatchObject({ hostports: [served(addr)], backend: { backend_id: pool } });
    expect([writes[0], writes.length]).toEqual([`PATCH ${edge}`, 3]);
  });

  test('keeps it when the reference cannot be changed', async () => {
    make(POOL);
    const ours = make(POOL);
    make('tls_edges.foreign', { backend: { backend_id: ours } }, { stack: 'other' });
    expect((await cleaned({ [ours]: POOL }, load(base))).writes).toEqual([]);
  });

  test('keeps it while an object that only the next plan deletes needs it, and plans nothing', async () => {
    make(POOL);
    const ours = make(POOL);
    make('tls_edges.gone', { backend: { backend_id: ours } });
    const { writes, plan } = await cleaned({ [ours]: POOL }, load(base));
    expect([writes, plan.steps]).toEqual([[], []]);
  });

  test('keeps it when its reference would wait for another change', async () => {
    make(ADDR);
    const ours = make(ADDR);
    const edge = make(EDGE, { hostports: [served(ours)] });
    const wanted = load({
      ...base,
      reserved_addrs: { db: {} },
      tls_edges: { a: { hostports: ['x.example.com:443'] } },
    });
    const { writes } = await cleaned({ [ours]: ADDR }, wanted);
    expect(writes).toEqual([`PATCH ${edge}`, `DELETE ${ours}`]);
  });
});
