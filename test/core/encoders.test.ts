// A secret is masked whole, whoever wrote it down: secrets with everything that is escaped anywhere, times the encoders of
// languages that services are written in, each made here by the rules of its language, also one inside the other.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { beginRun } from '../../src/platform/filter.ts';
import { maskSecrets } from '../../src/core/secrets/find-secrets.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import { openOutputFilter } from '../../src/commands/shell/output-filter.ts';
import type { Host, Sink } from '../../src/commands/shell/host.ts';

let run: ReturnType<typeof beginRun>;
beforeEach(() => {
  run = beginRun();
});
afterEach(() => {
  run.end();
});

const SECRETS = [
  `Zq7/sec"ret' +<é>&9xx`,
  'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLE',
  'line "one"\nline <two>\r\nthe end',
  'zero\u200bwidth\u2060 "joined"',
  '🔑 emoji 🗝️’s & more',
  'tab\there\\there | `x` 100%',
  `C:\\new\\table='x'`,
  'looks%20escaped\\u0041&amp;"is not"',
  'ünïcödé/日本語/한글',
];

type Encode = (text: string) => string;

const units = (text: string, those: RegExp, write: (code: number) => string) =>
  text.replace(those, (one) => Array.from({ length: one.length }, (_, at) => write(one.charCodeAt(at))).join(''));
const points = (text: string, those: RegExp, write: (code: number) => string) =>
  text.replace(those, (one) => write(one.codePointAt(0) ?? 0));
const hex = (code: number, width: number) => code.toString(16).padStart(width, '0');
const unit = (code: number) => `\\u${hex(code, 4)}`;
const json: Encode = (text) => JSON.stringify(text).slice(1, -1);
const percent = (text: string, kept: RegExp) =>
  [...Buffer.from(text)]
    .map((byte) => {
      const one = String.fromCharCode(byte);
      return kept.test(one) ? one : `%${hex(byte, 2).toUpperCase()}`;
    })
    .join('');
const small: Encode = (text) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
const bytes = (text: string, write: (byte: number) => string) => [...Buffer.from(text)].map(write).join('');
const entities =
  (table: Readonly<Record<string, string>>): Encode =>
  (text) =>
    text.replace(/[&<>"']/g, (one) => table[one] ?? one);

const goJson: Encode = (text) => units(json(text), /[<>&\u2028\u2029]/g, unit);
const pythonJson: Encode = (text) => units(json(text), /[^\0-\x7f]/g, unit);
const phpJson: Encode = (text) => pythonJson(text).replaceAll('/', '\\/');
const goHtml = entities({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' });
const pythonHtml = entities({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' });
const phpHtml = entities({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' });
const pythonQuote: Encode = (text) => percent(text, /[\w.~/-]/);
const goQuery: Encode = (text) => percent(text, /[\w.~ -]/).replaceAll(' ', '+');

const csv: Encode = (text) => text.replaceAll('"', '""');
const named = entities({ '&': '&amp;', '<': '&lt;', '>': '&gt;' });
const shell: Encode = (text) => text.replaceAll("'", "'\\''");
const latin1: Encode = (text) => Buffer.from(text).toString('latin1');
const windows1252: Encode = (text) => new TextDecoder('windows-1252').decode(Buffer.from(text));
const base64: Encode = (text) => Buffer.from(text).toString('base64');

const ENCODERS: Readonly<Record<string, Encode>> = {
  'nothing at all': (text) => text,
  'Go encoding/json': goJson,
  'Python json.dumps': pythonJson,
  'PHP json_encode': phpJson,
  'JSON, every unit escaped': (text) => units(text, /[^]/g, unit),
  'JSON, every unit escaped in capitals': (text) => units(text, /[^]/g, (code) => `\\u${hex(code, 4).toUpperCase()}`),
  'Rust and Swift, code points': (text) => points(text, /[^ -~]|[\\"']/gu, (code) => `\\u{${hex(code, 1)}}`),
  'Python str': (text) =>
    points(text.replaceAll('\\', '\\\\'), /[^ -~]|'/gu, (code) =>
      code < 0x100 ? `\\x${hex(code, 2)}` : code < 0x10000 ? unit(code) : `\\U${hex(code, 8)}`,
    ),
  'Python bytes': (text) =>
    bytes(text, (byte) =>
      byte === 0x5c ? '\\\\' : byte < 0x20 || byte > 0x7e ? `\\x${hex(byte, 2)}` : String.fromCharCode(byte),
    ),
  'C, every byte escaped': (text) => bytes(text, (byte) => `\\x${hex(byte, 2).toUpperCase()}`),
  'C and protobuf, octal': (text) =>
    bytes(text.replaceAll('\\', '\\\\'), (byte) =>
      byte < 0x20 || byte > 0x7e ? `\\${byte.toString(8).padStart(3, '0')}` : String.fromCharCode(byte),
    ),
  'quoted-printable, in lines of ten': (text) =>
    bytes(text, (byte) =>
      byte === 0x3d || byte > 0x7e ? `=${hex(byte, 2).toUpperCase()}` : String.fromCharCode(byte),
    ).replace(/((?:=..|[^=\r\n]){10})(?=[^\r\n])/g, '$1=\r\n'),
  'HTML, decimal without an end': (text) => points(text, /[^\0-\x7f](?!\d)/gu, (code) => `&#${code}`),
  'HTML, names of typography': (text) => text.replaceAll('’', '&rsquo;'),
  'Unicode, decomposed': (text) => text.normalize('NFD'),
  'JSON of decomposed': (text) => pythonJson(text.normalize('NFD')),
  'a shell, signs escaped': (text) => text.replace(/[!-/:-@[-`{-~]/g, '\\$&'),
  'Go html.EscapeString': goHtml,
  'Python html.escape': pythonHtml,
  'PHP htmlspecialchars': phpHtml,
  'XML with &apos;': entities({ '&': '&amp;', '<': '&lt;', "'": '&apos;' }),
  'PHP htmlentities': (text) =>
    phpHtml(text).replace(/[éüïö]/g, (one) => ({ é: '&eacute;', ü: '&uuml;', ï: '&iuml;' })[one] ?? '&ouml;'),
  'HTML5 names of signs': (text) =>
    text.replace(/[&/+=]/g, (one) => ({ '&': '&amp;', '/': '&sol;', '+': '&plus;' })[one] ?? '&equals;'),
  'HTML, all decimal': (text) => points(text, /[^]/gu, (code) => `&#${code};`),
  'HTML, all hexadecimal': (text) => points(text, /[^]/gu, (code) => `&#x${hex(code, 4)};`),
  'HTML, all hexadecimal in capitals': (text) => points(text, /[^]/gu, (code) => `&#X${hex(code, 1).toUpperCase()};`),
  'Python quote': pythonQuote,
  'Python quote, small letters': (text) => small(pythonQuote(text)),
  'Python quote, twice': (text) => pythonQuote(pythonQuote(text)),
  'Python quote, three times': (text) => pythonQuote(pythonQuote(pythonQuote(text))),
  'Go url.QueryEscape': goQuery,
  'Go url.PathEscape': (text) => percent(text, /[\w.~$&+:=@-]/),
  'JavaScript encodeURI': encodeURI,
  'JavaScript escape': (text) =>
    units(text, /[^\w@*+./-]/g, (code) => (code < 0x100 ? `%${hex(code, 2)}` : `%u${hex(code, 4)}`)),
  'URLSearchParams, small letters': (text) => small(new URLSearchParams([['', text]]).toString().slice(1)),
  'percent, every byte': (text) => percent(text, /^$/),
  'quoted-printable, every byte': (text) => bytes(text, (byte) => `=${hex(byte, 2).toUpperCase()}`),
  'quoted-printable, every byte in lines': (text) =>
    bytes(text, (byte) => `=${hex(byte, 2)}`).replace(/((?:=..){5})(?=.)/g, '$1=\n'),
  'quoted-printable, every sign': (text) =>
    bytes(text, (byte) => (/\w/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `=${hex(byte, 2)}`)),
  'names of code points': (text) => points(text, /[^]/gu, (code) => `U+${hex(code, 4).toUpperCase()} `).trim(),
  'bytes with colons': (text) => [...Buffer.from(text)].map((byte) => hex(byte, 2)).join(':'),
  'a single-quoted scalar': (text) => text.replaceAll("'", "''"),
  'a field of CSV': csv,
  'JSON of CSV': (text) => goJson(csv(text)),
  'SQL, both quotes': (text) => csv(text).replaceAll("'", "''"),
  'percent of SQL of HTML': (text) => pythonQuote(csv(named(text)).replaceAll("'", "''")),
  'a shell, single quotes': shell,
  'JSON of a shell': (text) => goJson(shell(text)),
  'Python shlex.quote': (text) => text.replaceAll("'", `'"'"'`),
  'JSON of shlex.quote': (text) => pythonJson(text.replaceAll("'", `'"'"'`)),
  'UTF-8 read as Latin-1': latin1,
  'UTF-8 read as Windows-1252': windows1252,
  'UTF-8 read as Latin-1 twice': (text) => latin1(latin1(text)),
  'HTML of UTF-8 read as Latin-1': (text) => points(goHtml(latin1(text)), /[^ -~]/gu, (code) => `&#${code};`),
  'JSON of UTF-8 read as Windows-1252': (text) => pythonJson(windows1252(text)),
  hexadecimal: (text) => Buffer.from(text).toString('hex'),
  'hexadecimal in capitals': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'HTML of JSON': (text) => goHtml(goJson(text)),
  'JSON of HTML': (text) => phpJson(phpHtml(text)),
  'percent of JSON': (text) => pythonQuote(phpJson(text)),
  'JSON of JSON': (text) => goJson(goJson(text)),
  'JSON of HTML of JSON': (text) => pythonJson(pythonHtml(phpJson(text))),
  'HTML of a query': (text) => goHtml(goQuery(text)),
};

/** Base64 in base64, and among others. */
const NESTS: Readonly<Record<string, Encode>> = {
  'base64 of base64': (text) => base64(base64(text)),
  'base64 of base64 of JSON': (text) => base64(base64(goJson(text))),
  'base64 of JSON of base64': (text) => base64(JSON.stringify({ a: base64(text) })),
  'percent of base64 of base64 of HTML': (text) => pythonQuote(base64(base64(goHtml(text)))),
  'base64 of base64 in lines': (text) => base64(base64(text).replace(/.{20}/g, '$&\n')),
};

const table = Object.entries(ENCODERS);

describe.each(SECRETS)('the secret %j', (secret) => {
  test.each(table)('by %s', (_, encode) => {
    new Secret(secret);
    expect(maskSecrets(`before ${encode(secret)} after`)).toBe('before (sensitive) after');
  });

  test.each(table)('in base64 of a document that has it by %s', (_, encode) => {
    new Secret(secret);
    for (const before of ['{"secret":"', 'the secret is: ', 'x-secret: "']) {
      const coded = base64(`${before}${encode(secret)} and the end`);
      const start = Math.floor((before.length * 4) / 3);
      const end = Math.ceil(((before.length + Buffer.byteLength(encode(secret))) * 4) / 3);
      expect(maskSecrets(`before ${coded}`)).toBe(`before ${coded.slice(0, start)}(sensitive)${coded.slice(end)}`);
    }
  });

  test.each(Object.entries(NESTS))('in %s', (_, nest) => {
    new Secret(secret);
    for (let before = 0; before < 6; before++) {
      const coded = nest(`${'u'.repeat(before)}${secret} and some more`);
      const left = maskSecrets(coded);
      const from = Math.ceil((before * 16) / 9) + 8;
      expect(left).toContain('(sensitive)');
      expect(left).not.toContain(coded.slice(from, from + 8));
    }
  });

  test('in streams, wherever the text is cut into parts', () => {
    const shown = { out: '' };
    const sink: Sink = { isTty: false, columns: 80, write: (text) => void (shown.out += text) };
    const door = openOutputFilter({ ...HOST, stdout: sink, stderr: sink });
    new Secret(secret);
    for (const [name, encode] of table) {
      const text = `x=${encode(secret)}.`;
      // A sink passes whole lines; lines of a secret are looked for by themselves.
      if (/[\r\n]/.test(text)) continue;
      for (let cut = 0; cut <= text.length; cut++) {
        shown.out = '';
        door.host.stdout.write(text.slice(0, cut));
        door.host.stdout.write(`${text.slice(cut)}\n`);
        expect([name, shown.out]).toEqual([name, 'x=(sensitive).\n']);
      }
    }
    door.close();
  });
});

const HOST: Omit<Host, 'stdout' | 'stderr'> = {
  env: {},
  cwd: '/',
  readStdin: () => Promise.resolve(new Uint8Array()),
  ask: () => Promise.resolve(''),
  signal: new AbortController().signal,
  hardCancel: new AbortController().signal,
  signalName: () => undefined,
  untilSignal: new Promise<never>(() => undefined),
  today: () => '2026-01-01',
};

const fold =
  (width: number, by: string): Encode =>
  (text) =>
    text.match(new RegExp(`.{1,${width}}`, 'g'))?.join(by) ?? text;

const FOLDS: Readonly<Record<string, Encode>> = {
  'in one line': (text) => text,
  'for URLs': (text) => text.replaceAll('+', '-').replaceAll('/', '_'),
  'in lines of 64': fold(64, '\n'),
  'in lines of 76': fold(76, '\r\n'),
  'in lines that became words': fold(64, ' '),
  'in lines that are set in': fold(64, '\n      '),
  'in lines, in JSON': (text) => phpJson(fold(76, '\n')(text)),
  'in lines, in a query': (text) => goQuery(fold(64, '\r\n')(text)),
};

describe.each(Object.entries(FOLDS))('base64 %s', (_, write) => {
  test.each(SECRETS)('of %j, at any offset', (secret) => {
    new Secret(secret);
    for (let before = 0; before <= 60; before++) {
      const coded = Buffer.from(`${'u'.repeat(before)}${secret} and some more`).toString('base64');
      const length = Buffer.byteLength(secret);
      const inside = coded.slice(Math.ceil((before * 4) / 3), Math.floor(((before + length) * 4) / 3));
      const left = maskSecrets(`before ${write(coded)} after`).replace(/\\[rn]|%0[AD]|\s/g, '');
      expect(left).toContain('(sensitive)');
      for (let at = 0; at + 6 <= inside.length; at++) expect(left).not.toContain(write(inside.slice(at, at + 6)));
    }
  });
});

test('what is next to a secret stays, however it is written', () => {
  new Secret('hush/"hush"');
  expect(maskSecrets('%2Fhush%2F%22hush%22%2F &lt;hush/&quot;hush&#34;&gt; \\"hush\\/\\"hush\\"\\u003c')).toBe(
    '%2F(sensitive)%2F &lt;(sensitive)&gt; \\"(sensitive)\\u003c',
  );
});

test('what cannot be seen makes no other secret, wherever it is put in or left out', () => {
  new Secret('zero\u200bwidth');
  new Secret('hush-"hush"');
  for (const text of ['zerowidth', 'zero\u00adwid\u2060th', 'zero&shy;width', 'hush\u200b-\\"hu\u200dsh\\"'])
    expect(maskSecrets(`before ${text} after`)).toBe('before (sensitive) after');
});

test('a sign of equality is no escape where it is none', () => {
  new Secret('ab cd/"ef"');
  expect(maskSecrets('q=ab%20cd%2F%22ef%22&r=AB')).toBe('q=(sensitive)&r=AB');
});

test('a secret that was given decomposed is found composed', () => {
  new Secret('ü-hush-ö'.normalize('NFD'));
  expect(maskSecrets('x ü-hush-ö y')).toBe('x (sensitive) y');
});

test('white space of any width is one gap, also where the text has no other', () => {
  new Secret('correct  horse\nbattery');
  expect(maskSecrets('a correct horse battery b')).toBe('a (sensitive) b');
});

test('texts that only look escaped stay as they are', () => {
  for (const secret of SECRETS) new Secret(secret);
  for (const text of [
    '100% %zz &nope; &#99999999999; \\q \\u12 \\x1',
    '&amp;&lt;&gt;',
    'C:\\new\\folder',
    '\\\\\\\\',
    '\u200b',
  ])
    expect(maskSecrets(text)).toBe(text);
});

test('many layers of escapes are read a bounded number of times', () => {
  new Secret('hush-hush!');
  const text = `%${'25'.repeat(20_000)}68ush-hush!`;
  expect(maskSecrets(text)).toBe(text);
  expect(maskSecrets('%2525252568ush-hush!')).toBe('%2525252568ush-hush!');
  expect(maskSecrets('%25252568ush-hush!')).toBe('(sensitive)');
});

test.each([0, 1, 2])('base64 of bytes that are hardly text, with the secret %i bytes into a group', (offset) => {
  const noise = Buffer.from(Array.from({ length: 24 + offset }, (_, at) => 128 + ((at * 37) % 120)));
  const secret = 'k3y!-of-9';
  new Secret(secret);
  const text = Buffer.concat([noise, Buffer.from(secret), noise]).toString('base64');
  const masked = maskSecrets(`data=${text};`);
  expect(masked).toContain('(sensitive)');
  expect(Buffer.from(masked.slice(5), 'base64').toString('latin1')).not.toContain(secret);
});
