// What stands for a secret that the service does not show, and what is one.

import { describe, expect, test } from 'vitest';
import { looksMasked } from '../../src/resource/looks-masked.ts';
import { MASKS } from '../support/masking.ts';

describe('a mask', () => {
  const words = ['redacted', 'Hidden', 'MASKED', 'sensitive', 'secret', 'omitted', 'removed', 'protected'];
  const bare = words.flatMap((word) => [word, `<${word}>`, `(${word})`, `[${word}]`, `{{ ${word} }}`, `--${word}--`]);
  const partly = ['***abcd', 'abcd***', 'ab•••cd', '●●●●', 'x···y', 'write-only', '<write only>', '[not shown]'];
  const repeated = ['XXXX', 'xxxxxxxxxx', '########', '-----', '~~~~', '0000', '•', '••'];
  const cut = ['sk_l...9f2a', 'shh…', 'abc...', '…wxyz'];
  const inWords = [
    'REDACTED_VALUE',
    '[REDACTED by policy]',
    '<sensitive value>',
    '(hidden value)',
    'redacted (12 characters)',
    'Hidden for security reasons',
    'value hidden',
    'encrypted:v1',
  ];
  const hashes = [
    `sha256:${'ab12cd34'.repeat(8)}`,
    `SHA256:${'Kp0/'.repeat(10)}+Jb`,
    `hmac-sha-256=${'Kp0/'.repeat(10)}+Jb=`,
    `md5:${'ab12cd34'.repeat(4)}`,
    `digest: ${'ab12cd34'.repeat(16)}`,
    `fingerprint: ${'ab:'.repeat(15)}cd`,
    '$2b$10$N9qo8uLOickgx2ZMRZoMye',
    '$argon2id$v=19$m=65536$abc',
    '{SSHA}c2hh',
  ];
  test.each([...hashes, ...MASKS, ...bare, ...partly, ...repeated, ...cut, ...inWords])('is %j', (text) => {
    expect(looksMasked(text)).toBe(true);
  });
});

describe('a secret', () => {
  const texts = [
    'hush',
    '**ab',
    'a*b*c*d',
    'my-secret',
    'redacted1',
    'secretive',
    'top secret',
    'wJalrXUtnFEMI/K7MDENG+x',
    '--',
    'xxx',
    'a..b',
    'my-hidden-key',
    'a very private thing',
    'v1:b64d',
    'rehash:my',
    'hash=attackerkey',
    'digest: attacker',
    'fingerprint=my-new-secret',
    'md5:attk',
    'sha256:ab12cd34',
    `hash=${'x'.repeat(32)}`,
    '$ecret$word',
    '0123456789abcdef0123456789abcdef',
  ];
  test.each(texts)('is %j', (text) => {
    expect(looksMasked(text)).toBe(false);
  });
});
