// The words of a manifest that frames show are those that a manifest may have.

import { expect, test } from 'vitest';
import { maskedLines } from '../../src/render/view/mask-source.ts';
import { ownKeys } from '../../src/schema/own-keys.ts';

test('every top-level key ends the declarations of variables', () => {
  for (const { name } of ownKeys().filter((key) => key.path === key.name && key.name !== 'lifecycle')) {
    const text = `variables:\n  a:\n    sensitive: true\n${name}:\n  own-name: some text`;
    const hidden = name === 'variables';
    expect(maskedLines(text).at(-1), name).toBe(hidden ? '  own-name: (sensitive)' : '  own-name: some text');
  }
});

test.each([
  ...[
    'signing_key',
    'signingKey',
    'accessKey',
    'passphrase',
    'passcode',
    'db_pwd',
    'bearer',
    'hmac',
    'secrets',
    'sekret',
  ],
  ...['apikey', 'PASSWORD', 'storage-key', 'clientSecret', 'auth_token', 'private', 'credentials'],
])('a value under the unknown name %s is masked', (name) => {
  expect(maskedLines(`    webhook: { ${name}: hunter2 }`).join()).not.toContain('hunter2');
});

test.each(['public_key', 'keyboard', 'description', 'passage'])('a value under %s is shown', (name) => {
  expect(maskedLines(`    ${name}: hunter2`).join()).toContain('hunter2');
});
