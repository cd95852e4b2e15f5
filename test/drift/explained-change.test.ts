import { expect, test } from 'vitest';
import type { Json } from '../../src/core/json.ts';
import { findingsBehind } from '../../src/drift/explained-change.ts';
import type { Change } from '../../src/plan/plan.ts';

const A = 'tls_edges.a';
const B = 'tls_edges.b';
/** Of both another object takes the place. */
const RENEWED = new Map([
  [A, { ids: ['edgtls_1'], findings: [A] }],
  [B, { ids: ['edgtls_2'], findings: [B] }],
]);

function change(before: Json, after: Json, more: Partial<Change> = {}): Change {
  return { path: 'x', before, after, effect: 'update', cause: 'config', sensitive: false, ...more };
}

test.each<{ name: string; changes: Change[]; findings: string[] | undefined }>([
  { name: 'nothing changes', changes: [], findings: undefined },
  { name: 'an id that is renewed', changes: [change('edgtls_1', `\${${A}.id}`)], findings: [A] },
  { name: 'an id in a text', changes: [change('at edgtls_1!', `at \${${A}.id}!`)], findings: [A] },
  { name: 'a text that changes beside it', changes: [change('at edgtls_1', `in \${${A}.id}`)], findings: undefined },
  { name: 'an object that nobody found', changes: [change('edgtls_9', '${tls_edges.c.id}')], findings: undefined },
  { name: 'another id than was there', changes: [change('edgtls_9', `\${${A}.id}`)], findings: undefined },
  { name: 'a value that is not known any more', changes: [change('uri of a', `uri of \${${A}.uri}`)], findings: [A] },
  { name: 'words less behind it', changes: [change('at h:1 old words', `at \${${A}.uri}`)], findings: undefined },
  {
    name: 'two of them, and what is between',
    changes: [change('u1 and u2.', `\${${A}.uri} and \${${B}.uri}.`)],
    findings: [A, B],
  },
  {
    name: 'two of them, and other words between',
    changes: [change('u1 or u2', `\${${A}.uri} and \${${B}.uri}`)],
    findings: undefined,
  },
  { name: 'a dollar before it', changes: [change('$edgtls_1', `\${$}\${${A}.id}`)], findings: [A] },
  {
    name: 'a list in another order',
    changes: [change(['edgtls_2', 'edgtls_1'], [`\${${A}.id}`, `\${${B}.id}`])],
    findings: [A, B],
  },
  { name: 'a list that grows', changes: [change(['edgtls_1'], [`\${${A}.id}`, 'new'])], findings: undefined },
  { name: 'inside an object', changes: [change({ id: 'edgtls_1', n: 1 }, { id: `\${${A}.id}`, n: 1 })], findings: [A] },
  { name: 'a key more', changes: [change({ id: 'edgtls_1' }, { id: `\${${A}.id}`, n: 1 })], findings: undefined },
  {
    name: 'a change of the manifest beside it',
    changes: [change('edgtls_1', `\${${A}.id}`), change(1, 2)],
    findings: undefined,
  },
  {
    name: 'what somebody changed outside is left aside',
    changes: [change('edgtls_1', `\${${A}.id}`), change(1, 2, { cause: 'drift' })],
    findings: [A],
  },
  { name: 'masks look alike', changes: [change('edgtls_1', `\${${A}.id}`, { sensitive: true })], findings: undefined },
  { name: 'text that only looks like a reference', changes: [change('edgtls_1', `$\${${A}.id}`)], findings: undefined },
])('$name', ({ changes, findings }) => {
  expect(findingsBehind(changes, RENEWED)).toEqual(findings);
});
