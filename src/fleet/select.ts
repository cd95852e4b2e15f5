// Which stacks of a fleet a run takes: those that the patterns of --only name, and those of its shard. Pure; knows names, links and
// variables of schedulers.

import type { Diagnostic, Result } from '../core/diagnostic.ts';
import { sha256 } from '../core/digest.ts';
import { groupEntries } from '../core/group.ts';
import { didYouMean } from '../core/text/closest.ts';
import { isLike } from '../core/text/glob.ts';
import type { Link } from './order.ts';

/** The names that match any of the patterns, in their order; all of them if there is no pattern. */
export function namesLike(names: readonly string[], patterns: readonly string[]): Result<readonly string[]> {
  const diagnostics = patterns
    .filter((pattern) => !names.some((name) => isLike(name, pattern)))
    .map((pattern): Diagnostic => ({
      code: 'invalid-setting',
      severity: 'error',
      message: `--only ${JSON.stringify(pattern)} matches no entry of the fleet`,
      fix: didYouMean(pattern, names) ?? '`edgeform fleet list` shows the entries',
    }));
  if (diagnostics.length > 0) return { diagnostics };
  const value = patterns.length === 0 ? names : names.filter((name) => patterns.some((one) => isLike(name, one)));
  return { value, diagnostics };
}

/** One part of a fleet: `index` counts from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The shard in `I/N`; `auto` takes it from the variables of GitLab, or of an indexed job of Kubernetes. */
export function readShard(text: string, env: Env): Result<Shard> {
  if (text !== 'auto') {
    const [, index, of] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
    return shardIn(index, of, 1, `--shard ${JSON.stringify(text)}`);
  }
  if (env['CI_NODE_INDEX'] !== undefined || env['CI_NODE_TOTAL'] !== undefined)
    return shardIn(env['CI_NODE_INDEX'], env['CI_NODE_TOTAL'], 1, 'CI_NODE_INDEX and CI_NODE_TOTAL');
  const names = 'JOB_COMPLETION_INDEX and EDGEFORM_SHARDS';
  return shardIn(env['JOB_COMPLETION_INDEX'], env['EDGEFORM_SHARDS'], 0, names);
}

function shardIn(index: string | undefined, of: string | undefined, start: 0 | 1, where: string): Result<Shard> {
  const [at, count] = [index, of].map((text) => (/^\d{1,6}$/.test(text ?? '') ? Number(text) : NaN));
  if (at !== undefined && count !== undefined && at >= start && at < count + start)
    return { value: { index: at - start + 1, of: count }, diagnostics: [] };
  const isSet = index !== undefined || of !== undefined || where.startsWith('--');
  const range = start === 1 ? 'from 1 to the number of shards' : 'from 0 to less than the number of shards';
  return {
    diagnostics: [
      {
        code: 'invalid-setting',
        severity: 'error',
        message: isSet ? `${where} name no shard` : `--shard auto needs CI_NODE_INDEX and CI_NODE_TOTAL, or ${where}`,
        expected: `an index ${range}`,
        fix: start === 1 ? 'for example --shard 1/4' : 'set both, or give --shard I/N',
      },
    ],
  };
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
