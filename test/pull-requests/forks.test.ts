// Pushes and schedules in a fork, whose owner has set nothing up: workflows come with the files, the address of the service does not.

import { describe, expect, test } from 'vitest';
import { servedStubs } from './served.ts';
import { exitCode, KEY, logOf, manifest, useWorld, workflowOf } from './world.ts';

const commands = await servedStubs();

describe.each([
  ['GitHub', false],
  ['Gitea', true],
])('in a fork on %s', (_, isGitea) => {
  const world = useWorld(commands, true, isGitea);
  const run = async (action: string, more: object) => {
    const workflow = workflowOf([action]);
    const { one } = await world.onMain(action === 'drift' ? 'schedule' : 'push', manifest('one'), {
      workflow,
      ...more,
    });
    return one;
  };

  test.each([
    ['apply', /::notice title=edgeform::Nothing was applied: this is a fork, and it names no service\./],
    ['drift', /::notice title=edgeform::Drift was not looked for: this is a fork, and it names no service\./],
  ])('%s is a notice and no error, and asks nobody anything', async (action, said) => {
    const job = await run(action, { isFork: true, vars: {} });
    expect([job?.result, logOf(job)]).toEqual(['success', expect.stringMatching(said)]);
    expect([world.service.requests.length, world.github.requests]).toEqual([0, []]);

    // Where no service is named, but it is no fork, something is missing.
    expect(await run(action, { vars: {} })).toMatchObject({ result: 'failure' });
    // A fork that has a service works as every repository does.
    const own = await run(action, { isFork: true });
    expect([exitCode(own), logOf(own).includes('this is a fork')]).toEqual([action === 'drift' ? 0 : 1, false]);
  });

  test.each(['apply', 'drift'])(
    '%s of a fleet whose entries name a service that is set works as every fleet does',
    async (action) => {
      const workflow = workflowOf([action, { stack: 'acme', fleet: 'edgeform.fleet.yaml' }]);
      const files = {
        'edgeform.fleet.yaml':
          'version: 1\nstacks: [{ name: shop, path: shop.yaml, base_url_env: OWN_URL, api_key_env: OWN_KEY }]\n',
        'shop.yaml': manifest('one'),
      };
      const inFork = async (env: Readonly<Record<string, string>>) => {
        const given = { EDGEFORM_FLEET_CREDENTIALS: 'OWN_URL, OWN_KEY', ...env };
        const event = action === 'drift' ? 'schedule' : 'push';
        const ends = await world.onMain(event, files, { workflow, vars: {}, isFork: true, env: given });
        return logOf(ends['one']);
      };
      const said = await inFork({ OWN_URL: world.service.url, OWN_KEY: KEY });
      expect([said.includes('this is a fork'), world.service.requests.length > 0], said).toEqual([false, true]);
      // In a fork of it, nobody has set them.
      expect(await inFork({ OWN_URL: '', OWN_KEY: '' })).toContain('this is a fork, and it names no service');
    },
  );
});
