// An overlay changes what is there, and what it adds stands under `add`; it names a stack; and a sensitive variable stays so.

import { describe, expect, test } from 'vitest';
import { loadManifest } from '../../../src/manifest/load.ts';

const BELOW = `version: 1
stack: shop
variables: { v: { default: a }, secret: { sensitive: true } }
imports: { net: { stack: network, address: reserved_addrs.db } }
presets:
  app: { compression: {} }
  edge: { routes: { health: { match_type: exact_path, match: /health } } }
reserved_addrs: { a: {} }
https_edges:
  www:
    preset: edge
    routes:
      admin: { preset: app, match_type: path_prefix, match: /admin }
outputs: { o: x }
`;

interface Given {
  readonly below?: string;
  readonly name?: string;
}

function load(overlays: readonly string[], { below = BELOW, name = 'staging.yaml' }: Given = {}) {
  const named = overlays.map((text, at) => ({ name: at === 0 ? name : `o${at}.yaml`, text }));
  const files = [{ name: 'f.yaml', text: below }];
  return loadManifest({
    files,
    overlays: named,
    variables: new Map(),
    env: { EDGEFORM_VAR_secret: 'made-up-secret' },
    readFile: () => ({ diagnostics: [] }),
  });
}

const SAME = 'stack: shop\n';
const said = (overlays: readonly string[], given: Given = {}) =>
  load(overlays, given).diagnostics.map(
    ({ code, range }) => `${code} ${range?.file ?? ''} ${range?.line ?? 0}:${range?.column ?? 0}`,
  );
const addressesOf = (...overlays: readonly string[]) =>
  load(overlays).value?.resources.map(({ address }) => address) ?? [];

describe('an environment is a stack', () => {
  test.each<readonly [string, readonly string[], Given]>([
    ['an overlay names another one', ['stack: shop-staging\n'], {}],
    ['an overlay names the same one', [SAME], {}],
    ['one of several overlays names one', ['outputs: { o: y }\n', 'stack: shop-staging\n'], {}],
    [
      'that of the manifest has a variable',
      ['outputs: { o: y }\n'],
      { below: BELOW.replace('shop', '"shop-${var.v}"') },
    ],
    ['the manifest has none', ['stack: shop\n'], { below: BELOW.replace('stack: shop\n', '') }],
    [
      'it is added where the manifest has none',
      ['add: { stack: shop }\n'],
      { below: BELOW.replace('stack: shop\n', '') },
    ],
  ])('it is known where %s', (_, overlays, given) => {
    expect(said(overlays, given)).toEqual([]);
  });

  test.each([
    ['staging.yaml', 'shop-staging'],
    ['overlays/prod.eu.yaml', 'shop-prod-eu'],
    ['envs/staging/overlay.yaml', 'shop-staging'],
    ['shop-dev.yaml', 'shop-dev'],
    ['shop.yaml', 'shop-shop'],
    ['-', 'shop-staging'],
    ['/dev/fd/63', 'shop-staging'],
    [`${'a'.repeat(80)}.yaml`, `shop-${'a'.repeat(58)}`],
  ])('the fix for %s is the line `stack: %s`, which makes it valid', (name, stack) => {
    const overlay = 'outputs: { o: y }\n';
    const [problem, ...others] = load([overlay], { name }).diagnostics;
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code: 'overlay-stack', range: { file: name, line: 1 } });
    const [, first = '', same = ''] = /write `(.+?)` first in .*, or `(.+?)` if/.exec(problem?.fix ?? '') ?? [];
    expect([first, same]).toEqual([`stack: ${stack}`, 'stack: shop']);
    for (const line of [first, same]) expect(said([`${line}\n${overlay}`], { name })).toEqual([]);
  });

  test('the last overlay is told, and nothing where one cannot be read', () => {
    expect(said(['outputs: { o: y }\n', 'outputs: { o: z }\n'])).toEqual(['overlay-stack o1.yaml 1:1']);
    expect(said(['outputs: { o: y }\nstack shop\n'])).toEqual(['yaml-syntax staging.yaml 2:1']);
  });
});

describe('what an overlay changes is there', () => {
  test.each<readonly [string, string, string, string | undefined]>([
    ['a resource', 'reserved_addrs: { b: {} }', 'add.reserved_addrs', 'a'],
    ['an edge, with its routes', 'https_edges: { ww: { routes: { admin: {}, x: {} } } }', 'add.https_edges', 'www'],
    ['a kind that the manifest has none of', 'tls_edges: { web: {} }', 'add.tls_edges', undefined],
    ['a route', 'https_edges: { www: { routes: { amdin: { oauth: 5 } } } }', 'add.https_edges.www.routes', 'admin'],
    ['a variable', 'variables: { secrte: {} }', 'add.variables', 'secret'],
    ['an import', 'imports: { ne: { stack: x } }', 'add.imports', 'net'],
    ['a preset', 'presets: { ap: { nothing: {} } }', 'add.presets', 'app'],
    ['a route of a preset', 'presets: { edge: { routes: { heath: {} } } }', 'add.presets.edge.routes', 'health'],
    ['an output', 'outputs: { oo: x }', 'add.outputs', 'o'],
  ])('%s that is not is an error, and the only one', (_, overlay, place, near) => {
    const { diagnostics } = load([`${SAME}${overlay}\n`]);
    expect(diagnostics).toMatchObject([{ code: 'overlay-adds', range: { file: 'staging.yaml', line: 2 } }]);
    const fix = diagnostics[0]?.fix;
    expect(fix).toContain(`put it under ${place}`);
    if (near === undefined) expect(fix).not.toContain('did you mean');
    else expect(fix).toContain(`did you mean "${near}"?`);
  });

  test.each<readonly [string, string]>([
    ['a route of a preset that the block uses', 'https_edges: { www: { routes: { health: { match: /h } } } }'],
    ['a route of the manifest', 'https_edges: { www: { routes: { admin: { match: /a } } } }'],
    ['a preset of the manifest', 'presets: { app: { response_headers: { remove: [server] } } }'],
    ['fields that a block lacks', 'reserved_addrs: { a: { region: us, lifecycle: { prevent_destroy: true } } }'],
    ['moved and removed, which name what is gone', 'removed: [{ from: reserved_addrs.z, destroy: false }]'],
  ])('%s is there', (_, overlay) => {
    expect(said([`${SAME}${overlay}\n`])).toEqual([]);
  });

  test('what an overlay drops, it cannot change; what one below adds, it can', () => {
    const dropped = `${SAME}without: [reserved_addrs.a, https_edges.www.routes.admin]\nreserved_addrs: { a: {} }\nhttps_edges: { www: { routes: { admin: {} } } }\n`;
    expect(said([dropped])).toEqual(['overlay-adds staging.yaml 3:19', 'overlay-adds staging.yaml 4:33']);
    const added = `${SAME}add: { reserved_addrs: { b: {} }, presets: { p: {} } }\n`;
    const changed = 'reserved_addrs: { b: { region: us, preset: p } }\npresets: { p: { description: x } }\n';
    expect(said([added, changed])).toEqual([]);
    expect(said([added.replace('add: {', 'outputs: {').replace(/, presets.*/, ' }'), changed])).toContain(
      'overlay-adds o1.yaml 1:19',
    );
  });

  test('a problem of what it was meant for hides no other, and is told once', () => {
    const wrong = `${SAME}reserved_addrs: { b: { regoin: eu }, a: { regoin: eu } }\noutputs: { o: "\${reserved_addrs.b.addr}" }\n`;
    const above = 'reserved_addrs: { b: { description: x } }\n';
    expect(said([wrong, above])).toEqual(['overlay-adds staging.yaml 2:19', 'unknown-field staging.yaml 2:43']);
  });

  test('what cannot be read may be there', () => {
    const below = BELOW.replace('reserved_addrs: { a: {} }', 'reserved_addrs:\n  b {}\n  a: {}');
    expect(said([`${SAME}reserved_addrs: { b: {} }\n`], { below })).toEqual(['yaml-syntax f.yaml 9:3']);
    const preset = BELOW.replace('preset: edge', 'preset: unknown');
    const over = `${SAME}https_edges: { www: { routes: { any: { match_type: exact_path, match: /any } } } }\n`;
    expect(said([over], { below: preset })).toEqual(['unknown-preset f.yaml 11:13']);
  });
});

describe('what an overlay adds is not there yet', () => {
  test('resources, routes of an edge that is there, variables, imports, outputs, presets, moved and removed', () => {
    const add = `${SAME}add:
  variables: { w: { default: c } }
  imports: { other: { stack: network, address: reserved_addrs.other } }
  presets: { q: { description: "\${var.w}" }, edge: { routes: { ready: { match_type: exact_path, match: /ready } } } }
  reserved_addrs: { b: { preset: q } }
  https_edges: { www: { routes: { beta: { match_type: exact_path, match: /beta } } }, new: { routes: {} } }
  outputs: { p: "\${imports.other.addr}" }
  moved: [{ from: reserved_addrs.z, to: reserved_addrs.b }]
  removed: [{ from: reserved_addrs.y, destroy: false }]
`;
    expect(said([add])).toEqual([]);
    expect(addressesOf(add)).toEqual([
      'https_edges.new',
      'https_edges.www',
      'https_edges.www.routes.admin',
      'https_edges.www.routes.beta',
      'https_edges.www.routes.health',
      'https_edges.www.routes.ready',
      'reserved_addrs.a',
      'reserved_addrs.b',
    ]);
  });

  test.each<readonly [string, string, string]>([
    ['a resource', 'reserved_addrs: { a: { region: us } }', '2:26'],
    ['an edge with a field beside routes', 'https_edges: { www: { description: x, routes: {} } }', '2:23'],
    ['an edge with nothing', 'https_edges: { www: {} }', '2:23'],
    ['a route', 'https_edges: { www: { routes: { admin: { match: /x } } } }', '2:40'],
    ['a route of a preset', 'https_edges: { www: { routes: { health: { match: /x } } } }', '2:40'],
    ['a variable', 'variables: { v: {} }', '2:21'],
    ['an import', 'imports: { net: { stack: x } }', '2:19'],
    ['an output', 'outputs: { o: y }', '2:19'],
    ['a preset', 'presets: { app: { compression: {} } }', '2:19'],
    ['a route in a preset', 'presets: { edge: { routes: { health: { match: /x } } } }', '2:37'],
    ['the stack', 'stack: other', '2:15'],
  ])('%s that is there is an error, and the only one', (_, overlay, place) => {
    const { diagnostics } = load([`${SAME}add: { ${overlay} }\n`]);
    expect(diagnostics).toMatchObject(
      [{ code: 'overlay-repeats', fix: /^move .* out of add:/ } as object].map(matching),
    );
    expect(said([`${SAME}add: { ${overlay} }\n`])).toEqual([`overlay-repeats staging.yaml ${place}`]);
  });

  test('an entry of moved or removed whose `from` is there', () => {
    const below = `${BELOW}removed: [{ from: reserved_addrs.z, destroy: true }]\n`;
    const overlay = 'removed: [{ from: reserved_addrs.z, destroy: false }]';
    expect(said([`${SAME}add: { ${overlay} }\n`], { below })).toEqual(['overlay-repeats staging.yaml 2:18']);
    expect(load([`${SAME}${overlay}\n`], { below }).value?.removed).toMatchObject([{ destroy: false }]);
  });

  test('what was dropped is added again', () => {
    const overlay = `${SAME}without: [reserved_addrs.a, https_edges.www.routes.admin]
add: { reserved_addrs: { a: { region: us } }, https_edges: { www: { routes: { admin: { match_type: exact_path, match: /x } } } } }
`;
    expect(said([overlay])).toEqual(['unused-preset f.yaml 6:3'].slice(1));
    expect(load([overlay]).value?.resources.map(({ spec }) => spec)).toMatchObject([
      {},
      { match_type: 'exact_path', match: '/x' },
      { match: '/health' },
      { region: 'us' },
    ]);
  });

  test.each<readonly [string, string, readonly string[]]>([
    ['is no map', 'add: [a]', ['wrong-type staging.yaml 2:6']],
    ['drops something', 'add: { without: [reserved_addrs.a] }', ['bad-without staging.yaml 2:17']],
    ['adds something', 'add: { add: {} }', ['unknown-field staging.yaml 2:8']],
    ['has an unknown section', 'add: { reservd_addrs: {} }', ['unknown-field staging.yaml 2:8']],
    [
      'has a new block that is wrong',
      'add: { reserved_addrs: { b: { region: mars } } }',
      ['wrong-value staging.yaml 2:39'],
    ],
    [
      'has a new edge without what it needs',
      'add: { ssh_credentials: { c: {} } }',
      ['missing-field staging.yaml 2:27'],
    ],
  ])('what stands under add %s', (_, overlay, expected) => {
    expect(said([`${SAME}${overlay}\n`])).toEqual(expected);
  });

  test('a manifest has no add, and the fix says how such a file is given', () => {
    const [problem] = load([], { below: `${BELOW}add: { reserved_addrs: { b: {} } }\n` }).diagnostics;
    expect(problem).toMatchObject({ code: 'unknown-field', fix: expect.stringContaining('--overlay') as string });
  });

  test('no secret under add is quoted', () => {
    const overlay = `${SAME}add:
  variables: { t: { default: probe-default }, u: { sensitive: true, default: probe-two }, 1x: {} }
  event_destinations: { d: { target: { datadog: { api_key: probe-field, x: 1 } } } }
`;
    const { sources } = load([overlay]);
    const text = overlay.split('\n');
    const hidden = (sources.get('staging.yaml')?.secrets() ?? []).map(({ line, column, endColumn }) =>
      (text[line - 1] ?? '').slice(column - 1, endColumn - 1),
    );
    expect(hidden.sort()).toEqual(['probe-default', 'probe-field', 'probe-two', 'probe-two']);
  });
});

describe('an overlay never takes `sensitive` away', () => {
  test.each<readonly [string, readonly string[], string]>([
    ['by saying so', [`${SAME}variables: { secret: { sensitive: false } }\n`], 'staging.yaml 2:35'],
    ['by dropping it', [`${SAME}without: [variables.secret.sensitive]\n`], 'f.yaml 3:33'],
    [
      'by another variable of the name',
      [`${SAME}without: [variables.secret]\nadd: { variables: { secret: { description: x } } }\n`],
      'staging.yaml 3:21',
    ],
    [
      'of one that an overlay below has added or made sensitive',
      [
        `${SAME}variables: { v: { sensitive: true } }\nadd: { variables: { n: { sensitive: true } } }\n`,
        'variables: { v: { sensitive: false } }\n',
      ],
      'o1.yaml 1:30',
    ],
  ])('%s', (_, overlays, place) => {
    expect(said(overlays)).toEqual([`overlay-sensitive ${place}`]);
  });

  test('what the fix says makes it right; a variable that is dropped is gone', () => {
    expect(said([`${SAME}variables: { secret: { sensitive: true } }\n`])).toEqual([]);
    expect(said([`${SAME}variables: { secret: { description: x } }\n`])).toEqual([]);
    expect(said([`${SAME}without: [variables.secret]\n`])).toEqual([]);
    const [dropping] = load([`${SAME}without: [variables.secret.sensitive]\n`]).diagnostics;
    expect(dropping?.fix).toBe('remove "variables.secret.sensitive" from `without`');
  });
});

function matching({ fix, ...rest }: { readonly fix?: RegExp }): object {
  return { ...rest, fix: expect.stringMatching(fix ?? /./) as string };
}
