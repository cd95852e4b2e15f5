// What a plan says about creations of what exists already: under an old address, or in another stack.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { loadTexts } from '../support/loading.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const of = (stack: string, content: JsonObject): JsonObject => ({ version: 1, stack, ...content });
const notices = ({ diagnostics }: Plan) => diagnostics.map(({ code, message, fix }) => ({ code, message, fix }));

async function after(before: JsonObject, content: JsonObject, stack = 'shop'): Promise<Plan> {
  await world.apply(of('shop', before));
  return world.plan(of(stack, content));
}

const addr = (description: string) => ({ region: 'eu', description });
const ROUTE = { match_type: 'path_prefix', match: '/api', compression: { enabled: true } };

describe('a rename that was forgotten', () => {
  test.each<readonly [string, JsonObject, JsonObject, string]>([
    [
      'of an object with the same fields',
      { reserved_addrs: { db: addr('database'), web: addr('web') } },
      { reserved_addrs: { database: addr('database'), web: addr('web') } },
      '{ from: reserved_addrs.db, to: reserved_addrs.database }',
    ],
    [
      'of an object with the same unique value and other fields',
      { tls_edges: { db: { hostports: ['a.example.com:443'] } } },
      { tls_edges: { database: { hostports: ['a.example.com:443'], description: 'new' } } },
      '{ from: tls_edges.db, to: tls_edges.database }',
    ],
    [
      'of an object and of what refers to it',
      {
        failover_backends: { app: { backends: ['bkdhr_2abc'] } },
        tls_edges: { db: { backend: { backend_id: '${failover_backends.app.id}' } } },
      },
      {
        failover_backends: { main: { backends: ['bkdhr_2abc'] } },
        tls_edges: { database: { backend: { backend_id: '${failover_backends.main.id}' } } },
      },
      '{ from: failover_backends.app, to: failover_backends.main }, { from: tls_edges.db, to: tls_edges.database }',
    ],
    [
      'of an edge, whose routes move along',
      {
        https_edges: {
          site: { hostports: ['a.example.com:443'], routes: { api: ROUTE, x: { ...ROUTE, match: '/x' } } },
        },
      },
      {
        https_edges: {
          shop: { hostports: ['a.example.com:443'], routes: { api: ROUTE, y: { ...ROUTE, match: '/x' } } },
        },
      },
      '{ from: https_edges.site, to: https_edges.shop }, { from: https_edges.site.routes.x, to: https_edges.shop.routes.y }',
    ],
    [
      'of a route',
      { https_edges: { site: { routes: { api: ROUTE } } } },
      { https_edges: { site: { routes: { backend: ROUTE } } } },
      '{ from: https_edges.site.routes.api, to: https_edges.site.routes.backend }',
    ],
  ])('%s is named with the entry that keeps it', async (_, before, content, entries) => {
    const made = await after(before, content);
    expect(notices(made)).toEqual([
      {
        code: 'forgotten-move',
        message: expect.any(String) as string,
        fix: `if that is a rename, add \`moved: [${entries}]\` to the manifest`,
      },
    ]);
    const moved = `moved: [${entries}]`;
    const { value } = loadTexts(`${JSON.stringify(of('shop', content)).slice(0, -1)}, ${moved}}`, { name: 'm.yaml' });
    expect(value?.moved.length).toBeGreaterThan(0);
    const [fixed] = [
      await world.plan(of('shop', { ...content, moved: (value?.moved ?? []).map(({ from, to }) => ({ from, to })) })),
    ];
    expect(fixed.steps.filter(({ action }) => action === 'create' || action === 'delete')).toEqual([]);
    expect(notices(fixed)).toEqual([]);
  });

  test.each<readonly [string, JsonObject, JsonObject]>([
    ['an object that goes', { tls_edges: { a: { description: 'a' }, b: {} } }, { tls_edges: { b: {} } }],
    [
      'one that goes and another that comes',
      { tls_edges: { a: { description: 'a' } } },
      { tls_edges: { b: { description: 'b' } } },
    ],
    ['one of another kind', { tls_edges: { a: { description: 'x' } } }, { https_edges: { a: { description: 'x' } } }],
    [
      'one that is removed on purpose',
      { reserved_addrs: { a: addr('x') } },
      { reserved_addrs: { b: addr('x') }, removed: [{ from: 'reserved_addrs.a', destroy: true }] },
    ],
  ])('is not seen in %s', async (_, before, content) => {
    expect(notices(await after(before, content))).toEqual([]);
  });

  test('is not guessed between equal objects', async () => {
    const equal = (...names: readonly string[]) => ({
      reserved_addrs: Object.fromEntries(names.map((name) => [name, { region: 'eu' }])),
    });
    const made = await after(equal('a', 'b'), equal('x', 'y'));
    const [{ code, message, fix } = {}] = notices(made);
    expect([code, fix]).toEqual([
      'forgotten-move',
      'if they were renamed, add an entry `{ from: OLD, to: NEW }` to `moved` for each of them',
    ]);
    expect(message).toMatch(
      /^reserved_addrs\.a \(.*\), reserved_addrs\.b \(.*\) are no longer .* reserved_addrs\.x, reserved_addrs\.y, .* have the same fields/,
    );
  });
});

describe('a stack that was renamed', () => {
  const content = {
    reserved_addrs: { a: addr('a'), b: addr('b') },
    failover_backends: { c: { backends: ['bkdhr_2abc'] } },
  };

  test('is recognised by its addresses', async () => {
    const made = await after(content, content, 'store');
    expect(notices(made)).toEqual([
      {
        code: 'stack-renamed',
        message:
          'stack shop has what would be created here, at the same addresses (3 of 3): this stack seems to have been renamed, and everything would exist twice',
        fix: 'if stack shop is now called store, add `moved: [{ from: { stack: shop } }]` to the manifest; if both stay, there is nothing to do',
      },
    ]);
    const fixed = await world.plan(of('store', { ...content, moved: [{ from: { stack: 'shop' } }] }));
    expect([fixed.summary.create, notices(fixed)]).toEqual([0, []]);
  });

  test('is not meant by some equal addresses', async () => {
    await world.apply(of('store', { tls_edges: { a: {}, b: {}, c: {} } }));
    const made = await after(
      content,
      { tls_edges: { a: {}, b: {}, c: {} }, reserved_addrs: { a: addr('a') } },
      'store',
    );
    // Each of them is named, because no journal says that it was never here.
    expect(notices(made).map(({ code }) => code)).toEqual(['same-elsewhere']);
  });
});

describe('an entry that moves nothing', () => {
  const before = { reserved_addrs: { db: addr('db'), web: addr('web') } };
  const content = { reserved_addrs: { database: addr('other'), web: addr('web') } };
  const moved = (from: unknown, to = 'reserved_addrs.database') =>
    ({ ...content, moved: [{ from, to }] }) as JsonObject;

  test('is a warning with the address that was probably meant', async () => {
    const made = await after(before, moved('reserved_addrs.dbb'));
    expect(notices(made)).toEqual([
      {
        code: 'move-matches-nothing',
        message:
          'the stack owns no reserved_addrs.dbb, which `moved` renames to reserved_addrs.database: nothing is renamed, and reserved_addrs.database would be created',
        fix: 'did you mean "reserved_addrs.db"?',
      },
    ]);
    expect(made.diagnostics[0]?.source).toMatch(/^test\.json:1:\d+$/);
  });

  test.each<readonly [string, unknown, string]>([
    ['a typo in its address', { stack: 'shop', address: 'reserved_addrs.dbb' }, 'did you mean "reserved_addrs.db"?'],
    ['a typo in its stack', { stack: 'shopp', address: 'reserved_addrs.db' }, 'did you mean "shop"?'],
  ])('from another stack, by %s', async (_, from, fix) => {
    const made = await after(
      before,
      { moved: [{ from, to: 'reserved_addrs.database' }], ...content } as JsonObject,
      'store',
    );
    expect(
      notices(made)
        .filter(({ code }) => code === 'move-matches-nothing')
        .map((one) => one.fix),
    ).toEqual([fix]);
  });

  test('a whole stack with a typo', async () => {
    const made = await after(before, { ...content, moved: [{ from: { stack: 'shopp' } }] }, 'store');
    expect(notices(made).map(({ code, fix }) => [code, fix])).toContainEqual([
      'move-matches-nothing',
      'did you mean "shop"?',
    ]);
  });

  test('says nothing at a service without objects', async () => {
    expect(notices(await world.plan(of('shop', moved('reserved_addrs.dbb'))))).toEqual([]);
  });

  test('says nothing once its work is done', async () => {
    const done = {
      reserved_addrs: { database: addr('db'), web: addr('web') },
      moved: [{ from: 'reserved_addrs.db', to: 'reserved_addrs.database' }],
    };
    await world.apply(of('shop', before));
    await world.apply(of('shop', done));
    expect(notices(await world.plan(of('shop', done)))).toEqual([]);
    expect(notices(await world.plan(of('shop', { ...done, tls_edges: { more: {} } })))).toEqual([]);
  });
});

describe('an entry whose new address has no block', () => {
  const EDGE = { hostports: ['a.example.com:443'] };
  const edges = (name: string | undefined, moved: readonly JsonObject[] = []): JsonObject =>
    of('shop', { tls_edges: { ...(name !== undefined && { [name]: EDGE }), other: {} }, moved: [...moved] });
  const A_TO_B = { from: 'tls_edges.a', to: 'tls_edges.b' };
  const B_TO_C = { from: 'tls_edges.b', to: 'tls_edges.c' };
  const told = ({ steps, diagnostics }: Plan): readonly [string[], string[]] => [
    steps.map(({ action, address }) => `${action} ${address}`),
    diagnostics.map(({ severity, code, fix }) => `${severity} ${code}: ${fix ?? ''}`),
  ];

  async function renamed(): Promise<void> {
    await world.apply(edges('a'));
    await world.apply(edges('b', [A_TO_B]));
  }

  test('is silent once its work is done, when the block goes, and for ever after', async () => {
    await renamed();
    expect(told(await world.plan(edges(undefined, [A_TO_B])))).toEqual([['delete tls_edges.b'], []]);
    await world.apply(edges(undefined, [A_TO_B]));
    expect(told(await world.plan(edges(undefined, [A_TO_B])))).toEqual([[], []]);
  });

  test('is silent when its block gets another name, and the entry that is printed keeps the object', async () => {
    await renamed();
    const [, [notice]] = told(await world.plan(edges('c', [A_TO_B])));
    expect(notice).toBe(
      'warning forgotten-move: if that is a rename, add `{ from: tls_edges.b, to: tls_edges.c }` to the list `moved` of the manifest',
    );
    const chain = edges('c', [A_TO_B, B_TO_C]);
    expect(told(await world.plan(chain))).toEqual([['update tls_edges.c'], []]);
    await world.apply(chain);
    expect(told(await world.plan(chain))).toEqual([[], []]);
  });

  test('whoever changes the entry in place of adding one is told, and gets both ways wrong', async () => {
    await renamed();
    const aToC = { from: 'tls_edges.a', to: 'tls_edges.c' };
    const [steps, notices] = told(await world.plan(edges('c', [aToC])));
    expect([steps, notices]).toEqual([
      ['delete tls_edges.b', 'create tls_edges.c'],
      [
        'warning forgotten-move: if that is a rename, add `{ from: tls_edges.b, to: tls_edges.c }` to the list `moved` of the manifest',
        'warning move-matches-nothing: did you mean "tls_edges.b"?',
      ],
    ]);
    const { diagnostics } = loadTexts(JSON.stringify(edges('c', [aToC, B_TO_C])));
    expect(diagnostics.map(({ code, fix }) => [code, fix])).toEqual([
      [
        'bad-move',
        'keep the one whose old address still has an object; an object that was renamed twice has a chain, `{ from: A, to: B }, { from: B, to: C }`',
      ],
    ]);
  });

  test.each<readonly [string, string | undefined, readonly JsonObject[], string]>([
    ['a typo', 'bb', [A_TO_B], 'did you mean "tls_edges.bb"?'],
    [
      'no block',
      undefined,
      [A_TO_B],
      'use the address of a resource in the manifest, or remove the entry to delete the object',
    ],
    ['the end of a chain', 'cc', [A_TO_B, B_TO_C], 'did you mean "tls_edges.cc"?'],
  ])('is an error while the object of its old address exists: %s', async (_, name, moved, fix) => {
    await world.apply(edges('a'));
    const [, problems] = told(await world.plan(edges(name, moved)));
    expect(problems).toEqual([`error bad-move: ${fix}`]);
  });

  describe('from another stack', () => {
    const APP = { backends: ['bkdhr_2abc'] };
    const MOVED = [{ from: { stack: 'old', address: 'failover_backends.app' }, to: 'failover_backends.app' }];
    const content = (more: JsonObject = {}): JsonObject =>
      of('shop', { tls_edges: { other: {} }, moved: MOVED, ...more });

    test('is silent once its work is done, whatever became of the block', async () => {
      await world.apply(of('old', { failover_backends: { app: APP } }));
      await world.apply(content({ failover_backends: { app: APP } }));
      expect(told(await world.plan(content()))).toEqual([['delete failover_backends.app'], []]);
      await world.apply(content());
      expect(told(await world.plan(content()))).toEqual([[], []]);
    });

    test('is an error while the object is there to be taken', async () => {
      await world.apply(of('old', { failover_backends: { app: APP } }));
      const made = await world.plan(content({ failover_backends: { apps: APP } }));
      expect(told(made)).toEqual([
        ['create failover_backends.apps', 'create tls_edges.other'],
        ['error bad-move: did you mean "failover_backends.apps"?'],
      ]);
    });
  });
});
