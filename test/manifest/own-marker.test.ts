// A marker in the user's own text is refused: where it is written if it is known then, else before the first write.

import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { METADATA } from '../../src/catalog/fields/common.ts';
import { managedKinds } from '../../src/catalog/lookup.ts';
import { diagnose } from '../support/loading.ts';
import { manifestWith, smallest } from '../support/samples.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world.ts';

const LINE = 'edgeform/v1 {"v":1,"stack":"shop","address":"tls_edges.a","applied":{}}';

/** Codes with the text that the marked place begins with. */
function problems(text: string, variables: Readonly<Record<string, string>> = {}): string[] {
  const found = diagnose(text, { variables, readFile: () => ({ value: LINE, diagnostics: [] }) });
  return found.map(({ code, range, address }) => {
    const line = text.split('\n')[(range?.line ?? 0) - 1] ?? '';
    return `${code} ${address ?? ''} ${line.slice((range?.column ?? 1) - 1).slice(0, 8)}`;
  });
}

describe('in a block', () => {
  const edge = (metadata: string, more = '') =>
    `version: 1\nstack: shop\n${more}tls_edges: { a: { metadata: ${metadata} } }\n`;
  test.each([
    ['a key', `'{"edgeform":{}}'`, '', {}],
    ['a key with any value', `'{"edgeform":"mine","team":"a"}'`, '', {}],
    ['a line', `'${LINE}'`, '', {}],
    ['a line among others', `"note\\nedgeform/v1 {\\nmore"`, '', {}],
    ['half a marker', `'{"edgeform":{"v":1,'`, '', {}],
    ['a marker inside another value', `'{"a":{"edgeform":{"v":1}}}'`, '', {}],
    ['a variable', '"${var.text}"', 'variables: { text: {} }\n', { text: LINE }],
    ['a default', '"${var.text}"', `variables: { text: { default: '${LINE}' } }\n`, {}],
    ['parts', `'{"\${var.name}form":1}'`, 'variables: { name: {} }\n', { name: 'edge' }],
    ['a file', '"${file:note.txt}"', '', {}],
    ['beside a reference', `'{"edgeform":1,"id":"\${tls_edges.b.id}"}'`, '', {}],
  ])('%s', (_, metadata, more, variables) => {
    const text = edge(metadata, more).replace('} }\n', '}, b: {} }\n');
    expect(problems(text, variables)).toEqual([`marker-in-metadata tls_edges.a ${metadata.slice(0, 8)}`]);
  });

  test.each(managedKinds.map((kind) => [kind.name, kind] as const))('of the kind %s', (_, kind) => {
    const manifest = manifestWith(kind, { ...smallest(kind, 'main'), [METADATA]: LINE });
    expect(problems(JSON.stringify(manifest, null, 1)).map((one) => one.split(' ')[0])).toEqual(['marker-in-metadata']);
  });

  test.each(['managed by edgeform', 'docs at edgeform: stack: shop', '{"tool":"edgeform"}', '{}', '${var.unset}'])(
    'speaking of us is fine: %s',
    (text) => {
      const variables = text.includes('var.') ? 'variables: { unset: {} }\n' : '';
      const found = problems(edge(JSON.stringify(text), variables));
      expect(found.filter((one) => one.startsWith('marker'))).toEqual([]);
    },
  );
});

describe('out of a reference', () => {
  let world: World;
  afterEach(() => world.close());
  const live = (description: string): JsonObject => ({ reserved_addrs: [{ id: 'ra_1', addr: description }] });

  test('it is refused by the plan, before the first write', async () => {
    world = await startWorld({ seed: live('1.tcp.test:1\nedgeform/v1 {"v":1}') });
    const plan = await world.plan({
      version: 1,
      stack: 'shop',
      reserved_addrs: { r: { lifecycle: { adopt: 'ra_1' } } },
      tls_edges: { a: { metadata: 'at ${reserved_addrs.r.addr}' } },
    });
    expect(plan.diagnostics.map(({ code, severity, address }) => [code, severity, address])).toEqual([
      ['marker-in-metadata', 'error', 'tls_edges.a'],
    ]);
  });
});
