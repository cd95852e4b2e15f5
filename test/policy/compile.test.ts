// What is found when policies are compiled, and where.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { managedKinds } from '../../src/catalog/lookup.ts';
import { compilePolicies } from '../../src/policy/compile.ts';
import { compiled, problemsOf } from './sample.ts';

const route = { kinds: ['https_edge_route'] };
const edge = { kinds: ['tls_edge'] };

describe('a policy that is wrong', () => {
  test.each<[string, JsonObject, string, string?]>([
    ['a field that is not there', { ...edge, expression: 'object.hostport == ""' }, 'no field "hostport"', 'hostports'],
    ['one inside', { ...edge, expression: 'object.backend.backend_ids == ""' }, 'no field "backend_ids"', 'backend_id'],
    ['one in has()', { ...edge, expression: 'has(object.hostport)' }, 'no field "hostport"', 'hostports'],
    ['one of a step', { on: 'step', expression: 'step.adress == ""' }, 'no field "adress"', 'address'],
    ['one in a loop', { on: 'step', expression: 'step.changes.all(c, c.paths == "")' }, 'no field "paths"', 'path'],
    ['one in a message', { ...edge, message: 'at ${object.hostport}' }, 'message: there is no field "hostport"'],
    ['one that only some kinds have', { expression: 'object.hostports.size() > 0' }, 'no field "hostports" (for '],
    [
      'a variable as a field',
      { ...route, expression: 'object.parent.address == ""' },
      'no field "parent"',
      'write parent alone',
    ],
    [
      'its like where there is none',
      { ...edge, expression: 'object.parent.address == ""' },
      'no field "parent"',
      'explain',
    ],
    ['what only the service sets', { ...edge, expression: 'object.uri == ""' }, 'no field "uri"'],
    ['a name of the language below', { ...edge, expression: 'object.constructor == ""' }, 'no field "constructor"'],
    ['a variable of another subject', { ...edge, expression: 'step.action == ""' }, 'Unknown variable: step'],
    ['text compared with a number', { ...edge, expression: 'object.description > 3' }, 'no such overload'],
    ['a secret used as text', { ...route, expression: 'object.oidc.client_secret.size() > 8' }, 'secret.size'],
    ['no truth', { ...edge, expression: 'object.description' }, 'it is of type string, not bool'],
    ['a list in a message', { ...edge, message: '${object.hostports}' }, 'it is of type list<string>'],
    ['syntax', { ...edge, expression: 'object.description ==' }, 'expression: '],
    ['an unclosed message', { ...edge, message: 'at ${object' }, 'message: '],
    ['a computed pattern', { ...edge, expression: '"a".matches(object.description)' }, 'must be a literal text'],
    ['a pattern that goes back', { ...edge, expression: '"a".matches("(a)\\\\1")' }, 'not a regular expression of RE2'],
    ['a kind that is not there', { kinds: ['tls_edges'], expression: 'has(object.hostports)' }, 'kinds', 'tls_edge'],
    ['an unknown key', { expresion: 'true' }, 'unknown field "expresion"'],
    ['kinds of a plan', { on: 'plan', ...edge }, 'has no kinds'],
    ['actions of a resource', { actions: ['create'] }, 'has no actions'],
    ['a name that is none', { name: 'No Way' }, 'name'],
  ])('%s', (_name, policy, message, fix = '') => {
    const [found, ...others] = problemsOf(policy);
    expect(found?.message).toContain(message);
    expect(found?.fix).toContain(fix);
    expect(others).toEqual([]);
  });

  test('everything is reported at once, each at its place', () => {
    const text = [
      'version: 1',
      'policies:',
      '  - { name: a, on: plan, expression: plan.sumary.delete < 3, message: m }',
      '  - name: b',
      '    on: object',
      '    kinds: [tls_edge]',
      '    expression: |',
      '      has(object.backend) &&',
      '      object.backend.nope == ""',
      '    message: m',
      '  - { name: a, on: plan, expression: "true", message: m }',
    ].join('\n');
    const { diagnostics } = compilePolicies([{ name: 'p.yaml', text }]);
    expect(diagnostics.map(({ range, message }) => [range?.line, range?.column, message])).toEqual([
      [3, 43, 'expression: there is no field "sumary"'],
      [9, 22, 'expression: there is no field "nope" (for tls_edge)'],
      [11, 13, 'two policies have the name a'],
    ]);
    expect(diagnostics[0]?.fix).toBe('did you mean "summary"?');
  });

  test('the mark of what spans several lines ends with its first line', () => {
    const text = [
      'version: 1',
      'policies:',
      '  - name: a',
      '    on: plan',
      '    expression: |',
      ...Array.from({ length: 300 }, () => '      true && true &&'),
      '      true',
      '    message: m',
    ].join('\n');
    const { diagnostics } = compilePolicies([{ name: 'p.yaml', text }]);
    expect(diagnostics.map(({ range }) => range)).toEqual([
      { file: 'p.yaml', line: 6, column: 7, endLine: 6, endColumn: 22 },
    ]);
  });

  test('a file without policies is one', () => {
    expect(compilePolicies([{ name: 'p.yaml', text: 'version: 1\n' }]).diagnostics).toHaveLength(1);
  });
});

test('a field compared with a value of another type is refused', () => {
  const wrong = { string: '1', boolean: '"x"', integer: '"x"', number: '"x"', list: '1', map: '1', object: '1' };
  for (const kind of managedKinds)
    for (const [name, { write, type }] of Object.entries(kind.fields)) {
      if (write === 'never') continue;
      const found = problemsOf({ kinds: [kind.name], expression: `object.${name} == ${wrong[type]}` });
      expect([name, found.map(({ code }) => code)]).toEqual([name, ['bad-policy']]);
    }
});

test('every field of every kind can be tested and, unless it is secret, compared with itself', () => {
  for (const kind of managedKinds)
    for (const [name, { write, type }] of Object.entries(kind.fields)) {
      if (write === 'never') continue;
      compiled({ kinds: [kind.name], expression: `has(object.${name})` });
      if (type === 'string') compiled({ kinds: [kind.name], expression: `object.${name} == object.${name}` });
    }
});

test('the digest covers the texts, whatever their names and their order', () => {
  const text = (name: string) =>
    JSON.stringify({ version: 1, policies: [{ name, on: 'plan', expression: 'true', message: 'm' }] });
  const digest = (...texts: string[]) =>
    compilePolicies(texts.map((one, at) => ({ name: `${at}.json`, text: one }))).value?.digest;
  expect(digest(text('a'), text('b'))).toBe(digest(text('b'), text('a')));
  expect(digest(text('a'))).not.toBe(digest(text('b')));
});
