// The facts of the catalogue about a field, in words for people.

import { plural } from '../core/text/text.ts';
import type { Field, RefTarget } from './field.ts';
import { referencesTo } from './lookup.ts';
import { formRule } from './normal-form.ts';
import type { Provenance } from './provenance.ts';

export function typeName(field: Field): string {
  if (field.type === 'list') return `list of ${typeName(field.items)}`;
  return field.module ? 'module' : field.type;
}

/** Who sets the field, and when. */
export function notes(field: Field): string[] {
  const words = [
    field.required ? 'required' : '',
    field.write === 'never' ? 'read-only' : field.write === 'create' ? 'cannot be changed later' : '',
    field.sensitive ? 'secret' : '',
  ];
  return words.filter((word) => word !== '');
}

/** What an absent value means. */
export function defaults({ default: given }: Field): string[] {
  if (given === 'service') return ['default chosen by the service'];
  return typeof given === 'object' ? [`default ${JSON.stringify(given.value)}`] : [];
}

/** Which spellings are the same value, and which of them is sent. */
export function spellings(field: Field): string[] {
  if (field.type === 'list') return spellings(field.items).map((rule) => `each item: ${rule}`);
  const rule = field.write === 'never' ? undefined : formRule(field);
  return rule === undefined ? [] : [rule];
}

/** Which values are accepted, beyond the type. */
export function limits(field: Field): string[] {
  switch (field.type) {
    case 'string':
      return [
        ...(field.maxBytes === undefined ? [] : [`at most ${field.maxBytes} bytes`]),
        ...(field.maxChars === undefined ? [] : [`at most ${field.maxChars} characters`]),
        ...(field.pattern === undefined ? [] : [field.pattern.words]),
        ...(field.ref === undefined ? [] : [acceptedIds(field.ref)]),
      ];
    case 'integer':
    case 'number':
      return [
        ...(field.min === undefined ? [] : [`at least ${field.min}`]),
        ...(field.max === undefined ? [] : [`at most ${field.max}`]),
      ];
    case 'list': {
      const count = field.maxItems === undefined ? [] : [`at most ${plural(field.maxItems, 'item')}`];
      return [...count, ...limits(field.items).map((limit) => `each item: ${limit}`)];
    }
    default:
      return field.type === 'object' && field.exactlyOne ? ['exactly one of its fields'] : [];
  }
}

function acceptedIds({ kinds, prefixes, isPrefixAssumed }: RefTarget): string {
  return [
    ...referencesTo(kinds),
    ...prefixes.map((prefix) => `an id ${isPrefixAssumed ? 'such as' : 'that begins with'} ${prefix}`),
  ].join(', or ');
}

/** How we know a fact. */
export function sourceOf(source: Provenance): string {
  if (source.level === 'assumed') return source.adr;
  return source.level === 'documented' ? source.section : `${source.section}, open`;
}

/** What a value must be, and what it may be written as or left out for, in the order in which people read it. */
export function rulesOf(field: Field): string[] {
  return [...notes(field), ...limits(field), ...spellings(field), ...defaults(field)];
}
