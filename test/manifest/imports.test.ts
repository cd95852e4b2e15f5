// Imports through the loader: what each is, every wrong one with its place and its fix, and names with variables.

import { describe, expect, test } from 'vitest';
import { loadManifest, type LoadInput } from '../../src/manifest/load.ts';

type Given = Partial<Pick<LoadInput, 'mayLackValues' | 'isPartial'>> & {
  readonly vars?: Readonly<Record<string, string>>;
};

function load(texts: string | readonly string[], { vars = {}, ...given }: Given = {}) {
  const files = (typeof texts === 'string' ? [texts] : texts).map((text, index) => ({ name: `f${index}.yaml`, text }));
  const readFile = () => ({ value: 'text', diagnostics: [] });
  return loadManifest({ files, variables: new Map(Object.entries(vars)), env: {}, readFile, ...given });
}

const HEAD = 'version: 1\nstack: shop\n';
const DB = 'db: { stack: network, address: reserved_addrs.db }';
const USE = 'tls_edges: { web: { hostports: ["${imports.db.addr}"] } }';

const problems = (texts: string | readonly string[], given?: Given) =>
  load(texts, given).diagnostics.map(
    ({ code, range, fix }) => `${code} ${range?.line ?? 0}:${range?.column ?? 0} ${fix ?? ''}`,
  );

describe('an import is found by its marker or by its id', () => {
  test('each is one value of the manifest, and a reference to it an ordinary one', () => {
    const { value, diagnostics } = load(
      `${HEAD}imports:\n  ${DB}\n  old: { kind: reserved_addr, id: ra_2abc }\n  r: { stack: web, address: https_edges.s.routes.api }\n${USE}\noutputs: { a: "\${imports.old.addr}", b: "\${imports.r.id}" }`,
    );
    expect(diagnostics).toEqual([]);
    expect(value?.imports.map(({ range, ...one }) => ({ ...one, line: range().line }))).toEqual([
      {
        name: 'db',
        address: 'imports.db',
        kind: 'reserved_addr',
        from: { stack: 'network', address: 'reserved_addrs.db' },
        line: 4,
      },
      { name: 'old', address: 'imports.old', kind: 'reserved_addr', from: { id: 'ra_2abc' }, line: 5 },
      {
        name: 'r',
        address: 'imports.r',
        kind: 'https_edge_route',
        from: { stack: 'web', address: 'https_edges.s.routes.api' },
        line: 6,
      },
    ]);
  });

  test('the digest of a manifest covers them, and is that of before where there are none', () => {
    const digest = (imports: string) => load(`${HEAD}imports: { ${imports} }\n${USE}`).value?.digest;
    const digests = [DB, DB.replace('network', 'web'), 'db: { kind: reserved_addr, id: ra_2abc }'].map(digest);
    expect(new Set([undefined, ...digests]).size).toBe(4);
    const plain = `${HEAD}tls_edges: { a: {} }`;
    expect(load(`${plain}\nimports: {}`).value?.digest).toBe(load(plain).value?.digest);
  });
});

describe('a wrong import, by its code, place and fix', () => {
  const NEITHER = 'give either stack and address, or kind and id';
  const used = (entry: string) => `${HEAD}imports: { db: ${entry} }\n${USE}`;
  test.each<readonly [string, string, readonly string[]]>([
    ['nothing', '{}', [`bad-import 3:12 ${NEITHER}`]],
    ['no block', '5', ['wrong-type 3:16 write it as a block']],
    ['a stack alone', '{ stack: network }', [`bad-import 3:12 ${NEITHER}`]],
    ['an address alone', '{ address: reserved_addrs.db }', [`bad-import 3:12 ${NEITHER}`]],
    ['a kind alone', '{ kind: reserved_addr }', [`bad-import 3:12 ${NEITHER}`]],
    ['an id alone', '{ id: ra_2abc }', [`bad-import 3:12 ${NEITHER}`]],
    [
      'both ways',
      '{ stack: network, address: reserved_addrs.db, kind: reserved_addr, id: ra_2abc }',
      [`bad-import 3:12 ${NEITHER}`],
    ],
    [
      'an unknown member',
      '{ stack: network, address: reserved_addrs.db, region: eu }',
      ['unknown-field 3:62 remove "region"'],
    ],
    [
      'a misspelt member',
      '{ stck: network, address: reserved_addrs.db }',
      ['unknown-field 3:18 did you mean "stack"?'],
    ],
    ['a stack in capitals', '{ stack: Net, address: reserved_addrs.db }', ['wrong-value 3:25 for example "network"']],
    [
      'no address',
      '{ stack: network, address: reserved_addr.db }',
      ['bad-import 3:43 did you mean "reserved_addrs.db"?'],
    ],
    [
      'an address with an attribute',
      '{ stack: network, address: reserved_addrs.db.addr }',
      ['bad-import 3:43 write the address in full'],
    ],
    ['no kind', '{ kind: reserved_adr, id: ra_2abc }', ['wrong-value 3:24 did you mean "reserved_addr"?']],
    ['a key for a kind', '{ kind: reserved_addrs, id: ra_2abc }', ['wrong-value 3:24 did you mean "reserved_addr"?']],
    [
      'an id of another kind',
      '{ kind: reserved_addr, id: edgtls_2abc }',
      ['bad-import 3:43 give the id that the service shows'],
    ],
    [
      'the own stack',
      '{ stack: shop, address: reserved_addrs.db }',
      ['bad-import 3:25 remove the import, and refer to ${reserved_addrs.db.ATTR}'],
    ],
    [
      'a reference in a name',
      '{ stack: "${tls_edges.web.id}", address: reserved_addrs.db }',
      ['bad-expression 3:25 use "${var.NAME}", or write the text itself'],
    ],
    [
      'a file in an id',
      '{ kind: reserved_addr, id: "${file:x}" }',
      ['bad-expression 3:43 use "${var.NAME}", or write the text itself'],
    ],
  ])('%s', (_, entry, expected) => {
    expect(problems(used(entry))).toEqual(expected);
  });

  test.each<readonly [string, string, readonly string[]]>([
    ['no such import', USE.replace('imports.db', 'imports.bd'), ['unknown-reference 4:33 did you mean "imports.db"?']],
    ['no such value', USE.replace('addr}', 'adr}'), ['unknown-reference 4:33 did you mean "addr"?']],
    [
      'a value that the user chose',
      USE.replace('db.addr', 'db.region'),
      ['unknown-reference 4:33 use one of these values, or use a variable in both places'],
    ],
    [
      'a kind that the field does not take',
      'tls_edges: { web: { backend: { backend_id: "${imports.db.id}" } } }',
      ['wrong-reference 4:44 add a resource under failover_backends, and refer to it'],
    ],
    [
      'a value of another form',
      USE.replace('db.addr', 'db.id'),
      ['wrong-reference 4:33 refer to another value, or correct the text around the reference'],
    ],
    [
      'no attribute',
      USE.replace('db.addr', 'db'),
      ['bad-expression 4:33 name one of its values, for example ${imports.db.id}'],
    ],
  ])('a reference to %s', (_, text, expected) => {
    const found = problems(`${HEAD}imports: { ${DB} }\n${text}`);
    expect(found).toEqual(expected);
  });

  test('an import that is not declared at all', () => {
    expect(problems(`${HEAD}${USE}`)).toEqual([
      'unknown-reference 3:33 declare it: imports: { db: { stack: STACK, address: ADDRESS } }',
    ]);
  });

  test('the same name in two files', () => {
    expect(problems([`${HEAD}imports: { ${DB} }\n${USE}`, `imports: { ${DB} }`])).toEqual([
      expect.stringMatching(/^duplicate-address 1:12 rename or remove one of them; /),
    ]);
  });

  test('all of them at once, and none is told because of another', () => {
    const text = `${HEAD}imports:\n  a: {}\n  b: { stack: shop, address: tls_edges.x }\n  ${DB}\n${USE.replace('addr}', 'adr}')}\noutputs: { x: "\${imports.a.id}", y: "\${imports.b.nothing}" }`;
    expect(problems(text).map((one) => one.replace(/ .*/, ''))).toEqual([
      'bad-import',
      'bad-import',
      'unknown-reference',
      'unknown-reference',
    ]);
  });
});

describe('variables in the names of stacks', () => {
  const head = (declared: string) =>
    `version: 1\nstack: "shop-\${var.env}"\nvariables: { env: ${declared} }\nimports: { db: { stack: "network-\${var.env}", address: reserved_addrs.db } }\n${USE}`;

  test('they are filled in before anything else looks at the name', () => {
    const { value, outline } = load(head('{}'), { vars: { env: 'prod' } });
    expect([value?.stack, outline.stack, value?.imports[0]?.from]).toEqual([
      'shop-prod',
      'shop-prod',
      { stack: 'network-prod', address: 'reserved_addrs.db' },
    ]);
    expect(value?.digest).not.toBe(load(head('{}'), { vars: { env: 'test' } }).value?.digest);
  });

  test.each<readonly [string, string, Given, readonly string[]]>([
    [
      'a name that is none then',
      '{}',
      { vars: { env: 'PROD' } },
      [
        'wrong-value 2:8 correct the value of the variable, or the text around it',
        'wrong-value 4:25 correct the value of the variable, or the text around it',
      ],
    ],
    [
      'a sensitive variable',
      '{ sensitive: true }',
      { vars: { env: 'prod' } },
      [
        'secret-in-text 2:8 use a variable that is not sensitive',
        'secret-in-text 4:25 use a variable that is not sensitive',
      ],
    ],
    [
      'a sensitive variable without a value, only inspected',
      '{ sensitive: true }',
      { mayLackValues: true },
      [
        'secret-in-text 2:8 use a variable that is not sensitive',
        'secret-in-text 4:25 use a variable that is not sensitive',
      ],
    ],
    ['no value', '{}', {}, ['unset-variable 2:8 set EDGEFORM_VAR_env, or give it with --var env=VALUE']],
    ['no value, only inspected', '{}', { mayLackValues: true }, []],
  ])('%s', (_, declared, given, expected) => {
    expect(problems(head(declared), given)).toEqual(expected);
  });

  test('the own stack is found out once the variable is known', () => {
    const text = `version: 1\nstack: shop-prod\nvariables: { env: { default: prod } }\nimports: { db: { stack: "shop-\${var.env}", address: reserved_addrs.db } }\n${USE}`;
    expect(problems(text)).toEqual(['bad-import 4:25 remove the import, and refer to ${reserved_addrs.db.ATTR}']);
  });

  test('a stack without its value is called as it is written', () => {
    const { value, outline } = load(head('{}'), { mayLackValues: true });
    expect([value?.stack, outline.stack]).toEqual(['shop-${var.env}', undefined]);
  });
});
