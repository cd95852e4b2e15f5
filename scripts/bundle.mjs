// Puts the program and the library entry, with the packages they use, into a few files of dist: reading hundreds of modules took
// most of the time of a short command. Names stay readable, and maps lead back to the sources.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, transform } from 'esbuild';
import { EMBEDDED } from './embedded.mjs';
import { packageOf } from './package-of.mjs';

/** Folders of undici's library. */
const UNUSED = ['cache', 'interceptor', 'mock', 'web'];

rmSync('dist/chunks', { recursive: true, force: true });
// The form of yaml that is in modules: without a wrapper around each, and without what nobody asks for.
const alias = { yaml: resolve('node_modules/yaml/browser/dist/index.js') };
const common = { bundle: true, format: 'esm', platform: 'node', target: 'node20.18', alias };
/** Modules of the platform that take long to load, and that many commands never call. */
const SELDOM = ['node:child_process', 'node:crypto', 'node:http', 'node:net', 'node:os', 'node:timers/promises'];
/** Packages in CommonJS ask for modules of the platform only: all others are in the bundle. */
const require = 'const require = process.getBuiltinModule;';
const { metafile } = await build({
  ...common,
  entryPoints: ['src/main.ts', 'src/index.ts'],
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  banner: { js: require },
  legalComments: 'none',
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
  plugins: [
    { name: 'known-now', setup: knownNow },
    { name: 'platform', setup: platform },
  ],
});
// What programs import to write a manifest: in a file of its own, which is none of the program's chunks.
await build({
  ...common,
  entryPoints: ['src/manifest.ts'],
  outdir: 'dist',
  banner: { js: require },
  legalComments: 'none',
  minify: true,
  logLevel: 'warning',
  plugins: [{ name: 'platform', setup: platform }],
});
writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licenses());
writeAnswers();

/**
 * What a run would work out from all of the sources, and what follows from them alone: the words, flags and help of each
 * command, which is loaded when it runs.
 */
function knownNow({ onLoad }) {
  const put = (filter, write) =>
    onLoad({ filter }, async ({ path }) => ({ contents: await write(path), resolveDir: dirname(path) }));
  put(/src\/commands\/index\.ts$/, async (path) => {
    const files = commandFiles();
    const found = await evaluate(
      files.map((name, index) => `export { commands as c${index} } from './${name}';`).join(''),
      path,
    );
    const specs = files.flatMap((name, file) =>
      found[`c${file}`].map((spec, index) => {
        const run = `async run(call) { return (await import('./${name}')).commands[${index}].run(call); }`;
        return `{ ...${JSON.stringify(spec)}, ${run} }`;
      }),
    );
    return `export const commands = [\n${specs.join(',\n')}];`;
  });
  // A command is loaded by what performs it: what all of them need is in few files then, and not in one for each set of commands.
  onLoad({ filter: /src\/commands\/(?:[^/]+\/)?[^/]+\.ts$/ }, ({ path }) => {
    const contents = readFileSync(path, 'utf8');
    const isCommand = commandFiles().some((name) => path === resolve('src/commands', name));
    return {
      contents: isCommand ? `${contents}\nimport '${resolve('src/commands/shell/perform.ts')}';` : contents,
      loader: 'ts',
    };
  });
  // Nobody reads what the compiler of schemas writes, and it is most of the text of some commands.
  put(/src\/schema\/compiled-[a-z]+\.mjs$/, async (path) => {
    const { code } = await transform(readFileSync(path, 'utf8'), { minify: true });
    return code;
  });
  // A program of ours has no commands in files of their own, which commander would start.
  put(/commander\/lib\/command\.js$/, (path) => {
    const text = readFileSync(path, 'utf8').replace("const childProcess = require('node:child_process');", '');
    if (text.includes('node:child_process')) throw new Error('commander loads child processes in another way');
    return text;
  });
  // What undici has beside its connections is not for us, and is half of it.
  put(/undici\/index\.js$/, (path) =>
    readFileSync(path, 'utf8')
      .replace(/require\('\.\/lib\/(\w+)\/[^']*'\)/g, (call, part) => (UNUSED.includes(part) ? '({})' : call))
      .replace('new CacheStorage(kConstruct)', 'undefined'),
  );
}

/** Paths of the files with commands, as their generated list imports them. */
function commandFiles() {
  const list = readFileSync('src/commands/index.ts', 'utf8');
  const imports = list.split('\n').filter((line) => line.startsWith('import { commands as '));
  return imports.map((line) => line.split("'./")[1].replace("';", ''));
}

/**
 * Modules of the platform, with the names only that the sources use: an import makes every lazy part of such a module, above all
 * of crypto and fs, and other modules with it.
 */
function platform({ onResolve, onLoad }) {
  onResolve({ filter: /^node:/ }, ({ path, kind }) =>
    kind === 'import-statement' ? { path, namespace: 'platform' } : undefined,
  );
  onLoad({ filter: /./, namespace: 'platform' }, ({ path }) => {
    const module = process.getBuiltinModule(path);
    const names = [...usedNames(path)];
    const isLazy = SELDOM.includes(path) && names.every((name) => typeof module[name] === 'function');
    const call = (name) => `${/^[A-Z]/.test(name) ? 'new ' : ''}(from().${name})(...given)`;
    const write = isLazy
      ? (name) => `export function ${name}(...given) { return ${call(name)}; }`
      : (name) => `export const ${name} = from().${name};`;
    const from = `let found;\nconst from = () => (found ??= process.getBuiltinModule('${path}'));`;
    return { contents: [from, ...names.map(write)].join('\n') };
  });
}

/** Names that the sources import from a module of the platform. */
function usedNames(path) {
  const statement = new RegExp(`import \\{([^}]*)\\} from '${path}'`, 'g');
  const files = readdirSync('src', { recursive: true }).filter((name) => name.endsWith('.ts'));
  const lists = files.flatMap((name) => [...readFileSync(join('src', name), 'utf8').matchAll(statement)]);
  const names = lists.flatMap(([, list]) => list.split(',').map((one) => one.trim()));
  return new Set(names.flatMap((one) => (one.startsWith('type ') ? [] : one.split(' as ')[0] || [])));
}

/** What the program prints for everybody: each in a file with its command line as name. A shell asks for its completion whenever it starts. */
function writeAnswers() {
  rmSync('dist/answers', { recursive: true, force: true });
  const lines = ['--version', '--help', 'completion bash', 'completion fish', 'completion zsh'];
  const texts = lines.map((line) => execFileSync(process.execPath, ['dist/cli.js', ...line.split(' ')], { env: {} }));
  mkdirSync('dist/answers');
  lines.forEach((line, index) => writeFileSync(`dist/answers/${line}`, texts[index]));
}

/** The exports of a module of the sources with this text. */
async function evaluate(contents, path) {
  const stdin = { contents, resolveDir: dirname(path), loader: 'ts' };
  const outfile = `dist/${contents.length}.mjs`;
  await build({ ...common, stdin, outfile, banner: { js: require } });
  try {
    return await import(pathToFileURL(resolve(outfile)).href);
  } finally {
    rmSync(outfile);
  }
}

/** The licence of each package of which something is in the bundle. */
function licenses() {
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
  const packages = new Set(inputs.flatMap((path) => packageOf(path)?.folder ?? []));
  return [...packages]
    .sort()
    .map((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
      if (file === undefined) throw new Error(`${name} has no licence file`);
      const own = readFileSync(join(folder, file), 'utf8').trim();
      return `${name} ${version}\n\n${[own, ...embeddedLicenses(name, folder)].join('\n\n')}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** Of what the package brings compiled. */
function embeddedLicenses(name, folder) {
  return (EMBEDDED[name] ?? []).map((library) => {
    const place = join(folder, library.folder);
    if (!existsSync(place)) throw new Error(`${name} has no ${library.folder}: is ${library.name} still in it?`);
    return `It contains ${library.name}, in ${library.folder}:\n\n${library.text}`;
  });
}
