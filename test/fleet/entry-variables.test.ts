// Values of the variables of one entry: its own texts, and environment variables that it names for secrets of one environment.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { usePlace } from '../support/place.ts';

const MANIFEST = `version: 1
stack: "shop-\${var.env}"
variables: { env: {}, secret: { sensitive: true }, text: { default: of the manifest } }
reserved_addrs: { db: { description: "\${var.text}" } }
event_destinations:
  audit: { target: { datadog: { api_key: "\${var.secret}", site: s, service: s, tags: t } } }
`;

const place = usePlace({ 'edgeform.yaml': MANIFEST });
const { run } = place;
const fleet = (...entries: string[]) => {
  place.write(`version: 1\nstacks:\n${entries.map((one) => `  - ${one}\n`).join('')}`, 'edgeform.fleet.yaml');
};
const entry = (env: string, more: string) =>
  `{ name: shop-${env}, path: edgeform.yaml, variables: { env: ${env} }, ${more} }`;
const PROD = entry('prod', 'variables_env: { secret: EDGEFORM_VAR_shop_prod_secret }');
const DEV = entry('dev', 'variables_env: { secret: EDGEFORM_VAR_shop_dev_secret }');
const descriptions = () => place.emulator.objects('reserved_addrs').map(({ description }) => description);
const codesIn = (text: string) => [...text.matchAll(/\[([a-z]+(?:-[a-z]+)+)\]$/gm)].map(([, code]) => code);

/** The texts that were sent to the service. */
const sent = () => place.writes().map(({ body }) => JSON.stringify(body));

describe('variables_env', () => {
  beforeEach(() => {
    place.env['EDGEFORM_VAR_secret'] = 'secret-of-all';
    place.env['EDGEFORM_VAR_shop_prod_secret'] = 'secret-of-prod';
    place.env['EDGEFORM_VAR_shop_dev_secret'] = 'secret-of-dev';
  });

  test('gives each entry a secret of its own, which nothing shows', async () => {
    fleet(PROD, DEV);
    const { code, stdout, stderr } = await run('fleet', 'apply', '--auto-approve', '--detail', 'full');
    expect([code, `${stdout}${stderr}`]).toEqual([0, expect.not.stringMatching(/secret-of-|held back/)]);
    for (const one of ['secret-of-prod', 'secret-of-dev'])
      expect(sent().filter((body) => body.includes(one))).toHaveLength(1);
    expect(sent().some((body) => body.includes('secret-of-all'))).toBe(false);
    expect((await run('fleet', 'plan', '--detailed-exitcode')).code).toBe(0);
  });

  test.each([
    ['it is not set', undefined],
    ['it is empty, as a missing secret is in a pipeline', ''],
  ])('nothing takes its place where %s', async (_, value) => {
    if (value === undefined) delete place.env['EDGEFORM_VAR_shop_prod_secret'];
    else place.env['EDGEFORM_VAR_shop_prod_secret'] = value;
    place.write('secret: secret-of-file\n', 'v.yaml');
    fleet(PROD.replace(' }', ' }, var_files: [v.yaml]'), DEV);
    const { code, stderr } = await run('fleet', 'apply', '--auto-approve');
    expect([code, place.writes(), codesIn(stderr)]).toEqual([4, [], ['unset-variable']]);
    expect(stderr).toContain('set EDGEFORM_VAR_shop_prod_secret in the environment');
    place.env['EDGEFORM_VAR_shop_prod_secret'] = 'now-it-is-set';
    expect((await run('fleet', 'apply', '--auto-approve')).code).toBe(0);
  });

  test('neither does a default', async () => {
    fleet(PROD.replace('secret: E', 'text: EDGEFORM_VAR_prod_text, secret: E'));
    expect(codesIn((await run('fleet', 'plan')).stderr)).toEqual(['unset-variable']);
  });

  test('values come from the command line, variables_env, var_files, the environment and the manifest, in this order', async () => {
    place.write('text: of the file\n', 'v.yaml');
    const named = 'variables_env: { secret: EDGEFORM_VAR_shop_prod_secret, text: EDGEFORM_VAR_prod_text }';
    const steps: [string, string[], string][] = [
      ['variables_env: { secret: EDGEFORM_VAR_shop_prod_secret }', [], 'of the manifest'],
      ['variables_env: { secret: EDGEFORM_VAR_shop_prod_secret }', ['text'], 'of all stacks'],
      ['variables_env: { secret: EDGEFORM_VAR_shop_prod_secret }, var_files: [v.yaml]', ['text'], 'of the file'],
      [`${named}, var_files: [v.yaml]`, ['text', 'prod_text'], 'of its own'],
    ];
    for (const [more, set, wanted] of steps) {
      for (const name of set) place.env[`EDGEFORM_VAR_${name}`] = name === 'text' ? 'of all stacks' : 'of its own';
      fleet(entry('prod', more));
      expect((await run('fleet', 'apply', '--auto-approve')).code).toBe(0);
      expect(descriptions()).toEqual([wanted]);
    }
    expect((await run('fleet', 'apply', '--auto-approve', '--var', 'text=of the run')).code).toBe(0);
    expect(descriptions()).toEqual(['of the run']);
  });

  test('a file of values holds no expressions either', async () => {
    place.write('text: "${var.env}"\n', 'v.yaml');
    fleet(entry('prod', 'var_files: [v.yaml]'));
    const { code, stderr } = await run('fleet', 'plan');
    expect([code, codesIn(stderr)]).toEqual([4, expect.arrayContaining(['bad-expression'])]);
  });

  test('validate needs no value, and says which variables no manifest has', async () => {
    place.env = {};
    fleet(PROD, DEV);
    expect((await run('fleet', 'validate')).code).toBe(0);
    fleet(PROD.replace('secret: E', 'secert: EDGEFORM_VAR_a, secret: E'));
    const { code, stdout } = await run('fleet', 'validate');
    expect([code, codesIn(stdout)]).toEqual([4, ['unknown-variable']]);
  });

  test.each([
    ['the key of the run', 'EDGEFORM_API_KEY', 'wrong-value'],
    ['another secret of the pipeline', 'GITHUB_TOKEN', 'wrong-value'],
    ['a credential of the fleet', 'EDGEFORM_VAR_partner_key', 'foreign-credential'],
  ])('never names %s', async (_, name, problem) => {
    place.env['EDGEFORM_FLEET_CREDENTIALS'] = 'EDGEFORM_VAR_partner_key';
    place.env['EDGEFORM_VAR_partner_key'] = 'key-of-partner';
    fleet(entry('prod', `variables_env: { secret: ${name} }`));
    const { code, stderr } = await run('fleet', 'plan');
    expect([code, place.emulator.requests, codesIn(stderr)]).toEqual([4, [], [problem]]);
  });

  test.each([
    [entry('prod', 'variables_env: { secret: EDGEFORM_API_KEY }'), 'EDGEFORM_API_KEY', 'EDGEFORM_VAR_shop_prod_secret'],
    [entry('a-b', 'variables_env: { secret: "EDGEFORM_VAR_$x" }'), 'EDGEFORM_VAR_$x', 'EDGEFORM_VAR_shop_a_b_secret'],
  ])('another name is told why, with one that is right: %s', async (one, given, right) => {
    fleet(one);
    const said = async () => (await run('fleet', 'validate')).stderr.replaceAll(/\n +/g, ' ');
    const text = await said();
    expect(text).toContain(
      `${given} cannot be the environment variable of secret: only names of letters, digits and _ that begin with EDGEFORM_VAR_`,
    );
    expect(text).toContain(`fix: write variables_env: { secret: "${right}" }, and set that environment variable`);
    fleet(one.replace(given, right));
    expect(await said()).not.toContain('wrong-value');
  });

  test('a variable has one value in an entry', async () => {
    fleet(PROD.replace('env: prod', 'env: prod, secret: x'));
    expect(codesIn((await run('fleet', 'plan')).stderr)).toEqual(['bad-fleet']);
  });

  test('each match has an environment variable of its own', async () => {
    const folders = ['team-a', 'team-b'];
    for (const name of folders) {
      mkdirSync(join(place.cwd, 'teams', name), { recursive: true });
      place.write(MANIFEST.replace('shop-${var.env}', name).replace('env: {}, ', ''), `teams/${name}/edgeform.yaml`);
    }
    fleet('{ each: teams/*, name: "${each.name}-prod" }');
    delete place.env['EDGEFORM_VAR_secret'];
    const { stderr } = await run('fleet', 'plan');
    const fix = /write (variables_env: .*\}) in the entry team-a-prod/.exec(stderr.replaceAll(/\n +/g, ' '))?.[1];
    expect(fix).toBe('variables_env: { secret: "EDGEFORM_VAR_${each.name}_prod_secret" }');
    fleet(`{ each: teams/*, name: "\${each.name}-prod", ${fix} }`);
    place.env['EDGEFORM_VAR_team_a_prod_secret'] = 'secret-of-a';
    place.env['EDGEFORM_VAR_team_b_prod_secret'] = 'secret-of-b';
    expect((await run('fleet', 'apply', '--auto-approve')).code).toBe(0);
    expect(sent().filter((body) => body.includes('secret-of-'))).toHaveLength(2);
  });
});

test('the fix for a secret without a value is followed, and leads it into one stack', async () => {
  fleet(entry('prod', ''), entry('dev', 'variables_env: { secret: EDGEFORM_VAR_shop_dev_secret }'));
  place.env['EDGEFORM_VAR_shop_dev_secret'] = 'secret-of-dev';
  const { stderr } = await run('fleet', 'plan');
  const fix = /write (variables_env: .*\}) in the entry shop-prod/.exec(stderr.replaceAll(/\n +/g, ' '))?.[1];
  expect(fix).toBe('variables_env: { secret: "EDGEFORM_VAR_shop_prod_secret" }');
  expect(stderr).not.toContain('set EDGEFORM_VAR_secret');
  fleet(entry('prod', String(fix)), DEV);
  place.env['EDGEFORM_VAR_shop_prod_secret'] = 'secret-of-prod';
  expect((await run('fleet', 'apply', '--auto-approve')).code).toBe(0);
  expect(sent().filter((body) => body.includes('secret-of-prod'))).toHaveLength(1);
});

describe('a value that the entry says', () => {
  const withText = (text: string) =>
    entry('prod', 'variables_env: { secret: EDGEFORM_VAR_secret }').replace(
      'env: prod',
      () => `env: prod, text: ${text}`,
    );

  beforeEach(() => {
    place.env['EDGEFORM_VAR_secret'] = 'secret-of-all';
  });

  test.each([['"${env.PROD_SECRET}"'], ['"a ${var.env}"'], ['"${each.name}"'], ['["a", "${file:x}"]'], ['"${"']])(
    '%s is an expression, as in a manifest, and nothing of it is sent or repeated',
    async (text) => {
      fleet(withText(text));
      const { code, stderr } = await run('fleet', 'plan');
      expect([code, place.emulator.requests, codesIn(stderr)]).toEqual([4, [], ['bad-expression']]);
      expect(stderr).toContain('variables_env: { text: "EDGEFORM_VAR_shop_prod_text" }');
    },
  );

  test('a literal ${ is written as in a manifest', async () => {
    fleet(withText('"costs $${5}, $6 and {7}"'));
    expect((await run('fleet', 'apply', '--auto-approve')).code).toBe(0);
    expect(descriptions()).toEqual(['costs ${5}, $6 and {7}']);
  });

  test('no message repeats it where a manifest says that it is sensitive', async () => {
    fleet(entry('prod', '').replace('env: prod', () => 'env: prod, secret: "pass${word}"'));
    const { stdout, stderr } = await run('fleet', 'plan');
    expect(`${stdout}${stderr}`).not.toContain('word}');
  });
});
