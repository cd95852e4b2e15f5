// Which stacks of a fleet a run takes: those that --only, --changed-since and --shard all name.

import { Collector, requireValue } from '../../core/failure.ts';
import { changedSince } from '../../fleet/changed.ts';
import type { FleetFile } from '../../fleet/fleet-file.ts';
import { readFleetText, type LoadedEntry } from '../../fleet/load-entry.ts';
import { namesLike } from '../../fleet/only.ts';
import type { ImportLink } from '../../fleet/order.ts';
import { readShard, shardOf, type Shard } from '../../fleet/shard.ts';
import { gitIn } from '../../platform/git.ts';
import type { Invocation } from '../shell/invocation.ts';

interface Selectable {
  /** Path of the fleet file. */
  readonly name: string;
  readonly file: FleetFile;
  readonly loaded: readonly LoadedEntry[];
  readonly links: readonly ImportLink[];
}

/** The selected names, in the order of the file; fails with the problems of all options. */
export async function selectedIn(
  { name, file, loaded, links }: Selectable,
  run: Invocation,
): Promise<readonly string[]> {
  const { settings, cwd, env } = run;
  const names = file.entries.map((entry) => entry.name);
  const collector = new Collector();
  const like = collector.try(() => requireValue(namesLike(names, settings.only)));
  const rev = settings.changedSince;
  const changed =
    rev === undefined
      ? new Set(names)
      : await collector.take(async () => {
          const parse = (text: string) => readFleetText(name, text, run).value;
          return requireValue(
            await changedSince(rev, { cwd, git: gitIn(env), name, fleet: file, parse, loaded, links }),
          );
        });
  const shard = collector.try(() => shardFor(run));
  if (collector.hasFailed || like === undefined || changed === undefined) throw collector.failure();
  const mine = new Set(shard === undefined ? names : shardOf(names, links, shard));
  return like.filter((one) => changed.has(one) && mine.has(one));
}

/** The shard of this run; undefined if it takes the whole fleet. */
export function shardFor({ settings: { shard }, env }: Invocation): Shard | undefined {
  return shard === undefined ? undefined : requireValue(readShard(shard, env));
}
