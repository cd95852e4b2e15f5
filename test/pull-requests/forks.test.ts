// Pushes and schedules in a fork, whose owner has set nothing up: workflows come with the files, the address of the service does not.

import { describe, expect, test } from 'vitest';
import { servedStubs } from './served.ts';
import { exitCode, logOf, manifest, useWorld, workflowOf } from './world.ts';

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
});
