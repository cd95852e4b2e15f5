// `${…}` inside text: variables, files and references to other resources. Splits text; fills nothing in.

import { nearest, questionOf } from '../../core/text/closest.ts';
import { tokensOf } from '../../core/text/template.ts';
import { IMPORTS, referenceIn } from '../../catalog/address.ts';
import { topLevelKinds } from '../../catalog/lookup.ts';
import { habitOfExpression } from '../../schema/habits.ts';

/** A part of a text in a manifest. */
export type Part =
  /** Literal text, with `$${` already read as `${`. */
  | { readonly type: 'text'; readonly text: string }
  /** `${var.NAME}` */
  | { readonly type: 'variable'; readonly name: string }
  /** `${file:PATH}` */
  | { readonly type: 'file'; readonly path: string }
  /** `${kind.name.attr}` or `${imports.name.attr}` */
  | { readonly type: 'reference'; readonly address: string; readonly attr: string }
  /** `${…}` that is none of these. */
  | { readonly type: 'bad'; readonly source: string; readonly why: string; readonly fix?: string };

/** The parts of a text, without two literal texts in a row. */
export function splitText(text: string): Part[] {
  if (text !== '' && !text.includes('${')) return [{ type: 'text', text }];
  return tokensOf(text).map((token): Part => {
    if (token.is === 'text') return { type: 'text', text: token.text };
    if (token.isClosed) return parsePart(token.inner);
    const fix = 'add }, or write $${ for a literal ${';
    return { type: 'bad', source: token.source, why: 'the closing } is missing', fix };
  });
}

/** The key under which variables are declared. */
const VARIABLES = 'variables';

function parsePart(inner: string): Part {
  const variable = /^var\.(?!__proto__$)([A-Za-z_][A-Za-z0-9_-]*)$/.exec(inner);
  if (variable?.[1] !== undefined) return { type: 'variable', name: variable[1] };
  if (inner.startsWith('file:') && inner.length > 5) return { type: 'file', path: inner.slice(5) };
  const reference = referenceIn(inner);
  if (reference !== undefined && reference.attr !== '')
    return { type: 'reference', address: reference.address, attr: reference.attr };
  return { type: 'bad', source: `\${${inner}}`, ...whyBad(inner) };
}

function whyBad(inner: string): { readonly why: string; readonly fix?: string } {
  const [head = '', ...rest] = inner.trim().split('.');
  const reference = referenceIn(inner);
  if (reference !== undefined) {
    const fix = `name one of its values, for example \${${reference.address}.id}`;
    return { why: 'the attribute is missing', fix };
  }
  const habit = habitOfExpression(inner.trim());
  if (habit !== undefined) return habit;
  const heads =
    head === VARIABLES
      ? ['var']
      : nearest(head, [...topLevelKinds.map((kind) => kind.manifestKey), IMPORTS, 'var', 'file']);
  const meant = heads
    .map((near) => [near, ...rest].join('.'))
    .filter((text) => text !== inner && parsePart(text).type !== 'bad');
  const why = 'it is neither ${kind.name.attr}, ${imports.name.attr}, ${var.name} nor ${file:path}';
  const fix = questionOf(meant.map((text) => `\${${text}}`));
  return fix === undefined ? { why } : { why, fix };
}
