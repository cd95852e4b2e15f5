// A saved plan is believed only when its format, its shape and its fingerprint are right.

import { describe, expect, test } from 'vitest';
import { fingerprintPlan } from '../../src/plan/build.ts';
import { parsePlan } from '../../src/plan/parse-saved-plan.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { planOf, stepOf } from '../render/sample.ts';

const made = planOf({
  steps: [stepOf({ id: 's1', action: 'create', address: 'tls_edges.a', kind: 'tls_edge', source: 'a:1:1' })],
});
const PLAN: Plan = { ...made, fingerprint: fingerprintPlan(made) };
const text = (changed: object) => JSON.stringify({ ...PLAN, ...changed });
const fits = () => undefined;

interface Row {
  readonly name: string;
  readonly given: string;
  /** A word of the problem; undefined when there is none. */
  readonly says: string | undefined;
}

describe('parsePlan', () => {
  test.each<Row>([
    { name: 'as it was written', given: text({}), says: undefined },
    {
      name: 'with its lines in other places',
      given: text({ steps: [{ ...PLAN.steps[0], source: 'b:9:9' }] }),
      says: undefined,
    },
    { name: 'nothing', given: '', says: 'not JSON' },
    { name: 'cut off', given: text({}).slice(0, -2), says: 'not JSON' },
    { name: 'a list', given: '[]', says: 'not a JSON object' },
    { name: 'another document', given: '{}', says: 'its format is none' },
    { name: 'another format', given: text({ format: 'edgeform-drift/1' }), says: 'edgeform-drift/1' },
    { name: 'a later format', given: text({ format: 'edgeform-plan/12' }), says: 'newer' },
    { name: 'a format before the first', given: text({ format: 'edgeform-plan/0' }), says: ', not' },
    {
      name: 'a format that goes on and on is cut',
      given: text({ format: 'x'.repeat(100) }),
      says: `"${'x'.repeat(40)}"`,
    },
    { name: 'changed afterwards', given: text({ steps: [] }), says: 'fingerprint' },
    { name: 'with a fingerprint of another', given: text({ fingerprint: 'sha256:00' }), says: 'fingerprint' },
  ])('$name', ({ given, says }) => {
    const { value, diagnostics } = parsePlan(given, fits);
    expect(value === undefined).toBe(says !== undefined);
    expect(diagnostics.map(({ code }) => code)).toEqual(says === undefined ? [] : ['bad-plan-file']);
    if (says !== undefined) expect(diagnostics[0]?.message).toContain(says);
  });

  test('its shape is judged before its fingerprint, and not in another format', () => {
    const problem = (given: string) => parsePlan(given, () => 'steps is missing').diagnostics[0]?.message;
    expect(problem(text({ steps: [] }))).toContain('steps is missing');
    expect(problem(text({ format: 'edgeform-plan/2' }))).not.toContain('steps is missing');
  });
});
