// Presets and overlays: what lies over what, what is dropped, and each mistake once, where it is written.

import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/core/diagnostic.ts';
import type { Json, JsonObject } from '../../../src/core/json.ts';
import { kinds } from '../../../src/catalog/kinds/index.ts';
import { LISTS_BY_FROM } from '../../../src/catalog/reuse-keys.ts';
import { loadManifest } from '../../../src/manifest/load.ts';
import { manifestSchema } from '../../../src/schema/generate.ts';

const HEAD = 'version: 1\nstack: shop\n';

/** An environment is a stack: the first overlay says which. */
const SAME_STACK = { name: 'same-stack.yaml', text: 'stack: shop\n' };

/** A manifest of files `f0.yaml` and so on, with overlays `o0.yaml` and so on. */
function load(texts: string | readonly string[], overlays: readonly string[] = []) {
  const named = (list: readonly string[], letter: string) =>
    list.map((text, at) => ({ name: `${letter}${at}.yaml`, text }));
  const files = named(typeof texts === 'string' ? [HEAD + texts] : texts, 'f');
  const readFile = () => ({ diagnostics: [] });
  const laid = overlays.length === 0 ? [] : [SAME_STACK, ...named(overlays, 'o')];
  return loadManifest({ files, overlays: laid, variables: new Map(), env: {}, readFile });
}

const route = (fields: string) => `{ match_type: path_prefix, match: /, ${fields} }`;
const site = (routes: string) => `https_edges: { site: { routes: { ${routes} } } }\n`;

/** The fields of a block, without those of a route that all have. */
function specOf(address: string, texts: string, overlays: readonly string[] = []): Json | undefined {
  const { value, diagnostics } = load(texts, overlays);
  expect(diagnostics).toEqual([]);
  const spec = value?.resources.find((resource) => resource.address === address)?.spec;
  const { match_type: _, match: _match, ...rest } = JSON.parse(JSON.stringify(spec ?? {})) as Record<string, Json>;
  return rest;
}

const said = (diagnostics: readonly Diagnostic[]) =>
  diagnostics.map(
    ({ code, range, related = [] }) =>
      `${code} ${[range, ...related.map((one) => one.range)].map((at) => (at ? `${at.file[0]}${at.file[1]} ${at.line}:${at.column}` : '-')).join(', ')}`,
  );

const ADD = 'request_headers: { add: { a: "1", b: "2" }, remove: [x] }';
const ROUTE = 'https_edges.site.routes.r';

describe('what lies over what', () => {
  test.each<readonly [string, string, string, Json]>([
    [
      'a block has what its preset has',
      `presets: { p: { ${ADD} } }`,
      'preset: p',
      { add: { a: '1', b: '2' }, remove: ['x'] },
    ],
    [
      'maps are merged at every depth, and single values are replaced',
      `presets: { p: { ${ADD} } }`,
      'preset: p, request_headers: { add: { b: "3", c: "4" } }',
      { add: { a: '1', b: '3', c: '4' }, remove: ['x'] },
    ],
    [
      'lists are replaced',
      `presets: { p: { ${ADD} } }`,
      'preset: p, request_headers: { remove: [y] }',
      { add: { a: '1', b: '2' }, remove: ['y'] },
    ],
    [
      'later presets lie over earlier ones',
      `presets: { p: { ${ADD} }, q: { request_headers: { add: { b: "5" } } } }`,
      'preset: [p, q]',
      { add: { a: '1', b: '5' }, remove: ['x'] },
    ],
    [
      'a preset that is named twice lies above what is between',
      `presets: { p: { request_headers: { add: { a: "1" } } }, q: { request_headers: { add: { a: "2" } } } }`,
      'preset: [p, q, p]',
      { add: { a: '1' } },
    ],
    [
      'what a block has itself wins',
      `presets: { p: { ${ADD} } }`,
      'preset: p, request_headers: { add: { a: "9" } }',
      { add: { a: '9', b: '2' }, remove: ['x'] },
    ],
    [
      'what is dropped is gone',
      `presets: { p: { ${ADD} } }`,
      'preset: p, without: [request_headers.add.b, request_headers.remove]',
      { add: { a: '1' } },
    ],
    [
      'a block replaces a map by dropping it',
      `presets: { p: { ${ADD} } }`,
      'preset: p, without: [request_headers.add], request_headers: { add: { c: "4" } }',
      { add: { c: '4' }, remove: ['x'] },
    ],
    ['no preset at all', 'presets: {}', 'preset: [], request_headers: { remove: [y] }', { remove: ['y'] }],
  ])('%s', (_, presets, fields, expected) => {
    expect(specOf(ROUTE, `${presets}\n${site(`r: ${route(fields)}`)}`)).toEqual({ request_headers: expected });
  });

  test('routes of a preset of an edge are routes of the edge, with presets of their own', () => {
    const texts = `presets:
  edge: { hostports: [a.b:443], routes: { r: { match_type: path_prefix, match: /, compression: {} }, s: ${route('compression: {}')} } }
  quick: { compression: { enabled: false }, websocket_tcp_converter: {} }
https_edges:
  site: { preset: edge, without: [routes.s], routes: { r: { preset: quick, without: [websocket_tcp_converter] } } }
`;
    expect(specOf(ROUTE, texts)).toEqual({ compression: { enabled: false } });
    expect(load(texts).value?.resources.map(({ address }) => address)).toEqual(['https_edges.site', ROUTE]);
  });

  const BELOW = `presets: { p: { request_headers: { add: { a: "1" } } } }\n${site(`r: ${route('preset: p, request_headers: { add: { b: "2" } }')}`)}`;
  const over = (fields: string) => `https_edges: { site: { routes: { r: { ${fields} } } } }\n`;
  test.each<readonly [string, readonly string[], Json]>([
    ['an overlay wins', [over('request_headers: { add: { b: "3" } }')], { add: { a: '1', b: '3' } }],
    [
      'the last one most of all',
      [over('request_headers: { add: { b: "3" } }'), over('request_headers: { add: { b: "4" } }')],
      { add: { a: '1', b: '4' } },
    ],
    [
      'its presets take the place of those of the manifest, under both blocks',
      [
        `add: { presets: { o: { request_headers: { add: { b: "8", c: "7" } } } } }\n${over('preset: o, request_headers: { remove: [x] }')}`,
      ],
      { add: { b: '2', c: '7' }, remove: ['x'] },
    ],
    ['it takes the presets away', [over('preset: []')], { add: { b: '2' } }],
    [
      'it names one preset more by naming all',
      [`add: { presets: { o: { request_headers: { add: { c: "7" } } } } }\n${over('preset: [p, o]')}`],
      { add: { a: '1', b: '2', c: '7' } },
    ],
    [
      'what it drops at its top, its own block adds again',
      [`without: [https_edges.site.routes.r.request_headers.add]\n${over('request_headers: { add: { d: "4" } }')}`],
      { add: { d: '4' } },
    ],
    [
      'it lies over presets of the manifest',
      ['presets: { p: { request_headers: { add: { a: "5" } } } }\n'],
      { add: { a: '5', b: '2' } },
    ],
    ['it drops from the block and from its presets', [over('without: [request_headers.add.a]')], { add: { b: '2' } }],
    ['it drops from the top', ['without: [https_edges.site.routes.r.request_headers.add.b]\n'], { add: { a: '1' } }],
    [
      'it drops from the overlay below',
      [over('request_headers: { add: { c: "3" } }'), over('without: [request_headers.add.c]')],
      { add: { a: '1', b: '2' } },
    ],
  ])('%s', (_, overlays, expected) => {
    expect(specOf(ROUTE, BELOW, overlays)).toEqual({ request_headers: expected });
  });

  test('an overlay adds and drops resources, routes, variables, outputs and moves', () => {
    const below = `variables: { v: { default: a } }
reserved_addrs: { a: {}, b: {} }
${site(`r: ${route('')}, s: { match_type: exact_path, match: /s }`)}outputs: { o: "\${var.v}", p: x }
moved: [{ from: reserved_addrs.z, to: reserved_addrs.a }]
`;
    const above = `variables: { v: { default: b } }
add:
  variables: { w: { default: c } }
  reserved_addrs: { c: { description: "\${var.w}" } }
  https_edges: { site: { routes: { t: { match_type: exact_path, match: /t } } } }
  outputs: { q: "\${var.w}" }
moved: [{ from: reserved_addrs.y, to: reserved_addrs.c }]
without: [reserved_addrs.b, https_edges.site.routes.s, outputs.p]
`;
    const { value, diagnostics } = load(below, [above]);
    expect(diagnostics).toEqual([]);
    expect(value?.resources.map(({ address }) => address)).toEqual([
      'https_edges.site',
      'https_edges.site.routes.r',
      'https_edges.site.routes.t',
      'reserved_addrs.a',
      'reserved_addrs.c',
    ]);
    expect([...(value?.outputs ?? [])]).toEqual([
      ['o', 'b'],
      ['q', 'c'],
    ]);
    expect(value?.moved.map(({ from, to }) => `${from} ${to}`)).toEqual([
      'reserved_addrs.z reserved_addrs.a',
      'reserved_addrs.y reserved_addrs.c',
    ]);
  });

  const LISTS = `reserved_addrs: { a: {}, b: {} }
moved: [{ from: reserved_addrs.z, to: reserved_addrs.a }, { from: { stack: old }}]
removed: [{ from: reserved_addrs.x, destroy: false }, { from: reserved_addrs.w, destroy: true }]
`;
  test.each<readonly [string, readonly string[], readonly string[]]>([
    ['stand without any', ['outputs: {}\n'], ['z a', 'old', 'keep x', 'destroy w']],
    [
      'are added to',
      [
        'moved: [{ from: reserved_addrs.y, to: reserved_addrs.b }]\nremoved: [{ from: reserved_addrs.v, destroy: true }]\n',
      ],
      ['z a', 'y b', 'old', 'keep x', 'destroy w', 'destroy v'],
    ],
    [
      'give their place to one with the same address',
      ['removed: [{ from: reserved_addrs.x, destroy: true }]\n'],
      ['z a', 'old', 'destroy w', 'destroy x'],
    ],
    [
      'also where it is another stack',
      ['moved: [{ from: { stack: old } }, { from: { stack: older } }]\n'],
      ['z a', 'old', 'older', 'keep x', 'destroy w'],
    ],
    [
      'of an overlay give their place to those of the next',
      [
        'removed: [{ from: reserved_addrs.v, destroy: true }]\n',
        'removed: [{ from: reserved_addrs.v, destroy: false }, { from: reserved_addrs.u, destroy: false }]\n',
      ],
      ['z a', 'old', 'keep x', 'destroy w', 'keep v', 'keep u'],
    ],
    ['are nothing of an empty list', ['moved: []\nremoved: []\n'], ['z a', 'old', 'keep x', 'destroy w']],
    ['are dropped as a whole', ['without: [removed]\n'], ['z a', 'old']],
    [
      'are dropped before the same overlay adds to them',
      ['without: [moved, removed]\nremoved: [{ from: reserved_addrs.x, destroy: true }]\n'],
      ['destroy x'],
    ],
    [
      'of an overlay are dropped by the next, and added to by the one after',
      [
        'removed: [{ from: reserved_addrs.v, destroy: true }]\n',
        'without: [removed]\n',
        'removed: [{ from: reserved_addrs.u, destroy: false }]\n',
      ],
      ['z a', 'old', 'keep u'],
    ],
  ])('entries of moved and removed %s', (_, overlays, expected) => {
    const { value, diagnostics } = load(LISTS, overlays);
    expect(diagnostics).toEqual([]);
    const name = (address: string) => address.split('.')[1] ?? '';
    const removed = (value?.removed ?? []).map(({ from, destroy }) => `${destroy ? 'destroy' : 'keep'} ${name(from)}`);
    const moved = (value?.moved ?? []).map(({ from, to }) => `${name(from)} ${name(to)}`);
    expect([...moved, ...(value?.transfers ?? []).map(({ stack }) => stack), ...removed]).toEqual(expected);
  });

  test('every list at the top of a manifest is one of entries with a `from`', () => {
    const { properties = {} } = manifestSchema(kinds) as { properties?: Record<string, JsonObject> };
    const lists = Object.entries(properties).filter(([, { type }]) => type === 'array');
    expect(lists.map(([key]) => key)).toEqual(LISTS_BY_FROM);
    for (const [, { items }] of lists) expect((items as JsonObject)['required']).toContain('from');
  });

  test.each<readonly [string, readonly string[], Json]>([
    ['the last one', ['stack: b\n', 'stack: c\n'], 'c'],
    ['one that drops what another gives', ['stack: b\n', 'without: [stack]\nstack: d\n'], 'd'],
  ])('of single values, %s counts', (_, overlays, expected) => {
    const { value, diagnostics } = load('reserved_addrs: { a: {} }\n', overlays);
    expect(diagnostics).toEqual([]);
    expect(value?.stack).toBe(expected);
  });

  test('an overlay has again what one below it dropped', () => {
    const overlays = [
      'without: [outputs, reserved_addrs.a]\n',
      'add: { outputs: { o: x }, reserved_addrs: { a: { region: us } } }\n',
    ];
    const { value, diagnostics } = load(
      'reserved_addrs: { a: { region: eu, description: d } }\noutputs: { p: y }\n',
      overlays,
    );
    expect(diagnostics).toEqual([]);
    expect(value?.resources.map(({ spec }) => spec)).toEqual([{ region: 'us' }]);
    expect([...(value?.outputs ?? [])]).toEqual([['o', 'x']]);
  });

  test('a block that an overlay drops and has again has nothing of what it was', () => {
    const below = site(`r: ${route('')}`);
    const again = `without: [https_edges.site]\nadd: { ${site(`t: ${route('')}`).trim()} }\n`;
    const { value, diagnostics } = load(below, [again]);
    expect(diagnostics).toEqual([]);
    expect(value?.resources.map(({ address }) => address)).toEqual(['https_edges.site', 'https_edges.site.routes.t']);
  });

  test('presets of one file serve another', () => {
    const presets = 'version: 1\npresets: { p: { region: eu } }\n';
    const main = `${HEAD}reserved_addrs: { a: { preset: p } }\n`;
    for (const texts of [
      [presets, main],
      [main, presets],
    ]) {
      const { value, diagnostics } = load(texts);
      expect(diagnostics).toEqual([]);
      expect(value?.resources.map(({ spec }) => spec)).toEqual([{ region: 'eu' }]);
    }
  });
});

const ADDR = 'reserved_addrs: { a: { preset: p } }\n';
const LISTED = 'reserved_addrs: { a: {} }\nremoved: [{ from: reserved_addrs.b, destroy: true }]\n';

describe('a mistake is told once, where it is written', () => {
  test.each<readonly [string, string | readonly string[], readonly string[], readonly string[]]>([
    ['in a preset, with its use', `presets: { p: { regoin: eu } }\n${ADDR}`, [], ['unknown-field f0 3:17, f0 4:32']],
    [
      'in a preset that five blocks use, with the first three',
      `presets: { p: { region: mars } }\nreserved_addrs: { a: &a { preset: p }, b: { preset: p }, c: { preset: [p] }, d: { preset: p }, e: { preset: p } }\n`,
      [],
      ['wrong-value f0 3:25, f0 4:35, f0 4:53, f0 4:72'],
    ],
    [
      'two in one value of a preset',
      'presets: { p: { description: "${var.x} ${var.y}" } }\nreserved_addrs: { a: { preset: p }, b: { preset: p } }\n',
      [],
      ['unknown-variable f0 3:30, f0 4:32, f0 4:50', 'unknown-variable f0 3:30, f0 4:32, f0 4:50'],
    ],
    [
      'a field that is missing, at the block',
      `presets: { p: { description: x } }\nssh_credentials: { a: { preset: p } }\n`,
      [],
      ['missing-field f0 4:20'],
    ],
    [
      'no such preset',
      `presets: { q: {} }\n${ADDR}reserved_addr: {}\n`,
      [],
      ['unknown-preset f0 4:32', 'unknown-field f0 5:1'],
    ],
    ['no presets at all', ADDR, [], ['unknown-preset f0 3:32']],
    [
      'a wrong name opens only its block',
      'reserved_addrs: { a: { preset: p, regoin: eu }, b: { region: mars } }\nssh_credentials: { c: { preset: p } }\noutputs: { o: "${reserved_addrs.z.addr}" }\n',
      [],
      [
        'unknown-preset f0 3:32',
        'unknown-field f0 3:35',
        'wrong-value f0 3:62',
        'unknown-preset f0 4:33',
        'unknown-reference f0 5:15',
      ],
    ],
    ['a preset that is nothing', `presets: { p: 5 }\n${ADDR}`, [], ['bad-preset f0 3:15']],
    ['presets that are a list', `presets: [p]\nreserved_addrs: { a: {} }\n`, [], ['bad-preset f0 3:10']],
    [
      'a preset in two files',
      [`${HEAD}presets: { p: {} }\n${ADDR}`, 'version: 1\npresets: { p: {} }\n'],
      [],
      ['duplicate-address f1 2:12, f0 3:12'],
    ],
    ['a name that is none', `presets: { 1p: {} }\nreserved_addrs: { a: { preset: 1p } }\n`, [], ['bad-name f0 3:12']],
    ['a preset that nothing uses', `presets: { p: {} }\nreserved_addrs: { a: {} }\n`, [], ['unused-preset f0 3:12']],
    [
      'neither a name nor a list of names',
      `presets: { p: {} }\nreserved_addrs: { a: { preset: { p: 1 } }, b: { preset: [p, 5] } }\n`,
      [],
      ['wrong-type f0 4:32', 'wrong-type f0 4:61'],
    ],
    [
      'a preset in a list of a field',
      `presets: { p: {} }\nevent_subscriptions: { a: { sources: [{ preset: p }] } }\n`,
      [],
      ['unused-preset f0 3:12', 'missing-field f0 4:39', 'unknown-field f0 4:41'],
    ],
    [
      'a path that drops nothing',
      `presets: { p: { region: eu } }\nreserved_addrs: { a: { preset: p, without: [regoin, description] } }\n`,
      [],
      ['bad-without f0 4:45', 'bad-without f0 4:53'],
    ],
    [
      'a path of the block itself drops nothing',
      `presets: { p: { region: eu } }\nreserved_addrs: { a: { preset: p, description: x, without: [description] } }\n`,
      [],
      ['bad-without f0 4:61'],
    ],
    [
      'without that is no list',
      `presets: { p: { region: eu } }\nreserved_addrs: { a: { preset: p, without: region }, b: { without: [5, ""] } }\n`,
      [],
      ['wrong-type f0 4:44', 'wrong-type f0 4:69', 'wrong-type f0 4:72'],
    ],
    [
      'without at the top of the manifest',
      `without: [reserved_addrs.a]\nreserved_addrs: { a: {} }\n`,
      [],
      ['bad-without f0 3:10'],
    ],
    [
      'in an overlay, with what it lies over',
      'reserved_addrs: { a: {} }\n',
      ['reserved_addrs: { a: { regoin: eu } }\n'],
      ['unknown-field o0 1:24, f0 3:19'],
    ],
    [
      'in what an overlay adds',
      'reserved_addrs: { a: {} }\n',
      ['add: { reserved_addrs: { b: { regoin: eu } } }\n'],
      ['unknown-field o0 1:31'],
    ],
    ['in an overlay that is a list', 'reserved_addrs: { a: {} }\n', ['- a\n'], ['wrong-type o0 1:1']],
    ['in an overlay that is empty', 'reserved_addrs: { a: {} }\n', ['# nothing\n'], ['empty-file o0 1:1']],
    [
      'at the top of an overlay',
      'reserved_addrs: { a: {} }\n',
      ['without: [reserved_addrs.b]\nreservd_addrs: {}\n'],
      ['bad-without o0 1:11', 'unknown-field o0 2:1'],
    ],
    [
      'in a preset of an overlay',
      ADDR,
      ['add: { presets: { p: { regoin: eu } } }\n'],
      ['unknown-field o0 1:24, f0 3:32'],
    ],
    [
      'in an entry that takes the place of another, with that one',
      'reserved_addrs: { a: {} }\nremoved: [{ from: reserved_addrs.b, destroy: true }]\n',
      ['removed: [{ from: reserved_addrs.b, destroy: maybe }]\n'],
      ['wrong-type o0 1:46, f0 4:11'],
    ],
    [
      'in entries of an overlay and of the manifest, each with its own place',
      'reserved_addrs: { a: {} }\nmoved: [{ from: reserved_addrs.b, to: reserved_addrs.a }, { form: x }]\n',
      ['moved: [{ from: reserved_addrs.a, to: reserved_addrs.a }, 5]\n'],
      ['unknown-field f0 4:61', 'bad-move o0 1:17', 'wrong-type o0 1:59'],
    ],
    ['an overlay that has a map where a list belongs', LISTED, ['removed: { a: b }\n'], ['wrong-type o0 1:10']],
    [
      'an unknown preset, and not what it might have had',
      'reserved_addrs: { a: { preset: p, without: [region] } }\nhttps_edges: { e: { preset: q, without: [routes.r], routes: { r: { match_type: exact_path, match: /, without: [oauth] } } } }\n',
      [],
      ['unknown-preset f0 3:32', 'unknown-preset f0 4:29'],
    ],
    [
      'a preset that is not read, and not that it is unused',
      'presets: { p: {} }\nreserved_addrs:\n  a: { preset: [p }\n',
      [],
      ['yaml-syntax f0 5:16'],
    ],
    [
      'a path that is there twice, or below another one',
      'presets: { p: { request_headers: { add: { a: "1" } } } }\n' +
        site(`r: ${route('preset: p, without: [request_headers, request_headers.add, request_headers]')}`),
      [],
      ['bad-without f0 4:112', 'bad-without f0 4:133'],
    ],
    [
      'a path that an overlay below has dropped',
      LISTED,
      ['without: [removed, reserved_addrs.a]\n', 'without: [removed, reserved_addrs.a]\n'],
      ['bad-without o1 1:11', 'bad-without o1 1:20'],
    ],
    [
      'a path of what the overlay itself adds',
      LISTED,
      ['without: [outputs, reserved_addrs.c]\nadd: { outputs: { o: x }, reserved_addrs: { c: {} } }\n'],
      ['bad-without o0 1:11', 'bad-without o0 1:20'],
    ],
    ['a path into a list', LISTED, ['without: [removed.0, stack.x]\n'], ['bad-without o0 1:11', 'bad-without o0 1:22']],
    [
      'a hostport that a preset gives to two blocks, with both',
      'presets: { p: { hostports: [a.example.com:443] } }\ntls_edges: { a: { preset: p }, b: { preset: p } }\n',
      [],
      ['not-unique f0 3:29, f0 4:27, f0 4:45'],
    ],
    [
      'an id that a preset gives to two blocks, with both',
      'presets: { p: { lifecycle: { id: ra_2abc } } }\nreserved_addrs: { a: { preset: p }, b: { preset: p } }\n',
      [],
      ['bad-lifecycle f0 3:34, f0 4:32, f0 4:50'],
    ],
  ])('%s', (_, texts, overlays, expected) => {
    const { diagnostics } = load(texts, overlays);
    expect(said(diagnostics), JSON.stringify(diagnostics, undefined, 1)).toEqual(expected);
    for (const { fix } of diagnostics) expect(fix).toBeTruthy();
  });

  test('the uses beyond the third are counted', () => {
    const blocks = Array.from({ length: 9 }, (_, at) => `a${at}: { preset: p }`).join(', ');
    const [problem] = load(`presets: { p: { region: mars } }\nreserved_addrs: { ${blocks} }\n`).diagnostics;
    expect(problem?.related?.map(({ message }) => message)).toEqual([
      'used here by reserved_addrs.a0',
      'used here by reserved_addrs.a1',
      'used here by reserved_addrs.a2, and in 6 more places',
    ]);
  });
});

/** What is missing because `without` drops it: adding it where it was would not help. */
describe('a problem of what an overlay dropped names the entry that dropped it', () => {
  const BELOW = `variables: { v: { default: x } }
imports: { i: { stack: other, address: reserved_addrs.a } }
${site('r: { match_type: path_prefix, match: / }')}reserved_addrs: { a: { description: "\${var.v}" }, b: {} }
tls_edges: { t: { hostports: ["\${reserved_addrs.b.addr}", "\${imports.i.addr}"] } }
moved: [{ from: reserved_addrs.z, to: reserved_addrs.b }]
`;
  test.each<readonly [string, readonly string[]]>([
    ['stack', ['missing-field f0 1:1, o0 1:11']],
    ['https_edges.site.routes.r.match', ['missing-field f0 5:34, o0 1:11']],
    ['variables.v', ['unknown-variable f0 6:37, o0 1:11']],
    ['variables', ['unknown-variable f0 6:37, o0 1:11']],
    ['imports.i', ['unknown-reference f0 7:59, o0 1:11']],
    ['reserved_addrs.b', ['unknown-reference f0 7:31, o0 1:11', 'move-matches-nothing f0 8:39, o0 1:11']],
  ])('%s', (path, expected) => {
    const { diagnostics } = load(BELOW, [`without: [${path}]\n`]);
    expect(said(diagnostics), JSON.stringify(diagnostics, undefined, 1)).toEqual(expected);
    for (const { fix } of diagnostics) expect(fix).toBe(`remove "${path}" from \`without\``);
  });
});

describe('what a fix says to do removes the problem', () => {
  const ROUTES = 'https_edges: { e: { routes: { r: { match_type: exact_path, match: /, preset: p WITHOUT } } } }\n';
  const TWO =
    'presets: { p: { hostports: [a.example.com:443], compression: {} } }\ntls_edges: { t: { preset: p, without: [compression] } }\n';
  const [given, followed] = [ROUTES.replace(' WITHOUT', ''), ROUTES.replace(' WITHOUT', ', without: [hostports]')];
  test.each<readonly [string, string, readonly string[], RegExp, string, readonly string[]]>([
    [
      'a preset of another kind',
      TWO + given,
      [],
      /^drop it in the block: without: \[hostports\]; or/,
      TWO + followed,
      [],
    ],
    [
      'an overlay that is empty',
      'reserved_addrs: { a: {} }\n',
      ['# nothing\n'],
      /^write the parts of the manifest that differ/,
      'reserved_addrs: { a: {} }\n',
      ['reserved_addrs: { a: { region: eu } }\n'],
    ],
    [
      'a preset that only an overlay uses',
      'presets: { p: {} }\nreserved_addrs: { a: {} }\n',
      [],
      /move it under add: of the overlay that uses it/,
      'reserved_addrs: { a: {} }\n',
      ['add: { presets: { p: {} } }\nreserved_addrs: { a: { preset: p } }\n'],
    ],
  ])('%s', (_, texts, overlays, fix, textsThen, overlaysThen) => {
    const { diagnostics } = load(texts, overlays);
    expect(diagnostics).toMatchObject([{ fix: expect.stringMatching(fix) as string }]);
    expect(load(textsThen, overlaysThen).diagnostics).toEqual([]);
  });
});

test('a preset is used by what an overlay adds, replaces or drops', () => {
  const below = 'presets: { p: { region: eu } }\nreserved_addrs: { a: { preset: p }, b: {} }\n';
  for (const overlay of [
    'reserved_addrs: { a: { preset: [] } }\n',
    'without: [reserved_addrs.a]\n',
    'without: [reserved_addrs]\nadd: { reserved_addrs: { c: {} } }\n',
  ])
    expect(load(below, [overlay]).diagnostics).toEqual([]);
});

test('what an overlay takes the presets from may still drop what they had', () => {
  const below = `presets: { p: { compression: {} }, q: {} }\n${site(`r: ${route('preset: p, without: [compression]')}, s: ${route('preset: q')}`)}`;
  const over = (name: string) => `https_edges: { site: { routes: { r: { preset: ${name}, match: /r } } } }\n`;
  expect(load(below, [over('q')]).diagnostics).toEqual([]);
});

describe('where a file does not parse', () => {
  test.each<readonly [string, string, readonly string[], readonly string[]]>([
    [
      'a preset that cannot be read may have anything',
      `presets:\n  p: { region: [eu\n  q: {}\nssh_credentials: { a: { preset: [p, q] } }\n`,
      [],
      ['yaml-syntax f0 4:16'],
    ],
    [
      'any name may be among presets that cannot be read',
      `presets:\n  q: {}\n  p {}\nreserved_addrs: { a: { preset: [p, q] } }\n`,
      [],
      ['yaml-syntax f0 5:3'],
    ],
    [
      'a block that cannot be read hides no other',
      `presets:\n  p: { region: mars }\nreserved_addrs:\n  a: { preset: [p\n  b: { preset: p }\n`,
      [],
      ['wrong-value f0 4:16, f0 7:16', 'yaml-syntax f0 6:16'],
    ],
    [
      'an overlay that cannot be read may have anything',
      'outputs: { o: "${reserved_addrs.b.addr}" }\n',
      ['reserved_addrs:\n  a: {}\n  b {}\n'],
      ['yaml-syntax o0 3:3'],
    ],
    [
      'a section of an overlay that cannot be read hides none of the manifest',
      'reserved_addrs: { a: { regoin: eu } }\n',
      ['reserved_addrs: [a\noutputs: {}\n'],
      ['unknown-field f0 3:24', 'yaml-syntax o0 1:17'],
    ],
    [
      'what it drops may be in a part that cannot be read',
      'reserved_addrs:\n  a: { region: [eu }\n  b {}\n',
      ['without: [reserved_addrs.a.region, reserved_addrs.c]\n'],
      ['yaml-syntax f0 4:16'],
    ],
  ])('%s', (_, texts, overlays, expected) => {
    const { diagnostics } = load(texts, overlays);
    expect(said(diagnostics), JSON.stringify(diagnostics, undefined, 1)).toEqual(expected);
  });
});
