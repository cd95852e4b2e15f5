// Known secrets in four readings, and the filter in front of every sink: bytes in, bytes out.

import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KnownSecrets, knownSecrets } from '../../../src/core/secrets/known.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import { beginRun, filtered, sealed } from '../../../src/platform/filter.ts';

let run: ReturnType<typeof beginRun>;
beforeEach(() => {
  run = beginRun();
});
afterEach(() => {
  run.end();
});

const SECRET = `pa"ss<w>&'ör|d\\9% +/=::x`;
const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each([
  ['as it is', SECRET],
  ['as JSON', JSON.stringify(SECRET).slice(1, -1)],
  ['percent-encoded', encodeURIComponent(SECRET)],
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

test('a secret is not looked for that is opaque by its place, or of an object of others', () => {
  new Secret('opaque-by-its-place', { isCover: true }).reveal();
  const other = new Secret('of-an-object-of-others', { isUnclaimed: true }).at('elsewhere');
  other.reveal();
  expect(filtered('opaque-by-its-place of-an-object-of-others')).not.toContain('(sensitive)');
  other.claim();
  expect(filtered('of-an-object-of-others')).toBe('(sensitive)');
});

test('overlapping secrets are masked together, and blanks around one do not count', () => {
  const known = new KnownSecrets(['abcdefgh', 'efghijkl', 'abcdefghij', ' in-blanks \n']);
  expect(known.mask('-abcdefghijkl- -abcdefgh- in-blanks')).toBe('-(sensitive)- -(sensitive)- (sensitive)');
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
    fc.property(fc.string({ minLength: 8, unit: 'binary' }), fc.jsonValue(), (secret, json) => {
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
