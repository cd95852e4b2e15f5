// docs/errors.md has an example of each code: each is carried out, in this process and beside a service of its own, and has to
// print what the page says. `-u` records what it prints now; `npm run generate` then writes the page.

import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Example, Fault } from '../../scripts/generate/examples.ts';
import { exampleOf, exampleTexts, shortened, withOutput } from '../../scripts/generate/examples.ts';
import { codes } from '../../src/core/codes.ts';
import { seedObjects } from '../../src/emulator/state/seed.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import type { Exchange } from '../../src/service/http/exchange.ts';
import { addressIn, metadataOf } from '../faults/read-markers.ts';
import { Service } from '../faults/service.ts';
import { folder } from '../support/cli.ts';
import { fault, raw, timeout } from '../support/fake-exchange.ts';
import { run } from '../support/host.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

const BASE_URL = 'https://api.example.com';
const KEY = 'key-of-the-examples';
const NOW = '2030-01-01T00:00:00Z';
/** What differs from run to run, and flushes, which would take their time beside the clock's. */
const PORTS = {
  identity: { pid: 4711, birth: '1', host: 'laptop', bootId: 'boot', isAlive: () => true },
  random: () => 0.5,
  wallTime: () => NOW,
  runName: () => '0'.repeat(32),
  files: {
    ...nodeFiles,
    openAppender: (path: string) => ({
      append: (text: string) => Promise.resolve(appendFileSync(path, text)),
      close: () => undefined,
    }),
  },
};
const texts = exampleTexts(fileURLToPath(new URL('../..', import.meta.url)));

test('each code has an example', () => {
  const shown = [...texts.values()].flat().map((text) => exampleOf(text).code);
  expect([...new Set(shown)].sort()).toEqual(Object.keys(codes).sort());
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
async function outputOf({ files = {}, before = [], command, faults = [], ...example }: Example): Promise<string> {
  const cwd = join(folder({}), 'shop');
  mkdirSync(cwd);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), typeof text === 'number' ? 'x'.repeat(text) : text);
  }
  const clock = createVirtualClock();
  const objects = seedObjects(example.seed ?? {}, { now: NOW, owner: 'usr_me' });
  const service = new Service(objects, KEY, example.service ?? {}, clock.now, BASE_URL);
  const env = { EDGEFORM_BASE_URL: BASE_URL, EDGEFORM_API_KEY: KEY, ...example.env };
  const perform = (line: string, struck: readonly Fault[]) => {
    const args = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain).slice(1);
    const signal = new AbortController();
    const ports = { ...PORTS, clock, exchange: exchangeOf(service, struck, { clock, signal }) };
    return run(args, { cwd, columns: 80, env, ports, signal, mayHoldBack: true });
  };
  for (const line of before)
    if (line.startsWith('edgeform ')) await perform(line, faults.filter((one) => one.isBefore === true));
    else ask(service, line);
  const { both } = await perform(command, faults.filter((one) => one.isBefore !== true));
  return both.replaceAll(`${cwd}/`, '');
}

/** A request of others: `METHOD PATH BODY`; `{ADDRESS}` in the path stands for the id of the object that is marked so. */
function ask(service: Service, line: string): void {
  const [, method = '', template = '', text = ''] = /^(\S+) (\S+) ?(.*)$/s.exec(line) ?? [];
  const idOf = (address: string) => service.store.all().find((one) => addressIn(metadataOf(one)) === address)?.id;
  const path = template.replace(/\{(.*)\}/, (_, address: string) => idOf(address) ?? '');
  const headers = { authorization: `Bearer ${KEY}`, 'service-version': '2', 'content-type': 'application/json' };
  const { status, text: said } = service.ask({ run: 0, method, path, headers, text });
  if (status >= 400) throw new Error(`${line}: ${said}`);
}

function exchangeOf(
  service: Service,
  faults: readonly Fault[],
  { clock, signal }: { readonly clock: ReturnType<typeof createVirtualClock>; readonly signal: AbortController },
): Exchange {
  const seen = new Map<Fault, number>();
  return async ({ method, url, headers, body: text = '', timeoutMs }) => {
    const path = url.pathname + url.search;
    const struck = faults.find((one) => {
      if (!new RegExp(one.on).test(`${method} ${path}`)) return false;
      seen.set(one, (seen.get(one) ?? 0) + 1);
      return one.nth === undefined || one.nth === seen.get(one);
    });
    const { first, answer, error, isDone = answer === undefined && error === undefined } = struck ?? {};
    if (first === 'SIGINT') signal.abort();
    else if (first !== undefined) ask(service, first.replace('BODY', text));
    const real = isDone ? service.ask({ run: 1, method, path, headers, text }) : { status: 0, text: '' };
    await clock.sleep(error === 'timeout' ? timeoutMs : 20);
    if (error === 'timeout') throw timeout();
    if (error !== undefined) throw fault(error, error === 'ECONNREFUSED' ? { syscall: 'connect' } : {});
    const made = { ...real, ...answer };
    return raw(made.status, made.text, { 'content-type': 'application/json', ...answer?.headers });
  };
}
