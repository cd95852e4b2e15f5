// The dry run of a plan on a copy of the live state has teeth: a plan with a mistake in it is noticed.

import { describe, expect, test } from 'vitest';
import { METADATA } from '../../src/catalog/fields/common.ts';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import type { Snapshot } from '../../src/resource/snapshot.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import { buildPlan } from '../../src/plan/build.ts';
import type { PlannedRequest, Step } from '../../src/plan/plan.ts';
import { dryRun } from '../../src/plan/dry-run.ts';
import { match } from '../../src/plan/match/match.ts';
import { applyOn, createDirect, planOn, snapshotOf } from '../support/in-process.ts';
import { load } from '../support/world.ts';

const BEFORE = `version: 1
stack: shop
reserved_addrs: { db: { region: eu } }
tls_edges:
  a: { hostports: [one.test:443], tls_termination: { terminate_at: edge } }
  b: { hostports: [two.test:443] }
event_destinations: { d: { target: { kinesis: { stream_arn: "arn:1", auth: { role: { role_arn: "arn:2" } } } } } }
event_subscriptions: { s: { sources: [{ type: a.v0 }], destination_ids: ["\${event_destinations.d.id}"] } }
`;
const AFTER = `version: 1
stack: shop
reserved_addrs: { db: { region: eu, endpoint_configuration_id: ec_1 }, new: { endpoint_configuration_id: ec_2 } }
tls_edges:
  a: { hostports: [two.test:443] }
  b: { hostports: [one.test:443], description: "at \${reserved_addrs.new.addr}" }
event_destinations: { d: { target: { firehose: { delivery_stream_arn: "arn:1", auth: { role: { role_arn: "arn:2" } } } } } }
event_subscriptions: { s: { sources: [{ type: a.v0 }], destination_ids: ["\${event_destinations.d.id}"] } }
`;

interface Ground {
  readonly manifest: Manifest;
  readonly snapshot: Snapshot;
  readonly steps: readonly Step[];
}

async function ground(): Promise<Ground> {
  const direct = createDirect();
  await applyOn(direct, await planOn(direct, load(BEFORE)));
  const { manifest, plan } = await planOn(direct, load(AFTER));
  expect(plan.diagnostics).toEqual([]);
  return { manifest, snapshot: await snapshotOf(direct), steps: plan.steps };
}

/** What is noticed after these steps: broken rules, and whatever a second plan would still do. */
function noticed({ manifest, snapshot }: Ground, steps: readonly Step[]): string[] {
  const after = dryRun({ manifest, snapshot, matched: match(manifest, manifest.resources, snapshot) }, steps);
  const options = { destroy: false, allowDeletes: 'all', allowLoss: [], targets: [] } as const;
  const again = buildPlan({
    manifest,
    snapshot: after.snapshot,
    service: 'x',
    options: { ...options, capabilities: new Set(CAPABILITIES) },
  });
  return [...after.problems, ...again.steps.map((step) => `${step.action} ${step.address}`)];
}

const withRequests = (
  steps: readonly Step[],
  at: number,
  change: (requests: readonly PlannedRequest[]) => readonly PlannedRequest[],
) => steps.map((step, index) => (index === at ? { ...step, requests: change(step.requests) } : step));

describe('the dry run', () => {
  test('finds nothing in the plan itself', async () => {
    const all = await ground();
    expect(all.steps.length).toBeGreaterThan(6);
    expect(noticed(all, all.steps)).toEqual([]);
  });

  test('notices every request that is left out', async () => {
    const all = await ground();
    for (const [at, step] of all.steps.entries()) {
      for (const missing of step.requests) {
        const steps = withRequests(all.steps, at, (requests) => requests.filter((one) => one !== missing));
        expect(noticed(all, steps), `${step.id} without ${missing.method} ${missing.path}`).not.toEqual([]);
      }
    }
  });

  test('notices every field that a request does not send', async () => {
    const all = await ground();
    for (const [at, step] of all.steps.entries()) {
      for (const name of step.requests.flatMap((one) => Object.keys(one.body ?? {}))) {
        // The marker's digests tell who changed what; they are no part of what is asked for.
        if (name === METADATA && step.action === 'update') continue;
        const steps = withRequests(all.steps, at, (requests) =>
          requests.map((one) => ({
            ...one,
            ...(one.body && { body: Object.fromEntries(Object.entries(one.body).filter(([key]) => key !== name)) }),
          })),
        );
        expect(noticed(all, steps), `${step.id} without ${name}`).not.toEqual([]);
      }
    }
  });

  test('notices steps in the wrong order', async () => {
    const all = await ground();
    for (const [at, step] of all.steps.entries()) {
      if (step.depends_on.length === 0) continue;
      const early = [step, ...all.steps.filter((_, index) => index !== at)];
      const isOrderOfDeletion = step.requests.every((request) => request.method === 'DELETE');
      if (!isOrderOfDeletion) expect(noticed(all, early), step.id).not.toEqual([]);
    }
  });

  test.each<[string, (one: PlannedRequest) => PlannedRequest, RegExp]>([
    ['a path to another object', (one) => ({ ...one, path: `${one.path}x` }), /which is not/],
    ['an empty PATCH', (one) => ({ ...one, body: {} }), /empty PATCH/],
    [
      'a value that nothing makes known',
      (one) => ({ ...one, body: { ...one.body, description: '${reserved_addrs.nowhere.addr}' } }),
      /makes known/,
    ],
  ])('names %s', async (_, change, words) => {
    const all = await ground();
    const at = all.steps.findIndex((step) => step.requests.some((one) => one.method === 'PATCH'));
    const steps = withRequests(all.steps, at, (requests) =>
      requests.map((one) => (one.method === 'PATCH' ? change(one) : one)),
    );
    expect(noticed(all, steps).join('\n')).toMatch(words);
  });
});

test('values that the service would choose are told apart as the service does: without case', async () => {
  const edges = (name: string) => `{ hostports: ["\${reserved_addrs.${name}.addr}"] }`;
  const text = `version: 1\nstack: shop\nreserved_addrs: { db: {}, DB: {} }\ntls_edges: { a: ${edges('db')}, b: ${edges('DB')} }\n`;
  const { plan } = await planOn(createDirect(), load(text));
  expect(plan.diagnostics).toEqual([]);
  expect(plan.steps).toHaveLength(4);
});
