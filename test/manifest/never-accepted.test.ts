// What no service could ever accept is refused where it is written, before one is asked.

import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';
import type { Field, StringField } from '../../src/catalog/field.ts';
import type { Kind } from '../../src/catalog/kind.ts';
import { managedKinds } from '../../src/catalog/lookup.ts';
import type { FieldPath } from '../support/samples.ts';
import { diagnose, HEAD, loadTexts } from '../support/loading.ts';
import { byTurns } from '../support/full.ts';
import { fieldPaths, manifestWith, specsWith } from '../support/samples.ts';

const codes = (text: string, variables: Readonly<Record<string, string>> = {}) =>
  diagnose(text, { variables }).map(({ code }) => code);

describe('a file without a document', () => {
  test.each(['---\n', '~\n', 'null\n', '# nothing\n', '--- # nothing\n', '---\n...\n', ' \n\n', '---\n~\n'])(
    '%j',
    (text) => {
      expect(codes(text)).toEqual(['empty-file']);
    },
  );

  test('hides nothing of the others', () => {
    const found = diagnose([`${HEAD}tls_edges: { a: { hostprts: [] } }`, '---\n']);
    expect(found.map(({ code }) => code)).toEqual(['unknown-field', 'empty-file']);
  });
});

describe('names that every object has are unknown fields', () => {
  const names = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__');
  const places = (name: string) => [
    `${name}: {}`,
    `${name}: 5`,
    `tls_edges: { a: { ${name}: {} } }`,
    `tls_edges: { a: { backend: { backend_id: bkd_1, ${name}: 1 } } }`,
    `tls_edges: { a: { lifecycle: { ${name}: true } } }`,
    `variables: { v: { ${name}: 1 } }`,
  ];
  test.each(names)('%s', (name) => {
    for (const place of places(name)) expect(codes(HEAD + place), place).toEqual(['unknown-field']);
  });

  test('and references to them are none', () => {
    const text = `${HEAD}reserved_addrs: { a: {} }\noutputs: { o: "\${reserved_addrs.a.constructor}" }`;
    expect(codes(text)).toEqual(['unknown-reference']);
    expect(codes(`${HEAD}outputs: { o: "\${var.constructor}" }`)).toEqual(['unknown-variable']);
  });
});

const hostport = (text: string) => `${HEAD}tls_edges: { a: { hostports: [${JSON.stringify(text)}] } }`;
const headers = (name: string, value: string) =>
  `${HEAD}https_edges: { a: { routes: { r: { match_type: exact_path, match: /, request_headers: { add: { ${JSON.stringify(name)}: ${JSON.stringify(value)} } } } } } }`;
const removed = (name: string) =>
  `${HEAD}https_edges: { a: { routes: { r: { match_type: exact_path, match: /, request_headers: { remove: [${JSON.stringify(name)}] } } } } }`;
const VARIABLE = 'variables: { v: {} }\n';

describe('values', () => {
  test.each([
    'h:0',
    'h:99999',
    'h:65536',
    'h:0443',
    'h:00',
    'h:',
    ':443',
    'h h:1',
    '$h:1',
    'h$:1',
    'a..b:1',
    'h\u0001:1',
    'h\u0085:1',
  ])('hostport %j', (text) => {
    // In JSON the one is written as an escape, which the schema judges, and the other as it is.
    expect(codes(hostport(text))).toEqual([/\u0001|\u0085/.test(text) ? 'hidden-character' : 'wrong-value']);
    const filled = hostport('${var.v}').replace(HEAD, HEAD + VARIABLE);
    expect(codes(filled, { v: text })).toEqual([/\u0001|\u0085/.test(text) ? 'bad-variable' : 'wrong-value']);
  });

  test.each(['h:1', 'h:443', 'h:65535', 'h:10000', '*.h:8443', 'bücher.example:443'])('hostport %j is fine', (text) => {
    expect(codes(hostport(text))).toEqual([]);
  });

  test.each(['x y', '', 'x:y', 'x\u0001', 'é'])('header name %j', (name) => {
    expect(codes(headers(name, 'v'))).toEqual(['bad-name']);
    expect(codes(removed(name))).toEqual([name === 'x\u0001' ? 'hidden-character' : 'wrong-value']);
  });

  test.each(['a\nb', 'a\r', 'a\u0000', ' a'])('header value %j', (value) => {
    expect(codes(headers('x-a', value))).toEqual([/[\r\u0000]/.test(value) ? 'hidden-character' : 'wrong-value']);
  });

  test.each(['a b', '', 'a\tb', 'é'])('header value %j is fine', (value) => {
    expect(codes(headers('x-a', value))).toEqual([]);
  });

  test.each(['bkdhr_a b', 'bkdhr_a\tb', 'bkdhr_a/b', 'bkdhr_'])('id %j', (id) => {
    expect(codes(`${HEAD}failover_backends: { a: { backends: [${JSON.stringify(id)}] } }`)).toEqual([
      'wrong-reference',
    ]);
    expect(
      codes(`${HEAD}tls_edges: { a: { lifecycle: { id: ${JSON.stringify(id.replace('bkdhr', 'edgtls'))} } } }`),
    ).toEqual(['wrong-value']);
  });

  test.each(['a b.c', 'a\u0001.c', 'a.c..', '$A.c', 'a..c'])('domain %j', (domain) => {
    expect(codes(`${HEAD}agent_ingresses: { a: { domain: ${JSON.stringify(domain)} } }`)).toEqual([
      domain.includes('\u0001') ? 'hidden-character' : 'wrong-value',
    ]);
  });

  test('half a surrogate pair', () => {
    expect(codes(`${HEAD}reserved_addrs: { a: { description: "x\\ud800" } }`)).toEqual(['hidden-character']);
    expect(codes(`${HEAD}reserved_addrs: { a: { metadata: "\\udc00" } }`)).toEqual(['hidden-character']);
  });

  test('a number from a variable is text among headers', () => {
    const { value } = loadTexts(headers('x-a', '${var.n}').replace(HEAD, `${HEAD}variables: { n: { default: 5 } }\n`));
    expect(JSON.stringify(value?.resources)).toContain('"x-a":"5"');
    expect(codes(headers('x-a', 'v').replace('"v"', '5'))).toEqual(['wrong-type']);
  });

  test.each(['${var.other}', '${file:x}', 'a ${'])('default %j', (text) => {
    expect(codes(`${HEAD}variables: { v: { default: ${JSON.stringify(text)} } }`)).toEqual(['bad-variable']);
  });
});

/** One of each sort: bell, null, escape, delete, C1, next line, overrides and isolates, line separators, half a pair. */
const UNSEEN = [
  '\u0007',
  '\u0000',
  '\u001b',
  '\u007f',
  '\u009b',
  '\u0085',
  '\u202e',
  '\u2066',
  '\u2028',
  '\u2029',
  '\udc00',
];
const BREAKS = ['\n', '\r', '\t'];
const escape = (text: string) =>
  text.replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe('characters that cannot be seen, whichever way they are written', () => {
  const texts = managedKinds.flatMap((kind) =>
    fieldPaths(kind.fields)
      .filter(({ field }) => textField(field) !== undefined)
      .map((target) => [`${kind.name} ${target.path.join('.')}`, kind, target] as const),
  );
  const ofTurn = texts.map(([name, kind, target], turn) => [name, kind, target, byTurns(UNSEEN, turn, 6)] as const);
  function textField(field: Field): StringField | undefined {
    if (field.type === 'list' || field.type === 'map') return textField(field.items);
    return field.type === 'string' ? field : undefined;
  }
  /** Codes of the problems with a block that has this text at the path. */
  function found(kind: Kind, target: FieldPath, text: string, variables?: Readonly<Record<string, string>>) {
    const { type } = target.field;
    const value = type === 'list' ? [text] : type === 'map' ? { 'x-a': text } : text;
    const spec = withValue(specsWith(kind, target, 0)[0] ?? {}, target.path, value);
    const manifest = { ...manifestWith(kind, spec), ...(variables && { variables: { v: {} } }) };
    return codes(JSON.stringify(manifest).replace(/[\u007f-\uffff]/g, escape), variables);
  }
  function withValue(spec: JsonObject, [head = '', ...rest]: readonly string[], value: Json): JsonObject {
    const inner = spec[head];
    return { ...spec, [head]: rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest, value) };
  }

  test.each(ofTurn)('%s holds none of them', (_, kind, target, characters) => {
    for (const character of characters) {
      const text = `a${character}b`;
      expect(found(kind, target, text), escape(text)).toContainEqual(
        expect.stringMatching(/^(?:hidden-character|wrong-value|wrong-reference)$/),
      );
      expect(found(kind, target, '${var.v}', { v: text }), `variable ${escape(text)}`).toContain('bad-variable');
    }
  });

  const breakOfTurn = texts.map(
    ([name, kind, target], turn) => [name, kind, target, byTurns(BREAKS, turn, 3)] as const,
  );
  test.each(breakOfTurn)('%s says itself whether it has several lines', (_, kind, target, characters) => {
    const { lines, sensitive, pattern, values, ref } = textField(target.field)!;
    if ((pattern ?? values ?? ref) !== undefined) return;
    for (const character of characters) {
      const problems = found(kind, target, `a${character}b`).filter((code) => code.startsWith('hidden'));
      expect(problems).toEqual(lines === 'many' || sensitive === true ? [] : ['hidden-character']);
    }
  });

  test('they are named where they stand', () => {
    expect(diagnose(`${HEAD}reserved_addrs: { a: { description: "a\\a" } }`)).toMatchObject([
      { message: 'the text holds the character U+0007, which is not allowed here', range: { line: 3, column: 37 } },
    ]);
  });

  const BLOCK =
    'remove the line break at the end; a YAML block has none after >- or |-, and one at the end of a file is dropped';
  test.each([
    ['>\n      x', BLOCK],
    ['|\n      x', BLOCK],
    ['"x\\r\\n"', BLOCK],
    ['${file:x}', BLOCK],
    ['>-\n      a ${file:x}', BLOCK],
    ['${file:x}-', 'remove the character'],
    ['|\n      x\n      y', 'remove the character'],
  ])('a line break at the end of %j has its own fix', (value, fix) => {
    const text = `${HEAD}event_destinations:\n a:\n  target:\n   kinesis:\n    stream_arn: ${value}\n`;
    const found = diagnose(text, { readFile: () => ({ value: 'abc\n\n', diagnostics: [] }) });
    expect(found.filter(({ code }) => code === 'hidden-character')).toMatchObject([{ fix }]);
  });

  test('names and free values, files and outputs hold none either', () => {
    const s3 = (text: string) => `${HEAD}event_destinations: { a: { target: { s3: { bucket_arn: a, ${text} } } } }`;
    expect(codes(s3('"a\\u202e": x'))).toContain('hidden-character');
    expect(codes(s3('own: ["a\\u202e"]'))).toContain('hidden-character');
    expect(codes(`${HEAD}outputs: { o: "a\\e" }`)).toEqual(['hidden-character']);
    const readFile = () => ({ value: 'a\u0007', diagnostics: [] });
    const found = diagnose(`${HEAD}reserved_addrs: { a: { description: "\${file:x}" } }`, { readFile });
    expect(found.map(({ code }) => code)).toEqual(['hidden-character']);
  });
});

describe('references whose value can never fit', () => {
  const SOUND = 'reserved_addrs: { db: {} }\nagent_ingresses: { in: { domain: a.example.com } }\n';
  test.each([
    ['an id for a hostport', 'tls_edges: { a: { hostports: ["${reserved_addrs.db.id}"] } }'],
    ['an address of the API for a hostport', 'tls_edges: { a: { hostports: ["${reserved_addrs.db.uri}"] } }'],
    ['a list for a hostport', 'tls_edges: { a: { hostports: ["${agent_ingresses.in.ns_targets}"] } }'],
    ['a hostport with another port', 'tls_edges: { a: { hostports: ["${reserved_addrs.db.addr}:443"] } }'],
    ['a list inside text', 'failover_backends: { a: { description: "at ${agent_ingresses.in.ns_targets}" } }'],
    ['a list inside an output', 'outputs: { o: "at ${agent_ingresses.in.ns_targets}" }'],
    ['an id for an event type', 'event_subscriptions: { a: { sources: [{ type: "${reserved_addrs.db.id}" }] } }'],
    ['an id for one of a few', 'tls_edges: { a: { tls_termination: { terminate_at: "${reserved_addrs.db.id}" } } }'],
  ])('%s', (_, text) => {
    expect(codes(HEAD + SOUND + text)).toEqual(['wrong-reference']);
  });

  test.each([
    'tls_edges: { a: { hostports: ["${reserved_addrs.db.addr}"] } }',
    'outputs: { o: "${agent_ingresses.in.ns_targets}" }',
    'failover_backends: { a: { description: "at ${reserved_addrs.db.addr}, ${reserved_addrs.db.id}" } }',
  ])('%s is fine', (text) => {
    expect(codes(HEAD + SOUND + text)).toEqual([]);
  });
});

/** Of each sort: zero width, soft hyphen, joiner, Hangul fillers, Khmer vowel, tag, variation selector, private, none, Braille. */
const BLANKS = [
  ...['\u200b', '\u00ad', '\u034f', '\u115f', '\u3164', '\u17b4', '\u{e0061}', '\ufe0f'],
  ...['\ue000', '\ufdd0', '\u{1fffe}', '\u2800'],
];

describe('characters without a width or a glyph', () => {
  test.each(BLANKS.map((one) => [`U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`, one]))(
    '%s is named in a host, a domain and a match',
    (name, character) => {
      const of = (text: string) => [
        `tls_edges: { a: { hostports: ["${text}:443"] } }`,
        `agent_ingresses: { a: { domain: "${text}" } }`,
        `https_edges: { a: { routes: { r: { match_type: path_prefix, match: "/${text}" } } } }`,
      ];
      const written = of(`a${character}b`).map((text) => diagnose(HEAD + text));
      const filled = of('a${var.v}b').map((text) => {
        const variables = `variables: { v: { default: "${character}" } }\n`;
        return diagnose(HEAD + variables + text);
      });
      for (const found of [...written, ...filled]) {
        expect(found).toMatchObject([{ code: 'hidden-character', fix: 'remove the character' }]);
        expect(found[0]?.message).toContain(`the character ${name}`);
      }
      expect(codes(`${HEAD}reserved_addrs: { a: { description: "a${character}b" } }`)).toEqual([]);
    },
  );
});
