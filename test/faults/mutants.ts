// Seeded mistakes: one small change of the program's syntax tree each (ADR 0023), which the fault suite must notice.

import { spawn } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Failure } from './enumerate.ts';
import { emptyTally, GROUNDS, tryScenario } from './enumerate.ts';
import { MUTANTS } from './gallery.ts';
import type { Edit } from './mutation.ts';
import { compile, mutate, sourceOf } from './mutation.ts';
import { SCENARIOS } from './scenarios.ts';
import { expectations, prepare } from './world.ts';

export interface Mutant extends Edit {
  readonly name: string;
  /** Part of the names of the scenarios that are tried first. */
  readonly only: string;
  /** The beginning of the name of faults that are all tried on those, where few of all faults would tell. */
  readonly fault?: string;
}

export interface Caught {
  readonly name: string;
  /** The oracle that noticed, or undefined. */
  readonly by: string | undefined;
}

/** How long one mutant may take before it counts as not caught. */
const LIMIT_MS = 90_000;
const LANES = 2;

/** Where the compiled program is, and the sources that it was compiled from. */
export interface Folders {
  readonly out: string;
  readonly root: string;
}

/** Tries every mutant, or those whose name holds one of the texts, on copies of the compiled folder. */
export async function tryMutants({ out, root }: Folders, only: string): Promise<Caught[]> {
  const words = only.split(',');
  const list = MUTANTS.filter(({ name }) => words.some((word) => name.includes(word)));
  const modules = new Map(list.map((mutant) => [mutant, moduleOf(root, mutant)]));
  await writeExpectations(join(out, EXPECTED));
  const caught: Caught[] = [];
  const rest = [...list.entries()];
  const lane = async () => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
      const [index, mutant] = next;
      const copy = `${out}-${index}`;
      cpSync(out, copy, { recursive: true });
      writeFileSync(join(copy, 'src', mutant.file.replace(/ts$/, 'js')), modules.get(mutant) ?? '');
      const by = await tryMutant(out, copy, mutant);
      rmSync(copy, { recursive: true, force: true });
      console.log(`${by === undefined ? 'NOT CAUGHT' : 'caught'}: ${mutant.name}${by === undefined ? '' : ` (${by})`}`);
      caught.push({ name: mutant.name, by });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return caught;
}

const EXPECTED = 'expected.json';
/** Share of the single faults that a mutant must survive to count as not caught. */
export const MUTANT_SHARE = 0.15;

interface Expected {
  /** What runs without faults come to, by scenario. */
  readonly pictures: Record<string, [string, string[]][]>;
  /** Worlds that are violated without any seeded mistake. */
  readonly violated: string[];
}

/** What the program without a seeded mistake makes of every scenario. */
async function writeExpectations(file: string): Promise<void> {
  const expected: Expected = { pictures: {}, violated: [] };
  for (const scenario of SCENARIOS) {
    const stage = await prepare(scenario).catch(() => undefined);
    if (stage === undefined) continue;
    expected.pictures[scenario.name] = [...stage.picture].map(([name, texts]) => [name, [...texts]]);
    const tally = emptyTally();
    for (const ground of Object.keys(GROUNDS)) await tryScenario(scenario, ground, MUTANT_SHARE, tally);
    for (const { only, fault } of MUTANTS)
      if (fault !== undefined && scenario.name.includes(only)) await tryScenario(scenario, 'plain', fault, tally);
    expected.violated.push(...tally.failures.map(keyOf));
  }
  writeFileSync(file, JSON.stringify(expected));
}

function keyOf({ scenario, ground, name }: Failure): string {
  return `${scenario}, ${ground}, ${name}`;
}

/** Remembers the pictures; gives the worlds that count as violated only because of a seeded mistake. */
export function readExpectations(file: string): (failures: readonly Failure[]) => Failure | undefined {
  const { pictures, violated } = JSON.parse(readFileSync(file, 'utf8')) as Expected;
  for (const [name, picture] of Object.entries(pictures)) expectations.set(name, new Map(picture));
  const known = new Set(violated);
  return (failures) => failures.find((failure) => !known.has(keyOf(failure)));
}

/** The mutant's file with its change, compiled; throws when the change has no place. */
export function moduleOf(root: string, mutant: Mutant): string {
  return compile(mutate(sourceOf(root, mutant), mutant), mutant.file);
}

function tryMutant(out: string, copy: string, mutant: Mutant): Promise<string | undefined> {
  const args = [join(copy, 'test/faults/main.js'), '--until-violation', '--expect', join(out, EXPECTED)];
  args.push('--first', mutant.only);
  if (mutant.fault !== undefined) args.push('--fault', mutant.fault);
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    child.once('close', () => {
      clearTimeout(limit);
      resolve(/^violated: (.*)$/m.exec(text)?.[1]);
    });
  });
}
