// `npm run sea [FILE]`: the program and Node in one executable, for the machine that builds it. The bundles of `dist` become one
// script, because such an executable has no files beside it; what `init` copies into repositories lies in it as assets.
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { cleanEnv, demand, firstRun, run, scratch, tool } from './tools.mjs';
import { startOf } from './versions.mjs';

/** Files of the package that the program reads, or the folders that hold them. */
const READ = ['package.json', 'LICENSE', '.github/actions', 'templates'];

/** Function of the bundles, or a text → what stands there when there are no files. */
const INSTEAD = [
  ['readFileSync(new URL("../package.json", import.meta.url), "utf8")', 'packed("package.json")'],
  ['function packageFile(path) {', 'function packageFile(path) {\n  return packed(path);'],
  ['function packageFiles(path) {', 'function packageFiles(path) {\n  return packedBelow(path);'],
];

const HEAD = `const { getAsset } = require('node:sea');
const packed = (path) => getAsset(path, 'utf8');
const packedBelow = (folder) => JSON.parse(packed('files')).filter((path) => path.startsWith(folder + '/'))
  .map((path) => ({ path: path.slice(folder.length + 1), text: packed(path) }));
(async () => {
`;

/** Writes the executable; `node` is the version of Node that it is made of. */
export async function writeExecutable(out, node = process.execPath) {
  const folder = scratch('sea');
  const config = {
    main: join(folder, 'main.cjs'),
    output: join(folder, 'blob'),
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    assets: { files: join(folder, 'files'), ...Object.fromEntries(filesRead().map((path) => [path, path])) },
  };
  writeFileSync(config.main, await script());
  writeFileSync(config.assets.files, JSON.stringify(filesRead()));
  const written = join(folder, 'config.json');
  if (isBuilder(node)) {
    writeFileSync(written, JSON.stringify({ ...config, output: out }));
    run(node, ['--build-sea', written]);
  } else {
    writeFileSync(written, JSON.stringify(config));
    run(node, ['--experimental-sea-config', written]);
    inject(node, config.output, out);
  }
  if (process.platform === 'darwin') run('codesign', ['--sign', '-', out]);
}

/** The program as one script in CommonJS. */
async function script() {
  const changed = new Set();
  const replace = ({ path }) => {
    if (!path.includes('/dist/')) return undefined;
    let contents = readFileSync(path, 'utf8');
    for (const [text, instead] of INSTEAD) {
      if (contents.includes(text)) changed.add(text);
      contents = contents.replace(text, () => instead);
    }
    return { contents };
  };
  const { outputFiles } = await build({
    entryPoints: ['dist/main.js'],
    bundle: true,
    write: false,
    // Modules may wait for something where they are loaded, which CommonJS cannot: a function around all of it can.
    format: 'esm',
    platform: 'node',
    target: 'node20.18',
    define: { 'import.meta.url': '"file:///"' },
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [{ name: 'no-files', setup: ({ onLoad }) => onLoad({ filter: /\.js$/ }, replace) }],
  });
  const text = outputFiles[0].text.replaceAll('const require=process.getBuiltinModule;', '');
  demand(changed.size === INSTEAD.length, 'what the program reads of its package is read in another way');
  demand(!/^(?:import|export)\b/m.test(text), 'a module is outside of the bundle');
  return `${HEAD}${text}})();\n`;
}

function filesRead() {
  return READ.flatMap((path) =>
    statSync(path).isFile()
      ? [path]
      : readdirSync(path, { recursive: true })
          .map((name) => join(path, name))
          .filter((name) => statSync(name).isFile())
          .sort(),
  ).map((path) => path.replaceAll('\\', '/'));
}

/** True for a version of Node that makes the executable by itself. */
function isBuilder(node) {
  const [major, minor] = run(node, ['--version']).slice(1).split('.').map(Number);
  return major > 25 || (major === 25 && minor >= 5);
}

function inject(node, blob, out) {
  copyFileSync(node, out);
  chmodSync(out, 0o755);
  if (process.platform === 'darwin') run('codesign', ['--remove-signature', out]);
  const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
  const where = process.platform === 'darwin' ? ['--macho-segment-name', 'NODE_SEA'] : [];
  tool('postject', [out, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse, ...where]);
}

/** The stage: the executable does in an empty folder, without Node on the path, what the package does. */
export async function checkExecutable() {
  const cwd = scratch('sea-run');
  const program = join(cwd, 'edgeform');
  const { EDGEFORM_EXECUTABLE: published } = process.env;
  if (published === undefined) await writeExecutable(program);
  else copyFileSync(published, program);
  const env = { ...cleanEnv(), PATH: '/nowhere' };
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  await firstRun((args) => [program, ...args], { cwd, env, version });
  mkdirSync(join(cwd, 'copied'));
  run(program, ['init', 'copied', '--stack', 'shop', '--ci', 'github', '--copy-actions'], { cwd, env });
  const copied = join(cwd, 'copied/.github/actions/edgeform');
  for (const path of ['plan/action.yml', 'lib/edgeform.mjs'])
    demand(
      readFileSync(join(copied, path), 'utf8') === readFileSync(join('.github/actions', path), 'utf8'),
      `init copies another ${path}`,
    );
  const size = (statSync(program).size / 1e6).toFixed(0);
  return `${size} MB, made of Node ${process.versions.node}; ${startOf(program, cwd)}`;
}

if (process.argv[1]?.endsWith('sea.mjs')) {
  const out = process.argv[2] ?? 'dist/edgeform';
  await writeExecutable(out);
  console.log(`${out}, until the next build; move it to where it is to stay`);
}
