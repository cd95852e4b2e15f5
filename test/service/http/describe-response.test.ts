// What is repeated of an answer: no half of a secret, and none in a spelling that the output filter would not find again.

import { expect, test } from 'vitest';
import { describeError, describeOrigin, mediaType, namesIn } from '../../../src/service/http/describe-response.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';

const BASE = 'https://api.example.test/';
const SECRET = new Secret('Probe-Of-An-Answer-7741').reveal();
const HOST = new Secret('probe-of-a-host-7741').reveal();
const HALF = /probe|answer/i;

/** Texts of all lengths before a secret, so that each cut goes through it once. */
const leads = Array.from({ length: 320 }, (_, length) => 'x'.repeat(length));

test('the words of an error', () => {
  expect(describeError({ error_code: 'ERR_1', msg: `no ${SECRET} here` })).toBe('ERR_1: no (sensitive) here');
  for (const lead of leads) expect(describeError({ msg: lead + SECRET })).not.toMatch(HALF);
});

test('a media type, which is shown in lower case', () => {
  expect(mediaType('Text/HTML; charset=utf-8')).toBe('text/html');
  expect(mediaType(`text/${SECRET}`)).toBe('of a type that cannot be read');
});

test('an origin, which is cut, and whose host is written anew', () => {
  expect(describeOrigin('https://elsewhere.example.test:8443/path', BASE)).toBe('https://elsewhere.example.test:8443');
  for (const lead of leads.slice(1, 120)) {
    const address = `https://${lead.replace(/x{60}/, '$&.')}.${HOST}.example.test/`;
    expect(describeOrigin(address, BASE)).not.toMatch(HALF);
  }
});

test('the names in a query, which are cut', () => {
  expect(namesIn('page=2&page=3&limit=4')).toBe('page&limit');
  for (const lead of leads.slice(0, 120)) expect(namesIn(`${lead}=1&${SECRET}=2`)).not.toMatch(HALF);
});
