// The limit of the metadata is checked on the text that is really sent: kept live text counts, escapes do not.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { METADATA } from '../../src/catalog/fields/common.ts';
import { managedKinds } from '../../src/catalog/lookup.ts';
import { returnedOnceFields } from '../../src/resource/marker/pending.ts';
import { buildPlan } from '../../src/plan/build.ts';
import { fieldPaths, manifestWith, smallest, specsWith } from '../support/samples.ts';
import type { World } from '../support/world.ts';
import { load, startWorld } from '../support/world.ts';
import { options, snapshot } from './sample.ts';

const LIMIT = 4096;

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const shop = (edge: JsonObject): JsonObject => ({ version: 1, stack: 'shop', tls_edges: { a: edge } });
const codes = async (edge: JsonObject) => (await world.plan(shop(edge))).diagnostics.map((one) => one.code);

async function bareEdge(metadata: string): Promise<string> {
  await world.apply({ version: 1, stack: 'other', tls_edges: { x: {} } });
  const id = String(world.emulator.objects('tls_edges')[0]?.['id']);
  world.emulator.mutate('tls_edges', id, { metadata });
  return id;
}

test('live text that is kept leaves no room for the marker', async () => {
  const adopt = await bareEdge('x'.repeat(LIMIT));
  const lifecycle = { adopt, ignore_changes: ['metadata'] };
  expect(await codes({ lifecycle })).toEqual(['metadata-too-long']);
  // The manifest's own text is not sent, so it may be short or long.
  expect(await codes({ metadata: 'short', lifecycle })).toEqual(['metadata-too-long']);
});

test('the manifest’s text does not count while the live text is kept', async () => {
  const adopt = await bareEdge('short');
  const lifecycle = { adopt, ignore_changes: ['metadata'] };
  expect(await codes({ metadata: 'x'.repeat(LIMIT), lifecycle })).toEqual([]);
});

test('a creation and a replacement send the manifest’s text, also where live text would be kept', async () => {
  const lifecycle = { ignore_changes: ['metadata'] };
  expect(await codes({ metadata: 'x'.repeat(LIMIT), lifecycle })).toEqual(['metadata-too-long']);
});

// What is returned once is pending in the marker of a creation, and of an object that is there no more: only the plan can tell.
test.each(managedKinds.filter((kind) => METADATA in kind.fields && returnedOnceFields(kind).length === 0))(
  'the longest text that is valid in $manifestKey fits a creation, references included',
  (kind) => {
    const whole = fieldPaths(kind.fields).flatMap((target) => specsWith(kind, target, 0));
    const loaded = (spec: JsonObject) => load(manifestWith(kind, spec));
    const byLength = whole.sort((a, b) => JSON.stringify(b).length - JSON.stringify(a).length);
    const largest = byLength.find((spec) => isValid(() => loaded(spec))) ?? {};
    for (const { metadata: _, ...spec } of [smallest(kind, 'main'), largest]) {
      const at = (length: number) => () => loaded({ ...spec, metadata: 'x'.repeat(length) });
      let [low, high] = [0, LIMIT];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (isValid(at(middle))) low = middle;
        else high = middle - 1;
      }
      expect(low).toBeGreaterThan(3_000);
      const plan = buildPlan({ manifest: at(low)(), snapshot: snapshot(), service: 'x', options: options() });
      expect(plan.diagnostics.map(({ message }) => message)).toEqual([]);
    }
  },
);

function isValid(load: () => unknown): boolean {
  try {
    load();
    return true;
  } catch {
    return false;
  }
}

test('the longest text that fits is accepted by plan and service, escapes and the old object’s id included', async () => {
  const fits = async (text: (length: number) => string, wrap: (metadata: string) => JsonObject) => {
    let [low, high] = [0, LIMIT];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const isRefused = await world.plan(wrap(text(middle))).then(
        (plan) => plan.diagnostics.length > 0,
        () => true,
      );
      if (!isRefused) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const edge = (metadata: string) => shop({ metadata });
  const longest = await fits((length) => 'x'.repeat(length), edge);
  expect(await fits((length) => '$${'.repeat(length), edge)).toBe(Math.floor(longest / 2));
  const { results } = await world.apply(edge('x'.repeat(longest)));
  expect(results).toMatchObject([{ status: 'done' }]);
  // This run has no name, and knows no commit.
  const room = ',"created_by":""'.length + 12 + ',"commit":""'.length + 12;
  expect(String(world.emulator.objects('tls_edges')[0]?.['metadata'])).toHaveLength(LIMIT - room);

  const addr = (region: string, metadata: string): JsonObject => ({
    version: 1,
    stack: 'addr',
    reserved_addrs: { a: { region, metadata } },
  });
  await world.apply(addr('eu', ''));
  const kept = await fits(
    (length) => 'x'.repeat(length),
    (metadata) => addr('us', metadata),
  );
  const replaced = await world.apply(addr('us', 'x'.repeat(kept)));
  expect(replaced.results.map((result) => result.status)).toEqual(['done', 'done']);
});
