// What text, Markdown and HTML show of a changed list names every item that goes and comes, whether it is masked or not: in plan, in
// a saved plan, in a fleet and in drift. What is, is compared; then it is masked.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { IS_FULL } from '../support/full.ts';
import { usePlace } from '../support/place.ts';

const place = usePlace();

/** A hostport of an edge: whether it is in the list before, after, and written as a sensitive variable. */
interface Drawn {
  readonly isBefore: boolean;
  readonly isAfter: boolean;
  readonly isSecret: boolean;
}

const drawn = fc.record({ isBefore: fc.boolean(), isAfter: fc.boolean(), isSecret: fc.boolean() });
const edges = fc.array(fc.array(drawn, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 });

const hostOf = (edge: number, item: number) => `h${edge}-${item}.example.com:443`;

function manifestOf(all: readonly (readonly Drawn[])[], side: 'isBefore' | 'isAfter'): JsonObject {
  const variables: Record<string, JsonObject> = {};
  const blocks = all.map((items, edge) => {
    const hostports = items.flatMap((item, at) => {
      const name = `h_${edge}_${at}`;
      if (item.isSecret) variables[name] = { sensitive: true, default: hostOf(edge, at) };
      return item[side] ? [item.isSecret ? `\${var.${name}}` : hostOf(edge, at)] : [];
    });
    return [`e${edge}`, { description: `${side} ${edge}`, hostports }] as const;
  });
  return { version: 1, stack: 'shop', variables, tls_edges: Object.fromEntries(blocks) };
}

/** What has to be read of each edge. */
function expectedOf(items: readonly Drawn[], edge: number): string[] {
  const shown = (item: Drawn, at: number) => (item.isSecret ? '(sensitive)' : hostOf(edge, at));
  const lines = items.flatMap((item, at) => {
    if (item.isBefore === item.isAfter) return [];
    return [`${item.isBefore ? '-' : '+'} ${shown(item, at)}`];
  });
  const kept = items.filter(({ isBefore, isAfter }) => isBefore && isAfter).length;
  if (lines.length === 0) return [];
  return kept === 0 ? lines : [...lines, `… ${kept} unchanged item${kept === 1 ? '' : 's'}`];
}

const LINE = /[-+] (?:\(sensitive\)|h\d-\d\.example\.com:443)|… \d+ unchanged items?/g;

/** What a document says of items; HTML marks lines by elements. */
function linesIn(text: string): string[] {
  const plain = text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  return [...plain.matchAll(LINE)].map(([line]) => line);
}

/** Beside a secret, items of the service may be masked, too: lines of such an edge without their names. */
function comparable(lines: readonly string[], all: readonly (readonly Drawn[])[]): string[] {
  const hasSecret = (edge: number) => all[edge]?.some(({ isSecret }) => isSecret) === true;
  return lines
    .map((line) => line.replace(/h(\d)-\d\.\S+/, (name, edge) => (hasSecret(Number(edge)) ? '(sensitive)' : name)))
    .sort();
}

const PEOPLE = ['text', 'markdown', 'html'];

async function shows(all: readonly (readonly Drawn[])[], ...args: string[]): Promise<void> {
  const expected = comparable(all.flatMap(expectedOf), all);
  for (const format of PEOPLE) {
    const { stdout, stderr } = await place.run(...args, '--format', format);
    expect(comparable(linesIn(stdout), all), `${args.join(' ')} ${format}\n${stdout}\n${stderr}`).toEqual(expected);
  }
}

const RUNS = IS_FULL ? 150 : 12;

test('a plan, a saved plan and a fleet name every item that goes or comes', { timeout: 120_000 }, async () => {
  const property = fc.asyncProperty(edges, async (all) => {
    await place.restart();
    place.write(JSON.stringify(manifestOf(all, 'isBefore')), 'before.json');
    place.write(JSON.stringify(manifestOf(all, 'isAfter')), 'after.json');
    place.write('version: 1\nstacks: [{ name: shop, path: after.json }]\n', 'edgeform.fleet.yaml');
    expect((await place.run('apply', '-f', 'before.json', '--auto-approve')).code).toBe(0);
    await place.run('plan', '-f', 'after.json', '--out', 'p.json');
    await shows(all, 'plan', '-f', 'after.json');
    await shows(all, 'show', 'p.json');
    await shows(all, 'fleet', 'plan');
  });
  await fc.assert(property, { numRuns: RUNS, seed: 20261129, endOnFailure: !IS_FULL });
});

test('drift names every item that somebody added or removed', { timeout: 120_000 }, async () => {
  const property = fc.asyncProperty(edges, async (all) => {
    await place.restart();
    place.write(JSON.stringify(manifestOf(all, 'isBefore')));
    expect((await place.run('apply', '-f', 'edgeform.yaml', '--auto-approve')).code).toBe(0);
    for (const [edge, items] of all.entries()) {
      const live = place.emulator.objects('tls_edges').find(({ metadata }) => String(metadata).includes(`.e${edge}"`));
      const hostports = items.flatMap(({ isAfter }, at) => (isAfter ? [hostOf(edge, at)] : []));
      await changeOutside(`/edges/tls/${String(live?.['id'])}`, { hostports, description: `outside ${edge}` });
    }
    await shows(all, 'drift', '-f', 'edgeform.yaml');
  });
  await fc.assert(property, { numRuns: RUNS, seed: 20261129, endOnFailure: !IS_FULL });
});

async function changeOutside(path: string, body: JsonObject): Promise<void> {
  const headers = {
    authorization: `Bearer ${place.emulator.apiKey}`,
    'service-version': '2',
    'content-type': 'application/json',
  };
  const response = await fetch(place.emulator.url + path, { method: 'PATCH', headers, body: JSON.stringify(body) });
  expect(response.status).toBe(200);
}
