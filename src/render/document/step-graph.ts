// The steps of a plan and their order as a Mermaid diagram.

import { escapeControls } from '../../core/text/escape-controls.ts';
import type { Item } from '../view/view.ts';

/** With more nodes, it would be unreadable. */
const MAX_NODES = 100;

/** One colour per tone, readable on light and dark backgrounds. */
const CLASSES = [
  'classDef good fill:#1a7f37,color:#fff,stroke:#0000',
  'classDef warn fill:#9a6700,color:#fff,stroke:#0000',
  'classDef bad fill:#cf222e,color:#fff,stroke:#0000',
  'classDef rare fill:#8250df,color:#fff,stroke:#0000',
];

/** The diagram; empty when no step waits for another, or when it would be too large. */
export function stepGraph(items: readonly Item[]): string[] {
  const steps = items.flatMap((item) => item.steps.map((step) => ({ item, step })));
  const names = new Map(steps.map(({ step }, index) => [step.id, `n${index + 1}`]));
  const links = steps.flatMap(({ step }) =>
    step.after.flatMap((id) => {
      const [from, to] = [names.get(id), names.get(step.id)];
      return from === undefined || to === undefined ? [] : [`  ${from} --> ${to}`];
    }),
  );
  if (links.length === 0 || steps.length > MAX_NODES) return [];
  const nodes = steps.map(({ item: { word, address, tone }, step: { id, phase } }) => {
    const label = mermaidText(`${word} ${address}${phase}`);
    return `  ${names.get(id) ?? ''}["${label}"]:::${tone}`;
  });
  return ['graph LR', ...nodes, ...links, ...CLASSES.map((line) => `  ${line}`)];
}

/** Mermaid cannot escape quotes, but accepts character codes between `#` and `;`. */
export function mermaidText(text: string): string {
  return escapeControls(text).replace(/[^\w ,.:/-]/gu, (character) => `#${character.codePointAt(0) ?? 0};`);
}
