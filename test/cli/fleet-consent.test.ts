// Consent in a fleet: the flag that a refusal prints works as it is printed, for its own stack and no other.

import { expect, test } from 'vitest';
import { usePlace } from '../support/place.ts';
import { edgeform } from '../support/cli.ts';

const stackOf = (name: string, region: string) =>
  `version: 1\nstack: ${name}\nreserved_addrs: { db: { region: ${region} } }\n`;
const FLEET = 'version: 1\nstacks: [{ name: one, path: a.yaml }, { name: two, path: b.yaml }]\n';

const place = usePlace({ 'edgeform.fleet.yaml': FLEET, 'a.yaml': stackOf('a', 'eu'), 'b.yaml': stackOf('b', 'eu') });
const { run, write, writes } = place;
const APPLY = ['fleet', 'apply', '--auto-approve'];
const ONE = ['--allow-loss', 'one:reserved_addrs.db'];
const TWO = ['--allow-loss', 'two:reserved_addrs.db'];

interface Fleet {
  readonly exit_code: number;
  readonly stacks: readonly {
    readonly name: string;
    readonly exit_code: number;
    readonly plan?: { readonly refusals: readonly { readonly flag: string | null }[] };
  }[];
}

const asJson = async (...args: string[]) => JSON.parse((await run(...args, '--format', 'json')).stdout) as Fleet;
const flagsIn = ({ stacks }: Fleet) => stacks.flatMap(({ plan }) => plan?.refusals.map(({ flag }) => flag) ?? []);
const codesIn = ({ stacks }: Fleet) => stacks.map(({ exit_code: code }) => code);
const regions = () => place.emulator.objects('reserved_addrs').map(({ region }) => region);

/** Both stacks have an address, and their manifests want another region, which replaces it. */
async function replacing(): Promise<void> {
  expect((await run(...APPLY)).code).toBe(0);
  write(stackOf('a', 'us'), 'a.yaml');
  write(stackOf('b', 'us'), 'b.yaml');
}

test('a refusal prints the flag with its stack, in every format, and the printed flags allow the loss', async () => {
  await replacing();
  const flags = flagsIn(await asJson('fleet', 'plan'));
  expect(flags).toEqual([ONE.join(' '), TWO.join(' ')]);
  for (const format of ['text', 'markdown', 'html', 'github', 'sarif', 'junit'])
    expect((await run('fleet', 'plan', '--format', format)).stdout.replace(/\s+/g, ' '), format).toContain(
      TWO.join(' '),
    );
  const given = flags.flatMap((flag) => flag?.split(' ') ?? []);
  expect((await run(...APPLY, ...given)).code).toBe(0);
  expect(regions()).toEqual(['us', 'us']);
});

test('consent counts for its own stack only; a run that wrote something ends with 3, and with 5 only if nothing was written', async () => {
  await replacing();
  const done = await asJson(...APPLY, ...ONE);
  expect([codesIn(done), done.exit_code]).toEqual([[0, 5], 3]);
  expect(regions().sort()).toEqual(['eu', 'us']);
  // Stack one has nothing left to do, and wrote nothing in this run.
  const before = writes().length;
  const again = await asJson(...APPLY);
  expect([codesIn(again), again.exit_code]).toEqual([[0, 5], 5]);
  expect(writes()).toHaveLength(before);
});

test('fleet destroy ends with 3, too, if one stack was deleted and another is refused', async () => {
  expect((await run(...APPLY)).code).toBe(0);
  write(stackOf('b', 'eu').replace('region: eu', 'region: eu, lifecycle: { prevent_destroy: true }'), 'b.yaml');
  expect((await run(...APPLY)).code).toBe(0);
  const { exit_code: code, ...rest } = await asJson('fleet', 'destroy', '--auto-approve');
  expect([codesIn({ ...rest, exit_code: code }), code]).toEqual([[0, 5], 3]);
  expect(regions()).toEqual(['eu']);
  expect((await run('fleet', 'destroy', '--auto-approve')).code).toBe(5);
});

test('a saved plan carries the consent that it was made with', async () => {
  await replacing();
  expect(codesIn(await asJson('fleet', 'plan', '--out', 'plans', ...ONE, ...TWO))).toEqual([0, 0]);
  expect((await run(...APPLY, 'plans')).code).toBe(0);
  expect(regions()).toEqual(['us', 'us']);
});

test('a plan that was saved without consent gets it when it is applied', async () => {
  await replacing();
  expect((await run('fleet', 'plan', '--out', 'plans')).code).toBe(5);
  expect(codesIn(await asJson(...APPLY, 'plans', ...ONE))).toEqual([0, 5]);
});

test('the built program takes the printed flag, and an address alone for one stack', async () => {
  await replacing();
  const built = (...args: string[]) => edgeform(args, { cwd: place.cwd, env: place.env });
  expect((await built(...APPLY, '--only', 'one', '--allow-loss', 'reserved_addrs.db')).code).toBe(0);
  expect((await built(...APPLY, ...TWO)).code).toBe(0);
  expect(regions()).toEqual(['us', 'us']);
});

test.each([
  [
    'an address alone',
    ['--allow-loss', 'reserved_addrs.db'],
    /--allow-loss can only be used with one stack.*--allow-loss ENTRY:ADDRESS/,
  ],
  ['an unknown stack', ['--allow-loss', 'tow:reserved_addrs.db'], /the fleet has no stack tow.*did you mean "two"/],
  ['no address', ['--allow-loss', 'one:db'], /db is not the address of a resource/],
  ['no address, for one stack', ['--only', 'one', '--allow-loss', 'one:db'], /db is not the address of a resource/],
  ['--recreate for all', ['--recreate'], /--recreate can only be used with one stack.*--only NAME/],
])('wrong usage is told before any request: %s', async (_, args, words) => {
  const { code, stdout, stderr } = await run('fleet', 'plan', ...args);
  expect([code, `${stdout}${stderr}`.replace(/\s+/g, ' ')]).toEqual([64, expect.stringMatching(words)]);
  expect(writes()).toEqual([]);
});

test('what the consent is printed with selects its stack, for apply and for destroy', async () => {
  const addresses = 'reserved_addrs: { db: {}, x: {} }';
  write(`version: 1\nstack: a\n${addresses}\n`, 'a.yaml');
  expect((await run(...APPLY)).code).toBe(0);
  const lost = place.emulator.objects('reserved_addrs').filter(({ metadata }) => String(metadata).includes('"a"'));
  const headers = { authorization: `Bearer ${place.emulator.apiKey}`, 'service-version': '2' };
  for (const { id } of lost)
    await fetch(`${place.emulator.url}/reserved_addrs/${String(id)}`, { method: 'DELETE', headers });
  expect(flagsIn(await asJson('fleet', 'plan'))).toEqual(['--recreate --only one']);
  expect((await run('fleet', 'destroy', '--auto-approve', '--deleted-outside')).code).toBe(64);
  expect((await run('fleet', 'plan', '--recreate', '--only', 'one')).code).toBe(0);
  expect((await run('fleet', 'destroy', '--auto-approve', '--deleted-outside', '--only', 'one')).code).toBe(0);
  expect(regions()).toHaveLength(1);
});
