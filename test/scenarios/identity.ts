// Which object is which: renames, releases, adoption, pins, doubles, protection, metadata.

import { describe, expect } from 'vitest';
import { METADATA } from '../../src/catalog/fields/common.ts';
import { story } from './story.ts';

const edge = (name: string, text: string, more = '') => `https_edges:
  ${name}:
    description: ${text}
    hostports: [shop.test:443]
    routes:
      api: { match_type: path_prefix, match: /api }
${more}`;

describe('identity', () => {
  story('identity: a moved edge takes its routes along', async ({ given, apply }) => {
    await given(edge('old', 'shop'));
    await apply('renamed', edge('new', 'shop', 'moved: [{ from: https_edges.old, to: https_edges.new }]'));
    await apply('the entry may stay', edge('new', 'shop', 'moved: [{ from: https_edges.old, to: https_edges.new }]'));
  });

  story('identity: a rename keeps a masked secret', async ({ given, apply }) => {
    const destination = (name: string, more = '') => `variables: { key: { sensitive: true, default: abc-123456 } }
event_destinations:
  ${name}: { target: { datadog: { api_key: "\${var.key}", ddsite: eu } } }
${more}`;
    await given(destination('old'));
    await apply('renamed', destination('new', 'moved: [{ from: event_destinations.old, to: event_destinations.new }]'));
  });

  story('identity: a chain of renames', async ({ given, apply }) => {
    await given('reserved_addrs: { a: { region: eu } }');
    await apply(
      'from a over b to c',
      'reserved_addrs: { c: { region: eu } }\nmoved: [{ from: reserved_addrs.a, to: reserved_addrs.b }, { from: reserved_addrs.b, to: reserved_addrs.c }]',
    );
  });

  story('identity: old and new address both exist', async ({ given, plan }) => {
    await given('reserved_addrs: { a: {}, b: {} }');
    await plan(
      'renamed onto another',
      'reserved_addrs: { b: {} }\nmoved: [{ from: reserved_addrs.a, to: reserved_addrs.b }]',
    );
  });

  story('identity: released without being deleted, routes included', async ({ given, apply, plan, world }) => {
    await given(`${edge('legacy', 'old')}reserved_addrs: { keep: {} }`);
    const released = 'reserved_addrs: { keep: {} }\nremoved: [{ from: https_edges.legacy, destroy: false }]';
    await apply('released', released);
    expect(world.emulator.objects('https_edges')).toHaveLength(1);
    await plan('and nobody’s afterwards', released);
  });

  story('identity: adopted, with its own metadata kept byte for byte', async ({ given, apply, outside, id, world }) => {
    await given('tls_edges:\n  x: { description: theirs, hostports: [a.test:443] }', 'other');
    const mine = id('tls_edges', 'tls_edges.x');
    const text = '{ "team" : "ops",  "n": 1.0 }';
    outside('tls_edges', 'tls_edges.x', { metadata: text });
    const block = (more: string) =>
      `tls_edges:\n  a: { description: ours, hostports: [a.test:443], metadata: '${text}', lifecycle: { ${more} } }`;
    await apply('taken over', block(`adopt: ${mine}`));
    expect(String(world.emulator.objects('tls_edges')[0]?.[METADATA])).toContain('{ "team" : "ops",  "n": 1.0');
    await apply('the line may go', block(''));
  });

  story('identity: an object of another stack cannot be adopted', async ({ given, plan, id }) => {
    await given('tls_edges: { x: {} }', 'other');
    await plan('pinned to it', `tls_edges: { a: { lifecycle: { adopt: ${id('tls_edges', 'tls_edges.x')} } } }`);
  });

  story('identity: a pinned object is gone', async ({ given, plan, vanish, id }) => {
    await given('tls_edges: { a: {}, b: {} }');
    const pinned = id('tls_edges', 'tls_edges.a');
    vanish('tls_edges', 'tls_edges.a');
    await plan('pinned to nothing', `tls_edges: { a: { lifecycle: { id: ${pinned} } }, b: {} }`);
  });

  story('identity: a pinned object is replaced, and the pin is outdated', async ({ given, apply, id }) => {
    await given('agent_ingresses: { a: { domain: one.test } }');
    const pin = id('ingresses', 'agent_ingresses.a');
    await apply('another domain', `agent_ingresses: { a: { domain: two.test, lifecycle: { id: ${pin} } } }`, {
      allowLoss: ['agent_ingresses.a'],
    });
  });

  story('identity: one address, two objects', async ({ given, plan, apply, world, id }) => {
    await given('tls_edges: { a: { description: one }, b: {} }');
    const copy = id('tls_edges', 'tls_edges.b');
    const first = id('tls_edges', 'tls_edges.a');
    const [original] = world.emulator.objects('tls_edges').filter((object) => object['id'] === first);
    world.emulator.mutate('tls_edges', copy, { metadata: original?.[METADATA] ?? '' });
    await plan('nothing is guessed', 'tls_edges: { a: { description: one } }');
    await apply('pinned', `tls_edges: { a: { description: one, lifecycle: { id: ${first} } } }`);
  });

  story('identity: protection outlives its block', async ({ given, plan, apply }) => {
    await given('reserved_addrs: { a: { lifecycle: { prevent_destroy: true } }, b: {}, c: {}, d: {}, e: {} }');
    await plan('the block is gone', 'reserved_addrs: { b: {}, c: {}, d: {}, e: {} }');
    await apply(
      'disarmed',
      'reserved_addrs: { a: { lifecycle: { prevent_destroy: false } }, b: {}, c: {}, d: {}, e: {} }',
    );
    await apply('and deleted', 'reserved_addrs: { b: {}, c: {}, d: {}, e: {} }');
  });

  story('identity: a deleted edge does not take a route of somebody else along', async ({ given, plan, post, id }) => {
    await given(`${edge('shop', 'text')}reserved_addrs: { keep: {} }`);
    const routes = `/edges/https/${id('https_edges', 'https_edges.shop')}/routes`;
    await post(routes, { match_type: 'exact_path', match: '/theirs' });
    await plan('removed', 'reserved_addrs: { keep: {} }');
  });
});
