// Texts that the emulator fills for values the service decides.

import { expect, test } from 'vitest';
import { fillTemplate, templateWords } from '../../src/emulator/template.ts';
import { storedOf } from './stored.ts';

test.each([
  { name: 'a text without names stays', template: 'eu', scopes: [], filled: 'eu' },
  {
    name: 'a name is replaced, as often as it stands there',
    template: '{id}-{id}',
    scopes: [{ id: 'x' }],
    filled: 'x-x',
  },
  {
    name: 'the innermost scope that knows a name counts',
    template: '{a}{b}',
    scopes: [{ a: '1' }, { a: '2', b: '3' }],
    filled: '13',
  },
  { name: 'a name that nobody knows is empty', template: '<{nobody}>', scopes: [{ id: 'x' }], filled: '<>' },
  {
    name: 'a value that is null is empty',
    template: '<{parent}>',
    scopes: [{ parent: null }, { parent: 'x' }],
    filled: '<>',
  },
  { name: 'numbers and booleans become text', template: '{n} {b}', scopes: [{ n: 0, b: false }], filled: '0 false' },
  { name: 'an object becomes nothing', template: '<{o}>', scopes: [{ o: { a: 1 } }], filled: '<>' },
  { name: 'each item of a list is filled', template: ['{id}', 'b'], scopes: [{ id: 'a' }], filled: ['a', 'b'] },
  { name: 'what is no text stays', template: 7, scopes: [{ id: 'a' }], filled: 7 },
  {
    name: 'what a value says is not filled again',
    template: '{id}',
    scopes: [{ id: '{uri}', uri: 'x' }],
    filled: '{uri}',
  },
  {
    name: 'names of every object are none of a scope',
    template: '<{constructor}>',
    scopes: [{ id: 'a' }],
    filled: '<>',
  },
])('$name', ({ template, scopes, filled }) => {
  expect(fillTemplate(template, scopes)).toEqual(filled);
});

test('an object has its own words, a port among those that may be used', () => {
  const words = templateWords(storedOf('ra_1', {}, { number: 40_001, parentId: undefined }), 'http://x/ra_1');
  expect(words).toMatchObject({ id: 'ra_1', uri: 'http://x/ra_1', parent: null, number: 40_001, port: 20_001 });
});
