// Values of another stack's objects: found by marker or by id, missing, doubled, pending, changed. They are never written.

import { describe, expect } from 'vitest';
import { story } from './story.ts';

const NETWORK = 'reserved_addrs:\n  db: { region: eu }';
const BY_MARKER = `imports:
  db: { stack: network, address: reserved_addrs.db }
tls_edges:
  web: { hostports: ["\${imports.db.addr}"], description: "at \${imports.db.addr}" }
outputs: { address: "\${imports.db.addr}" }`;

describe('imports', () => {
  story('imports: found by the marker of another stack', async ({ given, apply, id, world }) => {
    await given(NETWORK, 'network');
    const { imports, outputs } = await apply('its address is served', BY_MARKER);
    const live_id = id('reserved_addrs', 'reserved_addrs.db');
    expect(imports).toEqual([
      {
        name: 'db',
        kind: 'reserved_addr',
        stack: 'network',
        address: 'reserved_addrs.db',
        live_id,
        values: { addr: outputs['address'] },
      },
    ]);
    expect(world.emulator.requests.filter(({ method, path }) => method !== 'GET' && path.includes(live_id))).toEqual(
      [],
    );
  });

  story('imports: found by id, whoever owns it', async ({ post, apply, world }) => {
    await post('/reserved_addrs', { region: 'eu', metadata: 'made by hand' });
    const [found] = world.emulator.objects('reserved_addrs');
    await apply(
      'the id is in the manifest',
      `imports:
  db: { kind: reserved_addr, id: ${String(found?.['id'])} }
tls_edges:
  web: { hostports: ["\${imports.db.addr}"] }`,
    );
  });

  story('imports: what does not exist refuses the plan', async ({ given, plan, world }) => {
    await given('reserved_addrs:\n  other: { region: eu }', 'network');
    world.writes();
    const { refusals } = await plan(
      'neither by marker nor by id',
      BY_MARKER.replace('imports:', 'imports:\n  old: { kind: reserved_addr, id: ra_2gone }').replace(
        'outputs: {',
        'outputs: { old: "${imports.old.addr}",',
      ),
    );
    expect(refusals.map(({ rule, flag }) => [rule, flag])).toEqual([
      ['import-missing', null],
      ['import-missing', null],
    ]);
  });

  story('imports: of two objects with one address none is taken', async ({ given, plan, post, id, world }) => {
    await given(NETWORK, 'network');
    const [first] = world.emulator.objects('reserved_addrs');
    await post('/reserved_addrs', { region: 'eu', metadata: first?.['metadata'] ?? '' });
    const { refusals } = await plan('copied by hand', BY_MARKER);
    expect(refusals.map(({ rule }) => rule)).toEqual(['import-doubled']);
    expect(id('reserved_addrs', 'reserved_addrs.db')).toBeDefined();
  });

  story('imports: an object of the very stack is refused by id, too', async ({ given, plan, id }) => {
    await given(NETWORK);
    const own = id('reserved_addrs', 'reserved_addrs.db');
    const { refusals } = await plan(
      'it has a plain reference',
      `${NETWORK}\n${BY_MARKER.replace('{ stack: network, address: reserved_addrs.db }', `{ kind: reserved_addr, id: ${own} }`)}`,
    );
    expect(refusals.map(({ rule }) => rule)).toEqual(['import-own']);
  });

  story('imports: what another stack is about to create is known after apply', async ({ plan, given, apply }) => {
    const pendingImports = new Set(['imports.db']);
    const pending = await plan('before it exists', BY_MARKER, { pendingImports });
    expect([pending.refusals, pending.diagnostics, pending.imports?.[0]?.live_id]).toEqual([[], [], null]);
    await given(NETWORK, 'network');
    const still = await plan('it exists by now, and the plan is the same', BY_MARKER, { pendingImports });
    expect([still.steps, still.imports]).toEqual([pending.steps, pending.imports]);
    await apply('planned again', BY_MARKER);
  });

  story('imports: a changed address is followed', async ({ given, apply, world }) => {
    await given(NETWORK, 'network');
    await given(BY_MARKER);
    const [edge] = world.emulator.objects('tls_edges');
    world.emulator.remove('reserved_addrs', String(world.emulator.objects('reserved_addrs')[0]?.['id']));
    await given(NETWORK, 'network');
    await apply('the address is another one', BY_MARKER);
    expect(world.emulator.objects('tls_edges').map((one) => one['id'])).toEqual([edge?.['id']]);
  });

  story('imports: destroying needs none of them', async ({ given, plan, vanish }) => {
    await given(NETWORK, 'network');
    await given(BY_MARKER);
    vanish('reserved_addrs', 'reserved_addrs.db');
    const { refusals, steps, imports } = await plan('the imported object is gone', BY_MARKER, { destroy: true });
    expect([refusals, steps.map(({ action }) => action), imports]).toEqual([[], ['delete'], undefined]);
  });
});
