// The README shows a manifest and its plan; both are made here, so that they cannot rot.

import { renderPlan } from '../render/sample.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { kindByManifestKey } from '../../src/catalog/lookup.ts';
import { loadFrom, runnerOn } from './stack.ts';

const README = fileURLToPath(new URL('../../README.md', import.meta.url));
const FOLDER = fileURLToPath(new URL('readme/', import.meta.url));

test('the README shows this manifest and exactly the plan it gives', async () => {
  const emulator = await startEmulator();
  try {
    const runner = runnerOn(emulator);
    const results = await runner.apply(loadFrom(FOLDER, ['before.yaml']));
    expect(results.filter((result) => result.status !== 'done')).toEqual([]);
    const key = kindByManifestKey('failover_backends')?.operations.list?.key ?? '';
    const id = emulator.objects(key)[0]?.['id'];
    emulator.mutate(key, typeof id === 'string' ? id : '', { backends: ['bkdhr_2def', 'bkdhr_2abc'] });

    const plan = await runner.plan(loadFrom(FOLDER, ['edgeform.yaml'], new Map([['github_secret', 'made-up']])));
    const text = renderPlan(
      { ...plan, service: 'https://api.example.com/' },
      { color: false, width: 100, detail: 'changes' },
    );
    await expect(`${text}\n`).toMatchFileSnapshot(join(FOLDER, 'plan.txt'));

    const readme = readFileSync(README, 'utf8');
    expect(
      readme.includes(`\`\`\`yaml\n${readFileSync(join(FOLDER, 'edgeform.yaml'), 'utf8')}\`\`\``),
      'the manifest',
    ).toBe(true);
    expect(readme.includes(`\`\`\`\n${text}\n\`\`\``), 'the plan').toBe(true);
    expect(readme.includes('made-up'), 'a secret').toBe(false);
  } finally {
    await emulator.close();
  }
});
