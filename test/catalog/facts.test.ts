import { describe, expect, test } from 'vitest';
import { limits, notes, sourceOf, typeName } from '../../src/catalog/facts.ts';
import type { Field } from '../../src/catalog/field.ts';
import { kinds } from '../../src/catalog/kinds/index.ts';
import { assumed, documented, unspecified } from '../../src/catalog/provenance.ts';

const base = { doc: 'A value.', source: documented('§1') };
const number: Field = { ...base, type: 'integer', min: 1, max: 9, required: true };

describe('a field in words', () => {
  const [kind] = kinds;
  const id: Field = { ...base, type: 'string', maxBytes: 5, ref: { kinds: [kind?.name ?? ''], prefixes: ['x_'] } };
  test.each([
    { name: 'a number', field: number, said: ['integer', 'required', 'at least 1', 'at most 9'] },
    {
      name: 'a list',
      field: { ...base, type: 'list', order: 'kept', items: number, maxItems: 2, write: 'create' } as const,
      said: [
        'list of integer',
        'cannot be changed later',
        'at most 2 items',
        'each item: at least 1',
        'each item: at most 9',
      ],
    },
    {
      name: 'a module with a choice',
      field: { ...base, type: 'object', fields: {}, module: true, exactlyOne: true, sensitive: true } as const,
      said: ['module', 'secret', 'exactly one of its fields'],
    },
    {
      name: 'an id',
      field: id,
      said: ['string', 'at most 5 bytes', `\${${kind?.manifestKey}.NAME.id}, or an id that begins with x_`],
    },
  ])('$name', ({ field, said }) => {
    expect([typeName(field), ...notes(field), ...limits(field)]).toEqual(said);
  });
});

test.each([
  { source: documented('§1'), said: '§1' },
  { source: assumed('ADR-0004'), said: 'ADR-0004' },
  { source: unspecified('§2'), said: '§2, open' },
])('a source: $said', ({ source, said }) => {
  expect(sourceOf(source)).toBe(said);
});
