// The pull request about drift of a fleet on GitHub: one for all of its stacks.

import { expect, test } from 'vitest';
import { pipelineText } from '../../src/render/scaffold/pipelines.ts';
import { servedStubs } from './served.ts';
import { exitCode, logOf, manifest, results, useWorld } from './world.ts';

const world = useWorld(await servedStubs(), true);
const ONE = manifest('one');
const proposals = () => world.github.pulls.filter(({ head }) => head.ref.startsWith('edgeform/'));
const proposed = (path: string) => {
  const { repository } = world.github;
  const branch = [...repository.branches.keys()].find((name) => name.startsWith('edgeform/'));
  return repository.at(branch ?? '')?.[path];
};

test('a fleet has one pull request with what drifted in all of its stacks', async () => {
  const about = { version: '0.1.0', stack: 'acme', fleet: 'edgeform.fleet.yaml', proposesDrift: true };
  const workflow = pipelineText('github', about);
  const of = (name: string, description = 'one') => manifest(description).replace('stack: shop', `stack: ${name}`);
  const files = (shop: string, blog = of('blog')) => ({
    'edgeform.fleet.yaml': `version: 1
stacks:
  - { name: shop, path: stacks/shop.yaml }
  - { name: blog, path: stacks/blog.yaml }
  - { name: eu, path: shared.yaml, variables: { region: eu } }
  - { name: us, path: shared.yaml, variables: { region: us } }
`,
    'stacks/shop.yaml': shop,
    'stacks/blog.yaml': blog,
    'shared.yaml': of('web-${var.region}').replace('failover', 'variables: { region: {} }\nfailover'),
  });
  const pull = world.open();
  const planned = await world.onPull(pull, files(ONE), { workflow, jobs: ['plan'] });
  expect(results(planned), logOf(planned['plan'])).toEqual({ plan: 'success' });
  expect(results(await world.merge(pull, files(ONE), { workflow }))).toEqual({ apply: 'success' });
  for (const { id } of world.service.objects('backends'))
    world.service.mutate('backends', String(id), { description: 'by hand' });
  const end = await world.onMain('schedule', files(ONE), { workflow });
  expect(results(end), logOf(end['drift-pull-request'])).toMatchObject({ 'drift-pull-request': 'success' });
  expect(proposals()).toMatchObject([{ title: 'Accept the drift of fleet acme', state: 'open' }]);
  expect([proposed('stacks/shop.yaml'), proposed('stacks/blog.yaml')]).toEqual([
    of('shop', 'by hand'),
    of('blog', 'by hand'),
  ]);
  expect(proposals()[0]?.body).toMatch(
    /\n(eu|us): failover_backends\.app\.description \(shared\.yaml:\d+:\d+\): .*other stacks/,
  );
  const rest = await world.onMain('schedule', files(proposed('stacks/shop.yaml') ?? '', proposed('stacks/blog.yaml')), {
    workflow,
  });
  expect(exitCode(rest['drift'])).toBe(2);
  expect(proposals()).toMatchObject([{ state: 'closed' }]);
});
