// The pipelines as people run them: the generated files in real interpreters, and what the program writes in its real readers. What a
// machine cannot have is named, and counts as not run (record 0066).
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { giteaTools } from './pipelines/gitea-build.mjs';
import { WITHOUT_QUEUE } from './queue.mjs';
import { ACTIONLINT, demand, run, scratch } from './tools.mjs';

const CACHE = resolve('node_modules/.cache');
const BIN = join(CACHE, 'bin');
const ACT = 'github.com/nektos/act@v0.2.89';
const GITLAB_CI_LOCAL = 'gitlab-ci-local@4.75.1';
const PYTHON = ['sarif-tools==3.0.5', 'junitparser==5.0.3', 'zizmor==1.32.0', 'pre-commit==4.7.0'];

/** A tool that this machine cannot have. */
class NotRun extends Error {}

/** What the work returns; where it fails, the part counts as not run. */
function having(what, work) {
  try {
    return work();
  } catch (error) {
    throw new NotRun(`${what}: ${String(error.message).split('\n')[0]}`);
  }
}

function has(program) {
  try {
    run(program, ['--version']);
    return true;
  } catch {
    return false;
  }
}

function goTool(name, module) {
  const path = join(BIN, name);
  if (existsSync(path)) return path;
  having(`${name} needs Go`, () => run('go', ['version']));
  having(name, () => run('go', ['install', module], { env: { ...process.env, GOBIN: BIN } }));
  return path;
}

/** The folder of the programs of Python that read our files. */
function python() {
  const folder = join(CACHE, 'readers');
  const bin = join(folder, 'bin');
  having('the readers need Python', () => {
    if (!existsSync(join(bin, 'pip'))) run('python3', ['-m', 'venv', folder]);
    run(join(bin, 'pip'), ['install', '--quiet', ...PYTHON]);
  });
  return bin;
}

/** As root, from the packages of the system, like the browser in `.ci/run`. */
function promtool() {
  if (has('promtool')) return;
  having('promtool', () => {
    run('apt-get', ['update', '-qq']);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'prometheus'], { env });
    run('promtool', ['--version']);
  });
}

const life = (forge, interpreter, tarball) =>
  run(process.execPath, ['scripts/run.mjs', 'scripts/release/pipelines/main.ts', forge, interpreter, tarball]).trim();

/** Gitlab-ci-local needs Node 22, which the registry has as a package. */
function gitlabCiLocal() {
  const folder = join(CACHE, 'gitlab-ci-local');
  const node = `node-${process.platform}-${process.arch}`;
  mkdirSync(folder, { recursive: true });
  having('gitlab-ci-local', () =>
    run('npm', [
      'install',
      '--prefix',
      folder,
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      GITLAB_CI_LOCAL,
      `${node}@22`,
    ]),
  );
  const [program, own] = [join(folder, 'gitlab-ci-local'), join(folder, 'node')];
  const modules = join(folder, 'node_modules');
  if (!existsSync(program)) symlinkSync(join(modules, 'gitlab-ci-local/dist/index.js'), program);
  if (!existsSync(own)) symlinkSync(join(modules, node, 'bin/node'), own);
  return program;
}

/** A folder of a repository with files, and what `edgeform` prints there, whatever it ends with. */
function project(files) {
  const cwd = scratch('project');
  run('git', ['init', '--quiet', cwd]);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(cwd, name, '..'), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  return cwd;
}

const edgeform = (cwd, words, env = {}) =>
  run('bash', ['-c', '"$@" || true', 'bash', process.execPath, resolve('dist/cli.js'), ...words], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, ...env },
  });

/** Every shape of the workflow that `init` writes. */
const WORKFLOWS = [[], ['--drift-pull-request'], ['--fleet'], ['--fleet', '--waves', '--drift-pull-request']].flatMap(
  (words) => [words, [...words, '--copy-actions']],
);

/** Our actions by a commit, as a released package names them. */
function pinAsReleased(path) {
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replaceAll(/(uses: edgeform\/\S+)@(v\S+)/g, `$1@${'0123456789'.repeat(4)} # $2`));
}

const WRONG = 'version: 1\nstack: shop\nnope: 1\n';

const PARTS = {
  'github workflow in act': ({ tarball }) => life('github', goTool('act', ACT), tarball),
  'gitlab pipeline in gitlab-ci-local': ({ tarball }) => life('gitlab', gitlabCiLocal(), tarball),

  'github workflow in Gitea': ({ tarball }) => {
    having('Gitea needs Go', () => run('go', ['version']));
    return life(
      'gitea',
      having('Gitea', () => giteaTools(CACHE)),
      tarball,
    );
  },

  'linters of workflows': () => {
    const linter = goTool('actionlint', ACTIONLINT);
    const zizmor = join(python(), 'zizmor');
    for (const words of WORKFLOWS) {
      const cwd = project({ 'shop/README': '' });
      edgeform(cwd, ['init', 'shop', '--ci', 'github', ...words]);
      pinAsReleased(join(cwd, '.github/workflows/edgeform.yml'));
      run(linter, ['-no-color', ...WITHOUT_QUEUE], { cwd });
      run(zizmor, ['--offline', '--no-progress', '--quiet', '--min-severity', 'medium', '.github'], { cwd });
    }
    return `actionlint and zizmor find nothing in ${WORKFLOWS.length} workflows of init, but for the key queue, which actionlint does not know`;
  },

  'readers of SARIF and JUnit': () => {
    const bin = python();
    const cwd = project({ 'shop/edgeform.yaml': WRONG });
    const env = { GITHUB_WORKSPACE: cwd };
    for (const format of ['sarif', 'junit'])
      writeFileSync(join(cwd, `out.${format}`), edgeform(join(cwd, 'shop'), ['validate', '--format', format], env));
    run(join(bin, 'sarif'), ['csv', '--output', 'out.csv', 'out.sarif'], { cwd });
    const rows = readFileSync(join(cwd, 'out.csv'), 'utf8');
    demand(
      /^edgeform,error,unknown-field,/m.test(rows) && rows.includes(',shop/edgeform.yaml,3'),
      `sarif-tools read: ${rows}`,
    );
    const script =
      "from junitparser import JUnitXml; x = JUnitXml.fromfile('out.junit'); print(x.tests, x.failures, x.errors)";
    const counts = run(join(bin, 'python'), ['-c', script], { cwd }).trim();
    demand(counts === '1 1 0', `junitparser read: ${counts}`);
    return 'both read what validate wrote, with its place from the root';
  },

  'pre-commit': () => {
    const bin = python();
    const [, recipe = ''] = readFileSync('docs/how-to/schedules.md', 'utf8').split('```yaml\n');
    const cwd = project({
      '.pre-commit-config.yaml': recipe.split('```')[0],
      '.gitignore': 'node_modules\n',
      'package.json': '{}\n',
      'edgeform.yaml': 'version: 1\nstack: shop\n',
    });
    mkdirSync(join(cwd, 'node_modules/.bin'), { recursive: true });
    symlinkSync(resolve('.'), join(cwd, 'node_modules/edgeform'));
    symlinkSync('../edgeform/dist/cli.js', join(cwd, 'node_modules/.bin/edgeform'));
    const check = () => {
      run('git', ['add', '--all'], { cwd });
      return run('bash', ['-c', '"$@"; echo "ended with $?"', 'bash', join(bin, 'pre-commit'), 'run', '--all-files'], {
        cwd,
      });
    };
    const right = check();
    demand(right.endsWith('ended with 0\n'), right);
    writeFileSync(join(cwd, 'edgeform.yaml'), WRONG);
    const wrong = check();
    demand(wrong.endsWith('ended with 1\n') && wrong.includes('unknown field "nope"'), wrong);
    return 'the recipe passes a right manifest, and stops a wrong one';
  },

  prometheus: () => {
    promtool();
    const cwd = 'examples/prometheus';
    run('promtool', ['check', 'rules', 'edgeform.rules.yaml'], { cwd });
    run('promtool', ['test', 'rules', 'edgeform.rules.test.yaml'], { cwd });
    const folder = project({ 'edgeform.yaml': 'version: 1\nstack: shop\n' });
    edgeform(folder, ['drift', '--metrics-file', 'run.prom']);
    run('bash', ['-c', 'promtool check metrics < run.prom'], { cwd: folder });
    return 'promtool agrees with the alerts and with a file of --metrics-file';
  },

  kubernetes: () => {
    run('npx', ['vitest', 'run', '--maxWorkers=1', 'test/examples/kubernetes.test.ts']);
    return 'the example is valid by the schemas of kubernetes-models';
  },
};

export function checkPipelines(state) {
  const [passed, notRun, failed] = [[], [], []];
  for (const [name, part] of Object.entries(PARTS)) {
    const start = performance.now();
    try {
      const said = part(state);
      passed.push(name);
      console.log(`  ${name}: ok (${((performance.now() - start) / 1000).toFixed(0)} s); ${said}`);
    } catch (error) {
      const list = error instanceof NotRun ? notRun : failed;
      list.push(name);
      console.log(`  ${name}: ${list === notRun ? 'not run' : 'FAILED'}: ${error.message}`);
    }
  }
  demand(failed.length === 0, `failed: ${failed.join(', ')}`);
  return { said: `${passed.length} of ${Object.keys(PARTS).length} parts`, notRun };
}
