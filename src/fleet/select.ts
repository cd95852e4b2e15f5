// Which stacks of a fleet a run takes: those that --only, --except and --wave let through, and those of its shard. Pure; knows names,
// waves, links and variables of schedulers.

import type { Diagnostic, Result } from '../core/diagnostic.ts';
import { sha256 } from '../core/digest.ts';
import { groupEntries } from '../core/group.ts';
import { alternatives, didYouMean } from '../core/text/closest.ts';
import { isLike } from '../core/text/glob.ts';
import { waveOf } from '../core/waves.ts';
import type { Link } from './order.ts';

/** Which entries of a fleet file a run takes. */
export interface Selection {
  /** Patterns of --only; none for all names. */
  readonly only: readonly string[];
  /** Patterns of --except. */
  readonly except: readonly string[];
  readonly wave: number | undefined;
}

interface NamedEntry {
  readonly name: string;
  readonly wave?: number | undefined;
}

/** The names that --only, --except and --wave all let through. A pattern or a wave that no entry has is an error. */
export function namesSelected(
  entries: readonly NamedEntry[],
  { only, except, wave }: Selection,
): Result<ReadonlySet<string>> {
  const names = entries.map(({ name }) => name);
  const diagnostics = [
    ...unmatched('--only', only, names),
    ...unmatched('--except', except, names),
    ...noSuchWave(wave, entries),
  ];
  if (diagnostics.length > 0) return { diagnostics };
  const isAmong = (name: string, patterns: readonly string[]) => patterns.some((one) => isLike(name, one));
  const isNamed = (name: string) => (only.length === 0 || isAmong(name, only)) && !isAmong(name, except);
  const chosen = entries.filter((entry) => isNamed(entry.name) && (wave === undefined || waveOf(entry) === wave));
  return { value: new Set(chosen.map(({ name }) => name)), diagnostics };
}

function unmatched(option: string, patterns: readonly string[], names: readonly string[]): Diagnostic[] {
  return patterns
    .filter((pattern) => !names.some((name) => isLike(name, pattern)))
    .map((pattern) => ({
      code: 'invalid-setting',
      severity: 'error',
      message: `${option} ${JSON.stringify(pattern)} matches no entry of the fleet`,
      fix: didYouMean(pattern, names) ?? '`fleet list` shows the entries',
    }));
}

function noSuchWave(wave: number | undefined, entries: readonly NamedEntry[]): Diagnostic[] {
  const waves = [...new Set(entries.map(waveOf))].sort((a, b) => a - b);
  if (wave === undefined || waves.includes(wave)) return [];
  const fix = `use ${alternatives(waves.map(String))}`;
  return [{ code: 'invalid-setting', severity: 'error', message: `no entry of the fleet has wave ${wave}`, fix }];
}

/** One part of a fleet: `index` counts from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The shard in `I/N`; `auto` takes it from the variables of GitLab, or of an indexed job of Kubernetes, which counts from 0. */
export function readShard(text: string, env: Env): Result<Shard> {
  const { CI_NODE_INDEX: node, CI_NODE_TOTAL: nodes, JOB_COMPLETION_INDEX: job = '', EDGEFORM_SHARDS: jobs } = env;
  const ofJob = `${/^\d{1,6}$/.test(job) ? Number(job) + 1 : ''}/${jobs}`;
  const found = node === undefined && nodes === undefined ? ofJob : `${node}/${nodes}`;
  const [, index = 0, of = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text === 'auto' ? found : text) ?? []).map(Number);
  if (index >= 1 && index <= of) return { value: { index, of }, diagnostics: [] };
  const variables = 'CI_NODE_INDEX and CI_NODE_TOTAL, or JOB_COMPLETION_INDEX and EDGEFORM_SHARDS';
  const wrong: Diagnostic = {
    code: 'invalid-setting',
    severity: 'error',
    message: `--shard ${JSON.stringify(text)} is not of the form INDEX/COUNT`,
    expected: 'an index from 1 to the number of shards',
    fix: text === 'auto' ? `set ${variables}, or give --shard I/N` : 'for example --shard 1/4',
  };
  return { diagnostics: [wrong] };
}

/** The shard of each name, from 1 to `of`. Linked stacks are in the shard of the first of their names in the alphabet. */
export function shardNumber(names: readonly string[], links: readonly Link[], of: number): (name: string) => number {
  const firstOf = connected(names, links);
  // The same for the same name, and evenly spread.
  const hash = (name: string) => parseInt(sha256(name).slice('sha256:'.length).slice(0, 12), 16);
  return (name) => (hash(firstOf(name)) % of) + 1;
}

/** For each name, the first one in the alphabet that it is linked to, at any distance. */
function connected(names: readonly string[], links: readonly Link[]): (name: string) => string {
  const next = groupEntries(
    links.flatMap(({ from, to }): [string, string][] => [
      [from, to],
      [to, from],
    ]),
  );
  const firstOf = new Map<string, string>();
  for (const first of [...names].sort()) {
    const queue = firstOf.has(first) ? [] : [first];
    for (const name of queue) {
      if (firstOf.has(name)) continue;
      firstOf.set(name, first);
      queue.push(...(next.get(name) ?? []));
    }
  }
  return (name) => firstOf.get(name) ?? name;
}
