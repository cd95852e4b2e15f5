// `npm run house`: the size and shape of the sources against the targets of docs/ARCHITECTURE.md.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript-api';

const LARGE_TABLES = ['core/codes.ts'];

/** What the sources below a root measure; `tests` says which of them a test imports. */
export function survey(root = '.') {
  const files = treeOf(join(root, 'src')).map((path) => fileOf(root, path));
  const tests = treeOf(join(root, 'test'));
  const tested = new Set(tests.flatMap((path) => importsOf(root, path)));
  const house = files.filter(({ path }) => !path.startsWith('emulator/'));
  const folders = Map.groupBy?.(files, ({ folder }) => folder) ?? groupBy(files, ({ folder }) => folder);
  return {
    files: files.length,
    lines: sum(house.map(({ lines }) => lines)),
    emulatorLines: sum(files.map(({ lines }) => lines)) - sum(house.map(({ lines }) => lines)),
    testLines: sum(tests.map((path) => readFileSync(join(root, 'test', path), 'utf8').split('\n').length - 1)),
    fileLines: files.filter(({ path }) => !LARGE_TABLES.includes(path)).map(({ lines }) => lines),
    functionLines: files.flatMap(({ functions }) => functions),
    names: sum(house.map(({ names }) => names)),
    folders: new Map([...folders].map(([name, list]) => [name, list.length])),
    commandLines: files.filter(({ path }) => isCommand(path)).map(({ lines }) => lines),
    formatUsers: Math.max(...files.filter(({ path }) => FORMAT.test(path)).map(({ path }) => usersOf(path, files))),
    cycles: cyclesIn(files),
    untested: files.filter(({ path }) => !tested.has(`src/${path}`)).map(({ path }) => path),
  };
}

/** A file that is an output format; the list of them is generated. */
const FORMAT = /^render\/formats\/(?!index\.ts$)/;

const COMMANDS_SHARE = /^commands\/(?:files|options|shell|stacks|terminal)\//;

/** Whether a file holds commands; the list of them is generated. */
function isCommand(path) {
  return path.startsWith('commands/') && !COMMANDS_SHARE.test(path) && !/\/(?:index|group)\.ts$/.test(path);
}

function usersOf(path, files) {
  return files.filter(({ imports }) => imports.includes(`src/${path}`)).length;
}

function treeOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /(?<!\.d)\.ts$/.test(path));
}

/** What a test imports, for which it need not be parsed. */
function importsOf(root, path) {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, 'test', path), 'utf8'));
  const names = importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith('.'));
  return names.map((name) => normalize(join('test', dirname(path), name)));
}

function fileOf(root, path) {
  const text = readFileSync(join(root, 'src', path), 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const functions = [];
  let names = 0;
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined) functions.push(linesOf(source, node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const statement of source.statements) names += exportedBy(statement);
  const imports = source.statements
    .filter((one) => (ts.isImportDeclaration(one) || ts.isExportDeclaration(one)) && one.moduleSpecifier)
    .map((one) => one.moduleSpecifier.text)
    .filter((name) => name.startsWith('.'))
    .map((name) => normalize(join('src', dirname(path), name)));
  return { path, folder: dirname(path), lines: text.split('\n').length - 1, functions, names, imports };
}

function linesOf(source, node) {
  const line = (at) => source.getLineAndCharacterOfPosition(at).line;
  return line(node.end) - line(node.getStart(source)) + 1;
}

function exportedBy(statement) {
  if (ts.isExportDeclaration(statement))
    return statement.exportClause && ts.isNamedExports(statement.exportClause)
      ? statement.exportClause.elements.length
      : 0;
  if (!ts.canHaveModifiers(statement)) return 0;
  const isExported = ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
  if (!isExported) return 0;
  return ts.isVariableStatement(statement) ? statement.declarationList.declarations.length : 1;
}

/** Groups of files that import each other, types included. */
function cyclesIn(files) {
  const byPath = new Map(files.map((file) => [`src/${file.path}`, file]));
  const state = new Map();
  const cycles = [];
  const visit = (path, trail) => {
    if (state.get(path) === 'done') return;
    if (state.get(path) === 'open') return void cycles.push([...trail.slice(trail.indexOf(path)), path]);
    state.set(path, 'open');
    for (const next of byPath.get(path)?.imports ?? []) if (byPath.has(next)) visit(next, [...trail, path]);
    state.set(path, 'done');
  };
  for (const path of byPath.keys()) visit(path, []);
  return cycles;
}

function groupBy(list, keyOf) {
  const groups = new Map();
  for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

const sum = (list) => list.reduce((total, one) => total + one, 0);

/** The value that a share of the list does not exceed. */
export function quantile(list, share) {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** What is measured: its value, what to aim for (ADR-0028), and the value above which the architecture test fails. */
function measures(house) {
  const untested = Math.ceil((100 * house.untested.length) / house.files);
  return [
    { what: 'lines without the emulator', is: house.lines },
    { what: 'exported names', is: house.names },
    { what: 'lines of tests', is: house.testLines },
    { what: 'file length, p90', is: quantile(house.fileLines, 0.9), aim: 190 },
    { what: 'file length, longest', is: Math.max(...house.fileLines), aim: 300, limit: 300 },
    { what: 'function length, median', is: quantile(house.functionLines, 0.5), aim: 8 },
    { what: 'function length, p90', is: quantile(house.functionLines, 0.9), aim: 25 },
    { what: 'function length, longest', is: Math.max(...house.functionLines), aim: 60, limit: 60 },
    { what: 'lines of the longest command', is: Math.max(...house.commandLines), aim: 60 },
    { what: 'files in the largest folder', is: Math.max(...house.folders.values()), aim: 20 },
    { what: 'files that know an output format', is: house.formatUsers, aim: 1, limit: 1 },
    { what: 'import cycles, types included', is: house.cycles.length, aim: 0, limit: 0 },
    { what: 'files that no test imports, %', is: untested, aim: 20 },
  ];
}

if (process.argv[1]?.endsWith('house.mjs')) {
  const house = survey();
  console.log(`${house.files} files; ${house.emulatorLines} lines of emulator`);
  console.log(['what', 'is', 'aim', 'limit'].map((name, index) => name.padEnd(index === 0 ? 34 : 8)).join(''));
  for (const { what, is, aim = '-', limit = '-' } of measures(house)) {
    console.log(what.padEnd(34) + [is, aim, limit].map((count) => String(count).padEnd(8)).join(''));
    if (limit !== '-' && is > limit) {
      console.error(`${what}: ${is} is above the limit of ${limit}`);
      process.exitCode = 1;
    }
  }
}
