// Unique values that pass from one object to another: hostports, matches, domains, keys; chains, swaps and foreign holders.

import { describe } from 'vitest';
import { story } from './story.ts';

const edges = (...hosts: readonly (readonly [string, string])[]) =>
  `tls_edges:\n${hosts.map(([name, host]) => `  ${name}: { hostports: [${host}] }`).join('\n')}`;

describe('hand-over', () => {
  story('hand-over: a hostport moves down a chain of edges', async ({ given, apply }) => {
    await given(edges(['a', 'one.test:443'], ['b', 'two.test:443'], ['c', 'three.test:443']));
    await apply('a gives to b, b to c', edges(['a', 'new.test:443'], ['b', 'one.test:443'], ['c', 'two.test:443']));
  });

  story('hand-over: two edges swap hostports', async ({ given, apply }) => {
    await given(edges(['a', 'one.test:443, stays.test:443'], ['b', 'two.test:443']));
    await apply('swapped', edges(['a', 'two.test:443, stays.test:443'], ['b', 'one.test:443']));
  });

  story('hand-over: three edges rotate hostports', async ({ given, apply }) => {
    await given(edges(['a', 'one.test:443'], ['b', 'two.test:443'], ['c', 'three.test:443']));
    await apply('rotated', edges(['a', 'two.test:443'], ['b', 'three.test:443'], ['c', 'one.test:443']));
  });

  story('hand-over: two routes swap matches', async ({ given, apply }) => {
    const routes = (a: string, b: string) => `https_edges:
  shop:
    hostports: [shop.test:443]
    routes:
      a: { match_type: path_prefix, match: ${a} }
      b: { match_type: path_prefix, match: ${b} }`;
    await given(routes('/one', '/two'));
    await apply('swapped', routes('/two', '/one'));
  });

  story('hand-over: two agent ingresses swap domains', async ({ given, plan, apply }) => {
    const domains = (a: string, b: string) => `agent_ingresses:
  a: { domain: ${a} }
  b: { domain: ${b} }`;
    await given(domains('one.test', 'two.test'));
    await plan('without consent', domains('two.test', 'one.test'));
    await apply('with consent', domains('two.test', 'one.test'), {
      allowLoss: ['agent_ingresses.a', 'agent_ingresses.b'],
    });
  });

  story('hand-over: a public key moves to another credential', async ({ given, apply }) => {
    await given('ssh_credentials:\n  old: { public_key: ssh-ed25519 AAAA }');
    await apply('under a new name', 'ssh_credentials:\n  new: { public_key: ssh-ed25519 AAAA }');
  });

  story('hand-over: a hostport moves between kinds of edge', async ({ given, apply }) => {
    await given('tls_edges:\n  a: { hostports: [one.test:443] }\nhttps_edges:\n  b: {}');
    await apply('to the HTTPS edge', 'tls_edges:\n  a: {}\nhttps_edges:\n  b: { hostports: [one.test:443] }');
  });

  story('hand-over: foreign holders are named before any write', async ({ given, plan, outside, id, world }) => {
    await given(edges(['x', 'one.test:443'], ['y', 'two.test:443']), 'other');
    const unmarked = id('tls_edges', 'tls_edges.x');
    outside('tls_edges', 'tls_edges.x', { metadata: '' });
    await plan('both in the way', edges(['a', 'one.test:443'], ['b', 'two.test:443']));
    await plan(
      'one taken over, one still in the way',
      `tls_edges:
  a: { hostports: [one.test:443], lifecycle: { adopt: ${unmarked} } }
  b: { hostports: [two.test:443] }`,
    );
    world.writes();
  });
});
