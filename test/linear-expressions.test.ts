// No regular expression of ours takes more than linear time, whatever text it is given (record 0041).

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript-api';
import { describe, expect, test } from 'vitest';
import { NAME_PATTERNS } from '../src/catalog/address.ts';
import type { Field } from '../src/catalog/field.ts';
import { idPattern } from '../src/catalog/id.ts';
import { kinds } from '../src/catalog/kinds/index.ts';
import { allFields, itemField } from '../src/catalog/walk.ts';
import { IS_FULL } from './support/full.ts';
import { superLinear, verdictOf } from './support/expression-verdict.ts';
import { expressionsIn, expressionsOf, type WrittenExpression } from './support/regular-expressions.ts';

const { closed, open } = expressionsIn(['src', '.github/actions', 'templates', 'scripts']);
/** Of the sources, the catalogue and the schemas. */
const all = [...closed, ...patternsOf('the catalogue', ofCatalogue()), ...patternsOf('a schema', ofSchemas())];

function patternsOf(place: string, patterns: readonly string[]): WrittenExpression[] {
  expect(patterns.length, place).toBeGreaterThan(20);
  return patterns.map((source) => ({ place, source, flags: 'u' }));
}

function ofCatalogue(): string[] {
  const fields = kinds.flatMap((kind) => allFields(kind.fields)).flatMap(({ field }) => patternsIn(field));
  return [...fields, ...kinds.map(idPattern), ...Object.values(NAME_PATTERNS)];
}

function patternsIn(field: Field): string[] {
  if (field.type === 'map') return [field.names.regex, ...patternsIn(field.items)];
  const item = itemField(field);
  if (item !== undefined) return patternsIn(item);
  return field.type === 'string' && field.pattern !== undefined ? [field.pattern.regex] : [];
}

function ofSchemas(): string[] {
  const patterns: string[] = [];
  for (const name of readdirSync('schemas')) {
    JSON.parse(readFileSync(`schemas/${name}`, 'utf8'), (key, value: unknown) => {
      if (key === 'pattern' && typeof value === 'string') patterns.push(value);
      if (key === 'patternProperties') patterns.push(...Object.keys(value ?? {}));
      return value;
    });
  }
  return patterns;
}

/** Expressions that were judged; `npm run test:full` judges all of them again. */
const GOLDEN = 'test/golden/linear-expressions.json';

interface Judged {
  /** The version of the checker, and a digest of how it is asked: a verdict depends on them and the expression. */
  readonly checker: string;
  readonly linear: readonly string[];
  /** Those that the checker could not decide, and for which it found no text that takes long. */
  readonly tried: readonly string[];
}

const before = readJudged();
const keyOf = ({ source, flags }: WrittenExpression) => `/${source}/${flags}`;

function readJudged(): Judged {
  const { version } = JSON.parse(readFileSync('node_modules/recheck/package.json', 'utf8')) as { version: string };
  const how = createHash('sha256').update(readFileSync('test/support/expression-verdict.ts')).digest('hex');
  const checker = `${version} ${how.slice(0, 12)}`;
  const judged = JSON.parse(readFileSync(GOLDEN, 'utf8')) as Judged;
  return judged.checker === checker && !IS_FULL ? judged : { checker, linear: [], tried: [] };
}

const linear = new Set(before.linear);
const tried = new Set(before.tried);

test('no expression of the sources, the catalogue or a schema that was not judged before is more than linear', async () => {
  const found = all.flatMap((expression) => {
    const { place, source, flags } = expression;
    const key = keyOf(expression);
    if (linear.has(key) || tried.has(key)) return [];
    const { why, isTried } = verdictOf(source, flags);
    if (why !== undefined) return [`${place} ${key}: ${why}`];
    (isTried ? tried : linear).add(key);
    return [];
  });
  expect(found).toEqual([]);
  const isThere = new Set(all.map(keyOf));
  const listOf = (keys: ReadonlySet<string>) => [...keys].filter((key) => isThere.has(key)).sort();
  const judged: Judged = { checker: before.checker, linear: listOf(linear), tried: listOf(tried) };
  await expect(`${JSON.stringify(judged, null, 2)}\n`).toMatchFileSnapshot(`../${GOLDEN}`);
});

/** Files with expressions that are tried and not decided: they look ahead, refer back, or count to many. */
const TRIED: readonly string[] = [
  'scripts/docs/cast.mjs',
  'scripts/release/image.mjs',
  'scripts/release/pipelines/gitea-record.ts',
  'scripts/release/workflows.mjs',
  'src/commands/options/usage.ts',
  'src/drift/known.ts',
  'src/export/yaml.ts',
  'src/manifest/text/plain.ts',
  'src/manifest/text/recover.ts',
  'src/manifest/values/expression.ts',
  'src/resource/marker/marker-codec.ts',
  'src/resource/receive.ts',
  'src/schema/compiled-fleet.mjs',
  'src/schema/compiled-manifest.mjs',
  'src/schema/compiled-plan.mjs',
  'src/service/http/body.ts',
];

test('an expression that the checker only tries is in a file that is known for it', () => {
  const places = closed.filter((expression) => tried.has(keyOf(expression))).map(({ place }) => place);
  expect([...new Set(places.map((place) => place.replace(/:.*/, '')))].sort()).toEqual(TRIED);
});

/** Why an expression may be made from a text that is not written there. */
const REASONS: Readonly<Record<string, string>> = {
  'scripts/bundle.mjs': 'reads what the build has written',
  'scripts/docs/errors.ts': 'an example of an error says which request of its own it means',
  'scripts/generate/examples.ts': 'reads an example of this repository',
  'src/core/text/pattern.ts': 'patterns of the catalogue, of schemas and of names, checked below',
  'src/emulator/fault-format.ts': 'only tries whether the text of a fault file is a pattern',
  'src/emulator/faults.ts': 'whoever starts the emulator writes its fault file; it meets paths of requests only',
  'src/emulator/http/body.ts': 'a pattern of the catalogue, checked below',
};

test('an expression that is made from another text has a reason', () => {
  const files = new Set(open.map(({ file }) => file));
  expect([...files].sort()).toEqual(Object.keys(REASONS).sort());
  expect(open).toHaveLength(files.size);
});

describe('the checker', () => {
  test.each(['\\/+$', '^(?:a|a)*$', '\\s+at .*?(\\/[^:]*\\/src\\/)'])('refuses /%s/', (source) => {
    expect(superLinear(source, '')).toBeDefined();
  });
});

describe('what is collected', () => {
  const collect = (...texts: readonly string[]) =>
    expressionsOf(texts.map((text, at) => ts.createSourceFile(`${at}.ts`, text, ts.ScriptTarget.Latest, true)));

  test.each([
    ['a literal', '/a+/g.test(x)', ['/a+/g']],
    ['a text', `new RegExp('a+', 'u')`, ['/a+/u']],
    ['a call without new', `RegExp('a+')`, ['/a+/']],
    ['a method of strings', `x.match('a+')`, ['/a+/']],
    ['constants within a template', "const A = 'a'; const N = 2 as const; new RegExp(`${A}{${N}}`)", ['/a{2}/']],
    ['a property of a constant', `const A = { b: 'c' } as const; new RegExp(A.b + 'd')`, ['/cd/']],
    ['a copy only once', 'const A = /a/g; new RegExp(A)', ['/a/g']],
  ])('%s', (_, text, expected) => {
    expect(collect(text).closed.map(({ source, flags }) => `/${source}/${flags}`)).toEqual(expected);
    expect(collect(text).open).toEqual([]);
  });

  test('constants of other files', () => {
    const files = ["import { A as B } from './1.ts'; new RegExp(B)", "export const A = 'a+';"];
    expect(collect(...files).closed).toMatchObject([{ source: 'a+' }]);
  });

  test.each([
    ['a parameter', 'const f = (text: string) => new RegExp(text)'],
    ['a parameter with the name of a constant', `const a = 'x'; function f(a: string) { return new RegExp(a); }`],
    ['a variable', `let a = 'x'; new RegExp(a)`],
    ['unknown flags', `function f(flags: string) { return new RegExp('x', flags); }`],
  ])('%s is not constant', (_, text) => {
    expect(collect(text)).toMatchObject({ closed: [], open: [{ file: '0.ts' }] });
  });
});
