// `$${…}` in a manifest is text: neither what is shown nor what is sent takes it for a reference.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { renderPlanAs } from '../../src/render/formats.ts';
import type { Planning } from '../support/planning.ts';
import { planningOn } from '../support/planning.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world.ts';
import { plain } from '../render/sample.ts';

let world: World;
let stack: Planning;
beforeEach(async () => {
  world = await startWorld({});
  stack = planningOn(world);
});
afterEach(() => world.close());

const withText = (description: string) => ({
  reserved_addrs: { a: { region: 'eu', description }, b: { region: 'eu' } },
});

test.each([
  { name: 'alone', written: '$${reserved_addrs.b.id}', meant: '${reserved_addrs.b.id}' },
  {
    name: 'in a sentence',
    written: 'see $${reserved_addrs.b.id} and $$${x}',
    meant: 'see ${reserved_addrs.b.id} and $${x}',
  },
  { name: 'over lines', written: 'a\n$${reserved_addrs.b.id}\n', meant: 'a\n${reserved_addrs.b.id}\n' },
])('text that looks like a reference, $name, is shown and sent as it is meant', async ({ written, meant }) => {
  const shown = renderPlanAs('text', await stack.planned(withText(written)), plain);
  expect(shown).not.toContain('known after apply');
  for (const line of meant.trim().split('\n')) expect(shown).toContain(line);
  await stack.done(withText(written));
  const [id = ''] = stack
    .ids('reserved_addrs')
    .filter((one) => stack.object('reserved_addrs', one)['description'] === meant);
  expect(id).not.toBe('');
  const changed = renderPlanAs('text', await stack.planned(withText('other')), plain);
  expect(changed).not.toContain('known after apply');
  expect(changed).not.toContain('$$${reserved');
});

test('metadata with such a text is kept by an object that lets go of its hostport for another one', async () => {
  const swapped = (first: string, second: string) => ({
    https_edges: {
      a: { metadata: 'costs $${5} or $${https_edges.c.id}', hostports: [first] },
      c: { hostports: [second] },
    },
  });
  await stack.done(swapped('one.example.com:443', 'two.example.com:443'));
  await stack.done(swapped('two.example.com:443', 'one.example.com:443'));
  const texts = stack.ids('https_edges').map((id) => String(stack.object('https_edges', id)['metadata']));
  expect(texts.filter((text) => text.startsWith('costs ${5} or ${https_edges.c.id}'))).toHaveLength(1);
});
