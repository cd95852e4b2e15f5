// Builds one self-contained HTML page: no links, no images, no scripts. Only this file escapes text and writes tags.

import { sha256 } from '../../core/digest.ts';
import { escapeMarkup } from '../../core/text/escape-markup.ts';
import type { Sign } from '../view/view.ts';
import { STYLE } from './style.ts';

/** Safe markup; only the functions of this file create it. */
export type Markup = { readonly markup: string };

export type Content = string | Markup | readonly Content[];

/** Escapes text and keeps markup. */
function inner(content: Content): string {
  if (typeof content === 'string') return escapeMarkup(content);
  return 'markup' in content ? content.markup : content.map(inner).join('');
}

/** An element; its attribute values are escaped. */
export function element(
  tag: string,
  content: Content,
  attributes: Readonly<Record<string, string | number>> = {},
): Markup {
  const given = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeMarkup(String(value))}"`);
  return { markup: `<${tag}${given.join('')}>${inner(content)}</${tag}>` };
}

/** Elements on separate lines, for people who read the source. */
export function stacked(parts: readonly Markup[]): Markup {
  return { markup: parts.map(({ markup }) => `\n${markup}`).join('') + '\n' };
}

/** A section with a heading, or nothing when it has no parts. */
export function section(
  level: number,
  title: string,
  parts: readonly Markup[],
  attributes: Readonly<Record<string, string>> = {},
): Markup[] {
  const heading = (['h2', 'h3', 'h4', 'h5', 'h6'] as const)[Math.min(level, 6) - 2] ?? 'h2';
  return parts.length === 0 ? [] : [element('section', [element(heading, title), ...parts], attributes)];
}

export function signText({ symbol, word, tone }: Sign): Markup {
  // Decorative: the text next to it says the same.
  const sign = element('span', symbol, { class: 'sym', 'aria-hidden': 'true' });
  return element('span', [sign, ' ', element('span', word)], { class: `act ${tone}` });
}

/** A sentence; text in back quotes becomes code. */
export function prose(text: string): Content {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? element('code', part) : part));
}

/** The CSP source of an inline text: its digest. */
function sourceOf(text: string): string {
  return `'sha256-${Buffer.from(sha256(text).replace('sha256:', ''), 'hex').toString('base64')}'`;
}

/** Content security policy: nothing is loaded, sent, framed or run. */
const POLICY = ["default-src 'none'", `style-src ${sourceOf(STYLE)}`, "base-uri 'none'", "form-action 'none'"].join(
  '; ',
);

export function page(title: string, body: readonly Markup[]): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escapeMarkup(title)}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    `<body>${stacked(body).markup}</body>`,
    '</html>',
  ].join('\n');
}
