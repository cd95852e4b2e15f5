// init: what it writes is valid and useful, its pipelines use what exists, and nothing is ever written over.

import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { edgeform, folder } from '../support/cli.ts';
import { run as runHere } from '../support/host.ts';
import { commit, git, GIT_ENV } from '../support/repository.ts';

const run = (cwd: string, ...args: string[]) => runHere(args, { cwd, env: {} });
const read = (cwd: string, name: string) => readFileSync(join(cwd, name), 'utf8');

interface Job {
  readonly steps?: readonly { readonly uses?: string; readonly with?: object }[];
}

describe('the manifest', () => {
  test('is valid as it is, for the built binary, and names its schema', async () => {
    const cwd = folder({});
    const { code, stdout } = await edgeform(['init', '--stack', 'shop'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('edgeform.yaml');
    expect(stdout).toContain('edgeform validate');
    expect(read(cwd, 'edgeform.yaml').split('\n')[0]).toBe('# yaml-language-server: $schema=./.edgeform.schema.json');
    expect(stdout).toContain('edgeform schema > .edgeform.schema.json');
    const valid = await edgeform(['validate'], { cwd });
    expect(valid).toMatchObject({ code: 0, stdout: 'The manifest of stack shop is valid: 0 resources.\n' });
  });

  test.each([
    [
      'of the package that is installed above it',
      'app/shop',
      '../../node_modules/edgeform/schemas/manifest.schema.json',
    ],
    ['of the package beside it', '.', './node_modules/edgeform/schemas/manifest.schema.json'],
  ])('names the schema %s', async (_, dir, schema) => {
    const cwd = folder({ 'node_modules/edgeform/schemas/manifest.schema.json': '{}' });
    const { stdout } = await run(cwd, 'init', dir, '--stack', 'shop', '--fleet');
    expect(read(join(cwd, dir), 'edgeform.yaml').split('\n')[0]).toBe(`# yaml-language-server: $schema=${schema}`);
    expect(read(join(cwd, dir), 'edgeform.fleet.yaml')).toContain(schema.replace('manifest', 'fleet'));
    expect(stdout).not.toContain('edgeform schema');
  });

  test('names the schema of a clone of edgeform in which it is', async () => {
    const cwd = mkdtempSync(resolve('dist/init-'));
    try {
      await run(cwd, 'init', '--stack', 'shop');
      const [line = ''] = read(cwd, 'edgeform.yaml').split('\n');
      expect(line).toBe('# yaml-language-server: $schema=../../schemas/manifest.schema.json');
    } finally {
      rmSync(cwd, { recursive: true });
    }
  });

  test('stays valid with every example uncommented, and so does each block with what it refers to', async () => {
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
    const isReferredTo = (at: number) => /^# (?:variables|presets|failover_backends):$/.test(lines[at] ?? '');
    const shared = blocks.filter(isReferredTo);
    for (const start of blocks.filter((at) => !isReferredTo(at) && lines[at] !== '# outputs:')) {
      const isUsed = (at: number) => [...shared, start].some((begin) => at >= begin && at < lines.indexOf('', begin));
      const text = lines.map((line, at) => (isUsed(at) ? uncomment(line, at) : line)).join('\n');
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
  test('is made where there is none; else the next steps name the lines', async () => {
    const made = folder({});
    expect((await run(made, 'init', '--stack', 'shop')).stdout).not.toContain('add to your .gitignore');
    expect(read(made, '.gitignore')).toMatch(/^# .*\n\.edgeform\/\n\*\.token\n$/);
    const kept = folder({ '.gitignore': 'mine' });
    const { code, stdout } = await run(kept, 'init', '--stack', 'shop');
    expect([code, stdout]).toEqual([0, expect.stringContaining('add to your .gitignore: .edgeform/ and *.token')]);
    expect(read(kept, '.gitignore')).toBe('mine');
  });

  test('git really ignores journals and tokens', async () => {
    const cwd = folder({});
    const git = (...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' });
    git('init', '-q');
    await run(cwd, 'init', '--stack', 'shop');
    mkdirSync(join(cwd, '.edgeform', 'api.test_443'), { recursive: true });
    writeFileSync(join(cwd, '.edgeform', 'api.test_443', 'shop.journal.jsonl'), '');
    writeFileSync(join(cwd, 'ci.token'), '');
    expect(git('ls-files', '-o', '--exclude-standard').trim().split('\n').sort()).toEqual([
      '.gitignore',
      'edgeform.yaml',
    ]);
  });
});

describe('a folder with an odd name', () => {
  test('is entered as a shell wants it: there the journal is what git ignores', async () => {
    const cwd = folder({});
    const next = async (dir: string) =>
      (JSON.parse((await run(cwd, 'init', dir, '--format', 'json')).stdout) as { next: string[] }).next;
    expect((await next('d$(touch x)'))[0]).toBe("go to the folder: cd 'd$(touch x)'");
    expect((await next('./-d'))[0]).toBe('go to the folder: cd ./-d');
    expect((await next('.')).join()).not.toMatch(/cd | -f /);
  });

  test('is named in quotes to the component of GitLab, and refused where that cannot name it', async () => {
    const cwd = folder({});
    mkdirSync(join(cwd, '.git'));
    expect((await run(cwd, 'init', 'my stack', '--ci', 'gitlab')).code).toBe(0);
    expect(read(cwd, '.gitlab-ci.yml')).toContain(String.raw`manifest: "\"my stack/edgeform.yaml\""`);
    expect((await run(cwd, 'init', "a'b", '--ci', 'gitlab')).code).toBe(64);
    expect(existsSync(join(cwd, "a'b"))).toBe(false);
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

  test('with its stack named, a pipeline is added to a manifest', async () => {
    const cwd = folder({ 'edgeform.yaml': 'mine', '.gitignore': '' });
    const { code, stdout } = await run(cwd, 'init', '--ci', 'gitlab', '--stack', 'shop');
    expect([code, read(cwd, 'edgeform.yaml')]).toEqual([0, 'mine']);
    expect(read(cwd, '.gitlab-ci.yml')).toContain('stack: "shop"');
    expect(stdout).not.toContain('edgeform.yaml');
    expect((await run(cwd, 'init', '--ci', 'gitlab', '--stack', 'shop')).code).toBe(4);
    const many = folder({});
    mkdirSync(join(many, 'edgeform'));
    for (let at = 0; at <= 100; at++) writeFileSync(join(many, `edgeform/${at}.YAML`), '');
    expect((await run(many, 'init', '--ci', 'github', '--stack', 'shop')).code).toBe(0);
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

test('the GitHub workflow uses our actions of this version, with the stack, and the key only where it is needed', async () => {
  const { text, yaml } = await pipeline('github', '.github/workflows/edgeform.yml');
  const { jobs } = yaml as { jobs: Record<string, Job> };
  const used = Object.entries(jobs).map(([name, { steps = [] }]) => [name, steps.at(-1)?.uses, steps.at(-1)?.with]);
  const action = (name: string) => `edgeform/edgeform/.github/actions/${name}@v1.2.3`;
  const service = { 'base-url': '${{ vars.EDGEFORM_BASE_URL }}', 'api-key': '${{ secrets.EDGEFORM_API_KEY }}' };
  expect(used).toEqual([
    ['validate', action('plan'), { stack: 'shop', 'validate-only': true }],
    ['plan', action('plan'), { stack: 'shop', ...service }],
    ['apply', action('apply'), { stack: 'shop', ...service }],
    ['drift', action('drift'), { stack: 'shop', ...service }],
  ]);
  for (const [name, job] of Object.entries(jobs))
    expect(job.steps?.slice(0, -1).filter(({ uses }) => uses !== undefined)).toEqual([
      {
        uses: expect.stringMatching(/^actions\/checkout@/),
        with: { 'persist-credentials': false, ...(name === 'plan' && { 'fetch-depth': 2 }) },
      },
    ]);
  expect(text.match(/secrets\.EDGEFORM_API_KEY/g)).toHaveLength(3);
});

test('the GitLab pipeline includes our component of this version, with the stack', async () => {
  const { text, yaml } = await pipeline('gitlab', '.gitlab-ci.yml');
  expect(yaml).toMatchObject({
    include: [{ component: '$CI_SERVER_FQDN/edgeform/edgeform/edgeform@v1.2.3', inputs: { stack: 'shop' } }],
  });
  expect(text).not.toMatch(/API_KEY:/);
});

describe('a pipeline beside a manifest', () => {
  const NEEDS = `version: 1
stack: shop
variables:
  oauth_secret: { sensitive: true }
  signing-key: { sensitive: true, default: x }
  region: {}
  env: { default: prod }
`;
  const KEYS = `${NEEDS}api_keys: { ci: { description: ci } }\n`;
  const beside = async (manifest: string, ci: string) => {
    const cwd = folder({ 'edgeform.yaml': manifest, '.gitignore': '' });
    expect((await run(cwd, 'init', '--ci', ci, '--stack', 'shop')).code).toBe(0);
    return read(cwd, ci === 'github' ? '.github/workflows/edgeform.yml' : '.gitlab-ci.yml');
  };

  test('on GitHub gives plan, apply and drift its variables, and validate none', async () => {
    const { jobs } = parse(await beside(NEEDS, 'github')) as {
      jobs: Readonly<Record<string, { steps: readonly { env?: object; with: { arguments?: string } }[] }>>;
    };
    const given = Object.fromEntries(Object.entries(jobs).map(([name, { steps }]) => [name, steps.at(-1)?.env]));
    const env = {
      EDGEFORM_VAR_oauth_secret: '${{ secrets.EDGEFORM_VAR_oauth_secret }}',
      'EDGEFORM_VAR_signing-key': '${{ secrets.EDGEFORM_VAR_signing_key }}',
      EDGEFORM_VAR_region: '${{ vars.EDGEFORM_VAR_region }}',
    };
    expect(given).toEqual({ validate: undefined, plan: env, apply: env, drift: env });
    expect(jobs['apply']?.steps.at(-1)?.with.arguments).toBeUndefined();
  });

  test('with API keys, plan and apply have a folder for their tokens', async () => {
    const text = await beside(KEYS, 'github');
    expect(text.match(/--token-dir=\$\{\{ runner\.temp \}\}\/edgeform-tokens/g)).toHaveLength(2);
    expect(text).toContain('Move the tokens of created API keys');
    expect(parse(await beside(KEYS, 'gitlab'))).toMatchObject({
      include: [{ inputs: { arguments: '--token-dir=.edgeform/tokens' } }],
    });
  });

  test('on GitLab names the variables to create', async () => {
    const text = await beside(NEEDS, 'gitlab');
    expect(text).toContain(
      'needs these CI/CD variables: EDGEFORM_VAR_oauth_secret (masked, hidden), EDGEFORM_VAR_signing_key (masked, hidden), EDGEFORM_VAR_region.',
    );
    expect(text).toContain('rename the variable signing-key to signing_key in the manifest.');
  });

  test('on GitHub names what to create, and not what the steps have already', async () => {
    const [head = ''] = (await beside(NEEDS, 'github')).split('\nname: edgeform');
    expect(head).toContain(
      'create the secret EDGEFORM_VAR_oauth_secret, the secret EDGEFORM_VAR_signing_key, the variable EDGEFORM_VAR_region, which the steps below use',
    );
    expect(head).not.toContain('for each variable of the manifest');
  });

  test('on GitLab a hyphen gives way to a name that no other variable has', async () => {
    const text = await beside('version: 1\nstack: shop\nvariables: { a-b: {}, a_b: {} }\n', 'gitlab');
    expect(text).toContain('CI/CD variables: EDGEFORM_VAR_a_b_2, EDGEFORM_VAR_a_b.');
    expect(text).toContain('rename the variable a-b to a_b_2 in the manifest.');
  });

  test('a manifest that cannot be read needs nothing that is known', async () => {
    expect(await beside('mine: [', 'github')).not.toContain('env:\n');
  });
});

describe('the branch that is applied', () => {
  const branches = async (prepare: (root: string) => void) => {
    const root = folder({});
    prepare(root);
    await runHere(['init', '--ci', 'github', '--stack', 'shop'], { cwd: root, env: GIT_ENV });
    return /branches: \["(.*)"\]/.exec(read(root, '.github/workflows/edgeform.yml'))?.[1];
  };
  const started = (root: string, branch: string) => git(root, 'init', '--quiet', '--initial-branch', branch);

  test.each([
    ['main, without a repository', () => undefined, 'main'],
    ['that of HEAD, before the first commit', (root: string) => started(root, 'master'), 'master'],
    [
      'master, where another one is checked out',
      (root: string) => {
        started(root, 'master');
        commit(root, { x: '' });
        git(root, 'switch', '--quiet', '-c', 'topic');
      },
      'master',
    ],
    [
      'the one that the remote names',
      (root: string) => {
        started(root, 'main');
        commit(root, { x: '' });
        git(root, 'update-ref', 'refs/remotes/origin/release/1.x', 'HEAD');
        git(root, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/release/1.x');
      },
      'release/1.x',
    ],
  ] as const)('is %s', async (_, prepare, branch) => {
    expect(await branches(prepare)).toBe(branch);
  });
});

describe('a second stack', () => {
  const second = async (ci: string) => {
    const cwd = folder({});
    mkdirSync(join(cwd, '.git'));
    expect((await run(cwd, 'init', 'shop', '--ci', ci)).code).toBe(0);
    const { code, stderr } = await run(cwd, 'init', 'blog', '--ci', ci);
    expect([code, existsSync(join(cwd, 'blog'))]).toEqual([4, false]);
    return stderr.replaceAll(/\s+/g, ' ');
  };

  test('on GitHub is told how it comes into the workflow', async () => {
    const said = await second('github');
    expect(said).toContain('write its manifest with "edgeform init blog --stack blog", without --ci;');
    expect(said).toContain('the workflow is for stack shop: give each of its jobs');
    expect(said).toContain('{ stack: blog, folder: "blog" }');
    expect(said).toContain('`stack: ${{ matrix.stack }}` and `working-directory: ${{ matrix.folder }}`');
  });

  test('on GitLab is told which include to add', async () => {
    const said = await second('gitlab');
    expect(said).toContain('inputs: { stack: blog, manifest: "blog/edgeform.yaml", prefix: edgeform-blog }');
  });
});

test('CI files of a folder are those of its repository', async () => {
  const cwd = folder({});
  const folders = ['plain', "it's ${{ x }}/a b"];
  for (const name of folders) {
    const root = join(cwd, name.length.toString());
    mkdirSync(join(root, '.git'), { recursive: true });
    const { code, stdout } = await run(root, 'init', name, '--stack', 'shop', '--ci', 'github');
    expect([code, existsSync(join(root, name, 'edgeform.yaml'))]).toEqual([0, true]);
    expect(stdout).toContain('.github/workflows/edgeform.yml');
    const text = read(root, '.github/workflows/edgeform.yml');
    const { jobs } = parse(text) as { readonly jobs: Readonly<Record<string, Job>> };
    for (const { steps } of Object.values(jobs))
      expect(steps?.at(-1)?.with).toHaveProperty('working-directory', name.replace('${{', "${{ '${{' }}"));
    const again = await run(root, 'init', 'other', '--ci', 'github');
    expect([again.code, existsSync(join(root, 'other'))]).toEqual([4, false]);
    await run(root, 'init', 'third', '--stack', 'third', '--ci', 'gitlab');
    expect(read(root, '.gitlab-ci.yml')).toContain('manifest: "third/edgeform.yaml"');
  }
});

test.each([
  ['github', '.github/workflows/edgeform.yml', /fleet: "edgeform\.fleet\.yaml"/g, 4],
  [
    'gitlab',
    '.gitlab-ci.yml',
    /local: \/\.gitlab\/edgeform\/fleet\.yml\n {4}inputs:\n.*\n {6}fleet: "edgeform\.fleet\.yaml"/g,
    1,
  ],
])('--fleet writes a valid fleet file and a pipeline of %s for all its stacks', async (ci, pipeline, names, count) => {
  const cwd = folder({});
  const { code, stdout } = await run(cwd, 'init', '--stack', 'true', '--ci', ci, '--fleet', '--copy-actions');
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/edgeform\.fleet\.yaml[\s\S]*run: edgeform fleet validate/),
  ]);
  expect(read(cwd, pipeline).match(names)).toHaveLength(count);
  const listed = await run(cwd, 'fleet', 'list', '--format', 'github-matrix');
  expect(JSON.parse(listed.stdout)).toEqual({ include: [{ name: 'true', wave: 1 }] });
  expect(await run(cwd, 'fleet', 'validate')).toMatchObject({ code: 0 });
  const used = [...read(cwd, pipeline).matchAll(/(?:uses|local): (?:\.\/|\/)(\S+)/g)].map(([, path = '']) => path);
  for (const path of used) expect(existsSync(join(cwd, path)), path).toBe(true);
  expect((await run(cwd, 'init', '--fleet')).code).toBe(4);
});

test('--waves: a job and an environment for each wave, in order; it is of a pipeline for a fleet', async () => {
  const cwd = folder({});
  expect((await run(cwd, 'init', '--ci', 'github', '--fleet', '--waves')).code).toBe(0);
  const { jobs } = parse(read(cwd, '.github/workflows/edgeform.yml')) as {
    jobs: Record<string, { environment?: string; needs?: string; steps: { with?: Record<string, unknown> }[] }>;
  };
  const applies = Object.entries(jobs).filter(([name]) => name.startsWith('apply'));
  expect(
    applies.map(([name, { environment, needs, steps }]) => [name, environment, needs, steps[1]?.with?.['wave']]),
  ).toEqual([
    ['apply-1', 'production-1', undefined, 1],
    ['apply-2', 'production-2', 'apply-1', 2],
    ['apply-3', 'production-3', 'apply-2', undefined],
  ]);
  const gitlab = folder({});
  await run(gitlab, 'init', '--ci', 'gitlab', '--fleet', '--waves');
  expect(read(gitlab, '.gitlab-ci.yml')).toMatch(/ {6}waves: true\n/);
  for (const words of [['--waves'], ['--fleet', '--waves'], ['--ci', 'github', '--waves']])
    expect((await run(folder({}), 'init', ...words)).code).toBe(64);
});

test('--drift-pull-request: a job that may write to the repository, and gets no key; it is of a pipeline', async () => {
  const cwd = folder({});
  expect((await run(cwd, 'init', '--ci', 'github', '--drift-pull-request')).code).toBe(0);
  const text = read(cwd, '.github/workflows/edgeform.yml');
  const { jobs } = parse(text) as {
    jobs: Record<string, { needs?: string; permissions: object; steps: { with?: Record<string, unknown> }[] }>;
  };
  expect(jobs['drift']?.steps[1]?.with).toMatchObject({ 'pull-request': true });
  expect(jobs['drift-pull-request']).toMatchObject({
    needs: 'drift',
    permissions: { contents: 'write', 'pull-requests': 'write' },
  });
  expect(text.split('  drift-pull-request:')[1]).not.toContain('api-key');
  expect(text).toContain('Allow\n# GitHub Actions to create and approve pull requests');
  const gitlab = folder({});
  await run(gitlab, 'init', '--ci', 'gitlab', '--fleet', '--drift-pull-request');
  expect(read(gitlab, '.gitlab-ci.yml')).toMatch(/the role Developer[\s\S]* {6}pull-request: true\n/);
  expect((await run(folder({}), 'init', '--drift-pull-request')).code).toBe(64);
  const plain = folder({});
  await run(plain, 'init', '--ci', 'github');
  expect(read(plain, '.github/workflows/edgeform.yml')).not.toContain('pull-request:\n    #');
  expect(read(plain, '.github/workflows/edgeform.yml')).not.toContain('contents: write');
});

describe('copies of what a pipeline uses', () => {
  const filesIn = (root: string) =>
    readdirSync(root, { recursive: true, withFileTypes: true, encoding: 'utf8' })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));

  test.each([
    ['github', '.github/actions', '.github/actions/edgeform', '.github/workflows/edgeform.yml'],
    ['gitlab', 'templates/edgeform', '.gitlab/edgeform', '.gitlab-ci.yml'],
  ])('%s: byte for byte, with licence and version, and nothing else is used', async (ci, from, to, pipeline) => {
    const cwd = folder({});
    const { code, stdout } = await edgeform(['init', '--stack', 'shop', '--ci', ci, '--copy-actions'], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${to}/VERSION`)]);
    for (const name of filesIn(from))
      expect(read(cwd, join(to, name)), name).toBe(readFileSync(join(from, name), 'utf8'));
    expect(read(cwd, `${to}/LICENSE`)).toBe(readFileSync('LICENSE', 'utf8'));
    expect(read(cwd, `${to}/VERSION`)).toMatch(/^edgeform \d+\.\d+\.\d+\n$/);
    const used = [...read(cwd, pipeline).matchAll(/(?:uses|local): (?:\.\/|\/)(\S+)/g)].map(([, path = '']) => path);
    expect(used.length).toBeGreaterThan(0);
    for (const path of used) expect(existsSync(join(cwd, path)), path).toBe(true);
    expect(read(cwd, pipeline)).not.toContain('edgeform/edgeform');
    expect((await run(cwd, 'init', '--stack', 'shop', '--ci', ci, '--copy-actions')).code).toBe(4);
  });

  test('are of a pipeline, so without one they are wrong usage; without them the file says what must exist', async () => {
    const cwd = folder({});
    expect((await run(cwd, 'init', '--copy-actions')).code).toBe(64);
    for (const ci of ['github', 'gitlab']) await run(folder({}), 'init', '--ci', ci);
    await run(cwd, 'init', '--ci', 'github');
    expect(read(cwd, '.github/workflows/edgeform.yml')).toMatch(/# This needs .* edgeform\/edgeform .*with the tag v/);
  });
});

test.each(['edgeform.yaml', 'edgeform/a.yaml'])(
  'a pipeline for another stack than that of %s is not written',
  async (path) => {
    const cwd = folder({ [path]: 'version: 1\nstack: shop\n' });
    const { code, stderr } = await run(cwd, 'init', '--ci', 'gitlab', '--stack', 'other');
    expect([code, stderr]).toEqual([4, expect.stringContaining('give its own name: --stack shop')]);
    expect(existsSync(join(cwd, '.gitlab-ci.yml'))).toBe(false);
  },
);

test.each(['rel$&x', '2024', 'true'])('the branch %s is a text in the filter of the workflow', async (branch) => {
  const cwd = folder({});
  execFileSync('git', ['init', '-q', '-b', branch], { cwd });
  await run(cwd, 'init', '--ci', 'github');
  const { on } = parse(read(cwd, '.github/workflows/edgeform.yml')) as { on: { push: { branches: unknown } } };
  expect(on.push.branches).toEqual([branch]);
});
