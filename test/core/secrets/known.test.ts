// Known secrets in four readings, and the filter in front of every sink: bytes in, bytes out.

import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KnownSecrets, knownSecrets } from '../../../src/core/secrets/known.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import { beginRun, filtered, sealed } from '../../../src/platform/filter.ts';
import { ANY_CHARACTER } from '../../support/any-character.ts';

let run: ReturnType<typeof beginRun>;
beforeEach(() => {
  run = beginRun();
});
afterEach(() => {
  run.end();
});

const SECRET = `pa"ss<w>&'ör|d\\9% +/=::x!(*)`;
const strictlyEncoded = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each([
  ['as it is', SECRET],
  ['as JSON', JSON.stringify(SECRET).slice(1, -1)],
  ['percent-encoded', encodeURIComponent(SECRET)],
  ['percent-encoded as RFC 3986 says', strictlyEncoded(SECRET)],
  ['percent-encoded in lower case', strictlyEncoded(SECRET).toLowerCase()],
  ['percent-encoded in every character', Buffer.from(SECRET).toString('hex').replaceAll(/../g, '%$&')],
  ['percent-encoded in some characters', encodeURI(SECRET)],
  ['in base64', base64(SECRET)],
  ['in base64 behind one byte', base64(`:${SECRET}`)],
  ['in base64 behind two bytes, before others', base64(`u:${SECRET} and more`)],
])('a secret %s is masked', (_, form) => {
  new Secret(SECRET);
  const text = filtered(`before ${form} after\n`);
  expect(text).toMatch(/^before .*\(sensitive\).* after\n$/);
  for (const piece of ['pa"ss', 'ör', 'w>&', base64(SECRET).slice(4, 24)]) expect(text).not.toContain(piece);
  expect(run.heldBack()).toBe(true);
  expect(() => sealed(form, 'plan.json')).toThrow(/would hold a secret/);
});

const LINES = [
  '-----BEGIN KEY-----',
  'MIIB"ö+secret/line=1',
  'second-line-of-16',
  'a-short-line-15',
  '-----END KEY-----',
];

test.each([
  ['as it is', (line: string) => line],
  ['as JSON', (line: string) => JSON.stringify(line).slice(1, -1)],
  ['percent-encoded', encodeURIComponent],
  ['in base64', base64],
  ['in base64 behind one byte', (line: string) => base64(`:${line}`)],
])('a line of a secret of several lines is masked %s if it has sixteen characters', (_, formOf) => {
  for (const end of ['\n', '\r\n', '\r']) new Secret(LINES.join(end));
  for (const line of LINES) {
    const text = filtered(`before ${formOf(line)} after`);
    if (line.length < 16) expect(text).not.toContain('(sensitive)');
    else expect(text).toMatch(/^before .{0,2}\(sensitive\).{0,3} after$/);
  }
});

test('a secret that only ends in a line break has no lines', () => {
  const known = new KnownSecrets(['a-secret-on-one-line\n']);
  expect(known.mask('a-secret-on-one-line, a-secret-on-one-lin')).toBe('(sensitive), a-secret-on-one-lin');
});

test.each(['short', '1234567', '(sensiti', 'sensitive'])('%j is kept by its type only', (secret) => {
  new Secret(secret);
  expect(filtered(`x ${secret} (sensitive)`)).toBe(`x ${secret} (sensitive)`);
  expect(run.heldBack()).toBe(false);
});

test('a secret is not looked for that is opaque by its place only', () => {
  new Secret('opaque-by-its-place', { isCover: true }).at('elsewhere').reveal();
  expect(filtered('opaque-by-its-place')).toBe('opaque-by-its-place');
});

test('overlapping secrets are masked together, and blanks around one do not count', () => {
  const known = new KnownSecrets(['abcdefgh', 'efghijkl', 'abcdefghij', ' in-blanks \n']);
  expect(known.mask('-abcdefghijkl- -abcdefgh- in-blanks')).toBe('-(sensitive)- -(sensitive)- (sensitive)');
});

test('blanks around a secret count where fewer than eight characters would be left', () => {
  const known = new KnownSecrets([' seven77\n', '         ']);
  expect(known.mask('x seven77\ny seven77 and          blanks')).toBe('x(sensitive)y seven77 and          blanks');
});

test.each([
  ['%', '100% of % and %4', '100% of % and %4'],
  ['of no character', '%ff%fe-a%20secret%e0%80%80', '%ff%fe-(sensitive)%e0%80%80'],
  ['before, in and after a secret', '%F0%9F%98%80 %61%20s%65cret%2F', '%F0%9F%98%80 (sensitive)%2F'],
])('codes of a text stay as they are beside a secret: %s', (_, text, safe) => {
  expect(new KnownSecrets(['a secret']).mask(text)).toBe(safe);
});

test.each([
  [
    'share a beginning of many lengths',
    Array.from({ length: 300 }, (_, n) => `${'beginning-'.repeat(2)}${'n'.repeat(n)}`),
  ],
  ['almost fit everywhere', [`${'n'.repeat(4_000)}!`, `${'beginning-'.repeat(100)}!`]],
])('a text is read once where secrets %s', (_, secrets) => {
  const known = new KnownSecrets(secrets);
  known.holds('');
  const text = `${'beginning-'.repeat(2_000)}${'n'.repeat(20_000)}`;
  expect(charactersRead(() => known.mask(text))).toBeLessThan(10 * text.length);
});

/** How many characters some work takes out of texts. */
function charactersRead(work: () => void): number {
  const { charCodeAt, slice } = String.prototype;
  let count = 0;
  String.prototype.charCodeAt = function (this: string, at: number) {
    count += 1;
    return charCodeAt.call(this, at);
  };
  String.prototype.slice = function (this: string, start?: number, end?: number) {
    const part = slice.call(this, start, end);
    count += part.length;
    return part;
  };
  try {
    work();
  } finally {
    Object.assign(String.prototype, { charCodeAt, slice });
  }
  return count;
}

test('secrets that become known one by one are all found, and are put into few searches', () => {
  const known = new KnownSecrets();
  const secrets = Array.from({ length: 500 }, (_, n) => `secret-number-${n}-`);
  for (const [index, secret] of secrets.entries()) {
    known.add(secret);
    expect(known.mask(`<${secrets[index >> 1]}${secret}>`)).toMatch(/^<(?:\(sensitive\)){1,2}>$/);
  }
  expect(known.mask(secrets.join('|'))).toBe(secrets.map(() => '(sensitive)').join('|'));
});

test('what is removed is not looked for any more', () => {
  const known = new KnownSecrets(['first-secret', 'second-secret']);
  known.remove('first-secret');
  expect(known.mask('first-secret second-secret')).toBe('first-secret (sensitive)');
});

test('a secret that was made before the run is known as soon as it is taken out', () => {
  const early = new Secret('early-bird-1');
  run.end();
  run = beginRun();
  expect(knownSecrets.holds('early-bird-1')).toBe(false);
  early.reveal();
  expect(knownSecrets.holds('early-bird-1')).toBe(true);
});

test('runs at the same time know the secrets of each other, runs one after the other do not', () => {
  new Secret('first-run-secret');
  const second = beginRun();
  new Secret('second-run-secret');
  expect(knownSecrets.mask('first-run-secret second-run-secret')).toBe('(sensitive) (sensitive)');
  second.end();
  run.end();
  run = beginRun();
  expect(knownSecrets.holds('first-run-secret second-run-secret')).toBe(false);
});

test('whatever the secrets and the text are, no secret is left, and nothing else is masked', () => {
  const secret = fc.string({ unit: fc.constantFrom('a', 'b', '"', 'ö'), minLength: 8, maxLength: 12 });
  const plain = fc.string({ unit: fc.constantFrom('c', 'd', '(', '\n'), maxLength: 12 });
  fc.assert(
    fc.property(fc.array(secret, { minLength: 1, maxLength: 5 }), fc.array(plain), (secrets, texts) => {
      const known = new KnownSecrets(secrets);
      expect(texts.map((text) => known.mask(text))).toEqual(texts);
      const mixed = texts.flatMap((text, index) => [text, secrets[index % secrets.length] ?? '']).join('');
      const safe = known.mask(mixed);
      expect(secrets.filter((one) => safe.includes(one))).toEqual([]);
      expect(known.holds(mixed)).toBe(safe !== mixed);
    }),
    { numRuns: 300, seed: 7 },
  );
});

test('a JSON document stays one, since a mask needs no escapes', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 8, unit: ANY_CHARACTER }), fc.jsonValue(), (secret, json) => {
      const known = new KnownSecrets([secret]);
      const safe = known.mask(JSON.stringify({ secret: `x ${secret} y`, json }));
      expect(() => JSON.parse(safe) as unknown).not.toThrow();
      expect(safe).not.toContain(JSON.stringify(secret.trim()).slice(1, -1).padEnd(8, '\0'));
    }),
    { numRuns: 300, seed: 7 },
  );
});

test('thousands of secrets in a large text are found in one pass', () => {
  const secrets = Array.from({ length: 10_000 }, (_, index) => `prefix-${index.toString(36).padStart(4, '0')}-tail`);
  const known = new KnownSecrets(secrets);
  const lines = secrets.map((secret, index) => `line ${index}: ${index % 10 === 0 ? secret : 'prefix-'}`);
  const text = known.mask(lines.join('\n'));
  expect(text.match(/\(sensitive\)/g)).toHaveLength(1_000);
  expect(text).not.toMatch(/prefix-\w+-tail/);
});
