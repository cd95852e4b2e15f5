// The dependency graph of a manifest as Mermaid or DOT text. Knows nodes and links, but not their origin.

import { compareText } from '../core/json.ts';
import { escapeControls } from '../core/text/escape-controls.ts';

export interface Graph {
  readonly name: string;
  readonly nodes: readonly string[];
  /** `from` depends on `to`: as its child (a link without values), or because it refers to its values. */
  readonly links: readonly { readonly from: string; readonly to: string; readonly values: readonly string[] }[];
}

const PARENT_LABEL = 'inside';

export function graphText(language: string, graph: Graph): string {
  return language === 'dot' ? dot(sorted(graph)) : mermaid(sorted(graph));
}

/** The graph as Mermaid text. Nodes have generated ids, so that no address is taken for a keyword. */
function mermaid({ nodes, links }: Graph): string {
  const ids = new Map(nodes.map((node, index) => [node, `n${index + 1}`]));
  return [
    'graph TD',
    ...nodes.map((node) => `  ${ids.get(node) ?? ''}["${mermaidText(node)}"]`),
    ...links.map(({ from, to, values }) => {
      const arrow = values.length === 0 ? '-.->' : '-->';
      return `  ${ids.get(from) ?? ''} ${arrow}|"${mermaidText(labelOf(values))}"| ${ids.get(to) ?? ''}`;
    }),
  ].join('\n');
}

function dot({ name, nodes, links }: Graph): string {
  return [
    `digraph ${dotText(name)} {`,
    '  rankdir="LR";',
    '  node [shape="box"];',
    ...nodes.map((node) => `  ${dotText(node)};`),
    ...links.map(({ from, to, values }) => {
      const style = values.length === 0 ? ', style="dashed"' : '';
      return `  ${dotText(from)} -> ${dotText(to)} [label=${dotText(labelOf(values))}${style}];`;
    }),
    '}',
  ].join('\n');
}

function sorted({ name, nodes, links }: Graph): Graph {
  return {
    name,
    nodes: [...nodes].sort(compareText),
    links: [...links].sort(
      (a, b) =>
        compareText(a.from, b.from) ||
        compareText(a.to, b.to) ||
        a.values.length - b.values.length ||
        compareText(labelOf(a.values), labelOf(b.values)),
    ),
  };
}

function labelOf(values: readonly string[]): string {
  return values.length === 0 ? PARENT_LABEL : [...values].sort(compareText).join(', ');
}

function dotText(text: string): string {
  return `"${escapeControls(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** Mermaid cannot escape quotes, but accepts character codes between `#` and `;`. */
function mermaidText(text: string): string {
  return escapeControls(text).replace(/[^\w ,.:/-]/gu, (character) => `#${character.codePointAt(0) ?? 0};`);
}
