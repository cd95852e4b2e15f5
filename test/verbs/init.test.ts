// init: what it writes is valid and useful, its pipelines use what exists, and nothing is ever written over.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { edgeform, folder } from '../support/cli.ts';
import { run as runHere } from '../support/host.ts';

const run = (cwd: string, ...args: string[]) => runHere(args, { cwd, env: {} });
const read = (cwd: string, name: string) => readFileSync(join(cwd, name), 'utf8');

interface Job {
  readonly if?: string;
  readonly environment?: string;
  readonly needs?: unknown;
  readonly permissions?: unknown;
  readonly steps?: readonly {
    readonly uses?: string;
    readonly if?: string;
    readonly with?: object;
    readonly run?: string;
    readonly env?: object;
  }[];
  readonly script?: readonly string[];
  readonly rules?: readonly { readonly if?: string; readonly when?: string }[];
  readonly artifacts?: { readonly paths: readonly string[] };
  readonly stage?: string;
  readonly resource_group?: string;
}

describe('the manifest', () => {
  test('is valid as it is, for the built binary, and names its schema', async () => {
    const cwd = folder({});
    const { code, stdout } = await edgeform(['init', '--stack', 'shop'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('edgeform.yaml');
    expect(stdout).toContain('edgeform validate');
    expect(read(cwd, 'edgeform.yaml').split('\n')[0]).toBe(
      '# yaml-language-server: $schema=./node_modules/edgeform/schemas/manifest.schema.json',
    );
    const valid = await edgeform(['validate'], { cwd });
    expect(valid).toMatchObject({ code: 0, stdout: 'The manifest of stack shop is valid: 0 resources.\n' });
  });

  test('stays valid with every example uncommented, and so does each block alone', async () => {
    const cwd = folder({});
    await run(cwd, 'init', '--stack', 'shop');
    const lines = read(cwd, 'edgeform.yaml').split('\n');
    const uncomment = (line: string, index: number) => (index === 0 ? line : line.replace(/^# /, ''));
    writeFileSync(join(cwd, 'all.yaml'), lines.map(uncomment).join('\n'));
    const all = await run(cwd, 'validate', '-f', 'all.yaml');
    expect(all.stderr).toBe('');
    expect(all.stdout).toMatch(/valid: [4-9] resources/);
    const blocks = lines.map((line, index) => (/^# \w+:$/.test(line) && index > 0 ? index : -1)).filter((at) => at > 0);
    expect(blocks.length).toBeGreaterThan(2);
    for (const start of blocks.filter((at) => lines[at] !== '# outputs:')) {
      const end = lines.indexOf('', start);
      const text = lines.map((line, at) => (at >= start && at < end ? uncomment(line, at) : line)).join('\n');
      writeFileSync(join(cwd, 'one.yaml'), text);
      expect((await run(cwd, 'validate', '-f', 'one.yaml')).stdout).toMatch(/valid: [1-9]/);
    }
  });

  test.each([
    ['My Shop_2', 'my-shop-2'],
    ['ÄÖ', 'main'],
    ['--x--', 'x'],
    ['true', 'true'],
    ['123', '123'],
  ])('without --stack, the directory %s gives the stack %s', async (dir, stack) => {
    const cwd = folder({});
    const { code, stdout } = await run(cwd, 'init', `./${dir}`, '--format', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      format: 'edgeform-init/1',
      stack,
      files: [join(dir, 'edgeform.yaml'), join(dir, '.gitignore')],
    });
    expect((await run(join(cwd, dir), 'validate')).stdout).toContain(`stack ${stack} is valid`);
  });
});

describe('.gitignore', () => {
  test('is made, or gets what it lacks at its end, or is left alone', async () => {
    const cases: readonly (readonly [string | undefined, RegExp])[] = [
      [undefined, /^# .*\n\.edgeform\/\n\*\.token\n$/],
      ['node_modules', /^node_modules\n# .*\n\.edgeform\/\n\*\.token\n$/],
      ['dist\n.edgeform\n', /^dist\n\.edgeform\n# .*\n\*\.token\n$/],
      ['/.edgeform/\r\n*.token\r\n', /^\/\.edgeform\/\r\n\*\.token\r\n$/],
    ];
    for (const [before, after] of cases) {
      const cwd = folder(before === undefined ? {} : { '.gitignore': before });
      expect((await run(cwd, 'init', '--stack', 'shop')).code).toBe(0);
      expect(read(cwd, '.gitignore')).toMatch(after);
    }
  });

  test('git really ignores journals and tokens', async () => {
    const cwd = folder({});
    const git = (...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' });
    git('init', '-q');
    await run(cwd, 'init', '--stack', 'shop');
    mkdirSync(join(cwd, '.edgeform'));
    writeFileSync(join(cwd, '.edgeform', 'shop.journal.jsonl'), '');
    writeFileSync(join(cwd, 'ci.token'), '');
    expect(git('ls-files', '-o', '--exclude-standard').trim().split('\n').sort()).toEqual([
      '.gitignore',
      'edgeform.yaml',
    ]);
  });
});

describe('nothing is written over', () => {
  test('existing files are all named, and then nothing at all is written', async () => {
    const cwd = folder({ 'edgeform.yaml': 'mine', '.gitlab-ci.yml': 'mine' });
    const { code, stdout, stderr } = await run(cwd, 'init', '--ci', 'gitlab');
    expect(code).toBe(4);
    expect(stdout).toBe('');
    expect(stderr).toContain('"edgeform.yaml"');
    expect(stderr).toContain('".gitlab-ci.yml"');
    expect(readdirSync(cwd).sort()).toEqual(['.gitlab-ci.yml', 'edgeform.yaml']);
    expect(read(cwd, 'edgeform.yaml') + read(cwd, '.gitlab-ci.yml')).toBe('minemine');
    const json = await run(cwd, 'init', '--format', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({ exit_code: 4, diagnostics: [{ code: 'file-exists' }] });
  });

  test('an existing pipeline, a manifest folder, and a link that leads nowhere are files too', async () => {
    const pipeline = folder({});
    mkdirSync(join(pipeline, '.github/workflows'), { recursive: true });
    writeFileSync(join(pipeline, '.github/workflows/edgeform.yml'), 'mine');
    expect((await run(pipeline, 'init', '--ci', 'github')).code).toBe(4);
    expect(readdirSync(pipeline)).toEqual(['.github']);

    const manifests = folder({});
    mkdirSync(join(manifests, 'edgeform'));
    expect((await run(manifests, 'init')).code).toBe(4);

    const linked = folder({});
    symlinkSync(join(linked, 'elsewhere'), join(linked, 'edgeform.yaml'));
    expect((await run(linked, 'init')).code).toBe(4);
    expect(existsSync(join(linked, 'elsewhere'))).toBe(false);
  });

  test('a file where a folder should be, and wrong usage', async () => {
    const cwd = folder({ file: '' });
    expect([4, 74]).toContain((await run(cwd, 'init', 'file')).code);
    for (const args of [
      ['--ci', 'jenkins'],
      ['--stack', 'No'],
      ['--stack', '-x'],
      ['--nope'],
      ['a', 'b'],
      ['--format', 'xml'],
    ])
      expect((await run(cwd, 'init', ...args)).code, args.join(' ')).toBe(64);
    expect(readdirSync(cwd)).toEqual(['file']);
  });

  test('a second run changes nothing', async () => {
    const cwd = folder({});
    await run(cwd, 'init', '--ci', 'github');
    const before = read(cwd, 'edgeform.yaml') + read(cwd, '.gitignore');
    expect((await run(cwd, 'init', '--ci', 'github')).code).toBe(4);
    expect(read(cwd, 'edgeform.yaml') + read(cwd, '.gitignore')).toBe(before);
  });
});

async function pipeline(ci: string, file: string): Promise<{ readonly text: string; readonly yaml: object }> {
  const cwd = folder({});
  expect((await run(cwd, 'init', '--stack', 'shop', '--ci', ci)).code).toBe(0);
  expect(statSync(join(cwd, file)).mode & 0o044).toBe(0o044);
  const text = read(cwd, file);
  const yaml: unknown = parse(text);
  if (typeof yaml !== 'object' || yaml === null) throw new Error('not a map');
  return { text, yaml };
}

test('the GitHub pipeline keeps the journal of the stack: every job with credentials restores it, only apply saves it', async () => {
  const { yaml } = await pipeline('github', '.github/workflows/edgeform.yml');
  const { jobs } = yaml as { jobs: Record<string, Job> };
  const key = 'edgeform-shop-${{ github.run_id }}-${{ github.run_attempt }}';
  const kept = Object.entries(jobs).map(([name, { steps = [] }]) => [
    name,
    steps.map(({ uses = '', run: command }) =>
      command === undefined ? (/cache\/\w+/.exec(uses)?.[0] ?? 'setup') : 'run',
    ),
  ]);
  expect(Object.fromEntries(kept)).toEqual({
    validate: ['setup', 'setup', 'run'],
    plan: ['setup', 'setup', 'cache/restore', 'run'],
    apply: ['setup', 'setup', 'cache/restore', 'run', 'cache/save'],
    drift: ['setup', 'setup', 'cache/restore', 'run'],
  });
  const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);
  for (const step of steps.filter(({ uses = '' }) => uses.includes('cache/restore')))
    expect(step.with).toEqual({ path: '.edgeform/*.journal.jsonl', key, 'restore-keys': 'edgeform-shop-' });
  expect(jobs['apply']!.steps!.at(-1)).toMatchObject({
    if: 'always()',
    with: { path: '.edgeform/*.journal.jsonl', key },
  });
});

test('the GitLab pipeline keeps the journal of the stack: every job with credentials reads it, only apply writes it', async () => {
  const { yaml } = await pipeline('gitlab', '.gitlab-ci.yml');
  const jobs = yaml as Record<string, { readonly cache?: object }>;
  const cache = { key: 'edgeform-shop', paths: ['.edgeform/*.journal.jsonl'] };
  expect(jobs['validate']!.cache).toBeUndefined();
  expect(jobs['plan']!.cache).toEqual({ ...cache, policy: 'pull' });
  expect(jobs['apply']!.cache).toEqual({ ...cache, policy: 'pull-push', when: 'always' });
  expect(jobs['drift']!.cache).toEqual({ ...cache, policy: 'pull' });
});

async function checkCommands(commands: readonly string[]): Promise<void> {
  expect(commands.length).toBeGreaterThanOrEqual(4);
  const cwd = folder({});
  for (const command of commands) {
    const found = /^npx --yes edgeform@1\.2\.3 (\w+)(.*)$/.exec(command);
    expect(found, command).not.toBeNull();
    const [, name = '', rest = ''] = found ?? [];
    const help = (await run(cwd, name, '--help')).stdout;
    for (const flag of rest.match(/--[\w-]+/g) ?? []) expect(help.includes(`${flag} `), `${name} ${flag}`).toBe(true);
    expect(help).toContain(`edgeform ${name}`);
  }
}

test('the GitHub pipeline validates forks without secrets, plans, applies protected, and looks for drift', async () => {
  const { text, yaml } = await pipeline('github', '.github/workflows/edgeform.yml');
  const { jobs, on } = yaml as { jobs: Record<string, Job>; on: object };
  expect(Object.keys(jobs)).toEqual(['validate', 'plan', 'apply', 'drift']);
  expect(yaml).toMatchObject({
    on: { push: { branches: ['main'] }, schedule: [{ cron: expect.stringMatching(/^\d+ \d+ \* \* \*$/) }] },
    permissions: { contents: 'read' },
    concurrency: { group: expect.stringContaining('github.ref') },
  });
  expect(Object.keys(on)).toContain('pull_request');
  expect(text).not.toContain('pull_request_target');
  expect(jobs['plan']!.if).toContain('head.repo.full_name == github.repository');
  expect(jobs['apply']).toMatchObject({ if: "github.event_name == 'push'", environment: 'production' });
  const runs = Object.values(jobs).flatMap((job) => (job.steps ?? []).filter((step) => step.run !== undefined));
  await checkCommands(runs.map((step) => step.run!));
  for (const step of runs) {
    expect(step.run).not.toContain('${{');
    const isValidate = step.run!.includes(' validate');
    expect(Object.keys(step.env ?? {})).toEqual(isValidate ? [] : ['EDGEFORM_API_KEY', 'EDGEFORM_BASE_URL']);
    if (step.run!.includes(' plan')) expect(step.run).toContain('--summary-file "$GITHUB_STEP_SUMMARY"');
  }
  expect(text.match(/secrets\.\w+/g)).toHaveLength(3);
  for (const job of Object.values(jobs))
    expect(job.steps![0]).toEqual({
      uses: expect.stringMatching(/^actions\/checkout@/),
      with: { 'persist-credentials': false },
    });
  for (const use of text.match(/uses: .*/g) ?? [])
    expect(use).toMatch(/^uses: actions\/[\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
});

test('the GitLab pipeline keeps the plan, applies exactly it by hand, and checks for drift on a schedule', async () => {
  const { text, yaml } = await pipeline('gitlab', '.gitlab-ci.yml');
  const entries = Object.entries(yaml as Record<string, Job>).filter(([, job]) => job.script !== undefined);
  const jobs: Record<string, Job> = Object.fromEntries(entries);
  const { stages } = yaml as { stages: string[] };
  expect(Object.keys(jobs)).toEqual(['validate', 'plan', 'apply', 'drift']);
  for (const job of Object.values(jobs)) expect(stages).toContain(job.stage);
  await checkCommands(Object.values(jobs).flatMap((job) => job.script ?? []));
  expect(jobs['plan']!.artifacts!.paths).toContain('plan.json');
  expect(jobs['plan']!.rules).toContainEqual({
    if: expect.stringContaining('$CI_MERGE_REQUEST_SOURCE_PROJECT_ID != $CI_MERGE_REQUEST_PROJECT_ID'),
    when: 'never',
  });
  expect(jobs['apply']).toMatchObject({
    needs: ['plan'],
    environment: 'production',
    resource_group: 'edgeform',
    script: ['npx --yes edgeform@1.2.3 apply plan.json --auto-approve'],
    rules: [{ if: expect.stringContaining('$CI_DEFAULT_BRANCH'), when: 'manual' }],
  });
  expect(jobs['drift']!.rules).toEqual([{ if: '$CI_PIPELINE_SOURCE == "schedule"' }]);
  for (const name of ['validate', 'plan'])
    expect(jobs[name]!.rules![0]).toEqual({ if: '$CI_PIPELINE_SOURCE == "schedule"', when: 'never' });
  expect(text).not.toMatch(/API_KEY:/);
});
