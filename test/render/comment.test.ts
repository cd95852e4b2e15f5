// Comments on pull requests: what a mail about them begins with, what is never left out, how long they are, and their graph.

import { describe, expect, test } from 'vitest';
import { byteLength } from '../../src/core/text/text.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { Loss } from '../../src/plan/step-facts.ts';
import { renderDriftAs, renderPlanAs, renderReportAs } from '../../src/render/formats.ts';
import { format as markdown } from '../../src/render/formats/markdown.ts';
import { partsOf } from '../../src/render/markdown/blocks.ts';
import { shorten } from '../../src/render/markdown/parts.ts';
import type { Block } from '../../src/render/document/blocks.ts';
import { documentOf } from '../../src/render/document/document.ts';
import { planView } from '../../src/render/view/plan.ts';
import { drifted } from './drift-sample.ts';
import { changeOf, everything, lossOf, plain, planOf, stepOf } from './sample.ts';

const LIMIT = 60_000;

function creations(count: number, after = 'x'): Plan['steps'] {
  return Array.from({ length: count }, (_, index) =>
    stepOf({
      id: `c${index}`,
      action: 'create',
      address: `failover_backends.b${index}`,
      kind: 'failover_backend',
      changes: [changeOf({ path: 'description', after: `${index}${after}` })],
    }),
  );
}

function deletions(count: number, lost: Partial<Loss> = {}): Plan['steps'] {
  return Array.from({ length: count }, (_, index) =>
    stepOf({
      id: `d${index}`,
      action: 'delete',
      address: `tls_edges.e${index}-`,
      kind: 'tls_edge',
      live_id: `edgtls_${index}`,
      loss: lossOf(lost),
    }),
  );
}

const [create] = creations(1);

test('the heading is the stack and the first sentence', () => {
  const ending = { plan: everything, results: [], result: 'refused', exitCode: 5, diagnostics: [] } as const;
  const headingOf = (text: string) => text.split('\n')[2];
  expect([
    headingOf(renderPlanAs('markdown', planOf({}), plain)),
    headingOf(renderReportAs('markdown', ending, plain)),
    headingOf(renderDriftAs('markdown', drifted, plain)),
  ]).toEqual([
    '### shop: No changes.',
    expect.stringMatching(/^### shop: Nothing was changed\. Plan: /),
    expect.stringMatching(/^### shop: Drift: 1 deleted outside; .*[^.]\.$/),
  ]);
});

describe('a comment', () => {
  test('text of several bytes keeps to the limit in bytes', () => {
    const wide = planOf({ steps: [...creations(400, '🎛'.repeat(400)), ...deletions(20, { cost: 'ü'.repeat(300) })] });
    const text = renderPlanAs('markdown', wide, plain);
    expect(byteLength(text)).toBeLessThanOrEqual(LIMIT);
    expect(text).toContain('too long to show in full');
  });

  test('what is lost is named when most else is left out', () => {
    const plan = planOf({ steps: [...creations(5_000), ...deletions(200)], summary: { create: 5_000, delete: 200 } });
    const text = renderPlanAs('markdown', plan, plain);
    expect(byteLength(text)).toBeLessThanOrEqual(LIMIT);
    for (const { address } of deletions(200)) expect(text).toContain(`- \`-\` delete \`${address}\``);
  });

  test('everything else of what is lost goes before a name does', () => {
    const steps = deletions(Math.floor(LIMIT / 95)).map((step) => ({
      ...step,
      address: step.address.padEnd(58, 'x'),
      live_id: step.address.padEnd(200, 'i'),
    }));
    const text = renderPlanAs('markdown', planOf({ steps }), plain);
    expect(byteLength(text)).toBeLessThanOrEqual(LIMIT);
    expect(steps.filter(({ address }) => !text.includes(`> - \`-\` delete \`${address}\``))).toEqual([]);
  });

  test('only the names themselves are cut at the end, and counted', () => {
    const count = Math.ceil(LIMIT / '> - `-` delete `tls_edges.e1-`'.length);
    const plan = planOf({ steps: deletions(count), summary: { delete: count } });
    const text = renderPlanAs('markdown', plan, plain);
    expect(byteLength(text)).toBeLessThanOrEqual(LIMIT);
    expect(byteLength(text)).toBeGreaterThan(LIMIT - 200);
    const named = text.match(/`tls_edges\.e\d+-`/g)?.length ?? 0;
    expect(text).toContain(`> - and ${count - named} more`);
    expect(text).toContain(`left out: ${count - named} losses, `);
    expect(text).not.toContain('it is gone');
  });
});

test('a limit that is told takes the place of the usual one', () => {
  const view = planView(planOf({ steps: deletions(100) }), plain);
  expect(byteLength(markdown.draw(view, plain, 3_000))).toBeLessThanOrEqual(3_000);
});

test('what is lost is named with its id, its cost and its children, and leads the document', () => {
  const [one, two] = deletions(2, { cost: 'everything', children: ['r.1', 'r.2'] });
  const little = { ...two!, loss: lossOf({ cost: 'a little' }) };
  const text = renderPlanAs('markdown', planOf({ steps: [create!, one!, little] }), plain);
  expect(text.split('\n').filter((line) => line.startsWith('>'))).toEqual([
    '> [!CAUTION]',
    '> **Deletes and replacements:**',
    '>',
    '> - `-` delete `tls_edges.e0-` with `r.1`, `r.2` · `edgtls_0` · not in the service · everything · `d0`',
    '> - `-` delete `tls_edges.e1-` · `edgtls_1` · not in the service · a little · `d1`',
  ]);
  expect(renderPlanAs('markdown', planOf({ steps: [create!] }), plain)).toContain('Nothing is deleted or replaced.');
});

describe('a document about many stacks', () => {
  const stackOf = (name: string, rank: number, steps: Plan['steps']): Block => {
    const blocks = documentOf(planView(planOf({ stack: name, steps }), plain));
    return { is: 'section', title: name, rank, blocks };
  };
  const blocks = [stackOf('still', 1, []), stackOf('lossy', 3, deletions(3)), stackOf('busy', 2, creations(3))];
  const drawn = (most: number) => {
    const parts = partsOf(blocks, { longest: 60, depth: 0, base: 0 });
    return shorten({ parts, separator: '\n\n' }, ({ text }) => text.length <= most).text;
  };
  const titles = (text: string) => [...text.matchAll(/^#### (\w+)/gm)].map(([, title]) => title);

  test('has a section for each, below which the others are', () => {
    expect(titles(drawn(Infinity))).toEqual(['still', 'lossy', 'busy']);
    expect(drawn(Infinity)).toMatch(/^##### Steps$/m);
  });

  test('leaves out those where nothing happens first, and those that lose something last', () => {
    const lengths = Array.from({ length: 40 }, (_, index) => 100 * index);
    const kinds = [...new Set(lengths.map((length) => titles(drawn(length)).join()))];
    expect(kinds).toEqual(['', 'lossy', 'lossy,busy', 'still,lossy,busy']);
  });
});

test('the footer has what it is given, and nothing else', () => {
  const said = { version: '0.1.0', commit: '2dd0580' };
  const text = renderPlanAs('markdown', planOf({}), { ...plain, comment: said });
  expect(text).toMatch(/\n\n---\n\nedgeform `0\.1\.0` · commit `2dd0580`$/);
  expect(renderPlanAs('markdown', planOf({}), plain)).not.toContain('---');
  expect(renderDriftAs('markdown', drifted, { ...plain, comment: said })).not.toContain('commit');
});
