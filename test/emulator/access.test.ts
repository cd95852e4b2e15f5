// Who may call the emulator: which tokens open it, for whom, and with which version.

import { describe, expect, test } from 'vitest';
import type { AccessRules } from '../../src/emulator/access.ts';
import { authenticate, checkVersion } from '../../src/emulator/access.ts';
import { PROBLEM } from '../../src/emulator/problem.ts';
import { createStore } from '../../src/emulator/state/store.ts';
import { codeOf, storedOf } from './stored.ts';

const rules: AccessRules = {
  apiKey: 'main-key',
  holder: { owner: 'usr_admin', admin: true },
  versionHeader: { name: 'Service-Version', value: '2' },
};
const key = storedOf('ak_1', {}, { owner: 'bot_ci', once: { token: 'key-token' } });
const store = createStore([key], () => undefined);

test.each([
  { name: 'the main token', header: 'Bearer main-key', is: rules.holder },
  { name: 'the word Bearer in small letters', header: 'bearer main-key', is: rules.holder },
  { name: 'several blanks before the token', header: 'Bearer   main-key', is: rules.holder },
  {
    name: 'the token of an API key, whose owner is no admin',
    header: 'Bearer key-token',
    is: { owner: 'bot_ci', admin: false },
  },
])('$name opens the service', ({ header, is }) => {
  expect(authenticate(rules, store, { authorization: header })).toEqual(is);
});

test.each([
  { name: 'no header', header: undefined, code: PROBLEM.noCredentials },
  { name: 'an empty header', header: '', code: PROBLEM.badCredentials },
  { name: 'another scheme', header: 'Basic main-key', code: PROBLEM.badCredentials },
  { name: 'a token alone', header: 'main-key', code: PROBLEM.badCredentials },
  { name: 'two tokens', header: 'Bearer main-key other', code: PROBLEM.badCredentials },
  { name: 'a token that begins like one', header: 'Bearer main-ke', code: PROBLEM.unknownCredentials },
  { name: 'a token in other letters', header: 'Bearer MAIN-KEY', code: PROBLEM.unknownCredentials },
  { name: 'the id of an API key', header: 'Bearer ak_1', code: PROBLEM.unknownCredentials },
])('$name does not', ({ header, code }) => {
  expect(codeOf(() => authenticate(rules, store, header === undefined ? {} : { authorization: header }))).toBe(code);
});

test('the token of an API key that was deleted opens nothing any more', () => {
  const emptied = createStore([key], () => undefined);
  emptied.remove(['ak_1']);
  expect(codeOf(() => authenticate(rules, emptied, { authorization: 'Bearer key-token' }))).toBe(
    PROBLEM.unknownCredentials,
  );
});

describe('the version', () => {
  test.each([
    { name: 'is the one of the service', headers: { 'service-version': '2' }, code: 'done' },
    { name: 'is missing', headers: {}, code: PROBLEM.noVersion },
    { name: 'is another one', headers: { 'service-version': '3' }, code: PROBLEM.badVersion },
    { name: 'stands in another header', headers: { version: '2' }, code: PROBLEM.noVersion },
  ])('$name', ({ headers, code }) => {
    expect(
      codeOf(() => {
        checkVersion(rules, headers);
      }),
    ).toBe(code);
  });
});
