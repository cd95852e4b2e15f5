// Routes of one match with another match_type are exported as what they are: two routes.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../support/world.ts';
import { folder } from '../support/cli.ts';
import { run } from '../support/host.ts';

test('both routes are in the export, and it plans nothing', async () => {
  const world = await startWorld();
  try {
    const route = (type: string) => ({ match_type: type, match: '/x' });
    const routes = { one: route('exact_path'), two: route('path_prefix') };
    await world.apply({ version: 1, stack: 'shop', https_edges: { e: { routes } } });
    const cwd = folder({});
    const env = { EDGEFORM_BASE_URL: world.emulator.url, EDGEFORM_API_KEY: world.emulator.apiKey };
    expect(await run(['export', '--stack', 'shop', '--out', 'out.yaml'], { cwd, env })).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, 'out.yaml'), 'utf8')).toContain('two:');
    const plan = await run(['plan', '-f', 'out.yaml', '--detailed-exitcode'], { cwd, env });
    expect(plan).toMatchObject({ code: 0 });
  } finally {
    await world.close();
  }
});
