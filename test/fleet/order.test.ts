// Stacks in the order of their imports, and what two stacks cannot both have.

import { describe, expect, test } from 'vitest';
import type { SourceRange } from '../../src/core/diagnostic.ts';
import type { Member } from '../../src/fleet/member.ts';
import { linkStacks } from '../../src/fleet/order.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import type { Import } from '../../src/manifest/manifest.ts';
import { placed } from './sample.ts';

const at = (file: string, line: number): SourceRange => ({ file, line, column: 1, endLine: line, endColumn: 2 });

type From = `${string}/${string}`;

interface Given {
  readonly text?: string;
  /** Name → STACK/ADDRESS, or an id. */
  readonly imports?: Readonly<Record<string, From>>;
  readonly stack?: string;
  readonly service?: string;
  readonly journal?: string;
  readonly mayLackValues?: boolean;
}

let line = 0;

function member(name: string, given: Given = {}): Member {
  const { text = '', imports = {}, stack = name, service = 'https://a.example', mayLackValues = true } = given;
  const files = [{ name: `${name}.yaml`, text: `version: 1\nstack: ${stack}\n${text}` }];
  const inputs = { variables: new Map(), env: {}, readFile: () => ({ diagnostics: [] }), mayLackValues };
  const { value, diagnostics } = loadManifest({ files, ...inputs });
  if (value === undefined) throw new Error(JSON.stringify(diagnostics));
  const list = Object.entries(imports).map(([key, from], index): Import => {
    const [stackOf = '', address = ''] = from.split('/');
    const range = () => at(`${name}.yaml`, index + 1);
    return { name: key, address: `imports.${key}`, kind: 'reserved_addr', from: { stack: stackOf, address }, range };
  });
  line += 1;
  const journal = given.journal ?? `${service} ${stack}`;
  const manifest = { ...value, imports: list };
  return { name, service, journal, stack, manifest, range: at('edgeform.fleet.yaml', line) };
}

const ADDR = 'reserved_addrs: { db: {} }\n';
const edge = (hostport: string) => `tls_edges: { web: { hostports: ["${hostport}"] } }\n`;

describe('imports', () => {
  test('put the imported stack first, for stacks of the same service', () => {
    const two: Given = { imports: { a: 'network/reserved_addrs.db', b: 'network/reserved_addrs.db', c: 'far/x.y' } };
    const members = [
      member('shop', two),
      member('net', { text: ADDR, stack: 'network' }),
      member('other', { ...two, service: 'https://b.example' }),
    ];
    const { links, diagnostics } = linkStacks(members);
    expect(diagnostics).toEqual([]);
    const address = 'reserved_addrs.db';
    const link = { from: 'net', to: 'shop', address, why: 'shop imports reserved_addrs.db of net' };
    expect(links).toEqual([
      { ...link, as: 'imports.a', range: at('shop.yaml', 1) },
      { ...link, as: 'imports.b', range: at('shop.yaml', 2) },
    ]);
  });

  test('of an address that the other manifest lacks are an error with the nearest one', () => {
    const members = [
      member('net', { text: 'reserved_addrs: { db: {}, constructor: {} }\n' }),
      member('shop', {
        imports: { a: 'net/reserved_addrs.dp', b: 'net/tls_edges.db', c: 'net/reserved_addrs.toString' },
      }),
    ];
    const { diagnostics } = linkStacks(members);
    const other = 'add it there, or import another address of net';
    expect(diagnostics.map((one) => [placed(one), one.address, one.message, one.fix])).toEqual([
      [
        'bad-import 1:1',
        'imports.a',
        'the manifest of net has no reserved_addrs.dp',
        'did you mean "reserved_addrs.db"?',
      ],
      ['bad-import 2:1', 'imports.b', 'the manifest of net has no tls_edges.db', other],
      ['bad-import 3:1', 'imports.c', 'the manifest of net has no reserved_addrs.toString', other],
    ]);
  });

  test('in a circle are an error at the first link that names every other one', () => {
    const importing = (stack: string): Given => ({ text: ADDR, imports: { x: `${stack}/reserved_addrs.db` } });
    const { diagnostics } = linkStacks([
      member('b', importing('c')),
      member('c', importing('a')),
      member('a', importing('b')),
      member('d', importing('a')),
    ]);
    expect(diagnostics).toMatchObject([
      {
        code: 'import-cycle',
        message: 'stacks import from each other in a circle: a → b → c → a; a imports reserved_addrs.db of b',
        range: { file: 'a.yaml' },
        related: [
          { message: 'b imports reserved_addrs.db of c', range: { file: 'b.yaml' } },
          { message: 'c imports reserved_addrs.db of a', range: { file: 'c.yaml' } },
        ],
      },
    ]);
  });
});

describe('what only one stack can have', () => {
  test('its name, at one service, and its journal', () => {
    const { diagnostics } = linkStacks([
      member('a', { stack: 'shop', journal: 'one' }),
      member('b', { stack: 'shop', journal: 'two' }),
      member('c', { stack: 'shop', service: 'https://a.example with another key', journal: 'one' }),
      member('d', { stack: 'shop', service: 'https://b.example' }),
    ]);
    expect(diagnostics).toMatchObject([
      { code: 'bad-fleet', message: 'a and b have the same stack, shop, at the same service' },
      { code: 'bad-fleet', message: 'a and c have the same stack, shop, and so the same journal' },
    ]);
    expect(diagnostics[0]?.range).not.toEqual(diagnostics[0]?.related?.[0]?.range);
  });

  test.each<{ name: string; first: Given; second: Given; expect: readonly string[] }>([
    {
      name: 'the same text, whatever its case',
      first: { text: edge('db.example.com:443') },
      second: { text: edge('DB.example.com:443') },
      expect: ['DB.example.com:443 is claimed by tls_edges.web of a and by tls_edges.web of b'],
    },
    {
      name: 'other texts',
      first: { text: edge('db.example.com:443') },
      second: { text: edge('db.example.com:444') },
      expect: [],
    },
    {
      name: 'the same text at another service',
      first: { text: edge('db.example.com:443') },
      second: { text: edge('db.example.com:443'), service: 'https://b.example' },
      expect: [],
    },
    {
      name: 'the same words for an object of each stack',
      first: { text: ADDR + edge('${reserved_addrs.db.addr}') },
      second: { text: ADDR + edge('${reserved_addrs.db.addr}') },
      expect: [],
    },
    {
      name: 'variables without a value',
      first: { text: `variables: { h: {} }\n${edge('${var.h}:443')}` },
      second: { text: `variables: { h: {} }\n${edge('${var.h}:443')}` },
      expect: [],
    },
    {
      name: 'a value that is secret in one of them',
      first: { text: edge('db.example.com:443') },
      second: { text: `variables: { h: { sensitive: true, default: "db.example.com:443" } }\n${edge('${var.h}')}` },
      expect: ['the same sensitive value is claimed by tls_edges.web of a and by tls_edges.web of b'],
    },
    {
      name: 'twice in one stack, which is told of that stack',
      first: { text: edge('db.example.com:443') },
      second: { text: edge('x.example.com:443') },
      expect: [],
    },
  ])('a unique value: $name', ({ first, second, expect: messages }) => {
    const { diagnostics } = linkStacks([member('a', first), member('b', second)]);
    expect(diagnostics.map(({ message }) => message)).toEqual(messages);
    for (const one of diagnostics)
      expect([one.code, one.range?.file, one.related?.[0]?.range.file]).toEqual(['not-unique', 'b.yaml', 'a.yaml']);
  });

  test('a reference to the same object, by its own name and by an import', () => {
    const a = member('a', { text: ADDR + edge('${reserved_addrs.db.addr}') });
    const b = member('b', { text: `reserved_addrs: { x: {} }\n${edge('${reserved_addrs.x.addr}')}` });
    const imports: Import[] = [
      {
        name: 'x',
        address: 'reserved_addrs.x',
        kind: 'reserved_addr',
        from: { stack: 'a', address: 'reserved_addrs.db' },
        range: () => at('b.yaml', 1),
      },
    ];
    const { diagnostics } = linkStacks([a, { ...b, manifest: b.manifest && { ...b.manifest, imports } }]);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'the same reference is claimed by tls_edges.web of a and by tls_edges.web of b',
    ]);
  });

  const pinned = (lifecycle: string, name = 'web') =>
    `tls_edges: { ${name}: { hostports: [], lifecycle: { ${lifecycle} } } }\n`;

  test.each<{ name: string; first: Given; second: Given; expect: readonly string[] }>([
    {
      name: 'to adopt',
      first: { text: pinned('adopt: edgtls_1') },
      second: { text: pinned('adopt: edgtls_1', 'other') },
      expect: ['edgtls_1 is the object of tls_edges.web of a and of tls_edges.other of b'],
    },
    {
      name: 'to adopt in one, and pinned in the other',
      first: { text: pinned('adopt: edgtls_1') },
      second: { text: pinned('id: edgtls_1') },
      expect: ['edgtls_1 is the object of tls_edges.web of a and of tls_edges.web of b'],
    },
    {
      name: 'of a route',
      first: {
        text: 'https_edges: { s: { hostports: [], routes: { r: { match_type: exact_path, match: /, lifecycle: { adopt: edghtsrt_1 } } } } }\n',
      },
      second: {
        text: 'https_edges: { t: { hostports: [], routes: { q: { match_type: exact_path, match: /, lifecycle: { id: edghtsrt_1 } } } } }\n',
      },
      expect: ['edghtsrt_1 is the object of https_edges.s.routes.r of a and of https_edges.t.routes.q of b'],
    },
    {
      name: 'another one',
      first: { text: pinned('adopt: edgtls_1') },
      second: { text: pinned('adopt: edgtls_2') },
      expect: [],
    },
    {
      name: 'at another service',
      first: { text: pinned('adopt: edgtls_1') },
      second: { text: pinned('adopt: edgtls_1'), service: 'https://b.example' },
      expect: [],
    },
  ])('the object of an id: $name', ({ first, second, expect: messages }) => {
    const { diagnostics } = linkStacks([member('a', first), member('b', second)]);
    expect(diagnostics.map(({ message }) => message)).toEqual(messages);
    for (const one of diagnostics) {
      const [first] = one.related ?? [];
      expect([one.code, one.range?.file, first?.range.file]).toEqual(['bad-lifecycle', 'b.yaml', 'a.yaml']);
      // The id itself, not only its block.
      expect(one.range?.column).toBeGreaterThan(40);
    }
  });
});
