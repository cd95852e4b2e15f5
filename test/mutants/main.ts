// Small mistakes in what a change touches, each tried with the tests that should notice: `npm run test:mutants -- [FILES] [options]`.
// FILES are files of src (`plan/match/disposition.ts`); without any, those that differ from the branch `main`.
//   --tests A,B      these files of tests, in place of those that know the file
//   --most N         so many files of tests a file at most (default 8)
//   --only TEXT      mistakes whose name holds the text (`condition`, `without`)
//   --lines A-B      mistakes in these lines
//   --every N        every Nth mistake
//   --list           says what would be tried, and tries nothing

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { copyProject, type Copy } from '../faults/targeted.ts';
import { applied, changesIn, type Change } from './changes.ts';
import { testsOf } from './tests-of.ts';

const ROOT = resolve('.');
const WORKERS = 2;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tests: { type: 'string' },
    most: { type: 'string', default: '8' },
    only: { type: 'string', default: '' },
    lines: { type: 'string', default: '1-1000000' },
    every: { type: 'string', default: '1' },
    list: { type: 'boolean', default: false },
  },
});

/** Files of the program that the working tree has otherwise than `main`. */
function changedFiles(): string[] {
  const base = execFileSync('git', ['merge-base', 'main', 'HEAD'], { encoding: 'utf8' }).trim();
  const names = execFileSync('git', ['diff', '--name-only', '--diff-filter=AM', base, '--', 'src'], {
    encoding: 'utf8',
  });
  return names.split('\n').filter((name) => name.endsWith('.ts'));
}

function chosen(source: string, file: string): Change[] {
  const [first = 1, last = Infinity] = options.lines.split('-').map(Number);
  return changesIn(source, file)
    .filter(({ line, name }) => line >= first && line <= last && name.includes(options.only))
    .filter((_, index) => index % Number(options.every) === 0);
}

/** Tries the changes of a file, and says which nobody notices. */
async function tryFile(copies: readonly Copy[], file: string, tests: readonly string[]): Promise<Change[]> {
  const source = readFileSync(join(ROOT, 'src', file), 'utf8');
  const left = chosen(source, file);
  const [count, unnoticed] = [left.length, [] as Change[]];
  console.log(`${file}: ${count} mistakes, ${tests.length} files of tests: ${tests.join(' ')}`);
  if (options.list) {
    for (const { line, name } of left) console.log(`  ${line}  ${name}`);
    return [];
  }
  const failing = await copies[0]!.failing(tests);
  if (failing !== undefined) throw new Error(`without any mistake, this fails: ${failing}`);
  const worker = async (copy: Copy) => {
    for (let change = left.shift(); change !== undefined; change = left.shift())
      if ((await copy.failing(tests, { file, source: applied(source, change) })) === undefined) unnoticed.push(change);
  };
  await Promise.all(copies.map(worker));
  for (const { line, name } of unnoticed.sort((a, b) => a.line - b.line))
    console.log(`  NOT NOTICED ${file}:${line}  ${name}`);
  console.log(`  ${count - unnoticed.length} of ${count} noticed`);
  return unnoticed;
}

const files = (positionals.length > 0 ? positionals : changedFiles()).map((name) =>
  name.replace(/^(?:\.\/)?src\//, ''),
);
const folder = mkdtempSync(join(tmpdir(), 'edgeform-mutants-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const copies = options.list
  ? []
  : Array.from({ length: WORKERS }, (_, at) => copyProject(ROOT, join(folder, String(at))));
const nearTests = testsOf(ROOT);
let unnoticed = 0;
for (const file of files) {
  const tests = options.tests?.split(',') ?? nearTests(file, Number(options.most));
  unnoticed += (await tryFile(copies, file, tests)).length;
}
console.log(files.length === 0 ? 'no file of src has changed' : `not noticed: ${unnoticed}`);
process.exitCode = unnoticed === 0 ? 0 : 1;
