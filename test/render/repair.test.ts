// What drift says that apply would do about a finding, and that the manifest is never blamed for what somebody deleted.

import { expect, test } from 'vitest';
import type { Finding } from '../../src/drift/finding.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { format as github } from '../../src/render/formats/github.ts';
import { format as quality } from '../../src/render/formats/codequality.ts';
import { format as sarif } from '../../src/render/formats/sarif.ts';
import { driftView } from '../../src/render/view/drift.ts';
import { repairsIn } from '../../src/render/view/repair.ts';
import { growth } from '../support/count-steps.ts';
import { drifted } from './drift-sample.ts';
import { changeOf, lossOf, plain, planOf, stepOf } from './sample.ts';

const ADDRESS = 'reserved_addrs.db';

const changed: Finding = {
  fingerprint: 'sha256:01',
  type: 'changed',
  address: ADDRESS,
  kind: 'reserved_addr',
  live_id: 'ra_1',
  cause: 'drift',
  changes: [],
};
const missing: Finding = { ...changed, type: 'missing', evidence: 'the journal knows it as ra_1' };
const duplicate: Finding = { ...missing, type: 'duplicate', cause: null, evidence: 'ra_1, ra_2' };
const marker: Finding = { ...missing, type: 'changed', address: null, evidence: 'its ownership marker is damaged' };

const stepWith = (parts: Partial<Parameters<typeof stepOf>[0]>) =>
  planOf({ steps: [stepOf({ id: 's1', action: 'update', address: ADDRESS, kind: 'reserved_addr', ...parts })] });
const edited: Finding = { ...changed, changes: [changeOf({ path: 'ip_policy.id', cause: 'drift' })] };
const KEPT = { action: 'update', address: ADDRESS, kind: 'reserved_addr', live_id: 'ra_1' } as const;
const GOES = { ...KEPT, action: 'delete', live_id: 'ra_2', loss: lossOf({ live_id: 'ra_2' }) } as const;
const barrier = (path: string) =>
  ({ code: 'cannot-remove', severity: 'error', address: ADDRESS, path, message: `no way for "${path}"` }) as const;
const double = { action: 'delete', live_id: 'ra_2' } as const;

function viewOf(finding: Finding, plan: Plan) {
  return driftView({ ...drifted, drift: { ...drifted.drift, findings: [finding] }, plan }, plain);
}

test.each<[string, Finding, Plan, string, 'critical' | 'major' | 'minor']>([
  ['deleted', missing, stepWith({ action: 'create' }), 'creates it again', 'major'],
  ['deleted, and nothing is planned', missing, planOf({}), 'leaves it as it is; you have to decide', 'major'],
  ['changed', changed, stepWith({ live_id: 'ra_1' }), 'puts it back', 'minor'],
  [
    'changed where an update cannot',
    changed,
    stepWith({ action: 'replace', phase: 'create', loss: lossOf({ cost: 'the address changes', live_id: 'ra_1' }) }),
    'replaces it with a new object; ra_1 is deleted: the address changes',
    'major',
  ],
  [
    'changed, and the manifest has it no more',
    changed,
    stepWith({ action: 'delete', live_id: 'ra_1' }),
    'deletes it',
    'major',
  ],
  [
    'changed where the service has no way',
    changed,
    planOf({
      blocked: [
        {
          code: 'cannot-remove',
          severity: 'error',
          address: ADDRESS,
          path: 'region',
          message: 'module-delete is switched off',
        },
      ],
    }),
    'cannot put it back: module-delete is switched off',
    'critical',
  ],
  [
    'changed, and a double goes first',
    changed,
    planOf({ steps: [stepOf({ id: 's1', ...GOES }), stepOf({ id: 's2', ...KEPT })] }),
    'puts it back',
    'minor',
  ],
  [
    'changed, and a double is released',
    changed,
    planOf({ steps: [stepOf({ id: 's1', ...GOES, action: 'release' })] }),
    'leaves it as it is; you have to decide',
    'major',
  ],
  [
    'changed where the service has no way, and another field is put back',
    edited,
    planOf({ steps: [stepOf({ id: 's1', ...KEPT })], blocked: [barrier('region'), barrier('ip_policy')] }),
    'cannot put it back: no way for "ip_policy"',
    'critical',
  ],
  [
    'changed, and another field cannot be put back',
    edited,
    planOf({ steps: [stepOf({ id: 's1', ...KEPT })], blocked: [barrier('ip')] }),
    'puts it back',
    'minor',
  ],
  [
    'changed where the service has no way for the object',
    edited,
    planOf({ blocked: [barrier('')] }),
    'cannot put it back: no way for ""',
    'critical',
  ],
  ['a double that the journal proves', duplicate, stepWith(double), 'deletes ra_2, and keeps the other', 'major'],
  ['doubles', duplicate, planOf({}), 'does not guess which one is right; you have to decide', 'major'],
  ['a marker', marker, stepWith({ live_id: null }), 'leaves it as it is; you have to decide', 'major'],
  [
    'changed, and what follows deletes another',
    {
      ...changed,
      consequences: [
        {
          address: 'tls_edges.db',
          action: 'delete',
          reason: { code: 'not-in-manifest', text: 'it is no longer there' },
        },
      ],
    },
    stepWith({ live_id: 'ra_1' }),
    'puts it back',
    'major',
  ],
  [
    'changed, and a new object takes the place of another',
    {
      ...changed,
      consequences: [
        {
          address: 'tls_edges.db',
          action: 'replace',
          reason: { code: 'not-in-manifest', text: 'it names the new one' },
        },
      ],
    },
    stepWith({ live_id: 'ra_1' }),
    'puts it back',
    'major',
  ],
  [
    'changed, and a policy stops something else',
    changed,
    {
      ...stepWith({ live_id: 'ra_1' }),
      refusals: [{ rule: 'protected', message: '', addresses: ['tls_edges.x'], flag: null }],
    },
    'puts it back',
    'minor',
  ],
  [
    'changed, and the manifest gives it up',
    changed,
    stepWith({ action: 'release', live_id: 'ra_1' }),
    'releases it without changing it',
    'minor',
  ],
])('%s', (_, finding, plan, words, severity) => {
  expect(repairsIn(plan)(finding).repair).toBe(words);
  const view = viewOf(finding, plan);
  expect(view.items[0]?.repair).toBe(words);
  const only = { ...view, problems: [] };
  expect(JSON.parse(quality.draw(only))).toMatchObject([{ severity }]);
  const level = severity === 'minor' ? 'warning' : 'error';
  expect(github.draw(only, plain)).toMatch(new RegExp(`^::${level} `, 'm'));
  expect(JSON.parse(sarif.draw(only, plain))).toMatchObject({
    runs: [{ invocations: [{ executionSuccessful: level === 'warning', toolExecutionNotifications: [{ level }] }] }],
  });
});

test('what stops apply is told, with what would allow it', () => {
  const refused = planOf({
    refusals: [{ rule: 'delete-budget', message: 'too many', addresses: [], flag: '--allow-deletes 4' }],
  });
  const view = viewOf(missing, refused);
  expect(view.advice).toContain('apply stops before its first write');
  expect(view.problems).toContainEqual(
    expect.objectContaining({ group: 'refused', details: [expect.objectContaining({ text: '--allow-deletes 4' })] }),
  );
});

test.each([
  ['deletes', double, duplicate, true],
  ['puts back', { live_id: 'ra_1' }, changed, true],
  ['releases', { action: 'release', live_id: 'ra_1' }, changed, false],
  ['leaves', { address: 'reserved_addrs.other' }, changed, false],
] as const)('that apply makes things right is said where it %s', (_, step, finding, isSaid) => {
  const { advice = '' } = viewOf(finding, stepWith(step));
  expect(advice.includes('apply makes everything match the manifest')).toBe(isSaid);
});

test('twice the findings take twice the steps', () => {
  const work = (count: number) => {
    const ids = Array.from({ length: count }, (_, n) => `ra_${n}`);
    const parts = ids.map((id) => ({ ...KEPT, id, live_id: id, address: `reserved_addrs.${id}` }));
    const plan = planOf({ steps: parts.map(stepOf), blocked: parts.map((one) => ({ ...barrier(''), ...one })) });
    const findings = parts.map(({ address, id }) => ({ ...changed, address, live_id: id }));
    return () => void driftView({ ...drifted, plan, drift: { ...drifted.drift, findings } }, plain);
  };
  expect(growth(60, work)).toBeLessThan(2.1);
});

test('what is not there is not called a change of the manifest', () => {
  const { sentence, lists } = viewOf(missing, planOf({}));
  expect(sentence).toContain('Drift: 1 deleted outside.');
  expect(sentence).toContain('1 resource to create, without evidence of a deletion outside. 1 other change pending.');
  expect(lists).toContainEqual({
    title: 'Missing, without evidence that they were deleted outside',
    entries: ['create ip_policies.office: is not there yet'],
  });
});
