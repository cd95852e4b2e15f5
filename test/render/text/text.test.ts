// Text for terminals: how it stands first and last, and the parts of a view between, each only when it is there.

import { describe, expect, test } from 'vitest';
import type { Folded } from '../../../src/render/text/text.ts';
import { drawText } from '../../../src/render/text/text.ts';
import { plain } from '../sample.ts';
import { itemOf, problemOf, viewOf } from '../view-sample.ts';

const at = { stack: 'shop', service: 'https://api.example.com/' };
const draw = (parts: Parameters<typeof viewOf>[0], style = plain) => drawText(viewOf(parts), style);

describe('a plan', () => {
  test('of nothing says so once', () => {
    expect(draw({})).toBe('The sentence.');
  });

  test('of something says it first and last', () => {
    const text = draw({ at, items: [itemOf()] }).split('\n\n');
    expect(text).toEqual([
      'Stack shop at https://api.example.com/\nThe sentence.',
      '~ update tls_edges.a  s1',
      'The sentence.',
    ]);
  });

  test('in names is one line for each item', () => {
    const items = [
      itemOf({ why: 'x', requests: ['PATCH /x'] }),
      itemOf({ address: 'tls_edges.b', live_id: 'edgtls_1' }),
    ];
    expect(draw({ items }, { ...plain, detail: 'names' }).split('\n\n')[1]).toBe(
      '~ update tls_edges.a\n~ update tls_edges.b (edgtls_1)',
    );
  });

  test('says of an item why, what is lost, what differs and what is sent, in this order', () => {
    const item = itemOf({
      why: 'because',
      loses: 'much',
      lines: [{ mark: '+', depth: 0, text: 'x: 1' }],
      requests: ['PATCH /x'],
    });
    expect(
      draw({ items: [item] })
        .split('\n\n')[1]
        ?.split('\n'),
    ).toEqual(['~ update tls_edges.a  s1', '    why: because', '    loses: much', '    + x: 1', '    PATCH /x']);
  });

  test('shows the values of a new object without signs', () => {
    const item = itemOf({ isNew: true, lines: [{ mark: '+', depth: 0, text: 'x: 1' }] });
    expect(draw({ items: [item] })).toMatch(/\n {4}x: 1\n/);
  });

  test('puts what does not fit beside an item below it', () => {
    const item = itemOf({ steps: [{ id: 'm'.repeat(90), after: [], phase: '' }] });
    expect(draw({ items: [item] })).toContain(`tls_edges.a\n    ${'m'.repeat(90)}`);
  });

  test('tells what stands in the way first, and before what happens', () => {
    const problems = (['warning', 'error', 'refused', 'blocked'] as const).map((group) =>
      problemOf({ group, code: group, text: `is ${group}` }),
    );
    const text = draw({ problems, items: [itemOf()] });
    const order = [
      'refused: is refused',
      'blocked: is blocked',
      'error: is error',
      'warning: is warning',
      '~ update',
    ].map((part) => text.indexOf(part));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order).not.toContain(-1);
  });

  test('has its outputs', () => {
    expect(
      draw({
        outputs: [
          ['a', '1'],
          ['long', '2'],
        ],
      }),
    ).toContain('Outputs:\n  a = 1\n  long = 2');
  });

  test('ends with what is of least weight', () => {
    expect(draw({ rest: { text: '2 objects are not managed.', entries: ['x', 'y'] } })).toContain(
      '2 objects are not managed.\n\n  x\n  y\n\nThe sentence.',
    );
  });

  test('has no line that ends in blanks', () => {
    const lines = draw({ items: [itemOf({ lines: [{ mark: ' ', depth: 1, text: '' }], why: ' ' })] }).split('\n');
    expect(lines.filter((line) => line !== line.trimEnd())).toEqual([]);
  });
});

describe('folds of a log viewer', () => {
  const folded = (parts: Parameters<typeof viewOf>[0], color = false) => {
    const blocks: Folded[] = [];
    drawText(viewOf(parts), { ...plain, color }, (block) => {
      blocks.push(block);
      return [];
    });
    return blocks;
  };

  test('get each item with its first line, its rest, and whether something is lost', () => {
    const blocks = folded({ items: [itemOf({ why: 'because' }), itemOf({ loses: 'much' })] });
    expect(blocks.map(({ title, lines, loses }) => [title, lines.length, loses])).toEqual([
      ['~ update tls_edges.a  s1', 1, true],
      ['~ update tls_edges.a  s1', 1, false],
    ]);
  });

  test('have no colour in their titles', () => {
    const [block] = folded({ items: [itemOf()] }, true);
    expect([block?.title.includes('\u001b'), block?.head.includes('\u001b')]).toEqual([false, true]);
  });

  test('are not used for findings', () => {
    expect(folded({ is: 'drift', items: [itemOf()] })).toEqual([]);
  });
});

test('findings of drift are told with what follows from them, and the sentence once', () => {
  const text = draw({ is: 'drift', items: [itemOf({ notes: ['name it so'] })] });
  expect([text.match(/The sentence/g)?.length, text.includes('    name it so')]).toEqual([1, true]);
});
