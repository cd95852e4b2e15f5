// Normal forms of values, typed by hand: which spellings are the same value, which texts have no such form, what is sent.

import { describe, expect, test } from 'vitest';
import type { NumberForm, StringField, TextForm } from '../../src/catalog/field.ts';
import { hostForm, hostportForm } from '../../src/catalog/host.ts';
import { privateKeyIn } from '../../src/catalog/public-key.ts';
import { isOfForm, normalNumber, normalText, sentText } from '../../src/catalog/normal-form.ts';
import { documented } from '../../src/catalog/provenance.ts';
import { publicKeyForm } from '../../src/catalog/public-key.ts';

const field = (form: TextForm): StringField => ({ type: 'string', form, doc: '', source: documented('§2') });

describe('a host', () => {
  test.each([
    ['shop.example.com', 'shop.example.com'],
    ['Shop.Example.COM', 'shop.example.com'],
    ['shop.example.com.', 'shop.example.com'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['MÜNCHEN.example.', 'xn--mnchen-3ya.example'],
    ['mu\u0308nchen.example', 'xn--mnchen-3ya.example'],
    ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
    ['XN--MNCHEN-3YA.example', 'xn--mnchen-3ya.example'],
    ['faß.example', 'xn--fa-hia.example'],
    ['*.Example.com', '*.example.com'],
    ['*.münchen.example', '*.xn--mnchen-3ya.example'],
    ['a_b.example.com', 'a_b.example.com'],
    ['a-b.a--b.example.com', 'a-b.a--b.example.com'],
    ['col·lecció.example', 'xn--collecci-ioa91d.example'],
    ['ア・イ.example', 'xn--ccke4x.example'],
    ['נ״ט.example', 'xn--debp4d.example'],
    ['نامه\u200cای.example', 'xn--mgba3gch31f060k.example'],
    ['h', 'h'],
    ['1.tcp.eu.example.com', '1.tcp.eu.example.com'],
    ['192.0.2.1', '192.0.2.1'],
    ['[2001:DB8:0:0::1]', '[2001:db8::1]'],
  ])('%s is %s', (text, form) => {
    expect(hostForm(text)).toBe(form);
    expect(hostForm(form)).toBe(form);
  });

  test.each([
    ['$DOMAIN'],
    ['www.$DOMAIN'],
    ['a..b'],
    ['.a'],
    ['.'],
    [''],
    ['a b'],
    ['a/b'],
    ['a%41'],
    ['a@b'],
    ['a:1'],
    ['a*.example.com'],
    ['*.'],
    ['*.192.0.2.1'],
    ['☃.example'],
    ['xn--zz.example'],
    ['a\u200db.example'],
    ['a\u200cb.example'],
    ['a\u00adb.example'],
    ['-a.example'],
    ['a-.example'],
    ['*.a.-b'],
    ['-münchen.example'],
    ['1.1'],
    ['0x7f.1'],
    ['256.1.1.1'],
    ['example.1'],
    ['[::1'],
    ['[1::2::3]'],
    ['2001:db8::1'],
    [`${'a'.repeat(64)}.example`],
    [Array.from({ length: 64 }, () => 'abc').join('.')],
  ])('%s is none', (text) => {
    expect(hostForm(text)).toBeUndefined();
  });

  test.each([
    ['Shop.example.com.:443', 'shop.example.com:443'],
    ['[::01]:1', '[::1]:1'],
    ['shop.example.com', undefined],
    ['$DOMAIN:443', undefined],
    [':443', undefined],
    ['a:b', undefined],
  ])('with a port: %s is %s', (text, form) => {
    expect(hostportForm(text)).toBe(form);
  });
});

test.each([
  ['-----BEGIN PRIVATE KEY-----\nMIIB', 11],
  ['key: "-----BEGIN RSA PRIVATE KEY-----\\nMIIB"', 21],
  ['---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----', 26],
  ['PuTTY-User-Key-File-3: ssh-ed25519', 0],
  ['-----BEGIN PUBLIC KEY-----', undefined],
  ['the private key is in the vault, as PRIVATE KEY of the team', undefined],
])('%j has a private key at %s', (text, start) => {
  expect(privateKeyIn(text)).toBe(start);
});

describe('a public key', () => {
  const block = (...lines: readonly string[]) => lines.join('\n');
  test.each([
    ['ssh-ed25519 AAAAC3Nz', 'ssh-ed25519 AAAAC3Nz'],
    ['ssh-ed25519 AAAAC3Nz ops@example.com laptop', 'ssh-ed25519 AAAAC3Nz'],
    ['  ssh-ed25519\t AAAAC3Nz  \r\n', 'ssh-ed25519 AAAAC3Nz'],
    ['sk-ssh-ed25519@openssh.com AAAAG ops', 'sk-ssh-ed25519@openssh.com AAAAG'],
    ['no key at all\n', 'no key at all'],
    [block('-----BEGIN PUBLIC KEY-----', 'MIIB', 'CgKC', '-----END PUBLIC KEY-----', ''), 'PUBLIC KEY MIIBCgKC'],
    [
      block('made by ops', '-----BEGIN PUBLIC KEY-----\r', 'MI', 'IBCgKC\r', '-----END PUBLIC KEY-----'),
      'PUBLIC KEY MIIBCgKC',
    ],
    [block('-----BEGIN PUBLIC KEY-----', 'MIIB', '-----END PUBLIC KEY-----', 'of ops'), 'PUBLIC KEY MIIB'],
    [
      block(
        '---- BEGIN SSH2 PUBLIC KEY ----',
        'Comment: "of \\',
        'ops"',
        'AAAA',
        'C3Nz',
        '---- END SSH2 PUBLIC KEY ----',
      ),
      'SSH2 PUBLIC KEY AAAAC3Nz',
    ],
  ])('%j is %s', (text, form) => {
    expect(publicKeyForm(text)).toBe(form);
  });
});

describe('other texts', () => {
  test.each<[TextForm, string, string]>([
    ['caseless', 'JSON', 'json'],
    ['trimmed', ' two\nlines \n', 'two\nlines'],
    ['url', 'HTTPS://Accounts.Example.com./Realm?A#B', 'https://accounts.example.com/Realm?A#B'],
    ['url', 'https://münchen.example:8443/Ä', 'https://xn--mnchen-3ya.example:8443/Ä'],
    ['url', 'urn:Example', 'urn:Example'],
    ['email', 'Ops@MÜNCHEN.example', 'ops@xn--mnchen-3ya.example'],
    ['selector', '/Api/V1', '/Api/V1'],
    ['selector', 'Shop.Example.com./Api', 'shop.example.com/Api'],
    ['selector', 'Shop.Example.com', 'shop.example.com'],
    ['bind-rule', '*', '*'],
    ['bind-rule', 'bind:*.Example.com.', 'bind:*.example.com'],
    ['bind-rule', 'bind:Db.Example.com:5432', 'bind:db.example.com:5432'],
    ['bind-rule', 'bind:Team=Web', 'bind:Team=Web'],
    ['bind-rule', 'bind:*', 'bind:*'],
  ])('%s: %j is %j', (form, text, normal) => {
    expect(normalText(field(form), text)).toBe(normal);
    expect(normalText(field(form), normal)).toBe(normal);
    expect(isOfForm(field(form), text)).toBe(true);
  });

  test.each<[TextForm, string]>([
    ['email', 'ops'],
    ['email', '@example.com'],
    ['email', 'ops@$DOMAIN'],
    ['selector', '$DOMAIN/api'],
    ['bind-rule', 'bind:*.$DOMAIN'],
    ['bind-rule', 'allow:a'],
  ])('%s: %j has no such form, and is compared as it is', (form, text) => {
    expect(isOfForm(field(form), text)).toBe(false);
    expect(normalText(field(form), text)).toBe(text);
  });

  test.each<[TextForm, string, string]>([
    ['hostport', 'MÜNCHEN.example.:443', 'xn--mnchen-3ya.example:443'],
    ['email', 'Ops@Example.com', 'ops@example.com'],
    ['public-key', 'ssh-ed25519 AAAA ops', 'ssh-ed25519 AAAA ops'],
    ['trimmed', 'a\n', 'a\n'],
    ['caseless', 'JSON', 'JSON'],
    ['url', 'https://A.example', 'https://A.example'],
  ])('%s: %j is sent as %j', (form, text, sent) => {
    expect(sentText(field(form), text)).toBe(sent);
  });
});

test.each<[NumberForm | undefined, number, number]>([
  ['float32', 0.30000001192092896, 0.3],
  ['float32', 0.3, 0.3],
  ['float32', 0.1, 0.1],
  ['float32', Math.fround(0.123456789), 0.12345679],
  ['float32', 0, 0],
  ['float32', 1, 1],
  [undefined, 0.30000001192092896, 0.30000001192092896],
])('a number of the form %s: %d is %d', (form, value, normal) => {
  expect(normalNumber(form, value)).toBe(normal);
  expect(normalNumber(form, normal)).toBe(normal);
});
