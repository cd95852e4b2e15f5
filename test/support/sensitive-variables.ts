// Turns texts of a document into sensitive variables, wherever the catalogue lets a secret stand: wholly, in part, or beside
// a reference. What the document asks for stays the same.

import type { Json } from '../../src/core/json.ts';
import { isList, isObject } from '../../src/core/json.ts';
import type { Field, Fields } from '../../src/catalog/field.ts';
import { whyNeverSecret } from '../../src/catalog/secrecy/secrecy.ts';
import type { Block } from './document.ts';
import { objectsOf } from './document.ts';

/** The same document with some of its texts secret; which ones, the number says. 0 leaves all as they are. */
export function withHidden(doc: Block, number: number): Block {
  if (number === 0) return doc;
  const made = structuredClone(doc);
  const variables = { ...(made['variables'] as Block) };
  for (const { kind, block, address } of objectsOf(made)) {
    const hider = new Hider(variables, `${number} ${address}`);
    for (const [name, field] of Object.entries(kind.fields)) {
      const value = block[name];
      if (value !== undefined) block[name] = hider.hide(value, field);
    }
  }
  return { ...made, variables };
}

/** Values that `withHidden` has made secret. */
export function hiddenIn(doc: Block): string[] {
  const variables = (doc['variables'] ?? {}) as Block;
  return Object.entries(variables).flatMap(([name, about]) =>
    name.startsWith('h_') && isObject(about) ? [String(about['default'])] : [],
  );
}

class Hider {
  readonly #variables: Block;
  readonly #salt: string;

  constructor(variables: Block, salt: string) {
    this.#variables = variables;
    this.#salt = salt;
  }

  hide(value: Json, field: Field | undefined): Json {
    if (typeof value === 'string') return this.#text(value, field);
    if (isList(value)) {
      const items = field?.type === 'list' ? field.items : undefined;
      return value.map((item) => this.hide(item, items));
    }
    if (!isObject(value)) return value;
    const fields: Fields = field?.type === 'object' ? field.fields : {};
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.hide(item, fields[name])]));
  }

  #text(text: string, field: Field | undefined): string {
    const canBe = field === undefined || (whyNeverSecret(field) === undefined && field.sensitive !== true);
    const way = hash(`${this.#salt} ${text}`) % 6;
    if (!canBe || way > 2) return text;
    // The literal text before a reference, or all of it.
    const end = text.indexOf('${');
    const literal = end < 0 ? text : text.slice(0, end);
    if (literal.length < 2 || literal.includes('$')) return text;
    const rest = text.slice(literal.length);
    if (way === 0) return `${this.#variable(literal)}${rest}`;
    return `${literal[0] ?? ''}${this.#variable(literal.slice(1))}${rest}`;
  }

  #variable(value: string): string {
    const name = `h_${Buffer.from(value, 'utf8').toString('hex')}`;
    this.#variables[name] = { sensitive: true, default: value };
    return `\${var.${name}}`;
  }
}

function hash(text: string): number {
  let made = 2_166_136_261;
  for (const char of text) made = Math.imul(made ^ (char.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return made >>> 8;
}
