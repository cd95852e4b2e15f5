// Variables of whoever starts a pipeline of GitLab come before those of a job. What the project gave the component stays.

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { pipelineText } from '../../src/render/scaffold/pipelines.ts';
import { component, FLEET_TEMPLATE, runPipeline, TEMPLATE } from './gitlab-runner.ts';
import { useGitlab } from './gitlab-world.ts';
import { stubs } from './runner.ts';
import { servedStubs } from './served.ts';
import { manifest } from './world.ts';

const world = useGitlab();
const commands = await servedStubs();
interface Input {
  readonly regex?: string;
  readonly type?: string;
}
const FILES = { 'edgeform.yaml': manifest('one'), 'other.yaml': 'version: 1\nstack: other\n' };

let elsewhere: Server;
let reached: number;
beforeEach(async () => {
  reached = 0;
  elsewhere = createServer((_request, response) => {
    reached += 1;
    response.end('{}');
  });
  await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done));
});
afterEach(() => {
  elsewhere.close();
});
const address = () => `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;

/** What somebody may set who starts a pipeline. */
const foreign = () => ({
  EDGEFORM_CI_STACK: 'other',
  EDGEFORM_CI_MANIFEST: 'other.yaml',
  EDGEFORM_CI_FLEET: 'other.fleet.yaml',
  EDGEFORM_CI_ARGUMENTS: '--allow-deletes=all --nonsense',
  EDGEFORM_CI_VERSION: '0.0.0',
  EDGEFORM_CI_PULL_REQUEST: 'true',
  EDGEFORM_CI_PROGRAM: '/bin/false',
});

function plan(inputs: Readonly<Record<string, string>>, variables: Readonly<Record<string, string>>, path = commands) {
  return runPipeline({
    jobs: component({ stack: 'shop', ...inputs }),
    files: FILES,
    path,
    caches: world.caches,
    variables: { ...world.variablesOf('web', 'a1'), CI_COMMIT_BRANCH: 'main', ...variables },
  });
}

test('a plan is that of the stack, the manifest, the options and the version of the project', async () => {
  const own = stubs();
  const inputs = { 'base-url': world.service.url, arguments: '--detail=names' };
  const { 'edgeform-plan': end } = await plan(inputs, foreign(), own);
  expect(end?.log).not.toContain('nonsense');
  expect([end?.code, end?.artifacts['edgeform-plan.json']]).toEqual([0, expect.stringContaining('"stack": "shop"')]);
  const installed = readFileSync(join(own, 'npm.log'), 'utf8');
  expect(installed).toMatch(/edgeform@\d/);
  expect(installed).not.toContain('edgeform@0.0.0');
});

test('with the address as an input, the key is sent nowhere else', async () => {
  const { 'edgeform-plan': end } = await plan({ 'base-url': world.service.url }, { EDGEFORM_BASE_URL: address() });
  expect([end?.code, reached]).toEqual([0, 0]);
});

test('without it, the variable counts, and only the setting of the project keeps another one out', async () => {
  await plan({}, { EDGEFORM_BASE_URL: address() });
  expect(reached).toBeGreaterThan(0);
  expect(pipelineText('gitlab', { version: '1.2.3', stack: 'shop' })).toContain(
    'Minimum role to use pipeline variables',
  );
  expect(readFileSync('SECURITY.md', 'utf8')).toContain('`ci_pipeline_variables_minimum_override_role`');
});

describe('what the project gives is no script', () => {
  test.each(["--var=note=it's", '--var="note=$(touch pwned)`id`"', '--var="note=two words"', '--var=note=$HOME'])(
    'arguments %s',
    async (given) => {
      const files = {
        'edgeform.yaml': `version: 1\nstack: shop\nvariables: { note: { default: x } }\nfailover_backends:\n  app: { description: '\${var.note}', backends: [bkdhr_1] }\n`,
      };
      const { 'edgeform-plan': end } = await runPipeline({
        jobs: component({ stack: 'shop', arguments: given }),
        files,
        path: commands,
        caches: world.caches,
        variables: { ...world.variablesOf('push', 'a1'), CI_COMMIT_BRANCH: 'main' },
      });
      const note = given.replaceAll('"', '').replace('--var=note=', '');
      expect([end?.code, end?.artifacts['edgeform-plan.json']]).toEqual([
        0,
        expect.stringContaining(JSON.stringify(note).slice(1, -1)),
      ]);
    },
  );

  test.each([
    ['stack', "a';id;'"],
    ['version', "1.0.0';id"],
    ['base-url', "https://api.example.com/';id;'"],
    ['base-url', 'https://api.example.com/$(id)'],
    ['base-url', 'ftp://api.example.com'],
  ])('the input %s refuses %s', (name, value) => {
    for (const template of [TEMPLATE, FLEET_TEMPLATE])
      expect(() => component({ stack: 'shop', [name]: value }, template)).toThrow(`${name} does not match`);
  });

  test('each input of a script is checked, or stands alone on a line of a document', () => {
    for (const template of [TEMPLATE, FLEET_TEMPLATE]) {
      const [head = '', body = ''] = template.split('\n---\n');
      const { spec } = parse(head) as { readonly spec: { readonly inputs: Readonly<Record<string, Input>> } };
      const all = Object.entries(spec.inputs);
      const checked = all.flatMap(([name, { regex, type }]) => ((regex ?? type) === undefined ? [] : [name]));
      const scripts = body.slice(body.indexOf('- &inputs |'), body.indexOf('- &forget |'));
      for (const line of scripts.split('\n').filter((one) => one.includes('$[[')))
        if (!/^ {6}\$\[\[ inputs\.[\w-]+ \]\]$/.test(line))
          expect(checked).toContain(/inputs\.([\w-]+)/.exec(line)?.[1]);
    }
  });
});
