// The end of an apply: "done" is seen and not assumed, and what was lost is in the outcome.

import { beforeEach, describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/core/diagnostic.ts';
import { FileError } from '../../src/platform/file-error.ts';
import type { UserPolicies } from '../../src/plan/policies/user-policies.ts';
import { executePlan, planNow } from '../../src/reconcile/execution/execution.ts';
import { concludeRun, verifyRun } from '../../src/reconcile/execution/verify-run.ts';
import { leftOver } from '../../src/reconcile/saved-plan.ts';
import { writeMarker } from '../../src/resource/marker/marker-codec.ts';
import { storedOf } from '../emulator/stored.ts';
import { planOf, stepOf } from '../render/sample.ts';
import type { Direct } from '../support/in-process.ts';
import { createDirect } from '../support/in-process.ts';
import type { Executing } from './executing.ts';
import { executing } from './executing.ts';
import { resultOf } from './sample.ts';

const POOL = 'failover_backends.a';
const MANIFEST = 'version: 1\nstack: shop\nfailover_backends: { a: { description: d } }\n';
const nobody = () => Promise.resolve();
let direct: Direct;
beforeEach(() => {
  direct = createDirect();
});

/** Applies the manifest; `between` happens before the run looks again. */
async function applied(between: (apply: Executing) => void = () => undefined, apply = executing(direct, MANIFEST)) {
  const { run } = apply;
  const planned = await planNow(run, 'x');
  const results = await executePlan(run, planned, nobody);
  between(apply);
  const report = await verifyRun(run, { plan: planned.plan, onCreated: nobody }, results);
  return { ...apply, report, codes: report.diagnostics.map(({ code }) => code) };
}
const only = () => direct.store.all()[0]!;
const lost: Diagnostic = { code: 'output-failed', severity: 'error', message: 'x' };

describe('a run whose steps were all done', () => {
  test('is done when nothing is left, and the journal says so', async () => {
    const { report, codes, journal } = await applied();
    expect([report.result, report.outcome, codes]).toEqual(['done', 'done', []]);
    expect(journal().at(-1)).toMatchObject({ type: 'end', result: '0' });
  });

  test('is not done when something is different all the same', async () => {
    const { report, codes } = await applied(() => {
      direct.store.put({ ...only(), spec: { ...only().spec, description: 'other' } });
    });
    expect([report.result, report.outcome, codes]).toEqual(['partial', 'partial', ['not-converged']]);
  });

  test('is not done when that could not be checked', async () => {
    const { report } = await applied(({ refuseAll }) => {
      refuseAll();
    });
    expect([report.result, report.outcome]).toEqual(['error', 'error']);
    expect(report.diagnostics[0]?.message).toMatch(/could not be checked/);
  });

  test('answers for the steps of a saved plan only', async () => {
    const apply = executing(direct, 'version: 1\nstack: shop\nfailover_backends: { a: {}, b: {} }\n');
    const planned = await planNow(apply.run, 'x');
    const plan = { ...planned.plan, steps: planned.plan.steps.slice(0, 1) };
    const run = { ...apply.run, saved: plan };
    const results = await executePlan(run, { ...planned, plan }, nobody);
    const { result, diagnostics } = await verifyRun(run, { plan, onCreated: nobody }, results);
    expect([
      result,
      diagnostics.map(({ severity, message }) => [severity, message.includes('failover_backends.b')]),
    ]).toEqual(['done', [['warning', true]]]);
    // What it did not touch is not settled: the journal goes on to know what was there before.
    expect(apply.journal().at(-1)).toEqual({ type: 'end', run: expect.any(String), result: '0' });
  });

  test('with a saved plan is not kept from being done by what is blocked elsewhere', () => {
    const one = { code: 'cannot-remove', severity: 'error', path: '', message: 'an update cannot clear it' } as const;
    const after = planOf({
      blocked: [
        { ...one, address: POOL },
        { ...one, address: 'failover_backends.b' },
      ],
    });
    const saved = planOf({ steps: [stepOf({ id: 's1', action: 'update', address: POOL, kind: 'failover_backend' })] });
    const { left, others } = leftOver(after, saved, true);
    expect(left.blocked.map(({ address }) => address)).toEqual([POOL]);
    expect(others.map(({ message }) => message)).toEqual([expect.stringMatching(/ failover_backends\.b$/)]);
  });

  test('has a step that failed when another run had created the same before', async () => {
    const { report, codes } = await applied(() => {
      const marker = writeMarker('', { v: 1, stack: 'shop', address: POOL, applied: {} });
      direct.store.put(storedOf('bkdfo_0', { description: 'd', metadata: marker }));
    });
    expect(report.results.map(({ status }) => status)).toEqual(['failed']);
    expect([codes.includes('created-twice'), direct.store.all().map(({ id }) => id)]).toEqual([true, ['bkdfo_0']]);
  });
});

test('a clean-up that a policy forbids is not made: both objects are named, and a person decides', async () => {
  const judge: UserPolicies['judge'] = ({ drafts }) =>
    drafts.some(({ action }) => action === 'delete')
      ? [{ code: 'policy/no-deletions', severity: 'error', message: 'nothing is ever deleted', address: POOL }]
      : [];
  const forbidding = executing(direct, MANIFEST, {}, { policies: { digest: 'sha256:0', judge } });
  const { report, codes } = await applied(() => {
    const marker = writeMarker('', { v: 1, stack: 'shop', address: POOL, applied: {} });
    direct.store.put(storedOf('bkdfo_0', { description: 'd', metadata: marker }));
  }, forbidding);
  expect([report.result, report.outcome, codes.includes('created-twice')]).toEqual(['partial', 'partial', true]);
  const ids = direct.store.all().map(({ id }) => id);
  const twice = report.diagnostics.find(({ code }) => code === 'created-twice');
  expect(ids).toHaveLength(2);
  for (const id of ids) expect(twice?.message).toContain(id);
  expect(twice).toMatchObject({
    severity: 'error',
    message: expect.stringContaining('nothing is ever deleted') as string,
  });
});

describe('a run whose steps were not all done', () => {
  const failed = resultOf('s1', { address: POOL, status: 'failed', error: 'no', requests_done: 0 });
  test('looks at nothing when it created nothing', async () => {
    const { run, asked } = executing(direct, MANIFEST);
    const report = await verifyRun(run, { plan: planOf({}) }, [failed]);
    expect([report.result, report.outcome, asked]).toEqual(['error', 'error', []]);
  });

  test('looks at what it created, and keeps its own end when that fails', async () => {
    const { run, asked, refuseAll } = executing(direct, MANIFEST);
    run.history.created.set('bkdfo_1', {
      id: 'bkdfo_1',
      kind: 'failover_backend',
      address: POOL,
      parentId: undefined,
      at: 0,
    });
    refuseAll();
    const report = await verifyRun({ ...run, options: { ...run.options, settleMs: 0 } }, { plan: planOf({}) }, [
      failed,
    ]);
    expect([report.result, asked.length > 0]).toEqual(['error', true]);
    expect(report.diagnostics.map(({ message }) => message).join()).toMatch(/what was created could not be checked/);
  });

  test('that had nothing to do is done, and asks for nothing', async () => {
    const { run, asked } = executing(direct, MANIFEST);
    expect([(await verifyRun(run, { plan: planOf({}) }, [])).result, asked]).toEqual(['done', []]);
  });
});

describe('what was lost', () => {
  test.each([
    { name: 'nothing leaves the outcome', found: [], outcome: 'done' },
    { name: 'output of the caller is in the outcome', found: [lost], outcome: 'output' },
  ])('$name', async ({ found, outcome }) => {
    const { report, journal } = await applied(
      undefined,
      executing(direct, MANIFEST, {}, { flush: () => Promise.resolve(found) }),
    );
    expect([report.outcome, report.lost]).toEqual([outcome, found]);
    expect(journal().at(-1)).toMatchObject({
      type: 'end',
      result: outcome === 'done' ? '0' : expect.not.stringMatching(/^0$/),
    });
  });

  test('of the journal is told, with the entries that whoever repairs it needs', async () => {
    const { report, events } = await applied(({ disk }) => {
      disk.before = (_, path) => {
        throw new FileError(path, 'ENOSPC');
      };
    });
    expect([
      report.result,
      report.outcome,
      report.lost.map(({ message }) => /missing from it \(1\)/.test(message)),
    ]).toEqual(['done', 'output', [true]]);
    expect(events.filter(({ type }) => type === 'journal-lacks')).toMatchObject([{ entries: [{ type: 'end' }] }]);
  });
});

describe('tokens of a report', () => {
  const source = 'version: 1\nstack: shop\napi_keys: { ci: {} }\n';
  test.each([
    { name: 'are those that were stored', stored: true, deleted: false, tokens: 1 },
    { name: 'are not those that were not', stored: false, deleted: false, tokens: 0 },
    { name: 'are not those of objects that went again', stored: true, deleted: true, tokens: 0 },
  ])('$name', async ({ stored, deleted, tokens }) => {
    const { run } = executing(direct, source, { tokenDir: '/tokens' });
    const { plan } = await planNow(run, 'x');
    const results = plan.steps.map(({ id }) => resultOf(id, { live_id: 'ak_1' }));
    if (stored) await run.runJournal.record.stored('api_keys.ci', 'ak_1');
    if (deleted) run.history.deleted.set('ak_1', 'api_keys.a');
    const report = await concludeRun(run, { plan, results, result: 'done', outcome: 'done', diagnostics: [] });
    expect(report.tokens).toHaveLength(tokens);
  });
});
