// The triangle as text: for the terminal, and for the page on reliability.

import { readFileSync, writeFileSync } from 'node:fs';
import { commandFor, describeViolations, describeWorld } from './describe.ts';
import { play } from './play.ts';
import type { Failure, PairResult } from './triangle.ts';

const BEGIN = '<!-- pairs: begin -->';
const END = '<!-- pairs: end -->';

export interface Sums {
  readonly pairs: number;
  readonly apart: number;
  readonly tried: number;
  readonly void: number;
  readonly violated: number;
}

export function sumsOf(results: readonly PairResult[]): Sums {
  const sum = (count: (result: PairResult) => number) => results.reduce((all, one) => all + count(one), 0);
  return {
    pairs: results.filter(({ pair }) => pair.apart === undefined).length,
    apart: results.filter(({ pair }) => pair.apart !== undefined).length,
    tried: sum(({ tried }) => tried),
    void: sum((one) => one.void),
    violated: sum(({ failures }) => failures.length),
  };
}

export function textOf(results: readonly PairResult[]): string {
  const width = Math.max(...results.map((one) => titleOf(one).length));
  const rows = results.map((one) => {
    const { pair, tried, failures } = one;
    const said =
      pair.apart === undefined ? `tried ${tried}, violated ${failures.length}` : `cannot meet: ${pair.apart}`;
    return `${titleOf(one).padEnd(width)}  ${said}`;
  });
  const { pairs, apart, tried, void: empty, violated } = sumsOf(results);
  return [
    ...rows,
    `${pairs} pairs, and ${apart} that cannot meet; ${tried} worlds tried, ${violated} violated, ${empty} without a beginning`,
  ].join('\n');
}

function titleOf({ pair: { one, other } }: PairResult): string {
  return `${one.name} + ${other.name}`;
}

/** A violated world, with the command that plays it again. */
export async function describeFailure({ world, violations }: Failure, withOutput = false): Promise<string> {
  const outcome = await play(world);
  return [
    `# ${world.pair.join(' + ')}, seed ${world.seed}: ${commandFor(world)}`,
    describeViolations(violations),
    describeWorld(world, outcome, withOutput),
  ].join('\n');
}

/** Writes the numbers into a page, between its two comments. */
export function writeInto(page: string, results: readonly PairResult[]): void {
  const text = readFileSync(page, 'utf8');
  const [start, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`${page} has no place for the pairs`);
  writeFileSync(page, `${text.slice(0, start)}${BEGIN}\n\n${markdownOf(results)}\n\n${text.slice(end)}`);
}

function markdownOf(results: readonly PairResult[]): string {
  const { pairs, apart, tried, violated } = sumsOf(results);
  const names = [...new Set(results.flatMap(({ pair }) => [pair.one.name, pair.other.name]))];
  const rows = names.map((name) => {
    const own = results.filter(({ pair }) => pair.one.name === name || pair.other.name === name);
    const sums = sumsOf(own);
    return [name, String(sums.pairs), String(sums.tried), String(sums.violated)];
  });
  const reasons = results.flatMap(({ pair }) =>
    pair.apart === undefined ? [] : [`- ${pair.one.name} and ${pair.other.name}: ${pair.apart}.`],
  );
  return [
    `${names.length} mechanisms, ${pairs} pairs that can meet, ${tried} worlds, ${violated} violated.`,
    '',
    tableOf(['mechanism', 'pairs', 'worlds', 'violated'], rows),
    '',
    `${apart} pairs cannot meet:`,
    '',
    ...reasons,
  ].join('\n');
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, index) => Math.max(title.length, ...rows.map((row) => row[index]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, index) => (index === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[index]!))).join(' | ')} |`;
  const rule = widths.map((width, index) => (index === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
}
