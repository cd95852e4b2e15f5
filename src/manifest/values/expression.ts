// `${…}` inside text: variables, files and references to other resources. Splits text; fills nothing in.

import { closest } from '../../core/text/closest.ts';
import { tokensOf } from '../../core/text/template.ts';
import { IMPORTS, referenceIn } from '../../catalog/address.ts';
import { topLevelKinds } from '../../catalog/lookup.ts';

export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'reference'; readonly address: string; readonly attr: string }
  | { readonly type: 'bad'; readonly source: string; readonly why: string; readonly fix?: string };

/** The parts of a text, without two literal texts in a row. */
export function splitText(text: string): Part[] {
  if (text !== '' && !text.includes('${')) return [{ type: 'text', text }];
  return tokensOf(text).map((token): Part => {
    if (token.is === 'text') return { type: 'text', text: token.text };
    if (!token.isClosed) return { type: 'bad', source: token.source, why: 'the closing } is missing' };
    return parsePart(token.inner);
  });
}

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
  const plain = inner.trim().replace(/\[\s*['"]?([\w-]+)['"]?\s*\]/g, '.$1');
  if (plain !== inner && splitText(`\${${plain}}`).every(({ type }) => type !== 'bad'))
    return { why: 'its names must be separated by dots only, without spaces', fix: `write \${${plain}}` };
  const [head = '', ...rest] = inner.split('.');
  const reference = referenceIn(inner);
  if (reference !== undefined) {
    const fix = `name one of its values, for example \${${reference.address}.id}`;
    return { why: 'the attribute is missing', fix };
  }
  const name = rest.join('.');
  const asVariable = /^[A-Za-z_][A-Za-z0-9_-]*$/.test(name) ? name : 'NAME';
  if (head === 'env')
    return {
      why: 'the environment can only be read through variables',
      fix: `declare the variable ${asVariable}, write \${var.${asVariable}}, and set EDGEFORM_VAR_${asVariable}`,
    };
  if (inner.includes('${'))
    return { why: 'expressions cannot be nested', fix: 'write the name itself in place of the inner expression' };
  if (head === 'var') return { why: 'that is not the name of a variable', fix: 'write ${var.NAME}, and nothing else' };
  const near = closest(head, [...topLevelKinds.map((kind) => kind.manifestKey), IMPORTS, 'var', 'file']);
  if (near === 'file') return { why: 'this is not how to refer to a file', fix: 'write ${file:PATH}' };
  if (near !== undefined && near !== head)
    return { why: `there is no "${head}"`, fix: `did you mean \${${[near, ...rest].join('.')}}?` };
  if (near !== undefined) return { why: 'a name or the attribute is missing', fix: `write \${${head}.NAME.id}` };
  return { why: NEITHER };
}

const NEITHER = 'it is neither ${kind.name.attr}, ${var.name} nor ${file:path}';
