// A picture of the order in which steps run: each is to the right of those that it waits for.

import { plural } from '../../core/text/text.ts';
import type { Item, View } from '../view/view.ts';
import { element, section, stacked, type Markup } from './html.ts';
import { layersOf } from './layers.ts';
import { targetsOf } from './steps.ts';

/** With more nodes, the picture would be unreadable. */
const MAX_NODES = 100;
const MAX_LABEL = 36;
/** Width of a letter in the fixed-width font of the style sheet. */
const LETTER = 7.3;
const HEIGHT = 26;

interface Node {
  readonly id: string;
  readonly after: readonly string[];
  readonly item: Item;
  readonly title: string;
  readonly label: string;
  readonly width: number;
}

export function graphSection({ items }: View): Markup[] {
  const steps = items.flatMap((item) => item.steps.map((step) => ({ ...step, item })));
  const known = new Set(steps.map(({ id }) => id));
  const awaited = new Set(steps.flatMap(({ after }) => after));
  const nodes = steps
    .filter(({ id, after }) => awaited.has(id) || after.some((one) => known.has(one)))
    .map((step) => nodeOf(step, step.item));
  if (nodes.length === 0) return [];
  const others = steps.length - nodes.length;
  const rest = others === 0 ? '' : ` ${plural(others, 'other step')} ${others === 1 ? 'has' : 'have'} no dependencies.`;
  if (nodes.length > MAX_NODES) {
    const text = `${plural(nodes.length, 'step')} depend on each other, and at most ${MAX_NODES} are drawn. Each step lists the steps that it waits for.`;
    return section('Order of execution', [element('p', text, { class: 'meta' })], 'graph');
  }
  const numbers = new Map(nodes.map(({ id }, index) => [id, index]));
  const layers = layersOf(
    nodes.map(({ after, width }) => ({ after: after.flatMap((id) => numbers.get(id) ?? []), width })),
  );
  const text = `${plural(nodes.length, 'step')} in ${plural(layers.count, 'stage')}, from left to right; steps of one stage can run at the same time.${rest}`;
  const picture = element('div', drawing(nodes, layers, targetsOf(items)), { class: 'scroll' });
  return section('Order of execution', [element('p', text, { class: 'meta' }), picture], 'graph');
}

function drawing(
  nodes: readonly Node[],
  layers: ReturnType<typeof layersOf>,
  targets: ReadonlyMap<string, string>,
): Markup {
  const { width, height, lines } = layers;
  const boxes = nodes.map((node, at) => {
    const { x, y } = layers.nodes[at] ?? { x: 0, y: 0 };
    const box = element('rect', '', { x, y: y - HEIGHT / 2, width: node.width, height: HEIGHT, rx: 5 });
    const text = element('text', node.label, { x: x + 10, y: y + 4 });
    const title = element('title', node.title);
    return element('a', element('g', [title, box, text], { class: node.item.tone }), {
      href: `#${targets.get(node.id) ?? ''}`,
    });
  });
  const paths = lines.map((points) => element('path', '', { d: pathOf(points) }));
  return element('svg', [element('g', paths, { class: 'lines' }), stacked(boxes)], {
    width: width + 4,
    height: height + 4,
    viewBox: `-2 -2 ${width + 4} ${height + 4}`,
    role: 'group',
    'aria-label': 'Steps by dependency',
  });
}

/** A curve between layers, a straight line through them, and an arrow at its end. */
function pathOf(points: readonly { readonly x: number; readonly y: number }[]): string {
  const [first = { x: 0, y: 0 }, ...rest] = points;
  const last = rest.at(-1) ?? first;
  const parts = rest.map((to, index) => {
    const from = points[index] ?? to;
    const middle = (from.x + to.x) / 2;
    return index % 2 === 0 ? `C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}` : `H${to.x}`;
  });
  return `M${first.x} ${first.y}${parts.join('')}M${last.x - 6} ${last.y - 4}L${last.x} ${last.y}L${last.x - 6} ${last.y + 4}`;
}

/** A node as wide as its label, which is shortened in the middle when it is long. */
function nodeOf({ id, after, phase }: Item['steps'][number], item: Item): Node {
  const letters = Array.from(`${item.symbol} ${item.address}${phase}`);
  const shown =
    letters.length <= MAX_LABEL ? letters : [...letters.slice(0, 20), '…', ...letters.slice(21 - MAX_LABEL)];
  const title = `${item.word} ${item.address}${phase}`;
  return { id, after, item, title, label: shown.join(''), width: Math.round(shown.length * LETTER) + 20 };
}
