// What pipelines are made of: valid by the published schemas and by the linters that are here, pinned, with no more rights than
// needed, and with nothing of a pull request in a shell.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ValidateFunction } from 'ajv';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { commands as applying } from '../../src/commands/apply.ts';
import { commands as drifting } from '../../src/commands/drift.ts';
import { commands as listing } from '../../src/commands/fleet/list.ts';
import { commands as planning } from '../../src/commands/plan.ts';
import { commands as showing } from '../../src/commands/show.ts';
import { commands as validating } from '../../src/commands/validate.ts';
import { WITHOUT_QUEUE } from '../../scripts/release/queue.mjs';
import { pipelineText } from '../../src/render/scaffold/pipelines.ts';
// @ts-expect-error A script without types.
import { FLEET_OPTIONS, OPTIONS as KNOWN, optionsFor } from '../../.github/actions/lib/options.mjs';
// @ts-expect-error A script without types.
import { documents } from '../../.github/actions/lib/program.mjs';
import { folder } from '../support/cli.ts';
import { run } from '../support/host.ts';
import { fill } from './expressions.ts';
import { component, FLEET_TEMPLATE, TEMPLATE, whenOf } from './gitlab-runner.ts';
import type { Action, Step, Workflow } from './runner.ts';

const NAMES = ['plan', 'apply', 'drift', 'drift-pull-request'] as const;
const PATHS = NAMES.map((name) => `.github/actions/${name}/action.yml`);
const texts = PATHS.map((path) => readFileSync(path, 'utf8'));
const actions = texts.map((text) => parse(text) as Action);
const WHOLE = { version: '1.2.3', stack: 'shop', proposesDrift: true };
const workflow = parse(pipelineText('github', WHOLE)) as Workflow;
const OPTIONS = KNOWN as Readonly<Record<string, readonly string[]>>;
const VERSION = (JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string }).version;

const steps: readonly (readonly [string, Step])[] = [
  ...actions.flatMap(({ runs }, index) => runs.steps.map((step) => [NAMES[index] ?? '', step] as const)),
  ...Object.entries(workflow.jobs).flatMap(([name, job]) => job.steps.map((step) => [`job ${name}`, step] as const)),
];

describe('schemas', () => {
  const ajv = new Ajv({ strict: false, logger: false, validateFormats: false, unicodeRegExp: false });
  const known = new Map<string, ValidateFunction>();
  const check = (name: string) => {
    const schema = () => JSON.parse(readFileSync(`test/fixtures/schemas/${name}.json`, 'utf8')) as object;
    const validate = known.get(name) ?? ajv.compile(schema());
    known.set(name, validate);
    return (value: unknown) => (validate(value) ? [] : (validate.errors ?? []));
  };

  test('actions', () => {
    const problems = check('github-action');
    expect(actions.map(problems)).toEqual([[], [], [], []]);
    expect(problems({ ...actions[0], runs: { using: 'composite', steps: [{ run: 'x' }] } })).not.toEqual([]);
  });

  test.each(['shop', '0', '123', 'true', 'a-b', `x${'y'.repeat(62)}`])('the workflow of init for stack %s', (stack) => {
    const problems = check('github-workflow');
    const made = parse(pipelineText('github', { ...WHOLE, stack })) as Workflow;
    expect(problems(made)).toEqual([]);
    expect(Object.values(made.jobs).map((job) => job.steps.at(-1)?.with?.['stack'])).toEqual(Array(5).fill(stack));
    const plain = parse(pipelineText('github', { version: '1.2.3', stack })) as Workflow;
    expect([problems(plain), Object.keys(plain.jobs)]).toEqual([[], ['validate', 'plan', 'apply', 'drift']]);
    expect(problems({ ...made, jobs: { x: { steps: [] } } })).not.toEqual([]);
  });

  test('the workflow and the component for a fleet, and what init includes', () => {
    const about = { ...WHOLE, stack: 'acme', fleet: 'edgeform.fleet.yaml' };
    const made = parse(pipelineText('github', about, 'infra')) as Workflow;
    expect(check('github-workflow')(made)).toEqual([]);
    for (const { steps } of Object.values(made.jobs))
      expect(steps.find(({ uses }) => uses?.startsWith('edgeform/') === true)?.with).toMatchObject({
        stack: 'acme',
        fleet: 'edgeform.fleet.yaml',
        'working-directory': 'infra',
      });
    const [head] = parseAllDocuments(FLEET_TEMPLATE).map((one) => one.toJS() as object);
    const included = pipelineText('gitlab', about, 'infra');
    expect(parse(included)).toMatchObject({
      include: [
        {
          component: '$CI_SERVER_FQDN/edgeform/edgeform/edgeform-fleet@v1.2.3',
          inputs: { stack: 'acme', fleet: 'infra/edgeform.fleet.yaml', 'pull-request': true },
        },
      ],
    });
    expect([head, component({ stack: 'acme' }, FLEET_TEMPLATE), parse(included)].map(check('gitlab-ci'))).toEqual([
      [],
      [],
      [],
    ]);
  });

  test.each(['shop', '0', 'true'])(
    'the component of GitLab, its head, and what init includes, for stack %s',
    (stack) => {
      const problems = check('gitlab-ci');
      const [head] = parseAllDocuments(TEMPLATE).map((one) => one.toJS() as object);
      expect([
        problems(component({ stack })),
        problems(head),
        problems(parse(pipelineText('gitlab', { ...WHOLE, stack }))),
      ]).toEqual([[], [], []]);
      expect(problems({ job: { script: 1 } })).not.toEqual([]);
    },
  );
});

test.each([
  ['one stack', TEMPLATE],
  ['a fleet', FLEET_TEMPLATE],
])('the component for %s is YAML before and after its inputs are filled in', (_, template) => {
  const whole = parseAllDocuments(template);
  expect(whole.flatMap((one) => ('errors' in one ? one.errors : []))).toEqual([]);
  expect(whole).toHaveLength(2);
});

describe('linters', () => {
  const has = (program: string) =>
    spawnSync(program, ['--version']).status === 0 || spawnSync(program, ['-version']).status === 0;

  test.skipIf(!has('actionlint'))('actionlint (where it is installed) finds nothing', () => {
    const cwd = mkdtempSync(join(tmpdir(), 'lint-'));
    const put = (path: string, text: string) => {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), text);
    };
    // With actions in the folder of the workflow, their inputs are checked, too.
    const text = pipelineText('github', WHOLE).replaceAll(/edgeform\/edgeform\/(\.github\S+)@v1\.2\.3/g, './$1');
    put('.github/workflows/edgeform.yml', text);
    for (const [index, path] of PATHS.entries()) put(path, texts[index] ?? '');
    execFileSync('git', ['init', '-q'], { cwd });
    expect(spawnSync('actionlint', ['-no-color', ...WITHOUT_QUEUE], { cwd, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stdout: '',
    });
  });

  const shells = [
    ...steps.flatMap(([, { run }]) => run ?? []),
    ...Object.values(component({ stack: 'shop' })).flatMap(({ before_script = [], script = [] }) => [
      ...before_script,
      ...script,
    ]),
  ];
  test.skipIf(!has('shellcheck'))('shellcheck (where it is installed) finds nothing', () => {
    for (const input of shells)
      expect(spawnSync('shellcheck', ['--shell=bash', '-'], { input, encoding: 'utf8' })).toMatchObject({
        status: 0,
        stdout: '',
      });
  });

  test.skipIf(!has('shellcheck'))('shellcheck (where it is installed) finds nothing in the completion script', () => {
    const input = execFileSync(process.execPath, ['dist/cli.js', 'completion', 'bash']);
    expect(spawnSync('shellcheck', ['--shell=bash', '-'], { input, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stdout: '',
    });
  });

  test('bash reads every script', () => {
    expect(shells.length).toBeGreaterThan(8);
    for (const input of shells) expect(spawnSync('bash', ['-n'], { input }).status).toBe(0);
  });
});

describe('safety', () => {
  test('no expression stands inside a script, but for the name of the stack, which is checked', () => {
    const scripts = steps.flatMap(([, { run }]) => run ?? []);
    expect(scripts.filter((run) => run.includes('${{'))).toEqual([]);
    expect(
      Object.values(component({ stack: 'shop' }))
        .flatMap(({ script = [], before_script = [] }) => [...script, ...before_script])
        .flatMap((text) => text.split('\n').filter((line) => line.includes('shop'))),
    ).toEqual(Array(2).fill("EDGEFORM_CI_STACK='shop'"));
  });

  test('every action of others is pinned by its commit, and named with its version', () => {
    const lines = [...texts, pipelineText('github', WHOLE)]
      .join('\n')
      .split('\n')
      .filter((line) => /uses: (?!edgeform)/.test(line));
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((line) => !/uses: actions\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
    const pins = new Map(lines.map((line) => [/actions\/([\w-]+)/.exec(line)?.[1], /@(\S+)/.exec(line)?.[1]]));
    expect(pins.size).toBe(new Set(lines.map((line) => /@(\S+)/.exec(line)?.[1])).size);
  });

  test('the key is for the step that runs edgeform with it, and the token for steps that talk to GitHub', () => {
    const withEnv = (name: string) =>
      steps.flatMap(([where, { id, env }]) =>
        JSON.stringify(env ?? {}).includes(name) ? [`${where} ${id ?? ''}`] : [],
      );
    expect(withEnv('inputs.api-key')).toEqual(['plan plan', 'apply apply', 'drift drift']);
    expect(withEnv('inputs.github-token')).toEqual([
      'plan comment',
      'plan queue',
      'apply find',
      'apply report',
      'drift issue',
      'drift-pull-request propose',
    ]);
    const withSecrets = steps.flatMap(([where, step]) => (JSON.stringify(step).includes('secrets.') ? [where] : []));
    expect(withSecrets).toEqual(['job plan', 'job apply', 'job drift']);
    expect(JSON.stringify(workflow).match(/secrets\./g)).toHaveLength(3);
  });

  test('each job has the rights it needs, and the workflow none', () => {
    expect(workflow.permissions).toEqual({});
    expect(
      Object.fromEntries(Object.entries(workflow.jobs).map(([name, { permissions }]) => [name, permissions])),
    ).toEqual({
      validate: { contents: 'read' },
      plan: { contents: 'read', 'pull-requests': 'write' },
      apply: { contents: 'read', actions: 'read', 'pull-requests': 'write' },
      drift: { contents: 'read', issues: 'write' },
      'drift-pull-request': { contents: 'write', 'pull-requests': 'write' },
    });
    for (const [index, name] of NAMES.entries())
      for (const [right, level] of Object.entries(workflow.jobs[name]?.permissions ?? {}))
        expect(texts[index]?.split('\n')[0]).toContain(`${right}: ${level}`);
    expect(workflow).not.toHaveProperty('on.pull_request_target');
    expect(workflow.jobs['apply']?.environment).toBe('production');
  });

  test('the journal of one stack is never taken for that of another', () => {
    const keys = (stack: string) =>
      Object.values(component({ stack })).flatMap((job) => (job.cache === undefined ? [] : [job.cache.key]));
    expect(new Set(keys('a'))).toEqual(new Set(['edgeform-journal-a']));
    const caches = steps.flatMap(([, step]) => (step.uses?.startsWith('actions/cache') === true ? [step.with] : []));
    expect(caches).toHaveLength(4);
    const outputs = { setup: { outputs: { journal: 'J/', once: '3' } } };
    const contexts = {
      steps: outputs,
      github: { run_id: '1', run_attempt: '2' },
      inputs: { stack: 'a', 'working-directory': 'w' },
    };
    expect(new Set(caches.map((one) => fill(JSON.stringify([one?.['path'], one?.['key']]), contexts)))).toEqual(
      new Set(['["w/.edgeform/*/a.*.jsonl","J/1-2-3"]']),
    );
  });

  test('versions are those of the package', () => {
    // The one that proposes installs nothing.
    const versions = [VERSION, VERSION, VERSION, undefined];
    expect(actions.map(({ inputs }) => inputs['version']?.default)).toEqual(versions);
    for (const template of [TEMPLATE, FLEET_TEMPLATE])
      expect(component({ stack: 'a' }, template)['.edgeform']?.before_script?.[0]).toContain(
        `\nEDGEFORM_CI_VERSION='${VERSION}'\n`,
      );
  });
});

/** Options of what is written beside the log. */
const WRITTEN = (documents as (forge: object) => readonly string[])({ files: { summary: '', note: '' } }).filter(
  (word) => word !== '',
);

/** How the scripts call the program: the command, and the rest of the words. */
function callsOf(): RegExpExecArray[] {
  const scripts = ['plan', 'apply', 'drift', 'validate'].map((name) => `.github/actions/lib/steps/${name}.mjs`);
  return scripts.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/edgeform\(\[\s*'(\w+)'([^\]]*)\]/g)]);
}

test('nobody can give another value to an option that the scripts give', () => {
  const refuse = optionsFor as (command: string, words: readonly string[]) => unknown;
  const names = callsOf().flatMap(([, , rest = '']) => [...rest.matchAll(/--[a-z-]+/g)].map(([name]) => name));
  names.push(...WRITTEN);
  const own = [...new Set(names)].filter((name) => Object.values(OPTIONS).some((all) => all.includes(`${name}=`)));
  expect(own.sort()).toEqual(['--accept', '--comment-file', '--format', '--out', '--summary-file']);
  // The journal is where the cache is.
  for (const name of [...own, '--journal', '--write'])
    for (const words of [[`${name}=x`], [name, 'x'], [`${name} x`], ['--debug', `${name}=`], ['--var', 'a=b', name]])
      for (const command of Object.keys(OPTIONS))
        expect(() => refuse(command, words), `${command} ${words.join(' ')}`).toThrow(`arguments: ${name}: `);
  // What only looks like one is a value.
  expect(refuse('plan', ['--var', '--format', '--target=--out'])).toEqual(['--var', '--format', '--target', '--out']);
});

test('what a plan was made with can be given to the apply of it', async () => {
  const keep = optionsFor as (command: string, words: readonly string[]) => readonly string[];
  expect(() => keep('plan', ['--events', '-'])).toThrow('arguments: --events: name a file');
  const cwd = folder({ 'plan.json': '{}' });
  const given = Object.values(OPTIONS)
    .flat()
    .filter((option) => !/^--(?:(?:out|format|summary-file|comment-file|journal|base-url|accept)=|write)/.test(option));
  for (const option of new Set(given)) {
    const words = keep('apply', [option.replace('=', ''), ...(option.endsWith('=') ? ['1'] : [])]);
    const { stderr } = await run(['apply', 'plan.json', ...words], { cwd });
    expect(stderr, option).not.toMatch(/cannot be combined|cannot share|unknown option/);
  }
  expect([keep('plan', ['--target=a']), keep('apply', ['--target=a'])]).toEqual([['--target', 'a'], []]);
});

test('the scripts give each command options that it has', () => {
  const known = new Map(
    [...applying, ...drifting, ...planning, ...showing, ...validating, ...listing].map(({ words, flags }) => [
      words.replace('fleet ', '').split(' ')[0],
      JSON.stringify(flags),
    ]),
  );
  const calls = callsOf();
  expect(calls.map(([, name]) => name).sort()).toEqual(['apply', 'drift', 'drift', 'list', 'plan', 'plan', 'validate']);
  for (const [, name = '', rest = ''] of calls)
    for (const option of [...rest.matchAll(/--[a-z-]+/g)]
      .map(([word]) => word)
      .concat(rest.includes('...documents(forge)') ? WRITTEN : []))
      expect(known.get(name), `${name} ${option}`).toContain(option);
});

test.each([
  ['', OPTIONS],
  ['fleet ', FLEET_OPTIONS as typeof OPTIONS],
])('the scripts know the options of each command of edgeform %s', (prefix, known) => {
  for (const [command, options] of Object.entries(known)) {
    const words = `${prefix}${command} --help`.split(' ');
    const help = execFileSync(process.execPath, ['dist/cli.js', ...words], { encoding: 'utf8' });
    const found = [...help.matchAll(/^ +(?:-\w, )?(--[a-z-]+)( <)?/gm)].map(([, name, value]) =>
      value === undefined ? name : `${name ?? ''}=`,
    );
    expect(options.filter((option) => option !== '-f=').sort()).toEqual(found.filter((one) => one !== '--help').sort());
  }
});

describe('jobs of GitLab', () => {
  const request = {
    CI_PIPELINE_SOURCE: 'merge_request_event',
    CI_MERGE_REQUEST_PROJECT_ID: '1',
    CI_DEFAULT_BRANCH: 'main',
  };
  test.each([
    [
      'a merge request',
      { ...request, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '1' },
      { validate: 'on_success', plan: 'on_success' },
    ],
    [
      'a merge request from a fork',
      { ...request, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '2' },
      { validate: 'on_success' },
    ],
    [
      'the default branch',
      { CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: 'main', CI_DEFAULT_BRANCH: 'main' },
      { validate: 'on_success', plan: 'on_success', apply: 'manual', drift: 'manual' },
    ],
    [
      'a branch',
      { CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: 'x', CI_DEFAULT_BRANCH: 'main' },
      { validate: 'on_success' },
    ],
    [
      'a schedule',
      { CI_PIPELINE_SOURCE: 'schedule', CI_COMMIT_BRANCH: 'main', CI_DEFAULT_BRANCH: 'main' },
      { drift: 'on_success' },
    ],
    [
      'a schedule, with a merge request',
      { CI_PIPELINE_SOURCE: 'schedule', CI_COMMIT_BRANCH: 'main', CI_DEFAULT_BRANCH: 'main' },
      { drift: 'on_success', 'drift-merge-request': 'always' },
    ],
    [
      'the default branch, with a merge request about drift',
      { CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: 'main', CI_DEFAULT_BRANCH: 'main' },
      { validate: 'on_success', plan: 'on_success', apply: 'manual', drift: 'manual' },
    ],
  ])('of %s', (name, variables, expected) => {
    const jobs = component({ stack: 'shop', 'pull-request': String(name.includes('with a merge request')) });
    const found = Object.entries(jobs).flatMap(([name, job]) => {
      const when = name.startsWith('.') ? 'never' : whenOf(job, variables);
      return when === 'never' ? [] : [[name.replace('edgeform-', ''), when]];
    });
    expect(Object.fromEntries(found)).toEqual(expected);
  });
});
