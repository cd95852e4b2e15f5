// Objects that two blocks name, and blocks that wait for each other.

import { describe, expect, test } from 'vitest';
import { checkCycles } from '../../../src/manifest/rules/cycles.ts';
import { checkUnique } from '../../../src/manifest/rules/unique.ts';
import { placesOf, stackOf } from '../../support/manifest-parts.ts';

describe('an object is one block', () => {
  const edge = (name: string, lifecycle: string) => `  ${name}: { lifecycle: { ${lifecycle} } }\n`;

  test.each([
    ['no ids', edge('a', '') + edge('b', ''), []],
    ['two ids', edge('a', 'id: edgtls_1') + edge('b', 'id: edgtls_2'), []],
    ['one id twice', edge('a', 'id: edgtls_1') + edge('b', 'id: edgtls_1'), ['bad-lifecycle 3:25']],
    ['pinned and adopted', edge('a', 'adopt: edgtls_1') + edge('b', 'id: edgtls_1'), ['bad-lifecycle 3:25']],
    [
      'three times is told twice',
      ['a', 'b', 'c'].map((name) => edge(name, 'id: edgtls_1')).join(''),
      ['bad-lifecycle 3:25', 'bad-lifecycle 4:25'],
    ],
    [
      'the first is the one that stands first',
      edge('z', 'id: edgtls_1') + edge('a', 'id: edgtls_1'),
      ['bad-lifecycle 3:25'],
    ],
    ['both ids of one block are one', edge('a', 'id: edgtls_1, adopt: edgtls_1'), []],
  ])('%s', (_, given, expected) => {
    expect(placesOf(checkUnique(stackOf(`tls_edges:\n${given}`)))).toEqual(expected);
  });
});

describe('each cycle of references is told once', () => {
  const backends = (links: Readonly<Record<string, string>>) =>
    stackOf(
      `failover_backends:\n${Object.entries(links)
        .map(
          ([name, to]) =>
            `  ${name}: { backends: [${Array.from(to)
              .map((one) => `"\${failover_backends.${one}.id}"`)
              .join(', ')}] }\n`,
        )
        .join('')}`,
    );
  const cycle = (message: string) => [...message.matchAll(/failover_backends\.(\w)/g)].map(([, name]) => name).join('');

  test.each<{ name: string; given: Readonly<Record<string, string>>; expect: readonly string[] }>([
    { name: 'none', given: { a: 'b', b: 'c', c: '' }, expect: [] },
    { name: 'two ways to one are no cycle', given: { a: 'bc', b: 'd', c: 'd', d: '' }, expect: [] },
    { name: 'one that waits for itself', given: { a: 'a' }, expect: ['aa'] },
    { name: 'two that wait for each other', given: { a: 'b', b: 'a' }, expect: ['aba'] },
    { name: 'what leads to a cycle is not in it', given: { x: 'a', a: 'b', b: 'a' }, expect: ['aba'] },
    { name: 'two cycles', given: { a: 'b', b: 'a', c: 'd', d: 'c' }, expect: ['aba', 'cdc'] },
    { name: 'two cycles through one', given: { a: 'bc', b: 'a', c: 'a' }, expect: ['aba', 'aca'] },
    { name: 'a link that stands twice is one', given: { a: 'bb', b: 'a' }, expect: ['aba'] },
  ])('$name', ({ given, expect: expected }) => {
    expect(checkCycles(backends(given)).map(({ message }) => cycle(message))).toEqual(expected);
  });

  test('every other link of a cycle is told with its place', () => {
    const [found] = checkCycles(backends({ a: 'b', b: 'c', c: 'a' }));
    expect([found?.range?.line, found?.related?.map(({ range }) => range.line)]).toEqual([2, [3, 4]]);
  });

  test('what lies inside another waits for it', () => {
    const stack = stackOf(
      'https_edges: { s: { description: "${https_edges.s.routes.r.id}", routes: { r: { match_type: exact_path, match: / } } } }',
    );
    expect(checkCycles(stack).map(({ code }) => code)).toEqual(['reference-cycle']);
  });
});
