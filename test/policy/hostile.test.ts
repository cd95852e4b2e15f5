// Policies that are meant to cost time or memory: each is refused, or ends after a number of steps that is fixed.

import { expect, test } from 'vitest';
import { kindByName } from '../../src/catalog/lookup.ts';
import { compile } from '../../src/policy/cel.ts';
import { scopeOf } from '../../src/policy/types.ts';
import { judged, problemsOf } from './sample.ts';

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
  ['a huge repetition', '"a".matches("((a{1000}){1000}){1000}")'],
  ['bytes', 'bytes(bytes("a").hex()).hex() == ""'],
  ['a time in a time zone', 'timestamp(0).getHours("Europe/Berlin") == 1'],
])('%s is refused when it is compiled', (_name, expression) => {
  expect(problemsOf({ ...edge, expression }).map(({ code }) => code)).toEqual(['bad-policy']);
});

const LOOPS: readonly [string, string][] = [
  ['a list in a list', 'object.hostports.all(a, object.hostports.all(b, object.hostports.all(c, a != "")))'],
  ['literal lists', `${LIST}.all(a, ${LIST}.all(b, ${LIST}.all(c, ${LIST}.all(d, true))))`],
  ['a list that doubles', `[[0]]${'.map(t, t + t)'.repeat(18)}.size() > 0`],
  ['a text that doubles', `[${TEXT}]${'.map(t, t + t)'.repeat(18)}.size() > 0`],
  ['a tree that doubles', `[[0]]${'.map(t, [t, t])'.repeat(17)} == [[1]]${'.map(t, [t, t])'.repeat(17)}`],
  ['errors that exists() absorbs', `${LIST}.exists(a, ${LIST}.exists(b, ${LIST}.all(c, ${LIST}.all(d, 1 / 0 == 1))))`],
  ['a bound value', `cel.bind(s, ${TEXT}, [s + s]${'.map(t, t + t + t)'.repeat(16)}.size() > 0)`],
];

test.each(LOOPS)('%s ends', (_name, expression) => {
  const found = judged({ ...edge, expression }, many);
  expect(found.map(({ code }) => code)).toEqual(['policy-failed']);
  expect(found[0]?.message).toMatch(/more than \d+ (?:steps|elements)/);
});

test.each<[string, number, number]>([
  ['object.description == "x" && object.metadata == "y"', 0, 0],
  ['object.description.matches("^[a-z]+$")', 1, 30],
  ['object.hostports.all(h, h == "x") && object.hostports.exists(h, h == "y")', 10_000, 20_000],
  ['object.hostports.all(h, object.hostports.exists(i, h == i))', 5_000_000, 20_000_000],
  ['object.hostports.all(h, h in object.hostports)', 5_000_000, 20_000_000],
  ['object.hostports.map(h, h + h).map(h, h + h).all(h, h == "x")', 300_000, 1_000_000],
])('%s costs from %d to %d steps with lists of 1,000', (text, from, to) => {
  const { environment } = scopeOf('object', kindByName('tls_edge'));
  const made = compile(text, ['bool'], environment);
  const cost = 'evaluate' in made ? (made.costOf?.({ list: 1_000, text: 10 }) ?? 0) : NaN;
  expect([cost >= from, cost <= to, cost]).toEqual([true, true, cost]);
});

test('a pattern that others need exponential time for needs little', () => {
  const text = `${'a'.repeat(200)}!`;
  const policy = { ...edge, expression: '!object.description.matches("^(a+)+$")' };
  expect(judged(policy, { tls_edges: { a: { description: text } } })).toEqual([]);
});

test('a message is cut', () => {
  const policy = { ...edge, expression: 'false', message: '${object.metadata} '.repeat(40) };
  const [found] = judged(policy, { tls_edges: { a: { metadata: 'm'.repeat(900) } } });
  expect(found?.message.length).toBeLessThan(1_200);
});
