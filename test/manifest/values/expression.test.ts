// Texts as the literals and expressions in them.

import { describe, expect, test } from 'vitest';
import type { Part } from '../../../src/manifest/values/expression.ts';
import { splitText } from '../../../src/manifest/values/expression.ts';

const text = (literal: string): Part => ({ type: 'text', text: literal });
const variable = (name: string): Part => ({ type: 'variable', name });

describe('a text is split into its parts', () => {
  test.each<{ name: string; given: string; expect: readonly Part[] }>([
    { name: 'nothing has no parts', given: '', expect: [] },
    { name: 'a literal is one part', given: 'a $ {b}', expect: [text('a $ {b}')] },
    { name: 'a variable alone', given: '${var.a}', expect: [variable('a')] },
    { name: 'a variable in a text', given: 'x${var.a}y', expect: [text('x'), variable('a'), text('y')] },
    { name: 'two in a row', given: '${var.a}${var.b-1}', expect: [variable('a'), variable('b-1')] },
    {
      name: 'an escaped expression is literal, and joins its neighbours',
      given: 'a$${var.b}c',
      expect: [text('a${var.b}c')],
    },
    { name: 'an escape before an expression', given: '$${${var.a}', expect: [text('${'), variable('a')] },
    { name: 'a file', given: '${file:a/b c.txt}', expect: [{ type: 'file', path: 'a/b c.txt' }] },
    {
      name: 'a reference',
      given: '${reserved_addrs.db.addr}',
      expect: [{ type: 'reference', address: 'reserved_addrs.db', attr: 'addr' }],
    },
    {
      name: 'a reference to a value in a block',
      given: '${https_edges.a.tls_termination.terminate_at}',
      expect: [{ type: 'reference', address: 'https_edges.a', attr: 'tls_termination.terminate_at' }],
    },
    {
      name: 'a reference to what lies inside another',
      given: '${https_edges.a.routes.b.id}',
      expect: [{ type: 'reference', address: 'https_edges.a.routes.b', attr: 'id' }],
    },
  ])('$name', ({ given, expect: expected }) => {
    expect(splitText(given)).toEqual(expected);
  });
});

describe('what is no expression is told with what was probably meant', () => {
  test.each([
    { name: 'never closed', given: '${var.a', fix: 'add }, or write $${ for a literal ${' },
    { name: 'blanks around it', given: '${ var.a }', fix: '${var.a}' },
    { name: 'brackets of other tools', given: '${reserved_addrs["db"].addr}', fix: undefined },
    { name: 'no attribute', given: '${reserved_addrs.db}', fix: '${reserved_addrs.db.id}' },
    { name: 'no name', given: '${reserved_addrs}', fix: undefined },
    { name: 'the environment', given: '${env.TOKEN}', fix: 'EDGEFORM_VAR_NAME' },
    { name: 'no path of a file', given: '${file:}', fix: undefined },
    { name: 'a kind with a slip', given: '${reserved_addr.db.addr}', fix: '${reserved_addrs.db.addr}' },
    { name: 'a variable with two names', given: '${var.a.b}', fix: undefined },
    { name: 'a name that would change what an object is', given: '${var.__proto__}', fix: undefined },
    { name: 'one in another', given: '${var.${var.a}}', fix: undefined },
    { name: 'nothing that anybody knows', given: '${1 + 1}', fix: undefined },
    { name: 'nothing at all', given: '${}', fix: undefined },
  ])('$name', ({ given, fix }) => {
    const [bad] = splitText(given);
    expect(bad?.type).toBe('bad');
    if (bad?.type === 'bad' && fix === undefined) expect(bad.fix).toBeUndefined();
    else expect(bad).toMatchObject({ fix: expect.stringContaining(fix ?? '') as string });
  });
});
