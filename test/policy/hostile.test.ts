// Policies that are meant to cost time or memory: each is refused, or ends after a number of steps that is fixed.

import { expect, test } from 'vitest';
import { kindByName } from '../../src/catalog/lookup.ts';
import { compile } from '../../src/policy/cel.ts';
import { MAX_STEPS } from '../../src/policy/meter.ts';
import { scopeOf } from '../../src/policy/types.ts';
import { judged, problemsOf } from './sample.ts';

const MAPS = `[{"l": 1, "r": 1}]${'.map(t, {"l": t, "r": t})'.repeat(22)}`;
const LIST = `[${'0,'.repeat(200)}0]`;
const TEXT = `"${'a'.repeat(200)}"`;
const edge = { kinds: ['tls_edge'] };
const many = { tls_edges: { a: { hostports: Array.from({ length: 2_000 }, (_, at) => `h${at}:1`) } } };

test.each<[string, string]>([
  ['deep brackets', `${'('.repeat(2_000)}true${')'.repeat(1_999)}`],
  ['deep lists', `${'['.repeat(500)}${']'.repeat(500)} == []`],
  ['deep denial', `${'!'.repeat(3_999)}true`],
  ['long text', `"${'a'.repeat(5_000)}" == ""`],
  ['many parts', `${'true && '.repeat(490)}true && ${'1 + '.repeat(100)}1 == 1 && ${'1 + '.repeat(300)}1 == 1`],
  ['a long list', `[${'0,'.repeat(600)}0].size() > 0`],
  ['constructor', 'constructor == ""'],
  ['prototype', '__proto__ == ""'],
  ['a field named constructor', 'has(object.constructor.constructor)'],
  ['a field named toString', 'object.toString() == ""'],
  ['a pattern that repeats much', `"a".matches("${'(a{1000})'.repeat(50)}")`],
  ['a huge repetition', '"a".matches("((a{1000}){1000}){1000}")'],
  ['bytes', 'bytes(bytes("a").hex()).hex() == ""'],
  ['a time in a time zone', 'timestamp(0).getHours("Europe/Berlin") == 1'],
])('%s is refused when it is compiled', (_name, expression) => {
  expect(problemsOf({ ...edge, expression }).map(({ code }) => code)).toEqual(['bad-policy']);
});

const LOOPS: readonly [string, string][] = [
  ['a list in a list', 'object.hostports.all(a, object.hostports.all(b, object.hostports.all(c, a != "")))'],
  ['maps that double', `${MAPS} == ${MAPS}`],
  ['literal lists', `${LIST}.all(a, ${LIST}.all(b, ${LIST}.all(c, ${LIST}.all(d, true))))`],
  ['a list that doubles', `[[0]]${'.map(t, t + t)'.repeat(24)}.size() > 0`],
  ['a text that doubles', `[${TEXT}]${'.map(t, t + t)'.repeat(24)}.size() > 0`],
  ['a tree that doubles', `[[0]]${'.map(t, [t, t])'.repeat(22)} == [[1]]${'.map(t, [t, t])'.repeat(22)}`],
  ['errors that exists() absorbs', `${LIST}.exists(a, ${LIST}.exists(b, ${LIST}.all(c, ${LIST}.all(d, 1 / 0 == 1))))`],
  ['a bound value', `cel.bind(s, ${TEXT}, [s + s]${'.map(t, t + t + t)'.repeat(18)}.size() > 0)`],
];

test.each(LOOPS)('%s ends', (_name, expression) => {
  const found = judged({ ...edge, expression }, many);
  expect(found.map(({ code }) => code)).toEqual(['policy-failed']);
  expect(found[0]?.message).toMatch(/more than \d+ (?:steps|elements)/);
});

test.each<[string, number, number]>([
  ['object.description == "x" && object.metadata == "y"', 5, 100],
  ['!object.metadata.matches("^[A-Z]+$")', 100, 10_000],
  ['object.hostports.all(h, h != "x") && !object.hostports.exists(h, h == "y")', 5_000, 30_000],
  ['object.hostports.all(h, object.hostports.exists(i, h == i))', 1_000_000, 4_000_000],
  ['object.hostports.all(h, h in object.hostports)', 500_000, 4_000_000],
  ['object.hostports.all(h, h.split(":")[1] in ["443", "1"])', 5_000, 30_000],
])('%s takes from %d to %d steps with lists of 1,000', (text, from, to) => {
  const scope = scopeOf('object', kindByName('tls_edge'));
  const made = compile(text, ['bool'], scope.environment);
  const budget = { steps: MAX_STEPS };
  const hostports = Array.from({ length: 1_000 }, (_, at) => `h${at}:1`);
  const object = scope.make('object', { description: 'x', metadata: 'm'.repeat(3_600), hostports });
  const found = 'evaluate' in made && made.evaluate({ object }, budget);
  const taken = MAX_STEPS - budget.steps;
  expect([typeof found, taken >= from, taken <= to, taken]).toEqual(['boolean', true, true, taken]);
});

test.each<[string, number]>([
  ['(object.metadata + object.metadata).split("").join(object.metadata + object.metadata).split("").size() > 0', 1_500],
  [`[${'0,'.repeat(300)}0].all(i, !(${'object.metadata + '.repeat(60)}"").contains("${'m'.repeat(300)}b"))`, 3_600],
])('work on texts is counted: %s with a text of %d', (expression, length) => {
  const found = judged({ ...edge, expression }, { tls_edges: { a: { metadata: 'm'.repeat(length) } } });
  expect(found[0]?.message).toMatch(/more than \d+ steps/);
});

test('a pattern that others need exponential time for needs little', () => {
  const text = `${'a'.repeat(200)}!`;
  const policy = { ...edge, expression: '!object.description.matches("^(a+)+$")' };
  expect(judged(policy, { tls_edges: { a: { description: text } } })).toEqual([]);
});
