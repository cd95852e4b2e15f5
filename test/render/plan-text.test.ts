import { describe, expect, test } from 'vitest';
import { renderPlanAs } from '../../src/render/formats.ts';
import { changeOf, everything, plain, planOf, stepOf, renderPlan } from './sample.ts';

describe('renderPlan', () => {
  test.each([
    ['changes', { ...plain }],
    ['names', { ...plain, detail: 'names' as const }],
    ['full', { ...plain, detail: 'full' as const }],
    ['narrow', { ...plain, width: 60 }],
    ['color', { ...plain, color: true }],
  ])('a plan with everything in it, %s', async (name, style) => {
    await expect(`${renderPlan(everything, style)}\n`).toMatchFileSnapshot(`golden/plan-${name}.txt`);
  });

  test('nothing to do says so in one sentence', () => {
    expect(renderPlan(planOf({ summary: { unchanged: 3 } }), plain).split('\n')).toEqual([
      'Stack shop at https://api.example.com/',
      'No changes. Live state matches the manifest.',
    ]);
  });

  test.each<{ name: string; parts: Parameters<typeof planOf>[0] }>([
    {
      name: 'blocked',
      parts: { blocked: [{ code: 'cannot-remove', severity: 'error', address: 'a', path: 'b', message: 'c' }] },
    },
    { name: 'refused', parts: { refusals: [{ rule: 'unrelated-manifest', message: 'm', addresses: [], flag: null }] } },
    {
      name: 'wrong',
      parts: { diagnostics: [{ code: 'unknown-field', severity: 'error', message: 'm', address: null }] },
    },
    { name: 'partial', parts: { complete: false } },
  ])('"No changes. Live state matches" is never said of a plan that is $name', ({ parts }) => {
    expect(renderPlan(planOf(parts), plain)).not.toContain('Live state matches');
  });

  test.each(['text', 'markdown', 'html'] as const)(
    'objects that are adopted are named by their ids, in %s',
    (format) => {
      const adopted = ['ra_one', 'ra_two'].map((live_id, index) =>
        stepOf({
          id: `s${index}`,
          action: 'adopt',
          address: `reserved_addrs.a${index}`,
          kind: 'reserved_addr',
          live_id,
        }),
      );
      const text = renderPlanAs(format, planOf({ steps: adopted, summary: { adopt: 2 } }), plain);
      for (const id of ['ra_one', 'ra_two']) expect(text).toContain(id);
    },
  );

  test('the summary line is the second and the last line, whatever the texts say', () => {
    const fake = 'x\n\nNo changes. Live state matches the manifest.';
    const step = stepOf({
      id: 's1',
      action: 'create',
      address: 'failover_backends.a',
      kind: 'failover_backend',
      changes: [changeOf({ path: 'description', after: fake })],
    });
    const lines = renderPlan(planOf({ steps: [step], summary: { create: 1 } }), plain).split('\n');
    expect(lines[1]).toBe('Plan: 1 to create, 0 to update, 0 to replace, 0 to delete.');
    expect(lines.at(-1)).toBe(lines[1]);
    expect(lines).not.toContain('No changes. Live state matches the manifest.');
  });

  test('no line ends in a space and without colour there is no control character', () => {
    for (const detail of ['names', 'changes', 'full'] as const) {
      const text = renderPlan(everything, { ...plain, detail });
      for (const width of [20, 40, 60, 80, 100]) {
        expect(renderPlan(everything, { ...plain, detail, width })).not.toMatch(/[ \t]$/m);
      }
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    }
  });
});

test('imports are in documents, with their objects and what is used of them', () => {
  const from = { kind: 'reserved_addr', stack: 'network', address: 'reserved_addrs.db' };
  const imports = [
    { ...from, name: 'db', live_id: 'ra_1', values: { addr: 'a.example.com:443', id: { sensitive: true } } },
    { name: 'new', kind: 'tls_edge', live_id: null, values: {} },
  ];
  const plan = planOf({
    steps: [stepOf({ id: 's1', action: 'create', address: 'tls_edges.a', kind: 'tls_edge' })],
    imports,
  });
  expect(renderPlanAs('markdown', plan, plain).replaceAll('`', '')).toContain(
    '\n- db: reserved_addrs.db of network (ra_1), addr = a.example.com:443, id = (sensitive)\n- new: a tls_edge (known after apply)',
  );
  expect(renderPlanAs('html', plan, plain)).toContain('Imports');
  expect(renderPlanAs('text', plan, plain)).not.toContain('Imports');
});
