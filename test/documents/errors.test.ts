// docs/errors.md has an example of each code: each is carried out, in this process and beside a service of its own, and has to
// print what the page says. `-u` records what it prints now; `npm run generate` then writes the page.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { doOtherwise, networkTo, openAppender, writeFiles } from '../../scripts/docs/errors.ts';
import type { Example } from '../../scripts/generate/examples.ts';
import { exampleOf, exampleTexts, shortened, withOutput } from '../../scripts/generate/examples.ts';
import { codes } from '../../src/core/codes.ts';
import { BugError } from '../../src/core/diagnostic.ts';
import { seedObjects } from '../../src/emulator/state/seed.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import { addressIn, metadataOf } from '../faults/read-markers.ts';
import { Service } from '../faults/service.ts';
import { folder } from '../support/cli.ts';
import { run } from '../support/host.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

const BASE_URL = 'https://api.example.com';
const KEY = 'key-of-the-examples';
const NOW = '2030-01-01T00:00:00Z';
/** Shown in place of the folder of an example, which has the same length, so that lines are broken in the same places. */
const FOLDER = '/home/you/repositories/infrastructure/shop';
const PORTS = {
  identity: { pid: 4711, birth: '1', host: 'laptop', bootId: 'boot', isAlive: () => true },
  random: () => 0.5,
  runName: () => '0'.repeat(32),
  files: { ...nodeFiles, openAppender },
};
const texts = exampleTexts(fileURLToPath(new URL('../..', import.meta.url)));

test('each code has an example', () => {
  const shown = new Set([...texts.values()].flat().map((text) => exampleOf(text).code));
  expect([...shown].sort()).toEqual(Object.keys(codes).sort());
});

test.each([...texts.keys()])('%s', async (file) => {
  const made: string[] = [];
  for (const text of texts.get(file) ?? []) {
    const example = exampleOf(text);
    const output = shortened(await outputOf(example), example);
    expect.soft(output, example.command).toContain(example.code);
    made.push(withOutput(text, output));
  }
  await expect(made.join('---\n')).toMatchFileSnapshot(file);
});

/** What the command of an example prints. */
async function outputOf({ files = {}, before = [], command, faults = [], ...more }: Example): Promise<string> {
  const base = folder({});
  const cwd = join(base, 'x'.repeat(Math.max(1, FOLDER.length - base.length - 6)), 'shop');
  mkdirSync(cwd, { recursive: true });
  writeFiles(cwd, files);
  const clock = createVirtualClock();
  const objects = seedObjects(more.seed ?? {}, { now: NOW, owner: 'usr_me' });
  const service = new Service(objects, KEY, more.service ?? {}, clock.now, BASE_URL);
  const idOf = (address: string) => service.store.all().find((one) => addressIn(metadataOf(one)) === address)?.id;
  const around = { ask: service.ask.bind(service), idOf, key: KEY, clock };
  const env = { EDGEFORM_BASE_URL: BASE_URL, EDGEFORM_API_KEY: KEY, ...more.env };
  const perform = (line: string, isBefore: boolean) => {
    const args = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain).slice(1);
    const signal = new AbortController();
    const struck = faults.filter((one) => (one.isBefore ?? false) === isBefore);
    const exchange = networkTo(around, struck, signal);
    const ports = { ...PORTS, clock, exchange, wallTime: () => timeOr(more.bug) };
    return run(args, { cwd, columns: 80, env, ports, signal, mayHoldBack: true });
  };
  for (const line of before)
    if (line.startsWith('edgeform ')) await perform(line, true);
    else doOtherwise(cwd, line, around);
  return (await perform(command, false)).both.replaceAll(cwd, FOLDER);
}

function timeOr(bug: string | undefined): string {
  if (bug !== undefined) throw new BugError(bug);
  return NOW;
}
