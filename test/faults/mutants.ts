// Seeded mistakes: one small change of the compiled program each, which the fault suite must notice.

import { spawn } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MUTANTS } from './gallery.ts';
import { SCENARIOS } from './scenarios.ts';
import { expectations, prepare } from './world.ts';

export interface Mutant {
  readonly name: string;
  /** File below `src`, as it is compiled. */
  readonly file: string;
  /** Exact text, which must be there, and what takes its place. */
  readonly from: string;
  readonly to: string;
  /** Part of the names of the scenarios that are tried first. */
  readonly only?: string;
}

export interface Caught {
  readonly name: string;
  /** The oracle that noticed, or undefined. */
  readonly by: string | undefined;
}

/** How long one mutant may take before it counts as not caught. */
const LIMIT_MS = 90_000;
const LANES = 2;

/** Tries every mutant, or those whose name holds a text, on copies of the compiled folder. */
export async function tryMutants(out: string, only: string): Promise<Caught[]> {
  const list = MUTANTS.filter(({ name }) => name.includes(only));
  for (const mutant of list) textOf(out, mutant);
  await writeExpectations(join(out, EXPECTED));
  const caught: Caught[] = [];
  const rest = [...list.entries()];
  const lane = async () => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
      const [index, mutant] = next;
      const by = await tryMutant(out, `${out}-${index}`, mutant);
      console.log(`${by === undefined ? 'NOT CAUGHT' : 'caught'}: ${mutant.name}${by === undefined ? '' : ` (${by})`}`);
      caught.push({ name: mutant.name, by });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return caught;
}

const EXPECTED = 'expected.json';

/** What the program without a mistake makes of every scenario. */
async function writeExpectations(file: string): Promise<void> {
  const found: Record<string, unknown> = {};
  for (const scenario of SCENARIOS) {
    const stage = await prepare(scenario).catch(() => undefined);
    if (stage !== undefined) found[scenario.name] = [...stage.picture];
  }
  writeFileSync(file, JSON.stringify(found));
}

export function readExpectations(file: string): void {
  const found = JSON.parse(readFileSync(file, 'utf8')) as Record<string, [string, string[]][]>;
  for (const [name, picture] of Object.entries(found)) expectations.set(name, new Map(picture));
}

/** The mutant's file with its change; throws when the text is not there exactly once. */
function textOf(out: string, { name, file, from, to }: Mutant): string {
  const text = readFileSync(join(out, 'src', file), 'utf8');
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`${name}: ${file} holds ${parts.length - 1} times: ${from}`);
  return parts.join(to);
}

function tryMutant(out: string, copy: string, mutant: Mutant): Promise<string | undefined> {
  cpSync(out, copy, { recursive: true });
  writeFileSync(join(copy, 'src', mutant.file), textOf(out, mutant));
  const args = [join(copy, 'test/faults/main.js'), '--until-violation', '--expect', join(out, EXPECTED)];
  if (mutant.only !== undefined) args.push('--first', mutant.only);
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    child.once('close', () => {
      clearTimeout(limit);
      rmSync(copy, { recursive: true, force: true });
      resolve(/^violated: (.*)$/m.exec(text)?.[1]);
    });
  });
}
