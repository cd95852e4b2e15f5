// Accepted drift of one environment: what several environments read is left alone, and the overlay of this one says what it has otherwise.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { usePlace } from '../support/place.ts';

const BASE = `version: 1
stack: shop
tls_edges:
  # everywhere
  db:
    description: one # said by all
    hostports: ["db-\${var.env}.example.com:443"]
    tls_termination: { terminate_at: edge, min_version: "1.2" }
  old: { description: two }
https_edges:
  site:
    hostports: ["site-\${var.env}.example.com:443"]
    routes:
      all: { match_type: path_prefix, match: /, description: mine }
      api: { match_type: path_prefix, match: /api }
variables: { env: { default: prod } }
`;
const OVERLAY = `stack: shop-prod # production
https_edges:
  site: { description: 'of production' }
`;
const STAGING = 'stack: shop-staging\nvariables: { env: { default: staging } }\n';

const place = usePlace({ 'edgeform.yaml': BASE, 'prod.yaml': OVERLAY, 'staging.yaml': STAGING });
const { run } = place;
const read = (name: string) => readFileSync(join(place.cwd, name), 'utf8');

type Live = Readonly<Record<string, unknown>>;

function of(list: string, stack: string, address: string): Live {
  const marks = [`"stack":"${stack}"`, `"address":"${address}"`];
  const found = place.emulator
    .objects(list)
    .find(({ metadata }) => marks.every((mark) => String(metadata).includes(mark)));
  if (found === undefined) throw new Error(`${address} is not there`);
  return found;
}

const idOf = (list: string, stack: string, address: string) => String(of(list, stack, address)['id']);

async function apply(...args: string[]): Promise<void> {
  const { code, stderr } = await run('apply', '--auto-approve', ...args);
  expect(code, stderr).toBe(0);
}

async function bothApplied(): Promise<void> {
  await apply('--overlay', 'prod.yaml');
  await apply('--overlay', 'staging.yaml');
}

const accept = (...args: string[]) => run('drift', '--accept', 'all', '--write', ...args);

/** Nothing of either environment is left to do but markers, and the manifest is as it was. */
async function mustBeQuiet(): Promise<void> {
  expect(read('edgeform.yaml')).toBe(BASE);
  expect(await run('drift', '--overlay', 'prod.yaml')).toMatchObject({ code: 0 });
  const { stdout } = await run('plan', '--overlay', 'staging.yaml');
  expect(stdout).toContain('No changes');
}

describe('with overlays', () => {
  test('a value of the manifest goes into the last overlay', async () => {
    await bothApplied();
    place.emulator.mutate('tls_edges', idOf('tls_edges', 'shop-prod', 'tls_edges.db'), { description: 'by hand' });
    const { code, stdout, stderr } = await accept('--overlay', 'prod.yaml');
    expect([code, stdout], stderr).toEqual([0, 'prod.yaml\n']);
    expect(read('prod.yaml')).toBe(`${OVERLAY}tls_edges:\n  db:\n    description: by hand\n`);
    await mustBeQuiet();
  });

  test('a value of the last overlay is replaced there', async () => {
    await bothApplied();
    place.emulator.mutate('https_edges', idOf('https_edges', 'shop-prod', 'https_edges.site'), { description: 'new' });
    expect(await accept('--overlay', 'prod.yaml')).toMatchObject({ code: 0 });
    expect(read('prod.yaml')).toBe(OVERLAY.replace('of production', 'new'));
    await mustBeQuiet();
  });

  test('an object that is gone is dropped by the overlay, and lives on elsewhere', async () => {
    await bothApplied();
    place.emulator.remove('tls_edges', idOf('tls_edges', 'shop-prod', 'tls_edges.old'));
    expect(await accept('--overlay', 'prod.yaml')).toMatchObject({ code: 0 });
    expect(read('prod.yaml')).toBe(OVERLAY.replace('\nhttps', '\nwithout: [tls_edges.old]\nhttps'));
    await mustBeQuiet();
    await apply('--overlay', 'staging.yaml');
    expect(of('tls_edges', 'shop-staging', 'tls_edges.old')).toBeDefined();
  });

  test('a field that is gone is dropped, and a list of dropped paths grows', async () => {
    place.write(`${OVERLAY}without: [tls_edges.db.description]\n`, 'prod.yaml');
    await bothApplied();
    place.emulator.mutate('tls_edges', idOf('tls_edges', 'shop-prod', 'tls_edges.old'), { description: '' });
    place.emulator.mutate('tls_edges', idOf('tls_edges', 'shop-prod', 'tls_edges.db'), { tls_termination: null });
    const { code, stderr } = await accept('--overlay', 'prod.yaml');
    expect(code, stderr).toBe(0);
    expect(read('prod.yaml')).toBe(
      `${OVERLAY}without: [tls_edges.db.description, tls_edges.db.tls_termination, tls_edges.old.description]\n`,
    );
    await mustBeQuiet();
  });

  test('a path that goes with its block is dropped once', async () => {
    place.write(
      `${OVERLAY}without: [tls_edges.db.description]\ntls_edges: { db: { description: mine } }\n`,
      'prod.yaml',
    );
    await bothApplied();
    place.emulator.remove('tls_edges', idOf('tls_edges', 'shop-prod', 'tls_edges.db'));
    const { code, stderr } = await accept('--overlay', 'prod.yaml');
    expect(code, stderr).toBe(0);
    expect(read('prod.yaml')).toContain('without: [tls_edges.db]\n');
    await mustBeQuiet();
  });

  test('what stands in an overlay below the last one is written over', async () => {
    place.write('tls_edges: { db: { description: shared } }\n', 'eu.yaml');
    await apply('--overlay', 'eu.yaml', '--overlay', 'prod.yaml');
    place.emulator.mutate('tls_edges', idOf('tls_edges', 'shop-prod', 'tls_edges.db'), { description: 'by hand' });
    const both = ['--overlay', 'eu.yaml', '--overlay', 'prod.yaml'];
    expect(await accept(...both)).toMatchObject({ code: 0, stdout: 'prod.yaml\n' });
    expect(read('eu.yaml')).toBe('tls_edges: { db: { description: shared } }\n');
    expect(await run('drift', ...both)).toMatchObject({ code: 0 });
  });

  test('a preset is left out, as without overlays', async () => {
    place.write(BASE.replace('old: { description: two }', 'old: {}'));
    const own =
      'stack: shop-prod\nadd: { presets: { p: { description: usual } } }\ntls_edges: { old: { preset: p } }\n';
    place.write(own, 'prod.yaml');
    await apply('--overlay', 'prod.yaml');
    place.emulator.mutate('tls_edges', idOf('tls_edges', 'shop-prod', 'tls_edges.old'), { description: 'by hand' });
    const { code, stderr } = await accept('--overlay', 'prod.yaml');
    expect([code, read('prod.yaml')]).toEqual([2, own]);
    expect(stderr).toContain('stands in a preset');
  });

  test('a foreign child is adopted in the overlay', async () => {
    await bothApplied();
    const edge = idOf('https_edges', 'shop-prod', 'https_edges.site');
    const { status } = await fetch(`${place.emulator.url}/edges/https/${edge}/routes`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${place.emulator.apiKey}`,
        'service-version': '2',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ edge_id: edge, match_type: 'path_prefix', match: '/beta' }),
    });
    expect(status).toBe(201);
    const { code, stderr } = await accept('--overlay', 'prod.yaml');
    expect(code, stderr).toBe(0);
    expect(read('prod.yaml')).toMatch(/^add:\n[\s\S]*adopt:/m);
    await apply('--overlay', 'prod.yaml');
    await mustBeQuiet();
  });
});

describe('without an overlay, and with a variable in the name of the stack', () => {
  const manifest = BASE.replace('stack: shop', 'stack: "shop-${var.env}"');

  test('nothing is written, and each value is named', async () => {
    place.write(manifest);
    await apply();
    await apply('--var', 'env=staging');
    place.emulator.mutate('tls_edges', idOf('tls_edges', 'shop-prod', 'tls_edges.db'), { description: 'by hand' });
    place.emulator.remove('tls_edges', idOf('tls_edges', 'shop-prod', 'tls_edges.old'));
    const { code, stdout, stderr } = await accept();
    expect([code, stdout, read('edgeform.yaml')]).toEqual([2, '', manifest]);
    expect(stderr.match(/stands in a manifest for several environments/g)).toHaveLength(2);
    expect(stderr).toContain('--overlay');
  });

  test('the overlay that the fix asks for takes it', async () => {
    place.write(manifest);
    await apply();
    place.emulator.mutate('tls_edges', idOf('tls_edges', 'shop-prod', 'tls_edges.db'), { description: 'by hand' });
    place.write('stack: "shop-${var.env}"\n', 'prod.yaml');
    expect(await accept('--overlay', 'prod.yaml')).toMatchObject({ code: 0, stdout: 'prod.yaml\n' });
    expect(await run('drift', '--overlay', 'prod.yaml')).toMatchObject({ code: 0 });
  });
});
