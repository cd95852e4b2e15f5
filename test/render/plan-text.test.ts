// Plans as text, and what a detail, a width and a colour change of it.

import { describe, expect, test } from 'vitest';
import { renderPlanAs } from '../../src/render/formats.ts';
import { changeOf, everything, plain, planOf, stepOf, renderPlan } from './sample.ts';
import { lettersOf } from './unfolded.ts';

const whole = renderPlan(everything, plain);

/** Lines of a text that another does not have, as often as they are there more often. */
function linesOnlyIn(text: string, other: string): string[] {
  const left = other.split('\n');
  return text.split('\n').filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0 && line !== '';
  });
}

const COLOURS: Readonly<Record<string, string>> = {
  1: 'bold',
  2: 'dim',
  31: 'red',
  32: 'green',
  33: 'yellow',
  35: 'magenta',
};

/** The first word of each span that has a colour, each once. */
function firstWordsByColour(text: string): Record<string, string[]> {
  const words: Record<string, string[]> = {};
  for (const [, code = '', word = ''] of text.matchAll(/\u001b\[(1|2|3\d)m([^\s\u001b]+)/g)) {
    const list = (words[COLOURS[code] ?? code] ??= []);
    if (word !== '' && !list.includes(word)) list.push(word);
  }
  words['bold']?.sort();
  return words;
}

describe('renderPlan', () => {
  test('a plan with everything in it', async () => {
    await expect(`${renderPlan(everything, plain)}\n`).toMatchFileSnapshot('golden/plan.txt');
  });

  // Its golden is only what it has more: a sentence of every plan is in the one of the text.
  test('full detail adds requests, whole texts and objects outside', async () => {
    const full = renderPlan(everything, { ...plain, detail: 'full' });
    await expect(`${linesOnlyIn(full, whole).join('\n')}\n`).toMatchFileSnapshot('golden/plan-full.txt');
    expect(linesOnlyIn(whole, full)).toEqual(['        … 8 more lines (--detail full shows all)']);
  });

  test('names leave out everything about a resource but its objects', () => {
    const names = renderPlan(everything, { ...plain, detail: 'names' });
    expect(linesOnlyIn(names, whole)).toEqual([
      '± replace reserved_addrs.db (ra_1)',
      '- delete https_edges.legacy (edghts_9)',
      '    - https_edges.legacy.routes.root (edghtsrt_8)',
      '+ create failover_backends.app',
      '+ create https_edges.shop.routes.api',
      '~ update failover_backends.spare (bkdfo_7)',
      '~ update tls_edges.db (edgtls_1)',
      '» adopt event_destinations.audit (ed_4)',
      '« release ssh_credentials.old (sshcr_3)',
    ]);
    // Heads in full, what is below them, and outputs.
    const others = linesOnlyIn(whole, names).filter((line) => !/^(?:[±+~»«-] | {4}|Outputs:$| {2}\w+ = )/.test(line));
    expect(others).toEqual([]);
  });

  test('where it is narrow, the same is said in shorter lines', () => {
    const narrow = renderPlan(everything, { ...plain, width: 60 });
    expect(lettersOf(narrow)).toBe(lettersOf(whole));
    const lines = linesOnlyIn(narrow, whole);
    // The longest word has no blank at which it could be broken.
    expect(lines.filter((line) => line.length > 60)).toEqual([
      '      backend_id: (known after apply: failover_backends.app.id)',
    ]);
    for (const line of [
      '    s1 new · s6 old after s1, s4 · edgeform.yaml:8:3',
      '           host and port can no longer connect',
      '        - secret: (sensitive)',
      '     lifecycle.ignore_changes',
      '      + (known after apply: failover_backends.app.id)',
    ])
      expect(lines).toContain(line);
  });

  test('colours say what is lost, changed, new and rare, and nothing else', () => {
    const coloured = renderPlan(everything, { ...plain, color: true });
    expect(coloured.replaceAll(/\u001b\[\d+m/g, '')).toBe(whole);
    expect(firstWordsByColour(coloured)).toEqual({
      red: ['±', 'loses:', '-', 'Policy', 'refused:', 'Blocked,', 'blocked:'],
      green: ['+'],
      yellow: ['~', 'warning:'],
      magenta: ['»', '«'],
      bold: ['Plan:', ...new Set(everything.steps.map(({ address }) => address))].sort(),
      dim: ['Stack', 's1', 's5', 's2', 's3', 's9', 's4', 's7', 's8', '5'],
    });
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
