// The results as one table, for the terminal and for the page on reliability.

import { readFileSync, writeFileSync } from 'node:fs';
import type { Failure, Tally } from './enumerate.ts';
import type { Caught } from './mutants.ts';
import type { Oracle } from './oracles.ts';
import type { Killed } from './killed-processes.ts';

export interface Results {
  /** The share of the single faults that was tried. */
  readonly share: number | undefined;
  readonly tally: Tally | undefined;
  readonly killed: Killed | undefined;
  readonly caught: readonly Caught[] | undefined;
}

const BEGIN = '<!-- results: begin -->';
const END = '<!-- results: end -->';

/** What was counted, row by row. Parts that did not run have no rows. */
export function rowsOf({ share, tally, killed, caught }: Results): [string, string][] {
  const rows: [string, string][] = share === undefined ? [] : [['share of the single faults', String(share)]];
  if (tally !== undefined) {
    const count = (...oracles: Oracle[]) =>
      String(oracles.reduce((sum, oracle) => sum + (tally.violations.get(oracle) ?? 0), 0));
    rows.push(
      ['scenarios', String(tally.scenarios)],
      ['worlds', String(tally.worlds)],
      ['runs of the program in these worlds', String(tally.runs)],
      ['points at which a fault can be injected', String(tally.points)],
      ['faults injected', String(tally.faults)],
      ['of them crashes', String(tally.crashes)],
      ['worlds with a duplicate', count('duplicate')],
      ['worlds with an orphan or a missing object', count('orphan', 'missing', 'different')],
      ['worlds with a write to a foreign object', count('foreign')],
      ['worlds with a dangling reference or a value held twice', count('dangling', 'unique')],
      ['worlds with an extra creation', count('posts')],
      ['worlds with a secret in an output', count('probe')],
      ['worlds with a false report', count('honesty')],
      ['worlds in which drift blames others', count('drift')],
      ['worlds with a write after a refusal', count('refused')],
      ['worlds with a write of a later wave that was too early', count('wave')],
      ['worlds that did not end in time', count('deadline', 'crash')],
      ['runs until nothing was left to do, at most', String(tally.mostReruns)],
      ['worlds with any violation', String(tally.failures.length)],
    );
  }
  if (killed !== undefined) {
    rows.push(
      ['processes killed', String(killed.kills)],
      ['worlds of processes', String(killed.worlds)],
      ['runs until nothing was left to do, at most, after a kill', String(killed.mostReruns)],
      ['worlds of processes with any violation', String(killed.failures.length)],
    );
  }
  if (caught !== undefined)
    rows.push(['seeded mistakes caught', `${caught.filter((one) => one.by !== undefined).length} of ${caught.length}`]);
  return rows;
}

/** The table as people read it in a terminal. */
export function textOf(rows: readonly [string, string][]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value.padStart(10)}`).join('\n');
}

/** Writes the table into a page, between its two comments. */
export function writeInto(page: string, rows: readonly [string, string][]): void {
  const text = readFileSync(page, 'utf8');
  const [start, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`${page} has no place for the results`);
  const width = Math.max(...rows.map(([name]) => name.length), 'what'.length);
  const wide = Math.max(...rows.map(([, value]) => value.length), 'number'.length);
  const line = (name: string, value: string) => `| ${name.padEnd(width)} | ${value.padStart(wide)} |`;
  const rule = `| ${'-'.repeat(width)} | ${'-'.repeat(wide - 1)}: |`;
  const table = [line('what', 'number'), rule, ...rows.map(([name, value]) => line(name, value))].join('\n');
  writeFileSync(page, `${text.slice(0, start)}${BEGIN}\n\n${table}\n\n${text.slice(end)}`);
}

/** Failures that look alike, with how often and one of them. */
export function groupsOf(failures: readonly Failure[]): string[] {
  const groups = new Map<string, Failure[]>();
  for (const failure of failures) {
    const fault = failure.name.replace(/ at \d+/g, '').replace(/\((\w+) \/([a-z_/]+)[^)]*\)/g, '($1 $2)');
    const oracles = [...new Set(failure.outcome.violations.map((one) => one.oracle))].sort().join(', ');
    const key = `${failure.condition} | ${fault} | ${oracles}`;
    groups.set(key, [...(groups.get(key) ?? []), failure]);
  }
  return [...groups]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(
      ([key, list]) =>
        `${String(list.length).padStart(6)}  ${key}  (${list[0]?.scenario ?? ''}: ${list[0]?.name ?? ''})`,
    );
}

/** A failure in full: what was violated, how the runs ended, and on demand every request. */
export function describeFailure({ scenario, condition, name, outcome, faultPlan }: Failure, withLog: boolean): string {
  const lines = [
    `# ${scenario} on ${condition}: ${name}, gap ${faultPlan.gapMs} ms`,
    ...outcome.violations.map(({ oracle, text }) => `  ${oracle}: ${text.slice(0, 400)}`),
    `  exits ${outcome.runs.map((ran) => ran.exit ?? 'crash').join(' ')}`,
  ];
  if (!withLog) return lines.join('\n');
  const requests = outcome.log.map(
    (one) =>
      `    ${one.run} ${String(Math.round(one.at)).padStart(7)} ${one.method} ${one.path} ${one.status}${one.isLate ? ' late' : ''} ${one.address ?? ''}`,
  );
  return [
    ...lines,
    ...requests,
    ...outcome.runs.map((ran) => `--- run ${ran.number}\n${ran.stdout}\n${ran.stderr}`),
  ].join('\n');
}
