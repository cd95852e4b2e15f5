// `${…}` inside text: variables, files and references to other resources. Splits text; fills nothing in.

import { closest } from '../base/closest.ts';
import { splitReference } from '../catalog/address.ts';
import { topLevelKinds } from '../catalog/lookup.ts';

export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'reference'; readonly address: string; readonly attr: string }
  | { readonly type: 'bad'; readonly source: string; readonly why: string };

const PART = /\$\$\{|\$\{([^}]*)(\})?/g;

/** The parts of a text; neighbouring literal text is one part. */
export function splitText(text: string): Part[] {
  const parts: Part[] = [];
  const addText = (piece: string) => {
    const last = parts.at(-1);
    if (piece === '') return;
    if (last?.type === 'text') parts[parts.length - 1] = { type: 'text', text: last.text + piece };
    else parts.push({ type: 'text', text: piece });
  };
  let end = 0;
  for (const found of text.matchAll(PART)) {
    addText(text.slice(end, found.index));
    end = found.index + found[0].length;
    if (found[0] === '$${') addText('${');
    else
      parts.push(
        found[2] === undefined
          ? { type: 'bad', source: found[0], why: 'the closing } is missing' }
          : parsePart(found[1] ?? ''),
      );
  }
  addText(text.slice(end));
  return parts;
}

function parsePart(inner: string): Part {
  const variable = /^var\.([A-Za-z_][A-Za-z0-9_-]*)$/.exec(inner);
  if (variable?.[1] !== undefined) return { type: 'variable', name: variable[1] };
  if (inner.startsWith('file:') && inner.length > 5) return { type: 'file', path: inner.slice(5) };
  const reference = splitReference(inner);
  if (reference !== undefined && reference.attr !== '')
    return { type: 'reference', address: reference.address, attr: reference.attr };
  const source = `\${${inner}}`;
  if (reference !== undefined) return { type: 'bad', source, why: 'the attribute is missing, for example .id' };
  if (inner.startsWith('var.')) return { type: 'bad', source, why: 'that is not the name of a variable' };
  const near = closest(
    inner.split('.')[0] ?? '',
    topLevelKinds.map((kind) => kind.manifestKey),
  );
  if (near !== undefined) return { type: 'bad', source, why: `did you mean ${near}?` };
  return { type: 'bad', source, why: 'it is neither ${kind.name.attr}, ${var.name} nor ${file:path}' };
}
