// The output filter as a function: every spelling of a secret becomes a mask, and nothing that a program reads is broken.

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { beginRun, filterText, publishNames, secretPlace } from '../../src/platform/filter.ts';
import type { Span } from '../../src/core/secrets/matcher.ts';
import { createMatcher } from '../../src/core/secrets/matcher.ts';
import { maskSecrets } from '../../src/core/secrets/find-secrets.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import { escapeControls, escapeControlsInJson } from '../../src/core/text/escape-controls.ts';
import { escapeMarkup } from '../../src/core/text/escape-markup.ts';
import { code, sentence } from '../../src/render/markdown/markdown.ts';
import { wrap } from '../../src/render/text/lines.ts';

let run: ReturnType<typeof beginRun>;
beforeEach(() => {
  run = beginRun();
});
afterEach(() => {
  run.end();
});

const base64 = (text: string) => Buffer.from(text).toString('base64');
const SECRET = `pa"ss<w>&'ör|d\\9% +/=::x`;

const FORMS: readonly (readonly [string, string])[] = [
  ['as it is', SECRET],
  ['as JSON', JSON.stringify(SECRET)],
  ['as JSON in JSON', JSON.stringify(JSON.stringify({ a: SECRET }))],
  ['made visible', escapeControls(SECRET)],
  ['as HTML', escapeMarkup(SECRET)],
  ['as HTML in JSON', JSON.stringify(escapeMarkup(SECRET))],
  [
    'as HTML with other entities',
    SECRET.replace(
      /[&<>"']/g,
      (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#x27;' })[c] ?? c,
    ),
  ],
  ['in a URL', encodeURIComponent(SECRET)],
  ['in a URL, small letters', encodeURIComponent(SECRET).replace(/%../g, (hex) => hex.toLowerCase())],
  ['in a query', new URLSearchParams({ q: SECRET }).toString()],
  ['as Markdown code', code(escapeControls(SECRET))],
  ['in a Markdown sentence', sentence(escapeControls(`got ${SECRET} instead`))],
  ['in base64', base64(SECRET)],
  ['in base64 behind one byte', base64(`:${SECRET}`)],
  ['in base64 behind two bytes', base64(`u:${SECRET} and more`)],
  ['in base64 for URLs', Buffer.from(`??${SECRET}??`).toString('base64url')],
];

/** What is left of the secret in the text, in plain or decoded. */
const PIECES = ['pa"ss', 'ör', 'w>&', Buffer.from(SECRET).toString('base64').slice(4, 24)];

test.each(FORMS)('a secret %s is masked', (_, form) => {
  new Secret(SECRET);
  const text = filterText(`before ${form} after\n`, 'test');
  expect(text).toContain('(sensitive');
  expect(PIECES.filter((piece) => text.includes(piece))).toEqual([]);
  expect(text).toMatch(/^before .* after\n$/);
  expect(run.heldBack()).toEqual(['test']);
});

/** Secrets that one spelling alone finds. */
const SPELT: readonly (readonly [string, string, string])[] = [
  ['as HTML with an entity of XML', "it's-hush-hush", 'it&apos;s-hush-hush'],
  ['as HTML that leaves quotes', 'say "hush" & go', 'say "hush" &amp; go'],
  ['as JSON made visible', 'hush\u200b"hush', escapeControlsInJson(JSON.stringify('hush\u200b"hush').slice(1, -1))],
  ['made visible', 'hush\u200bhush', escapeControls('hush\u200bhush')],
  ['in a whole URL', 'hush/hush?a b', 'hush/hush?a%20b'],
  ['in a query, small letters', 'hush hush/ö', 'hush+hush%2f%c3%b6'],
  ['in a workflow command', '50% hush\nhush', '50%25 hush%0Ahush'],
  ['between single quotes', "it's-hush-hush", "it''s-hush-hush"],
];

test.each(SPELT)('a secret %s is masked whole', (_, secret, form) => {
  new Secret(secret);
  expect(maskSecrets(`before ${form} after`)).toBe('before (sensitive) after');
});

test('a secret of fewer than four bytes, or of spaces, is other text; one of four bytes is not', () => {
  for (const text of ['abc', '    ', 'éa', '']) new Secret(text);
  expect(filterText('abc éa     abc', 'test')).toBe('abc éa     abc');
  for (const text of ['0443', 'éé', '🔑', '€a']) new Secret(text);
  expect(filterText('0443/éé/🔑/€a', 'test')).toBe(Array(4).fill('(sensitive)').join('/'));
});

test('overlapping secrets are masked together, the longest first', () => {
  for (const text of ['abcdef', 'efghij', 'abcd']) new Secret(text);
  expect(maskSecrets('-abcdefghij- -abcd-')).toBe('-(sensitive)- -(sensitive)-');
});

test('a secret with spaces is found where a renderer broke the line or set words apart', () => {
  new Secret('correct horse 4battery staple');
  const lines = wrap('it is correct horse 4battery staple indeed', 20, '     ').join('\n');
  expect(lines).toContain('\n');
  for (const text of [lines, sentence('it is correct horse 4battery staple')])
    expect(filterText(text, 'test')).not.toMatch(/correct|horse|battery|staple/);
});

test('each line of a secret with several is one, but not the frame around a key', () => {
  new Secret('-----BEGIN PRIVATE KEY-----\nMIIEvAIBADANBg\nkqhkiG9w0BAQEF\n-----END PRIVATE KEY-----\n');
  expect(maskSecrets('x kqhkiG9w0BAQEF y -----BEGIN PRIVATE KEY-----')).toBe(
    'x (sensitive) y -----BEGIN PRIVATE KEY-----',
  );
});

test('the mask stays what it is, also when a secret is a word of it', () => {
  new Secret('sensitive');
  expect(filterText('secret: (sensitive) and (sensitive, changed)', 'test')).toBe(
    'secret: (sensitive) and (sensitive, changed)',
  );
});

test('a secret that was made before the run is known as soon as it is taken out', () => {
  const early = new Secret('early-bird-1');
  run.end();
  run = beginRun();
  expect(maskSecrets('early-bird-1')).toBe('early-bird-1');
  early.reveal();
  expect(maskSecrets('early-bird-1')).toBe('(sensitive)');
});

test('runs at the same time know the secrets of each other, runs one after the other do not', () => {
  new Secret('first-run-secret');
  const second = beginRun();
  new Secret('second-run-secret');
  expect(maskSecrets('first-run-secret second-run-secret')).toBe('(sensitive) (sensitive)');
  second.end();
  run.end();
  run = beginRun();
  expect(maskSecrets('first-run-secret second-run-secret')).toBe('first-run-secret second-run-secret');
});

describe('documents', () => {
  test('a document keeps its keys, its form and its names; values are masked', () => {
    for (const text of ['message', 'create', 'hunter2', 'prod', '": "x', '1234']) new Secret(text);
    publishNames(() => ['create', 'tls_edges', 'tls_edges.prod', 'shop-prod']);
    const before = {
      message: 'a message about tls_edges.prod.backend: "hunter2" in prod, of shop-prod',
      action: 'create',
      digest: `sha256:${'1234'.repeat(16)}`,
      at: '1234-01-01T00:00:00.000Z',
      count: [1234, 12345],
      nested: JSON.stringify({ message: 'hunter2', stack: 'shop-prod' }),
    };
    const text = filterText(`${JSON.stringify(before, null, 2)}\n`, 'test');
    expect(JSON.parse(text)).toEqual({
      ...before,
      message: 'a (sensitive) about tls_edges.prod.backend: "(sensitive)" in (sensitive), of shop-prod',
      nested: '{"(sensitive)":"(sensitive)","stack":"shop-prod"}',
    });
    expect(text.split('\n')).toHaveLength(JSON.stringify(before, null, 2).split('\n').length + 1);
  });

  test('what is said in names alone is no hit', () => {
    new Secret('message');
    expect(filterText('{"message":"x"}', 'test')).toBe('{"message":"x"}');
    expect(run.heldBack()).toEqual([]);
  });

  test('a name that repeats a secret is masked, but not one that is published, or that may be a part of anything', () => {
    for (const text of ['hunter22', 'metadata', 'prod']) new Secret(text);
    publishNames(() => ['metadata']);
    const text = JSON.stringify({ metadata: { prod: 1 }, add: { hunter22: 2, 'x-HUNTER22-hunter22': 3, other: 4 } });
    const safe: unknown = JSON.parse(filterText(text, 'test'));
    expect(safe).toEqual({ metadata: { prod: 1 }, add: { '(sensitive)': 2, 'x-HUNTER22-(sensitive)': 3, other: 4 } });
  });

  test('JSON lines stay lines', () => {
    new Secret('hunter22');
    expect(filterText('{"a":"hunter22"}\n{"hunter22":1}\n', 'test')).toBe('{"a":"(sensitive)"}\n{"(sensitive)":1}\n');
  });

  test('a manifest keeps its words', () => {
    for (const text of ['true', 'hunter22']) new Secret(text);
    publishNames(() => ['true']);
    const text = filterText('# yaml-language-server: $schema=x\nenabled: true\nmetadata: hunter22\n', 'test');
    expect(text).toBe('# yaml-language-server: $schema=x\nenabled: true\nmetadata: (sensitive)\n');
  });

  test('a page keeps its tags', () => {
    for (const text of ['class', 'hunter22', '<b>x']) new Secret(text);
    const ours = '<!doctype html>\n<style>.class{}</style><script>a.class = 1;</script>';
    expect(filterText(`${ours}<p class="a" title="hunter22">a class <b>x hunter22</b></p>`, 'test')).toBe(
      `${ours}<p class="a" title="(sensitive)">a (sensitive) <b>x (sensitive)</b></p>`,
    );
  });

  test('a text that is read back says where it holds a secret', () => {
    for (const text of ['hunter22', 'prod', '4711']) new Secret(text);
    publishNames(() => ['tls_edges.prod']);
    expect(secretPlace('{"address":"tls_edges.prod"}')).toBeUndefined();
    expect(secretPlace('{"a":[{"b":"x hunter22"}]}')).toBe('a.0.b');
    expect(secretPlace('{"n":4711}')).toBeUndefined();
    expect(secretPlace('{"a":1}\n{"b":"prod"}\n')).toBe('2.b');
    expect(secretPlace('{"a":{"x hunter22":1}}')).toBe('a');
    expect(secretPlace('{"prod":{"a":1}}')).toBeUndefined();
    expect(secretPlace('hunter22 is no JSON')).toBe('its text');
  });
});

test('whatever the secrets and the document, it stays a document with the same keys, and holds no secret', () => {
  const word = fc.string({ unit: 'binary', minLength: 4, maxLength: 12 }).filter((text) => text.trim() !== '');
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), fc.jsonValue(), word, (secrets, json, other) => {
      run.end();
      run = beginRun();
      for (const text of secrets) new Secret(text);
      const document = { secrets, json, other, key: { inner: secrets.join('\n') } };
      const safe: unknown = JSON.parse(filterText(JSON.stringify(document, null, 2), 'test'));
      expect(keysOf(safe)).toEqual(keysOf(document));
      const values = JSON.stringify(valuesOf(safe));
      for (const secret of secrets.filter((text) => !'(sensitive)'.includes(text)))
        expect(values).not.toContain(JSON.stringify(secret).slice(1, -1));
    }),
    { numRuns: 300, seed: 7 },
  );
});

function keysOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keysOf);
  if (typeof value !== 'object' || value === null) return null;
  return Object.entries(value).map(([key, inner]) => [key, keysOf(inner)]);
}

function valuesOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [value];
  return Object.values(value).flatMap(valuesOf);
}

test('thousands of secrets in a large text are found in one pass', () => {
  const secrets = Array.from({ length: 10_000 }, (_, index) => `prefix-${index.toString(36).padStart(4, '0')}-tail`);
  for (const secret of secrets) new Secret(secret);
  const lines = secrets.map((secret, index) =>
    index % 10 === 0 ? `line ${index}: ${secret}` : `line ${index}: prefix-`,
  );
  const text = filterText(lines.join('\n'), 'test');
  expect(text.match(/\(sensitive\)/g)).toHaveLength(1_000);
  expect(text).not.toMatch(/prefix-\w+-tail/);
});

test('secrets that begin alike are found as one by one they would be', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 4, maxLength: 12 });
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 12 }),
      fc.array(text, { maxLength: 12 }),
      (secrets, parts) => {
        const matcher = createMatcher();
        for (const secret of secrets) matcher.add(secret);
        const whole = parts.join('');
        const covered = (spans: readonly Span[]) =>
          Array.from(whole, (_, at) => spans.some(({ start, end }) => start <= at && at < end));
        const each = secrets.flatMap((secret) =>
          Array.from(whole, (_, at) => at).flatMap((at) =>
            whole.startsWith(secret, at) ? [{ start: at, end: at + secret.length }] : [],
          ),
        );
        expect(covered(matcher.find(whole))).toEqual(covered(each));
      },
    ),
    { numRuns: 500, seed: 7 },
  );
});

test('many secrets with a long common beginning are looked for in a text that nearly is one', () => {
  for (let length = 0; length < 200; length++) new Secret(`aaaa${'a'.repeat(length * 50)}b`);
  const text = filterText(`${'a'.repeat(20_000)} aaaab`, 'test');
  expect(text).toBe(`${'a'.repeat(20_000)} (sensitive)`);
});

test('what CI systems read in a log stays, whatever the secrets are', () => {
  for (const text of ['error', 'file=', '3600', 'section_start', 'title']) new Secret(text);
  const log =
    '::error file=a error,line=3600,col=1,title=an error::no title error\n\u001b[0Ksection_start:0:edgeform_step_1\r';
  expect(filterText(log, 'test')).toBe(
    '::error file=a (sensitive),line=3600,col=1,title=an (sensitive)::no (sensitive) (sensitive)\n\u001b[0Ksection_start:0:edgeform_step_1\r',
  );
});
