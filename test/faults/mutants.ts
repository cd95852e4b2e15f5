// Seeded mistakes: one small change of the program's syntax tree each (ADR 0023), which the fault suite must notice.

import { spawn } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyTally, tryScenario } from './enumerate.ts';
import { doorMutants } from './mutants-doors.ts';
import { MUTANTS } from './all-mutants.ts';
import { tableMutants } from './mutants-tables.ts';
import type { Edit } from './mutation.ts';
import { compile, mutate, sourceOf } from './mutation.ts';
import { SCENARIOS } from './scenarios.ts';
import type { Changed, Copy } from './targeted.ts';
import { copyProject } from './targeted.ts';
import { expectations, prepare } from './world.ts';

export type Mutant = Edit & { readonly name: string } & (Worlds | Tests);

/** Simulated worlds have to notice it. */
export interface Worlds {
  /** Part of the names of the scenarios that are tried first. */
  readonly only: string;
  /** The beginning of the name of faults that are all tried on those, where few of all faults would tell. */
  readonly fault?: string;
  /** The beginning of the names of worlds of families that are tried before; none of those is violated anyway. */
  readonly world?: string;
}

/** Tests have to notice it. */
export interface Tests {
  readonly tests: readonly string[];
}

/** All mistakes, also those that are made from the sources. */
export function allMutants(root: string): readonly Mutant[] {
  return [...MUTANTS, ...tableMutants(root), ...doorMutants(root)];
}

export interface Caught {
  readonly name: string;
  /** The oracle that noticed, or undefined. */
  readonly by: string | undefined;
}

/** How long one mutant may take before it counts as not caught. */
const LIMIT_MS = 300_000;
const WORKERS = 2;

/** Where the compiled program is, and the sources that it was compiled from. */
export interface Folders {
  readonly out: string;
  readonly root: string;
}

/** Tries every mutant, or those whose name holds one of the texts, on copies of the compiled folder. */
export async function tryMutants({ out, root }: Folders, only: string): Promise<Caught[]> {
  const words = only.split(',');
  const list = allMutants(root).filter(({ name }) => words.some((word) => name.includes(word)));
  // All that is made of the sources is made now: they may change while this runs.
  const changes = list.map((mutant) => ({ mutant, changed: changeOf(root, mutant) }));
  const copies = Array.from({ length: WORKERS }, (_, index) => copyProject(root, `${out}-project-${index}`));
  await mustPass(copies[0]!, list);
  if (list.some(isOfWorlds)) await writeExpectations(join(out, EXPECTED));
  const caught: Caught[] = [];
  const worker = async (project: Copy) => {
    for (let next = changes.shift(); next !== undefined; next = changes.shift()) {
      const { mutant, changed } = next;
      const by = isOfWorlds(mutant)
        ? await tryWorlds(out, { mutant, changed, copy: `${out}-${changes.length}` })
        : await project.failing(mutant.tests, changed);
      console.log(`${by === undefined ? 'NOT CAUGHT' : 'caught'}: ${mutant.name}${by === undefined ? '' : ` (${by})`}`);
      caught.push({ name: mutant.name, by });
    }
  };
  await Promise.all(copies.map(worker));
  for (const copy of copies) copy.remove();
  return caught;
}

function isOfWorlds(mutant: Mutant): mutant is Mutant & Worlds {
  return 'only' in mutant;
}

/** Tests that fail anyway say nothing about a mistake. */
async function mustPass(copy: Copy, list: readonly Mutant[]): Promise<void> {
  const tests = new Set(list.flatMap((mutant) => (isOfWorlds(mutant) ? [] : mutant.tests)));
  const failing = tests.size === 0 ? undefined : await copy.failing([...tests]);
  if (failing !== undefined) throw new Error(`without any seeded mistake, this fails: ${failing}`);
}

const EXPECTED = 'expected.json';
/** Share of the single faults that a mutant must survive to count as not caught. */
export const MUTANT_SHARE = 0.15;

/** What runs without faults come to, by scenario. */
type FinalStates = Record<string, [string, string[]][]>;

/** What the program without a seeded mistake makes of every scenario. */
async function writeExpectations(file: string): Promise<void> {
  const finalStates: FinalStates = {};
  for (const scenario of SCENARIOS) {
    const setup = await prepare(scenario).catch(() => undefined);
    if (setup !== undefined)
      finalStates[scenario.name] = [...setup.finalState].map(([name, texts]) => [name, [...texts]]);
  }
  writeFileSync(file, JSON.stringify(finalStates));
}

/** Remembers what every scenario must come to. */
export function readExpectations(file: string): void {
  const finalStates = JSON.parse(readFileSync(file, 'utf8')) as FinalStates;
  for (const [name, finalState] of Object.entries(finalStates)) expectations.set(name, new Map(finalState));
}

/** A violated world, and among which others it was tried. */
export interface Noticed {
  readonly by: string;
  readonly scenario: string;
  readonly condition: string;
  readonly share: number | string;
  /** Undefined when the scenario does not even go well without faults. */
  readonly world: string | undefined;
}

const anyway = new Map<string, Promise<ReadonlySet<string>>>();

/** What is violated without any seeded mistake says nothing. */
async function isAnyway({ scenario, condition, share, world }: Noticed): Promise<boolean> {
  if (world === undefined) return false;
  const key = JSON.stringify([scenario, condition, share]);
  const known = anyway.get(key) ?? violatedIn(scenario, condition, share);
  anyway.set(key, known);
  return (await known).has(world);
}

async function violatedIn(name: string, condition: string, share: number | string): Promise<ReadonlySet<string>> {
  const tally = emptyTally();
  const scenario = SCENARIOS.find((one) => one.name === name);
  if (scenario !== undefined) await tryScenario(scenario, condition, share, tally);
  return new Set(tally.failures.map((failure) => failure.name));
}

/** A changed file, and the module that was compiled from it. */
interface Compiled extends Changed {
  readonly module: string;
}

/** The mutant's file with its change; throws when the change has no place. */
export function changeOf(root: string, mutant: Mutant): Compiled {
  const { file } = mutant;
  const source = mutate(sourceOf(root, mutant), mutant);
  return { file, source, module: compile(source, file) };
}

interface Trial {
  readonly mutant: Mutant & Worlds;
  readonly changed: Compiled;
  /** Where the program is put together. */
  readonly copy: string;
}

async function tryWorlds(out: string, { mutant, changed, copy }: Trial): Promise<string | undefined> {
  cpSync(out, copy, { recursive: true });
  writeFileSync(join(copy, 'src', mutant.file.replace(/ts$/, 'js')), changed.module);
  const args = [join(copy, 'test/faults/main.js'), '--until-violation', '--expect', join(out, EXPECTED)];
  args.push('--first', mutant.only);
  if (mutant.fault !== undefined) args.push('--fault', mutant.fault);
  if (mutant.world !== undefined) args.push('--world', mutant.world);
  const noticed = await new Promise<string | undefined>((resolve) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    child.once('close', () => {
      clearTimeout(limit);
      resolve(/^violated: (.*)$/m.exec(text)?.[1]);
    });
  });
  rmSync(copy, { recursive: true, force: true });
  if (noticed === undefined) return undefined;
  const found = JSON.parse(noticed) as Noticed;
  return (await isAnyway(found)) ? undefined : found.by;
}
